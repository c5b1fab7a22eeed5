/** A score on a ruler from 0 to 1, with the bands of the three decisions. */

import type { Decision } from '@fairway/client'
import { formatScore } from '../format.ts'
import type { Bounds } from '../rules.ts'
import { toneOf } from '../ui/verdict.tsx'
import './ruler.css'

/** Shifts the marker by its own width, so that it stays within the track at both ends. */
const at = (score: number) => ({ left: `${score * 100}%`, transform: `translateX(-${score * 100}%)` })

export function ScoreRuler({
  score,
  decision,
  bounds: { go, degraded },
}: {
  readonly score: number
  /** Its colour marks the score: a cap or a rule can give another verdict than the band. */
  readonly decision?: Decision
  readonly bounds: Bounds
}) {
  const zones = [
    ['NO-GO', 'nogo', degraded],
    ['DEGRADED', 'degraded', go - degraded],
    ['GO', 'go', 1 - go],
  ] as const
  const label = `Score ${formatScore(score)} on a scale from 0 to 1: GO from ${formatScore(go)}, DEGRADED from ${formatScore(degraded)}, NO-GO below.`
  return (
    <div className="ruler" role="img" aria-label={label}>
      <div className="ruler-above">
        <span style={at(score)} {...(decision !== undefined && { className: `flag-${toneOf[decision]}` })}>
          {formatScore(score)}
        </span>
      </div>
      <div className="ruler-zones">
        {zones.map(([name, tone, width]) => (
          <span key={name} className={`ruler-zone fill-${tone}`} style={{ flex: `${width} 0 0` }} />
        ))}
        <i style={at(score)} />
      </div>
      <div className="ruler-zones">
        {zones.map(([name, , width]) => (
          <span key={name} style={{ flex: `${width} 0 0` }}>
            {name}
          </span>
        ))}
      </div>
      <div className="ruler-scale">
        {[0, degraded, go, 1].map((bound) => (
          <span key={bound} style={at(bound)}>
            {bound === 0 || bound === 1 ? bound : formatScore(bound)}
          </span>
        ))}
      </div>
    </div>
  )
}
