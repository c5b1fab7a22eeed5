/** The figures of the overview: each tells in a sentence what it shows, and has the numbers as text. */

import type { Decision, Methodology, VerificationsSummary } from '@fairway/client'
import { Link, useLocation } from 'wouter'
import { CountBars, VerdictShares } from '../../charts/bars.tsx'
import { Figure } from '../../charts/figure.tsx'
import { CountColumns, ScoreHistogram, VerdictColumns } from '../../charts/lazy.tsx'
import {
  formatCount,
  formatHour,
  formatMs,
  formatScore,
  formatShare,
  formatTime,
  formatUtcDay,
} from '../../format.ts'
import { boundsOf } from '../../rules.ts'
import { Card, Tile, Tiles } from '../../ui/card.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toneOf } from '../../ui/verdict.tsx'
import { codeWords } from '../../words.ts'
import { recordsHref } from './filters.ts'

const verdicts: readonly Decision[] = ['GO', 'DEGRADED', 'NO-GO']
const height = 240
const latencyHeight = 180

export interface Shown {
  readonly summary: VerificationsSummary
  /** The corridor that was asked for, if one was: links lead on with it. */
  readonly corridor: string
  /** Whether the records behind a figure can be shown: they can be filtered by all but the mode. */
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
        name="Share of GO"
        value={formatShare(decisions.GO, total)}
        note={`${formatCount(decisions.GO)} of ${formatCount(total)}`}
      />
      <Tile
        name="Average score"
        value={orNone(average_score, formatScore)}
        note={`confidence ${orNone(average_confidence, formatScore)}`}
      />
      <Tile
        name="Latency, p95"
        value={orNone(latency_ms.p95, formatMs)}
        note={`p50 ${orNone(latency_ms.p50, formatMs)}`}
      />
      <Tile name="Cooldown hits" value={formatCount(cooldown_hits)} note="NO-GO repeated" />
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
}

function stepsOf({ series, step, to }: VerificationsSummary): Step[] {
  const isHour = step === 'hour'
  return series.map(({ starts_at: from, average_score: average, ...counts }, place) => {
    const name = isHour ? formatHour(from) : formatUtcDay(from)
    return {
      from,
      to: series[place + 1]?.starts_at ?? to,
      name,
      label: isHour ? `from ${formatTime(from, false)}` : `on ${name}, UTC`,
      counts,
      total: counts.GO + counts.DEGRADED + counts['NO-GO'],
      average,
    }
  })
}

function stepColumns(isHour: boolean, corridor: string, linked: boolean): readonly Column<Step>[] {
  return [
    {
      name: isHour ? 'Hour from' : 'Day in UTC',
      cell: ({ from, name }) => (isHour ? <Time at={from} seconds={false} /> : name),
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
    { name: 'In all', number: true, cell: ({ total }) => formatCount(total) },
    { name: 'Average score', number: true, cell: ({ average }) => orNone(average, formatScore) },
  ]
}

export function OverTime({ summary, corridor, linked = true }: Shown) {
  const [, navigate] = useLocation()
  const isHour = summary.step === 'hour'
  const steps = stepsOf(summary)
  const most = steps.reduce<Step | undefined>(
    (best, one) => (one.total > (best?.total ?? 0) ? one : best),
    undefined,
  )
  function pick(place: number, decision: Decision): void {
    const step = steps[place]
    if (step !== undefined) navigate(recordsHref({ decision, corridor, from: step.from, to: step.to }))
  }
  const unit = isHour ? 'By hour, in your local time' : 'By day; days are UTC days'
  return (
    <Figure
      title="Decisions over time"
      says={`${unit}. ${most === undefined ? '' : `Most, ${formatCount(most.total)}, ${most.label}.`}`}
      height={height}
      columns={stepColumns(isHour, corridor, linked)}
      rows={steps}
      keyOf={({ from }) => from}
    >
      <div className="overview-legend">
        {verdicts.map((verdict) => (
          <span key={verdict}>
            <span className={`overview-swatch fill-${toneOf[verdict]}`} />
            {verdict}
          </span>
        ))}
      </div>
      <VerdictColumns
        rows={steps.map(({ name, label, counts }) => ({ name, label, ...counts }))}
        height={height}
        {...(linked && { onPick: pick })}
      />
    </Figure>
  )
}

export function Shares({ summary, corridor, linked = true }: Shown) {
  const { from, to, decisions, total } = summary
  return (
    <Card title="Verdicts" note={`Of ${formatCount(total)} decisions.`}>
      <VerdictShares
        counts={decisions}
        {...(linked && { hrefOf: (decision: Decision) => recordsHref({ decision, corridor, from, to }) })}
      />
    </Card>
  )
}

export function Reasons({ summary: { reasons, total } }: Pick<Shown, 'summary'>) {
  return (
    <Card title="Top reasons" note="In how many of the decisions; one may have several.">
      <CountBars
        label="Top reasons"
        all={total}
        bars={reasons.map(({ code, count }) => ({ key: code, name: codeWords(code), count }))}
      />
    </Card>
  )
}

type Bin = VerificationsSummary['scores'][number]

const binColumns: readonly Column<Bin>[] = [
  { name: 'Score from', number: true, cell: ({ from }) => formatScore(from) },
  { name: 'Below', number: true, cell: ({ to }) => (to === 1 ? '1.00 included' : formatScore(to)) },
  { name: 'Decisions', number: true, cell: ({ count }) => formatCount(count) },
]

export function Scores({
  summary: { scores, total },
  rules,
}: Pick<Shown, 'summary'> & { readonly rules: Methodology }) {
  const bounds = boundsOf(rules)
  const countFrom = (least: number): number =>
    scores.reduce((sum, { from, count }) => (from >= least ? sum + count : sum), 0)
  const go = countFrom(bounds.go)
  const below = total - countFrom(bounds.degraded)
  return (
    <Figure
      title="Scores"
      says={`${formatShare(go, total)} are ${formatScore(bounds.go)} or more, the band of GO; ${formatShare(below, total)} are below ${formatScore(bounds.degraded)}, the band of NO-GO.`}
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
  { name: 'Took', cell: ({ name }: { name: string }) => name },
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
      says={
        <>
          p50 <strong>{orNone(latency.p50, formatMs)}</strong>, p95{' '}
          <strong>{orNone(latency.p95, formatMs)}</strong>, p99{' '}
          <strong>{orNone(latency.p99, formatMs)}</strong>, from a request's arrival until its record was
          prepared.
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
