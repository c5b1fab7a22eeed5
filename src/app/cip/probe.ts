/** The probe: looks at every supported corridor again and again, and writes down what it sees. */

import { observationDaysKept } from '../../core/live/cip.ts'
import { supportedCorridors, type Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency } from '../../core/reference/currency.ts'
import { scoreOf, weigh } from '../../core/decision/score.ts'
import { isFlagged, signalNames } from '../../core/decision/signals.ts'
import { prefixedId } from '../verify/ids.ts'
import type { CipStore, Observation } from '../ports/cip.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { SignalSource } from '../ports/signals.ts'
import { dayOf } from '../../core/time/durations.ts'

/** Always the same payment, so that a change in what is observed is a change of the corridor. */
const probePayment = { amount: 1000, currency: defaultCurrency }

/** Who reads the signals for the probe. */
export const probeAdapter = 'simulation'

export interface ProbeDeps {
  readonly cip: CipStore
  readonly clock: Clock
  readonly random: Random
  readonly signals: SignalSource
  /** 0: it only takes away what is old. */
  readonly everyMs: number
}

/** One look, where it is due and no other instance has it. */
export type Probe = () => Promise<void>

export function createProbe({ cip, clock, random, signals, everyMs }: ProbeDeps): Probe {
  async function observe(corridor: Corridor): Promise<Observation | null> {
    const startedMs = clock.monotonicMs()
    const report = await signals.read({ ownerId: null, corridor, ...probePayment })
    // What cannot be read is not observed; nothing is made up in its place.
    if (report.kind === 'unavailable') return null
    const { readings } = report
    const factors = weigh(readings, (signal) => isFlagged(signal, readings))
    return {
      corridor,
      observedAtMs: clock.nowMs(),
      adapter: probeAdapter,
      riskThousandths: signalNames.map((_, place) => factors[place]?.riskThousandths ?? 0),
      composite: scoreOf(factors).composite,
      durationUs: Math.round((clock.monotonicMs() - startedMs) * 1000),
    }
  }

  return async () => {
    if (everyMs > 0) {
      const lease = prefixedId('lease', random)
      if (await cip.claimTurn({ lease, nowMs: clock.nowMs(), everyMs })) {
        const seen = await Promise.all(supportedCorridors.map(observe))
        await cip.record(
          lease,
          seen.filter((one) => one !== null),
        )
      }
    }
    await cip.prune(dayOf(clock.nowMs()) - observationDaysKept)
  }
}
