/** Telemetry in live decisions: the only way by which anything that the probe saw reaches a score. */

import {
  hasInfluence,
  telemetryObservationsMax,
  telemetryOf,
  telemetryWindowMs,
  type CipStanding,
} from '../../core/live/cip.ts'
import { clockSkewMsMax } from '../../core/time/cooldown.ts'
import { isSupported } from '../../core/reference/corridor.ts'
import type { CipStore } from '../ports/cip.ts'
import type { Clock } from '../ports/system.ts'
import type { SignalSource } from '../ports/signals.ts'
import { standingOf } from './status.ts'

/** How long the standing is believed: a formal change acts everywhere within a second. */
const believedMs = 500

/**
 * A live source with the telemetry of the corridor beside its readings, where the platform's standing gives that a say. Without one
 * the readings pass as they are and no observation is even looked at. Where it has a say and there is none, that is an
 * outage like any other: nothing is decided.
 */
export function withTelemetry(
  live: SignalSource,
  { cip, clock }: { cip: CipStore; clock: Clock },
): SignalSource {
  let believed: { standing: CipStanding; readAtMs: number } | null = null
  async function standingNow(): Promise<CipStanding> {
    const nowMs = clock.monotonicMs()
    if (believed === null || nowMs - believed.readAtMs >= believedMs) {
      believed = { standing: standingOf(await cip.state()), readAtMs: nowMs }
    }
    return believed.standing
  }

  return {
    get signals() {
      return live.signals
    },
    async read(query) {
      const report = await live.read(query)
      if (report.kind === 'unavailable' || !isSupported(query.corridor)) return report
      const standing = await standingNow()
      if (!hasInfluence(standing)) return report
      const nowMs = clock.nowMs()
      const composites = await cip.composites({
        corridor: query.corridor,
        sinceMs: nowMs - telemetryWindowMs,
        untilMs: nowMs + clockSkewMsMax,
        countMax: telemetryObservationsMax,
      })
      const telemetry = telemetryOf(composites, standing)
      return telemetry === null
        ? { kind: 'unavailable', signals: ['corridor_telemetry'] }
        : { ...report, telemetry }
    },
  }
}
