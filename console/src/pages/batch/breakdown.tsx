/** Decisions by month, corridor, outcome and reason. */

import type { Assessment, BatchResponse, Decision, PaymentOutcome } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CountBars } from '../../charts/bars.tsx'
import { formatAlignedShare, formatCount, formatRows, formatShare } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { toneOf, Verdict } from '../../ui/verdict.tsx'
import { outcomes } from '../../labels.ts'
import {
  agrees,
  byCorridor,
  byReason,
  countsOf,
  outcomeColumns,
  verdicts,
  type Counts,
  type Group,
} from './totals.ts'
import { monthName } from './months.ts'
import { reasonMeaning } from './reasons.ts'

/** The shares as a thin bar, next to their numbers. */
export function ShareBar({ counts }: { readonly counts: Counts }) {
  return (
    <span className="share-bar" aria-hidden="true">
      {verdicts
        .filter((verdict) => counts[verdict] > 0)
        .map((verdict) => (
          <span key={verdict} className={`fill-${toneOf[verdict]}`} style={{ flexGrow: counts[verdict] }} />
        ))}
    </span>
  )
}

const verdictColumn = (verdict: Decision): Column<Group> => ({
  name: verdict,
  number: true,
  cell: ({ rows }) => {
    const count = countsOf(rows)[verdict]
    return (
      <>
        {formatCount(count)} <span className="soft share-of">{formatAlignedShare(count, rows.length)}</span>
      </>
    )
  },
})

const groupColumns = (first: string, nameOf: (group: Group) => ReactNode): readonly Column<Group>[] => [
  {
    name: first,
    cell: (group) => (
      <span className="named">
        {nameOf(group)}
        <ShareBar counts={countsOf(group.rows)} />
      </span>
    ),
  },
  { name: 'Rows', number: true, cell: ({ rows }) => formatCount(rows.length) },
  ...verdicts.map(verdictColumn),
]

function Breakdown({
  title,
  note,
  first,
  groups,
  nameOf,
}: {
  readonly title: string
  readonly note: string
  readonly first: string
  readonly groups: readonly Group[]
  readonly nameOf: (group: Group) => ReactNode
}) {
  return (
    <Card title={title} note={note}>
      <Table
        caption={`${title}: rows and shares`}
        columns={groupColumns(first, nameOf)}
        rows={groups}
        keyOf={({ key }) => key}
      />
    </Card>
  )
}

const monthsMax = 36

export function MonthTable({ groups }: { readonly groups: readonly Group[] }) {
  // The report's facts already state that there are no dates.
  if (groups.every(({ key }) => key === '')) return null
  const more = groups.length - monthsMax
  return (
    <Breakdown
      title="Decisions by month"
      note={`Months as written in the file’s timestamps.${more > 0 ? ` The last ${monthsMax} of ${formatCount(groups.length)} are shown.` : ''}`}
      first="Month"
      groups={groups.slice(-monthsMax)}
      nameOf={({ key }) => (key === '' ? 'No date' : monthName(key))}
    />
  )
}

const corridorsMax = 15

function corridorLink({ key, rows }: Group): ReactNode {
  if (rows[0]?.corridor !== key) return key
  return (
    <span>
      <Link href={`/corridors/${key}`}>{key}</Link>
      {!rows[0].corridor_supported && <span className="soft small"> no data</span>}
    </span>
  )
}

export function CorridorTable({ rows }: { readonly rows: readonly Assessment[] }) {
  const all = byCorridor(rows)
  const rest = all.slice(corridorsMax)
  const others = { key: `${formatCount(rest.length)} others`, rows: rest.flatMap((group) => group.rows) }
  const which =
    rest.length === 0
      ? 'Sorted by number of rows.'
      : `The ${corridorsMax} corridors with the most rows. The last line sums all others.`
  return (
    <Breakdown
      title="Decisions by corridor"
      note={`${which} A corridor without data is never GO: decide manually.`}
      first="Corridor"
      groups={rest.length === 0 ? all : [...all.slice(0, corridorsMax), others]}
      nameOf={corridorLink}
    />
  )
}

