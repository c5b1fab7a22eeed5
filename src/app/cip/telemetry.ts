/** Adds telemetry to live decisions: the only path from the probe's observations to a score. */

import {
  corpusOf,
  effectiveBlendPercent,
  telemetryObservationsMax,
  telemetryOf,
  telemetryWindowMs,
} from '../../core/live/cip.ts'
import { clockSkewMsMax } from '../../core/time/cooldown.ts'
import type { CipStore } from '../ports/cip.ts'
import type { Clock } from '../ports/system.ts'
import type { LiveSource, SignalSource } from '../ports/signals.ts'
import { standingOf } from './status.ts'

/** Cache time of the weight: a transition takes effect in every instance within a second. */
const cacheMs = 500

/**
 * Wraps a live source so that its report includes the corridor's telemetry while the platform influences decisions.
 * Otherwise readings pass through unchanged and no observation is read. If telemetry is required but missing, the
 * signals are unavailable and no decision is made.
 */
export function withTelemetry(
  live: LiveSource,
  { cip, clock }: { cip: CipStore; clock: Clock },
): SignalSource {
  let cached: { blendPercent: number; readAtMs: number } | null = null
  async function currentBlend(): Promise<number> {
    const nowMs = clock.monotonicMs()
    if (cached === null || nowMs - cached.readAtMs >= cacheMs) {
      const scope = live.scope()
      const state = await cip.state(scope)
      const corpus = corpusOf(state.days, scope, clock.nowMs())
      cached = { blendPercent: effectiveBlendPercent(standingOf(state), corpus), readAtMs: nowMs }
    }
    return cached.blendPercent
  }

  return {
    signalsOf: (corridor) => live.signalsOf(corridor),
    corridorOf: (corridor) => live.corridorOf(corridor),
    async read(query) {
      const report = await live.read(query)
      const hasData = report.kind === 'partners' || (report.kind === 'read' && report.supported)
      if (!hasData) return report
      const blendPercent = await currentBlend()
      // A corridor that no feed observes has no telemetry to wait for.
      if (blendPercent === 0 || !live.scope().corridors.includes(query.corridor)) return report
      const nowMs = clock.nowMs()
      const composites = await cip.composites({
        corridor: query.corridor,
        sinceMs: nowMs - telemetryWindowMs,
        untilMs: nowMs + clockSkewMsMax,
        countMax: telemetryObservationsMax,
      })
      const telemetry = telemetryOf(composites, blendPercent)
      return telemetry === null
        ? { kind: 'unavailable', signals: ['corridor_telemetry'] }
        : { ...report, telemetry }
    },
  }
}
