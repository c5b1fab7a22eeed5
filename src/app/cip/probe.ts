/** The corridor probe: observes every supported corridor and records the observations. */

import { observationRetentionDays, simulationAdapter } from '../../core/live/cip.ts'
import { supportedCorridors, type Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency } from '../../core/reference/currency.ts'
import { scoreOf, factorsOf } from '../../core/decision/score.ts'
import { isFlagged } from '../../core/decision/signals.ts'
import { readShadow } from '../verify/shadow-signals.ts'
import { prefixedId } from '../verify/ids.ts'
import type { CipStore, Observation, ProbeFindings } from '../ports/cip.ts'
import type { Clock, Random } from '../ports/system.ts'
import { dayOf, minuteMs } from '../../core/time/durations.ts'

/** Always the same payment, so that changes in the observations come from the corridor. */
const probePayment = { amount: 1000, currency: defaultCurrency }

export interface ProbeDeps {
  readonly cip: CipStore
  readonly clock: Clock
  readonly random: Random
  /** Observes the declared corridors, some at a time; null: there are no feeds, so the simulation is observed. */
  readonly observeFeeds: ((stop: AbortSignal) => AsyncGenerator<ProbeFindings>) | null
  /** 0 disables observing; old observations are still pruned. */
  readonly everyMs: number
}

/** Runs one observation, if it is due and no other instance has claimed it. Ends soon after `stop`. */
export type Probe = (stop?: AbortSignal) => Promise<void>

/** Longer than any deadline of feeds: an instance that records a part of its turn in this time keeps the turn. */
const holdMsMin = minuteMs

export function createProbe({ cip, clock, random, observeFeeds, everyMs }: ProbeDeps): Probe {
  async function observe(lease: string, stop: AbortSignal): Promise<void> {
    if (observeFeeds === null) {
      await cip.record(lease, simulated(clock))
      return
    }
    const startedMs = clock.nowMs()
    const holdMs = Math.max(everyMs, holdMsMin)
    for await (const findings of observeFeeds(stop)) {
      const turn = { isEnded: false, dueAtMs: clock.nowMs() + holdMs }
      if (!(await cip.record(lease, findings, turn))) throw new Error('another instance has taken the turn')
    }
    const dueAtMs = Math.max(clock.nowMs(), startedMs + everyMs)
    await cip.record(lease, noFindings, { isEnded: true, dueAtMs })
  }

  return async (stop = neverStops) => {
    if (everyMs > 0) {
      const lease = prefixedId('lease', random)
      if (await cip.claimTurn({ lease, nowMs: clock.nowMs(), everyMs })) await observe(lease, stop)
    }
    await cip.prune(dayOf(clock.nowMs()) - observationRetentionDays)
  }
}

const neverStops = new AbortController().signal
const noFindings: ProbeFindings = { observations: [], partners: [], statuses: [], gone: [], acts: [] }

/** The simulation's own corridors, without test amounts. */
function simulated(clock: Clock): ProbeFindings {
  const observations = supportedCorridors.flatMap((corridor) => observeSimulation(corridor, clock) ?? [])
  return { ...noFindings, observations }
}

function observeSimulation(corridor: Corridor, clock: Clock): Observation | null {
  const startedMs = clock.monotonicMs()
  const report = readShadow({ corridor, ...probePayment }, false)
  if (report.kind === 'unavailable') return null
  const { readings } = report
  const factors = factorsOf(readings, (signal) => isFlagged(signal, readings))
  return {
    corridor,
    observedAtMs: clock.nowMs(),
    adapter: simulationAdapter,
    healthThousandths: factors.map(({ healthThousandths }) => healthThousandths),
    composite: scoreOf(factors).composite,
    durationUs: Math.round((clock.monotonicMs() - startedMs) * 1000),
  }
}
