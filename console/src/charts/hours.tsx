/** Scores by hour as bars, one row per series, in plain HTML. An hour without observations stays empty. */

import type { CorridorHealth } from '@fairway/client'
import { formatHour, formatScore, formatShare, formatTime } from '../format.ts'
import { bandOf, type Bounds } from '../rules.ts'
import { toneOf } from '../ui/verdict.tsx'
import './hours.css'

type ObservedHour = CorridorHealth['last_24_hours'][number]

const hourMs = 3_600_000
const hourCount = 24
const scaleEvery = 6

export interface HourSeries {
  readonly key: string
  readonly name: string
  /** One per start of an hour; null without observations. */
  readonly hours: readonly (ObservedHour | null)[]
}

/** The starts of the last 24 hours, the current one last. */
export function hoursUntil(nowMs: number): readonly number[] {
  const last = Math.floor(nowMs / hourMs) * hourMs
  return Array.from({ length: hourCount }, (_, place) => last - (hourCount - 1 - place) * hourMs)
}

export function seriesOf(
  key: string,
  name: string,
  observed: readonly ObservedHour[],
  starts: readonly number[],
): HourSeries {
  const byStart = new Map(observed.map((hour) => [Date.parse(hour.hour), hour]))
  return { key, name, hours: starts.map((start) => byStart.get(start) ?? null) }
}

export function hourText(hour: ObservedHour | null): string {
  if (hour === null) return 'no observation'
  if (hour.score === null) return 'could not be read'
  const read = hour.availability === 1 ? '' : `, read in ${formatShare(hour.availability, 1)}`
  return formatScore(hour.score) + read
}

function Bar({ of, bounds }: { readonly of: ObservedHour | null; readonly bounds: Bounds | null }) {
  if (of === null) return <i className="hours-none" />
  if (of.score === null) return <i className="hours-unread" />
  const fill = bounds === null ? '' : `fill-${toneOf[bandOf(of.score, bounds)]}`
  return (
    <>
      <i className={fill} style={{ height: `${Math.max(4, of.score * 100)}%` }} />
      {of.availability < 1 && <b className="hours-partly" />}
    </>
  )
}

const legend = [
  ['fill-go', 'GO'],
  ['fill-degraded', 'DEGRADED'],
  ['fill-nogo', 'NO-GO'],
  ['hours-unread', 'Could not be read'],
  ['hours-partly', 'Partly read'],
  ['hours-none', 'No observation'],
] as const

export function HourBars({
  series,
  starts,
  bounds,
}: {
  readonly series: readonly HourSeries[]
  readonly starts: readonly number[]
  readonly bounds: Bounds | null
}) {
  return (
    <div className="hours">
      <ul className="hours-legend">
        {legend.map(([look, label]) => (
          <li key={look}>
            <i className={look} />
            {label}
          </li>
        ))}
      </ul>
      {series.map(({ key, name, hours }) => (
        <div key={key} className="hours-row">
          <span className="hours-name">{name}</span>
          <div className="hours-bars">
            {hours.map((hour, place) => (
              <span
                key={starts[place]}
                {...(place === hourCount - 1 && { className: 'hours-now' })}
                title={`${formatTime(starts[place] ?? 0, false)}: ${hourText(hour)}`}
              >
                <Bar of={hour} bounds={bounds} />
              </span>
            ))}
          </div>
        </div>
      ))}
      <div className="hours-row">
        <span className="hours-name" />
        <div className="hours-scale">
          {starts
            .filter((_, place) => place % scaleEvery === 0)
            .map((start) => (
              <span key={start}>{formatHour(start)}</span>
            ))}
          <span className="hours-end">now</span>
        </div>
      </div>
    </div>
  )
}
