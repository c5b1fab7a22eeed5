/** The headline figures of a report: shares, execution uncertainty, averages and score distribution. */

import type { Assessment, BatchResponse, Decision } from '@fairway/client'
import { VerdictShares } from '../../charts/bars.tsx'
import { Figure } from '../../charts/figure.tsx'
import { ScoreHistogram } from '../../charts/lazy.tsx'
import { formatAlignedShare, formatCount, formatRows, formatScore, formatShare } from '../../format.ts'
import { boundsOf, useRules } from '../../rules.ts'
import { Card, Tile, Tiles } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { binsOf, verdicts, type Counts } from './totals.ts'

type Summary = BatchResponse['summary']

/** Formats the report's percentages, which are already rounded to one decimal. */
const percent = (of100: number): string => formatShare(of100, 100)

const advice: Readonly<Record<Decision, string>> = {
  GO: 'may proceed',
  DEGRADED: 'hold for review',
  'NO-GO': 'block',
}

const countsIn = ({ go, degraded, no_go: noGo }: Summary): Counts => ({
  GO: go,
  DEGRADED: degraded,
  'NO-GO': noGo,
})

function lead(summary: Summary): string {
  const { total_assessed: total } = summary
  const counts = countsIn(summary)
  const only = verdicts.find((verdict) => counts[verdict] === total)
  if (only !== undefined) {
    return total === 1
      ? `The only row is ${only}: ${advice[only]}.`
      : `All ${formatCount(total)} rows are ${only}: ${advice[only]}.`
  }
  return `Of ${formatCount(total)} payments, ${percent(summary.go_pct)} would have gone ahead (GO), ${percent(summary.degraded_pct)} would have been held for review (DEGRADED) and ${percent(summary.no_go_pct)} would have been blocked (NO-GO).`
}

/** The bands of the Execution Uncertainty Score, as documented in methodology.md. */
const bands = [
  ['Low', 0, 20, 'go'],
  ['Moderate', 21, 35, 'degraded'],
  ['High', 36, 60, 'degraded'],
  ['Critical', 61, 100, 'nogo'],
] as const

