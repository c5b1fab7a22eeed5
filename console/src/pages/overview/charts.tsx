/** The charts of the overview. */

import type { Decision, Methodology, VerificationsSummary } from '@fairway/client'
import { Link, useLocation } from 'wouter'
import { CountBars, VerdictLegend, VerdictShares } from '../../charts/bars.tsx'
import { Figure } from '../../charts/figure.tsx'
import { CountColumns, ScoreHistogram, VerdictColumns } from '../../charts/lazy.tsx'
import {
  formatCount,
  formatHour,
  formatMs,
  formatScore,
  formatShare,
  formatTime,
  formatZonedDay,
  timeZone,
} from '../../format.ts'
import { boundsOf } from '../../rules.ts'
import { Card, Tile, Tiles } from '../../ui/card.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { verdicts } from '../../ui/verdict.tsx'
import { codeLabel } from '../../labels.ts'
import { recordsHref } from './filters.ts'
import './overview.css'

const height = 240
const latencyHeight = 180

export interface Shown {
  readonly summary: VerificationsSummary
  /** The corridor filter, which links carry over; empty for all corridors. */
  readonly corridor: string
  /** Whether figures link to their records. The list of records has no mode filter. */
  readonly linked?: boolean
}

const orNone = (value: number | null, format: (value: number) => string): string =>
  value === null ? 'none' : format(value)

export function SummaryTiles({ summary }: Pick<Shown, 'summary'>) {
  const { total, decisions, average_score, average_confidence, latency_ms, cooldown_hits } = summary
  return (
    <Tiles>
      <Tile
        name="Decisions"
        value={formatCount(total)}
        note={`on ${formatCount(summary.corridors_total)} corridor${summary.corridors_total === 1 ? '' : 's'}`}
      />
      <Tile
        name="GO rate"
        value={formatShare(decisions.GO, total)}
        note={`${formatCount(decisions.GO)} of ${formatCount(total)}`}
      />
      <Tile
        name="Average score"
        value={orNone(average_score, formatScore)}
        note={`confidence ${orNone(average_confidence, formatScore)}`}
      />
      <Tile
        name="p95 latency"
        value={orNone(latency_ms.p95, formatMs)}
        note={`p50 ${orNone(latency_ms.p50, formatMs)}`}
      />
      <Tile name="Cooldown hits" value={formatCount(cooldown_hits)} note="repeated NO-GO decisions" />
    </Tiles>
  )
}

interface Step {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly label: string
  readonly counts: Readonly<Record<Decision, number>>
  readonly total: number
  readonly average: number | null
  /** It is not over yet. */
  readonly isNow: boolean
}

function stepsOf({
  series,
  step,
  to: end,
  time_zone: zone,
  generated_at: now,
}: VerificationsSummary): Step[] {
  const isHour = step === 'hour'
  return series.map(({ starts_at: from, average_score: average, ...counts }, place) => {
    const name = isHour ? formatHour(from) : formatZonedDay(from, zone)
    const to = series[place + 1]?.starts_at ?? end
    const isNow = from <= now && now < to
    return {
      from,
      to,
      name,
      label: `${isHour ? formatTime(from, false) : name}${isNow ? ', so far' : ''}`,
      isNow,
      counts,
      total: counts.GO + counts.DEGRADED + counts['NO-GO'],
      average,
    }
  })
}

function stepColumns(isHour: boolean, corridor: string, linked: boolean): readonly Column<Step>[] {
  return [
    {
      name: isHour ? 'Hour' : 'Day',
      cell: ({ from, name, isNow }) => (
        <>
          {isHour ? <Time at={from} seconds={false} /> : name}
          {isNow && <span className="soft"> so far</span>}
        </>
      ),
    },
    ...verdicts.map((verdict) => ({
      name: verdict,
      number: true,
      cell: ({ from, to, counts }: Step) =>
        counts[verdict] === 0 || !linked ? (
          formatCount(counts[verdict])
        ) : (
          <Link href={recordsHref({ decision: verdict, corridor, from, to })}>
            {formatCount(counts[verdict])}
          </Link>
        ),
    })),
    { name: 'Total', number: true, cell: ({ total }) => formatCount(total) },
    { name: 'Average score', number: true, cell: ({ average }) => orNone(average, formatScore) },
  ]
}

const dayHours = 24

/** The date is needed only if an hour can occur on several days. */
function peakText({ total, name, label }: Step, stepCount: number, isHour: boolean): string {
  const time = isHour ? `at ${stepCount > dayHours ? label : name}` : `on ${name}`
  return `Peak: ${formatCount(total)} ${time}.`
}

