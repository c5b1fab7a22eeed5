/** Every row with its verdict: filtered, ordered and paged by the address. */

import type { Assessment } from '@fairway/client'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { useAddress } from '../../address.ts'
import { formatAmount, formatCount, formatScore } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { Empty } from '../../ui/state.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Chip, Verdict } from '../../ui/verdict.tsx'
import { codeWords, outcomes } from '../../words.ts'
import { countsOf, inOrder, verdicts, type Order } from './figures.ts'
import { Pager, pageIn, sliceOf } from './pager.tsx'

const columns: readonly Column<Assessment>[] = [
  { name: 'ID', cell: (row) => <bdi className="row-id">{row.transaction_id}</bdi> },
  { name: 'Verdict', cell: (row) => <Verdict of={row.svc_decision} /> },
  { name: 'Score', number: true, cell: (row) => formatScore(row.svc_score) },
  { name: 'Corridor', cell: (row) => <Link href={`/corridors/${row.corridor}`}>{row.corridor}</Link> },
  {
    name: 'Amount',
    number: true,
    cell: (row) => <span className="nowrap">{formatAmount(row.amount, row.currency)}</span>,
  },
  {
    name: 'Outcome',
    cell: (row) =>
      row.actual_outcome === null ? <span className="soft">none given</span> : outcomes[row.actual_outcome],
  },
  {
    name: 'Reasons',
    cell: (row) => (
      <span className="row-why">
        {row.flags.length > 0
          ? row.flags.map(codeWords).join(', ')
          : row.svc_decision !== 'GO' && <span className="soft">none; the score is short of GO</span>}
        {row.improvement_opportunity && <Chip tone="info">Improvement opportunity</Chip>}
      </span>
    ),
  },
  { name: 'Row', number: true, cell: (row) => formatCount(row.index + 1) },
]

/** What would have been done about it first, in a sentence. */
const withNotes = columns.map((column) =>
  column.name === 'Reasons'
    ? {
        ...column,
        name: 'What asking first would have done',
        cell: (row: Assessment) => <span className="row-why">{row.improvement_note}</span>,
      }
    : column,
)

const orders: readonly (readonly [Order, string])[] = [
  ['worst', 'Worst first'],
  ['file', 'As in the file'],
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
  const asked = address.get('verdict') ?? 'all'
  return asked in isShown ? (asked as Shown) : 'all'
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
          ['improvements', `Improvement opportunities ${formatCount(improvements)}`],
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
            {orders.map(([order, words]) => (
              <option key={order} value={order}>
                {words}
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
  const found = useMemo(() => inOrder(rows.filter(isShown[shown]), order), [rows, shown, order])
  const page = pageIn(address.get('page'), found.length)
  return (
    <Card
      title="Rows"
      note="Row 1 is the first payment of the file. Worst first is: NO-GO first, corridors with data before those without, then the lowest score."
    >
      <Controls rows={rows} />
      {found.length === 0 ? (
        <Empty icon="search" title="No row is like that" />
      ) : (
        <Table
          caption="The rows and their verdicts"
          columns={shown === 'improvements' ? withNotes : columns}
          rows={sliceOf(found, page)}
          keyOf={({ index }) => String(index)}
        />
      )}
      <Pager page={page} count={found.length} onPage={(next) => change({ page: String(next) })} />
    </Card>
  )
}
