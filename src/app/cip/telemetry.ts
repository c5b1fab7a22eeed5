/** Adds telemetry to live decisions: the only path from the probe's observations to a score. */

import {
  hasInfluence,
  telemetryObservationsMax,
  telemetryOf,
  telemetryWindowMs,
  type CipStageState,
} from '../../core/live/cip.ts'
import { clockSkewMsMax } from '../../core/time/cooldown.ts'
import { isSupported } from '../../core/reference/corridor.ts'
import type { CipStore } from '../ports/cip.ts'
import type { Clock } from '../ports/system.ts'
import type { SignalSource } from '../ports/signals.ts'
import { standingOf } from './status.ts'

/** Cache time of the standing: a transition takes effect in every instance within a second. */
const cacheMs = 500

/**
 * Wraps a live source so that its report includes the corridor's telemetry while the platform influences decisions.
 * Otherwise readings pass through unchanged and no observation is read. If telemetry is required but missing, the
 * signals are unavailable and no decision is made.
 */
export function withTelemetry(
  live: SignalSource,
  { cip, clock }: { cip: CipStore; clock: Clock },
): SignalSource {
  let cached: { standing: CipStageState; readAtMs: number } | null = null
  async function currentStanding(): Promise<CipStageState> {
    const nowMs = clock.monotonicMs()
    if (cached === null || nowMs - cached.readAtMs >= cacheMs) {
      cached = { standing: standingOf(await cip.state()), readAtMs: nowMs }
    }
    return cached.standing
  }

  return {
    get signals() {
      return live.signals
    },
    async read(query) {
      const report = await live.read(query)
      if (report.kind === 'unavailable' || !isSupported(query.corridor)) return report
      const standing = await currentStanding()
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