export function OverTime({ summary, corridor, linked = true }: Shown) {
  const [, navigate] = useLocation()
  const isHour = summary.step === 'hour'
  const steps = stepsOf(summary)
  const peak = steps.reduce<Step | undefined>(
    (best, one) => (one.total > (best?.total ?? 0) ? one : best),
    undefined,
  )
  function pick(place: number, decision: Decision): void {
    const step = steps[place]
    if (step !== undefined) navigate(recordsHref({ decision, corridor, from: step.from, to: step.to }))
  }
  const isUtc = !isHour && summary.time_zone !== timeZone
  const unit = `${isHour ? 'Hourly' : isUtc ? 'Daily, in UTC' : 'Daily'}, up to now`
  return (
    <Figure
      title="Decisions over time"
      summary={`${unit}. ${peak === undefined ? '' : peakText(peak, steps.length, isHour)}`}
      height={height}
      columns={stepColumns(isHour, corridor, linked)}
      rows={steps}
      keyOf={({ from }) => from}
    >
      <VerdictLegend />
      <VerdictColumns
        rows={steps.map(({ name, label, isNow, counts }) => ({
          name: isNow ? 'now' : name,
          label,
          isNow,
          ...counts,
        }))}
        height={height}
        {...(linked && { onPick: pick })}
      />
    </Figure>
  )
}

export function Shares({ summary, corridor, linked = true }: Shown) {
  const { from, to, decisions, total } = summary
  return (
    <Card title="Decision shares" note={`Share of ${formatCount(total)} decisions.`}>
      <VerdictShares
        counts={decisions}
        {...(linked && { hrefOf: (decision: Decision) => recordsHref({ decision, corridor, from, to }) })}
      />
    </Card>
  )
}

export function Reasons({ summary: { reasons, total } }: Pick<Shown, 'summary'>) {
  return (
    <Card title="Top reasons" note="Share of decisions with each reason. A decision can have several.">
      <CountBars
        label="Top reasons"
        all={total}
        bars={reasons.map(({ code, count }) => ({ key: code, name: codeLabel(code), count }))}
      />
    </Card>
  )
}

type Bin = VerificationsSummary['scores'][number]

const binColumns: readonly Column<Bin>[] = [
  { name: 'Score from', number: true, cell: ({ from }) => formatScore(from) },
  { name: 'Below', number: true, cell: ({ to }) => (to === 1 ? '1.00 (inclusive)' : formatScore(to)) },
  { name: 'Decisions', number: true, cell: ({ count }) => formatCount(count) },
]

export function Scores({
  summary: { scores, total },
  rules,
}: Pick<Shown, 'summary'> & { readonly rules: Methodology }) {
  const bounds = boundsOf(rules)
  const countFrom = (min: number): number =>
    scores.reduce((sum, { from, count }) => (from >= min ? sum + count : sum), 0)
  const go = countFrom(bounds.go)
  const below = total - countFrom(bounds.degraded)
  return (
    <Figure
      title="Scores"
      summary={`${formatShare(go, total)} score ${formatScore(bounds.go)} or higher (GO); ${formatShare(below, total)} score below ${formatScore(bounds.degraded)} (NO-GO).`}
      height={height}
      columns={binColumns}
      rows={scores}
      keyOf={({ from }) => String(from)}
    >
      <ScoreHistogram bins={scores} bounds={bounds} height={height} />
    </Figure>
  )
}

const latencyColumns = [
  { name: 'Latency', cell: ({ name }: { name: string }) => name },
  { name: 'Decisions', number: true, cell: ({ count }: { count: number }) => formatCount(count) },
]

export function Latency({ summary: { latency_ms: latency } }: Pick<Shown, 'summary'>) {
  const last = latency.buckets.at(-2)?.up_to_ms ?? 0
  const rows = latency.buckets.map(({ up_to_ms: upTo, count }) => ({
    name: upTo === null ? `> ${formatMs(last)}` : `≤ ${formatMs(upTo)}`,
    count,
  }))
  return (
    <Figure
      title="Latency"
      summary={
        <>
          p50 <strong>{orNone(latency.p50, formatMs)}</strong>, p95{' '}
          <strong>{orNone(latency.p95, formatMs)}</strong>, p99{' '}
          <strong>{orNone(latency.p99, formatMs)}</strong>, from request arrival to prepared record.
        </>
      }
      height={latencyHeight}
      columns={latencyColumns}
      rows={rows}
      keyOf={({ name }) => name}
    >
      <CountColumns rows={rows} height={latencyHeight} />
    </Figure>
  )
}
