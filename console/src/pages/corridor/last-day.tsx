/** The last 24 hours of a corridor: the probe's score by hour, of each partner or of the corridor. */

import type { CorridorHealth } from '@fairway/client'
import { Figure } from '../../charts/figure.tsx'
import { HourBars, hoursUntil, hourText, seriesOf, type HourSeries } from '../../charts/hours.tsx'
import { formatHour, formatScore } from '../../format.ts'
import { boundsOf, useRules } from '../../rules.ts'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const rowHeightPx = 68

function lowestText(series: readonly HourSeries[]): string {
  const scores = series.flatMap(({ name, hours }) =>
    hours.flatMap((hour) =>
      hour === null || hour.score === null ? [] : [{ name, at: hour.hour, score: hour.score }],
    ),
  )
  const [lowest] = scores.toSorted((left, right) => left.score - right.score)
  if (lowest === undefined) return 'Nothing could be read.'
  return `Lowest: ${formatScore(lowest.score)}, ${lowest.name} at ${formatHour(lowest.at)}.`
}

const columnsOf = (starts: readonly number[], series: readonly HourSeries[]): readonly Column<number>[] => [
  {
    name: 'Hour',
    cell: (place) => (
      <>
        <Time at={new Date(starts[place] ?? 0).toISOString()} seconds={false} />
        {place === starts.length - 1 && <span className="soft"> so far</span>}
      </>
    ),
  },
  ...series.map(({ name, hours }): Column<number> => ({
    name,
    cell: (place) => hourText(hours[place] ?? null),
  })),
]

export function LastDay({ health }: { readonly health: CorridorHealth }) {
  const { data: rules } = useRules()
  const { partners, corridor, last_24_hours: own } = health
  const starts = hoursUntil(Date.parse(health.evaluated_at))
  const series =
    partners.length === 0
      ? [seriesOf(corridor, corridor, own, starts)]
      : partners.map(({ partner, name, last_24_hours: hours }) => seriesOf(partner, name, hours, starts))
  // Nothing was observed: simulated signals, or no probe yet.
  if (series.every(({ hours }) => hours.every((hour) => hour === null))) return null
  return (
    <Figure
      title="Last 24 hours"
      summary={`Average score by hour, up to now, of the signals that need no payment. ${lowestText(series)}`}
      height={series.length * rowHeightPx}
      columns={columnsOf(starts, series)}
      rows={starts.map((_, place) => place)}
      keyOf={String}
    >
      <HourBars {...{ series, starts }} bounds={rules === undefined ? null : boundsOf(rules)} />
    </Figure>
  )
}