function UncertaintyScale({ report }: { readonly report: BatchResponse }) {
  const { execution_uncertainty_score: score, execution_uncertainty_band: active } = report
  const ranges = bands.map(([band, from, to]) => `${band} ${from} to ${to}`).join(', ')
  return (
    <div
      className="scale"
      role="img"
      aria-label={`Execution Uncertainty Score ${score} of 100, band ${active}; bands: ${ranges}`}
    >
      <div className="scale-track">
        <span className="scale-marker" style={{ left: `${score}%` }} />
      </div>
      <div className="scale-bands">
        {bands.map(([band, from, to, tone]) => (
          <div
            key={band}
            className={band === active ? 'scale-active' : ''}
            style={{ flexGrow: to - from + 1 }}
          >
            <span className={`scale-band${band === active ? ` fill-${tone}` : ''}`} />
            <span>{band}</span>
            <span className="figures">{`${from}–${to}`}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

function Uncertainty({ report }: { readonly report: BatchResponse }) {
  const { summary, execution_uncertainty_score: score, execution_uncertainty_band: band } = report
  const { no_go_pct: noGo, degraded_pct: degraded } = summary
  return (
    <Card title="Execution Uncertainty Score" isPrimary>
      <p className="uncertainty">
        <span className="uncertainty-score figures">{score}</span> <span className="soft">of 100</span>{' '}
        <strong>{band}</strong>
      </p>
      <UncertaintyScale report={report} />
      <p className="small soft">
        A summary statistic of this file, not a prediction: min(100, NO-GO % × 3.5 + DEGRADED %), here{' '}
        <span className="figures">{`${noGo.toFixed(1)} × 3.5 + ${degraded.toFixed(1)}`}</span>, rounded.
      </p>
    </Card>
  )
}

/** Figures that compare verdicts with outcomes. */
function outcomeTiles({
  summary,
  assessments,
}: BatchResponse): readonly (readonly [name: string, value: string, note: string])[] {
  const { alignment_pct: alignment } = summary
  const none = assessments.some((row) => row.actual_outcome === 'PENDING') ? 'not final yet' : 'not provided'
  if (alignment === null) {
    return [
      ['Alignment', none, 'Requires rows with a final outcome.'],
      ['Flagged before failure', none, 'Requires rows that FAILED or were REJECTED.'],
      ['Would have been caught', none, 'Requires rows that FAILED, were REJECTED or were DELAYED.'],
    ]
  }
  const aligned = assessments.filter((row) => row.alignment === true).length
  const ended = (...outcomes: readonly string[]): number =>
    assessments.filter((row) => outcomes.includes(row.actual_outcome ?? '')).length
  const failed = ended('FAILED', 'REJECTED')
  const troubled = failed + ended('DELAYED')
  const { flagged_pre_failure: flagged, improvement_opportunities: improved } = summary
  return [
    [
      'Alignment',
      percent(alignment),
      `The decision matches the outcome in ${formatCount(aligned)} of ${formatRows(summary.transactions_with_outcome)} with a final outcome.`,
    ],
    [
      'Flagged before failure',
      formatRows(flagged),
      failed === 0
        ? 'No row FAILED or was REJECTED.'
        : `Of ${formatRows(failed)} that FAILED or were REJECTED, ${formatShare(flagged, failed)} are DEGRADED or NO-GO.`,
    ],
    [
      'Would have been caught',
      formatRows(improved),
      troubled === 0
        ? 'No row FAILED, was REJECTED or was DELAYED.'
        : `Of ${formatRows(troubled)} that FAILED, were REJECTED or were DELAYED, ${formatShare(improved, troubled)} would have been held or blocked first.`,
    ],
  ]
}

export function Headline({ report }: { readonly report: BatchResponse }) {
  const { summary } = report
  return (
    <>
      <div className="columns report-pair">
        <Card title="Decisions">
          <p>{lead(summary)}</p>
          <VerdictShares counts={countsIn(summary)} />
        </Card>
        <Uncertainty report={report} />
      </div>
      <Tiles>
        <Tile
          name="Average score"
          value={summary.avg_score.toFixed(4)}
          note="From 0 (worst) to 1 (best), over all rows."
        />
        <Tile
          name="Average confidence"
          value={summary.avg_confidence.toFixed(4)}
          note="From 0 to 1: how far the signals can be trusted. Independent of the score."
        />
        {outcomeTiles(report).map(([name, value, note]) => (
          <Tile key={name} name={name} value={value} note={note} />
        ))}
      </Tiles>
    </>
  )
}

export function Scores({ rows }: { readonly rows: readonly Assessment[] }) {
  const { data: rules } = useRules()
  const bins = binsOf(rows.map((row) => row.svc_score))
  const capped = rows.filter((row) => row.policy_capped).length
  const unsupported = rows.filter((row) => !row.corridor_supported).length
  return (
    <Figure
      title="Score distribution"
      summary={`Rows by score, in steps of 0.04, coloured by band. A decision can differ from its band if the amount is above a cap (${formatRows(capped)}) or the corridor has no data (${formatRows(unsupported)}).`}
      columns={[
        { name: 'Score', cell: ({ from, to }) => `${formatScore(from)} to ${formatScore(to)}` },
        { name: 'Rows', number: true, cell: ({ count }) => formatCount(count) },
        { name: 'Share', number: true, cell: ({ count }) => formatAlignedShare(count, rows.length) },
      ]}
      rows={bins.filter(({ count }) => count > 0)}
      keyOf={({ from }) => String(from)}
    >
      {rules === undefined ? (
        <Skeleton height={240} />
      ) : (
        <ScoreHistogram bins={bins} bounds={boundsOf(rules)} height={240} />
      )}
    </Figure>
  )
}