/** A cell of the matrix: what it says without its colour, and the colour that means the same. */
const meanings = {
  match: ['✓', 'matches', 'go'],
  missed: ['✕', 'missed', 'nogo'],
  needless: ['✕', 'held without need', 'degraded'],
  uncounted: ['–', 'not counted', 'none'],
} as const

function meaningOf(verdict: Decision, outcome: PaymentOutcome | null): keyof typeof meanings {
  const agreement = agrees(verdict, outcome)
  if (agreement === null) return 'uncounted'
  if (agreement) return 'match'
  return verdict === 'GO' ? 'missed' : 'needless'
}

function Agreement({
  verdict,
  outcome,
  count,
}: {
  readonly verdict: Decision
  readonly outcome: PaymentOutcome | null
  readonly count: number
}) {
  const [sign, text, tone] = meanings[meaningOf(verdict, outcome)]
  return (
    <span className={`agreement agreement-${count === 0 ? 'none' : tone}`} title={text}>
      <strong>{formatCount(count)}</strong>
      <span className="small">
        {sign}
        <span className="sr-only"> {text}</span>
      </span>
    </span>
  )
}

const outcomeTable = (rows: readonly Assessment[]): readonly Column<Decision>[] => [
  { name: 'Decision', cell: (verdict) => <Verdict of={verdict} /> },
  ...outcomeColumns.map((outcome): Column<Decision> => ({
    name: outcome === null ? 'Not provided' : outcomes[outcome],
    number: true,
    cell: (verdict) => (
      <Agreement
        {...{ verdict, outcome }}
        count={rows.filter((row) => row.svc_decision === verdict && row.actual_outcome === outcome).length}
      />
    ),
  })),
  {
    name: 'Total',
    number: true,
    cell: (verdict) => <strong>{formatCount(countsOf(rows)[verdict])}</strong>,
  },
]

export function Alignment({ report }: { readonly report: BatchResponse }) {
  const { assessments: rows, summary } = report
  const title = 'Decisions compared with outcomes'
  if (rows.every((row) => row.actual_outcome === null)) {
    return (
      <Card title={title}>
        <p className="soft">
          No outcomes in the file. Add the column <code>actual_outcome</code> to compare decisions with
          outcomes.
        </p>
      </Card>
    )
  }
  const aligned = rows.filter((row) => row.alignment === true).length
  const sentence =
    summary.alignment_pct === null
      ? 'No row has a final outcome yet.'
      : `The decision matches the outcome in ${formatCount(aligned)} of ${formatRows(summary.transactions_with_outcome)} with a final outcome (${formatShare(summary.alignment_pct, 100)}).`
  return (
    <Card
      title={title}
      note="✓ GO matches completed; DEGRADED and NO-GO match failed, rejected and delayed. ✕ is missed (GO, and the payment did not complete) or held without need (not GO, and it completed). – Pending rows and rows without an outcome are not counted."
    >
      <p>{sentence}</p>
      <Table
        caption="Rows by decision and actual outcome"
        columns={outcomeTable(rows)}
        rows={verdicts}
        keyOf={String}
      />
    </Card>
  )
}

export function Reasons({ rows }: { readonly rows: readonly Assessment[] }) {
  const reasons = byReason(rows)
  if (reasons.length === 0) {
    return (
      <Card title="Top reasons">
        <p className="soft">No row was flagged.</p>
      </Card>
    )
  }
  return (
    <Card
      title="Top reasons"
      note={`Rows with each reason, and their share of all ${formatRows(rows.length)}. A row can have several reasons, so the shares can exceed 100% in total.`}
    >
      <CountBars
        label="Top reasons"
        all={rows.length}
        bars={reasons.map(([code, count]) => ({
          key: code,
          count,
          name: (
            <>
              <code>{code}</code>
              <span className="small soft reason-meaning">{reasonMeaning(code)}</span>
            </>
          ),
        }))}
      />
    </Card>
  )
}
