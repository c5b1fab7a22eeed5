/** All rows with their verdicts. Filter, order and page are part of the address. */

import type { Assessment } from '@fairway/client'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useAddress } from '../../address.ts'
import { formatAmount, formatCount, formatScore } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { Empty } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Chip, Verdict } from '../../ui/verdict.tsx'
import { codeLabel, outcomes } from '../../labels.ts'
import { countsOf, inOrder, verdicts, type Order } from './totals.ts'
import { Pager, pageIn, sliceOf } from './pager.tsx'

const why = (row: Assessment): ReactNode =>
  row.flags.length > 0
    ? row.flags.map(codeLabel).join(', ')
    : row.svc_decision !== 'GO' && <span className="soft">none: score below GO</span>

const columnsWith = (reasons: StackColumn<Assessment>): readonly StackColumn<Assessment>[] => [
  { name: 'Amount', number: true, cell: (row) => formatAmount(row.amount, row.currency) },
  { name: 'Corridor', cell: (row) => <Link href={`/corridors/${row.corridor}`}>{row.corridor}</Link> },
  { name: 'Decision', cell: (row) => <Verdict of={row.svc_decision} /> },
  { name: 'Score', number: true, cell: (row) => formatScore(row.svc_score) },
  { ...reasons, fluid: 2 },
  {
    name: 'Outcome',
    cell: (row) =>
      row.actual_outcome === null ? <span className="soft">not provided</span> : outcomes[row.actual_outcome],
  },
  { name: 'ID', fluid: 1, cell: (row) => <bdi className="row-id">{row.transaction_id}</bdi> },
  { name: 'Row', number: true, cell: (row) => formatCount(row.index + 1) },
]

const columns = columnsWith({
  name: 'Reasons',
  cell: (row) => (
    <>
      {row.improvement_opportunity && <Chip tone="info">Would have been caught</Chip>} {why(row)}
    </>
  ),
})

/** The columns for rows that would have been caught, with their notes. */
const withNotes = columnsWith({ name: 'Would have been caught', cell: (row) => row.improvement_note })

const orders: readonly (readonly [Order, string])[] = [
  ['worst', 'Worst first'],
  ['file', 'File order'],
  ['score', 'Highest score first'],
  ['amount', 'Largest amount first'],
]

type Shown = (typeof verdicts)[number] | 'all' | 'improvements'

const isShown: Readonly<Record<Shown, (row: Assessment) => boolean>> = {
  all: () => true,
  GO: (row) => row.svc_decision === 'GO',
  DEGRADED: (row) => row.svc_decision === 'DEGRADED',
  'NO-GO': (row) => row.svc_decision === 'NO-GO',
  improvements: (row) => row.improvement_opportunity,
}

function shownIn(address: URLSearchParams): Shown {
  const requested = address.get('verdict') ?? 'all'
  return requested in isShown ? (requested as Shown) : 'all'
}

function Controls({ rows }: { readonly rows: readonly Assessment[] }) {
  const [address, change] = useAddress()
  const counts = countsOf(rows)
  const improvements = rows.filter((row) => row.improvement_opportunity).length
  return (
    <div className="row-controls">
      <Segments
        label="Rows shown"
        value={shownIn(address)}
        options={[
          ['all', `All ${formatCount(rows.length)}`],
          ...verdicts.map((verdict) => [verdict, `${verdict} ${formatCount(counts[verdict])}`] as const),
          ['improvements', `Would have been caught ${formatCount(improvements)}`],
        ]}
        onChange={(verdict) => change({ verdict: verdict === 'all' ? null : verdict, page: null })}
      />
      <Field label="Order">
        {(input) => (
          <select
            {...input}
            value={address.get('order') ?? 'worst'}
            onChange={({ target }) =>
              change({ order: target.value === 'worst' ? null : target.value, page: null })
            }
          >
            {orders.map(([order, label]) => (
              <option key={order} value={order}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}

export function ReportRows({ rows }: { readonly rows: readonly Assessment[] }) {
  const [address, change] = useAddress()
  const shown = shownIn(address)
  const order = orders.find(([name]) => name === address.get('order'))?.[0] ?? 'worst'
  const matches = useMemo(() => inOrder(rows.filter(isShown[shown]), order), [rows, shown, order])
  const page = pageIn(address.get('page'), matches.length)
  return (
    <Card
      title="Rows"
      note="Row 1 is the first payment in the file. Worst first means: NO-GO before DEGRADED before GO, supported corridors before others, then the lowest score."
    >
      <Controls rows={rows} />
      {matches.length === 0 ? (
        <Empty icon="search" title="No matching rows">
          Choose another filter.
        </Empty>
      ) : (
        <StackTable
          caption="Rows and decisions"
          columns={shown === 'improvements' ? withNotes : columns}
          rows={sliceOf(matches, page)}
          keyOf={({ index }) => String(index)}
        />
      )}
      <Pager page={page} count={matches.length} onPage={(next) => change({ page: String(next) })} />
    </Card>
  )
}
