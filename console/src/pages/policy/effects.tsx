/** The effects of a policy on payments: the money newly stopped, and what became of these payments. */

import type { PolicyReport } from '@fairway/client'
import { CountBars, type CountBar } from '../../charts/bars.tsx'
import { formatAlignedAmount, formatCount } from '../../format.ts'
import { outcomes } from '../../labels.ts'
import { Table, type Column } from '../../ui/table.tsx'
import { newlyStoppedCount } from './flips.ts'

type Amount = PolicyReport['amounts'][number]

const columns: readonly Column<Amount>[] = [
  { name: 'Currency', cell: ({ currency }) => currency },
  { name: 'Payments', number: true, cell: ({ payments }) => formatCount(payments) },
  {
    name: 'Amount',
    number: true,
    cell: ({ currency, newly_stopped: amount }) => (
      <strong className="figures">{formatAlignedAmount(amount, currency)}</strong>
    ),
  },
]

export function Money({ of }: { readonly of: PolicyReport }) {
  return (
    <section className="policy-part" aria-label="Money newly stopped">
      <h3>Money newly stopped</h3>
      {of.amounts.length === 0 ? (
        <p className="soft">No payment that was GO would be stopped.</p>
      ) : (
        <Table
          caption="Money newly stopped by currency"
          columns={columns}
          rows={of.amounts}
          keyOf={({ currency }) => currency}
        />
      )}
    </section>
  )
}

function barsOf(stopped: PolicyReport['outcomes']['newly_stopped']): readonly CountBar[] {
  const { COMPLETED, FAILED, REJECTED, DELAYED, PENDING, unreported } = stopped
  return [
    { key: 'failures', name: 'Failures avoided', count: FAILED + REJECTED, tone: 'go' },
    {
      key: 'completed',
      name: 'Completed payments that would have been stopped',
      count: COMPLETED,
      tone: 'nogo',
    },
    { key: 'delayed', name: outcomes.DELAYED, count: DELAYED },
    { key: 'pending', name: outcomes.PENDING, count: PENDING },
    { key: 'unreported', name: 'Outcome not reported', count: unreported },
  ]
}

export function Outcomes({ of }: { readonly of: PolicyReport }) {
  const all = newlyStoppedCount(of)
  return (
    <section className="policy-part" aria-label="Outcomes of the newly stopped payments">
      <h3>Outcomes of the newly stopped payments</h3>
      {all === 0 ? (
        <p className="soft">No payment that was GO would be stopped.</p>
      ) : (
        <CountBars
          label="Outcomes of the newly stopped payments"
          all={all}
          bars={barsOf(of.outcomes.newly_stopped).filter(
            ({ key, count }) => count > 0 || key === 'failures' || key === 'completed',
          )}
        />
      )}
    </section>
  )
}
