/** Decisions, verdict shares and average score by corridor. */

import type { VerificationsSummary } from '@fairway/client'
import { Link } from 'wouter'
import { formatAlignedShare, formatCount, formatScore } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import type { Shown } from './charts.tsx'
import { recordsHref } from './filters.ts'

type Row = VerificationsSummary['corridors'][number]

const share = (part: number, total: number) => (
  <span className="nowrap">
    {formatAlignedShare(part, total)} <span className="soft small">({formatCount(part)})</span>
  </span>
)

const columnsOf = ({ from, to }: VerificationsSummary, linked: boolean): readonly StackColumn<Row>[] => [
  {
    name: 'Corridor',
    sort: ({ corridor }) => corridor,
    cell: ({ corridor }) => (
      <Link {...rowLink} className="nowrap" href={`/corridors/${encodeURIComponent(corridor)}`}>
        {corridor}
      </Link>
    ),
  },
  {
    name: 'Decisions',
    number: true,
    sort: ({ total }) => total,
    cell: ({ corridor, total }) =>
      linked ? (
        <Link href={recordsHref({ corridor, from, to })} title={`Verifications for ${corridor}`}>
          {formatCount(total)}
        </Link>
      ) : (
        formatCount(total)
      ),
  },
  { name: 'GO', number: true, sort: (row) => row.GO / row.total, cell: (row) => share(row.GO, row.total) },
  {
    name: 'DEGRADED',
    number: true,
    sort: (row) => row.DEGRADED / row.total,
    cell: (row) => share(row.DEGRADED, row.total),
  },
  {
    name: 'NO-GO',
    number: true,
    sort: (row) => row['NO-GO'] / row.total,
    cell: (row) => share(row['NO-GO'], row.total),
  },
  {
    name: 'Average score',
    number: true,
    sort: ({ average_score: average }) => average,
    cell: ({ average_score: average }) => (average === null ? 'none' : formatScore(average)),
  },
]

export function Corridors({ summary, linked = true }: Omit<Shown, 'corridor'>) {
  const { corridors, corridors_total: all } = summary
  const note =
    corridors.length < all
      ? `Top ${corridors.length} of ${formatCount(all)} by decisions.`
      : 'Most decisions first.'
  return (
    <Card title="Corridors">
      <StackTable
        caption="Corridors"
        order={note}
        columns={columnsOf(summary, linked)}
        rows={corridors}
        keyOf={({ corridor }) => corridor}
      />
    </Card>
  )
}
