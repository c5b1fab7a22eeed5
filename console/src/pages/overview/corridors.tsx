/** Decisions, verdict shares and average score by corridor. */

import type { VerificationsSummary } from '@fairway/client'
import { Link } from 'wouter'
import { formatAlignedShare, formatCount, formatScore } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import type { Shown } from './charts.tsx'
import { recordsHref } from './filters.ts'

type Row = VerificationsSummary['corridors'][number]

const share = (part: number, total: number) => (
  <span className="nowrap">
    {formatAlignedShare(part, total)} <span className="soft small">({formatCount(part)})</span>
  </span>
)

const columnsOf = ({ from, to }: VerificationsSummary, linked: boolean): readonly Column<Row>[] => [
  {
    name: 'Corridor',
    cell: ({ corridor }) => (
      <Link className="nowrap" href={`/corridors/${encodeURIComponent(corridor)}`}>
        {corridor}
      </Link>
    ),
  },
  {
    name: 'Decisions',
    number: true,
    cell: ({ corridor, total }) =>
      linked ? (
        <Link href={recordsHref({ corridor, from, to })} title={`Verifications for ${corridor}`}>
          {formatCount(total)}
        </Link>
      ) : (
        formatCount(total)
      ),
  },
  { name: 'GO', number: true, cell: (row) => share(row.GO, row.total) },
  { name: 'DEGRADED', number: true, cell: (row) => share(row.DEGRADED, row.total) },
  { name: 'NO-GO', number: true, cell: (row) => share(row['NO-GO'], row.total) },
  {
    name: 'Average score',
    number: true,
    cell: ({ average_score: average }) => (average === null ? 'none' : formatScore(average)),
  },
]

export function Corridors({ summary, linked = true }: Omit<Shown, 'corridor'>) {
  const { corridors, corridors_total: all } = summary
  const note =
    corridors.length < all
      ? `Top ${corridors.length} of ${formatCount(all)} by decisions.`
      : 'Sorted by decisions.'
  return (
    <Card title="Corridors" note={note}>
      <StackTable
        caption="Corridors"
        columns={columnsOf(summary, linked)}
        rows={corridors}
        keyOf={({ corridor }) => corridor}
      />
    </Card>
  )
}
