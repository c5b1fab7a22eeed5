/** The corridor probe: observes every supported corridor and records the observations. */

import { observationRetentionDays, simulationAdapter } from '../../core/live/cip.ts'
import { supportedCorridors, type Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency } from '../../core/reference/currency.ts'
import { scoreOf, factorsOf } from '../../core/decision/score.ts'
import { isFlagged, signalNames } from '../../core/decision/signals.ts'
import { prefixedId } from '../verify/ids.ts'
import type { CipStore, Observation } from '../ports/cip.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { SignalSource } from '../ports/signals.ts'
import { dayOf } from '../../core/time/durations.ts'

/** Always the same payment, so that changes in the observations come from the corridor. */
const probePayment = { amount: 1000, currency: defaultCurrency }

export interface ProbeDeps {
  readonly cip: CipStore
  readonly clock: Clock
  readonly random: Random
  readonly signals: SignalSource
  /** 0 disables observing; old observations are still pruned. */
  readonly everyMs: number
}

/** Runs one observation, if it is due and no other instance has claimed it. */
export type Probe = () => Promise<void>

export function createProbe({ cip, clock, random, signals, everyMs }: ProbeDeps): Probe {
  async function observe(corridor: Corridor): Promise<Observation | null> {
    const startedMs = clock.monotonicMs()
    const report = await signals.read({ ownerId: null, corridor, ...probePayment })
    // If the signals cannot be read, nothing is recorded.
    if (report.kind === 'unavailable') return null
    const { readings } = report
    const factors = factorsOf(readings, (signal) => isFlagged(signal, readings))
    return {
      corridor,
      observedAtMs: clock.nowMs(),
      adapter: simulationAdapter,
      healthThousandths: signalNames.map((_, place) => factors[place]?.healthThousandths ?? 0),
      composite: scoreOf(factors).composite,
      durationUs: Math.round((clock.monotonicMs() - startedMs) * 1000),
    }
  }

  return async () => {
    if (everyMs > 0) {
      const lease = prefixedId('lease', random)
      if (await cip.claimTurn({ lease, nowMs: clock.nowMs(), everyMs })) {
        const observations = await Promise.all(supportedCorridors.map(observe))
        await cip.record(
          lease,
          observations.filter((observation) => observation !== null),
        )
      }
    }
    await cip.prune(dayOf(clock.nowMs()) - observationRetentionDays)
  }
}
