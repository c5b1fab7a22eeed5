/** The number and the money of the decisions that match, by currency. */

import type { VerificationsTotals } from '@fairway/client'
import { formatAmount, formatCount } from '../../format.ts'
import { shownFor, useQuery } from '../../query.ts'
import { queryOf, type Filters } from './filters.ts'

const currenciesMax = 6

type CurrencyTotal = VerificationsTotals['by_currency'][number]

const countText = (count: number): string => `${formatCount(count)} decision${count === 1 ? '' : 's'}`

function Decisions({
  of: { GO: go, DEGRADED: degraded, 'NO-GO': noGo },
}: {
  of: CurrencyTotal['decisions']
}) {
  return (
    <>
      {formatCount(go)} GO, {formatCount(degraded)} DEGRADED, {formatCount(noGo)} NO-GO
    </>
  )
}

/** Sums of different currencies cannot be added, so there is no grand total. */
export function Totals({ filters }: { readonly filters: Filters }) {
  const address = JSON.stringify(filters)
  const result = useQuery(
    ['verifications totals', address],
    async (client) => ({ ...(await client.verificationsTotals(queryOf(filters))), address }),
    { keepPrevious: true },
  )
  const { shown, isStale } = shownFor(address, result)
  // The list shows the error; figures of other filters are never shown as these.
  if (shown === undefined || shown.records === 0) return null
  const { by_currency: currencies, records, complete } = shown
  const more = currencies.length - currenciesMax
  return (
    <section className="records-totals" aria-label="Totals" aria-busy={isStale}>
      <p className="small soft figures">
        {complete ? countText(records) : `${countText(records)} among the newest 10,000`}
        {more > 0 && `, in ${currencies.length} currencies`}
      </p>
      <ul>
        {currencies.slice(0, currenciesMax).map((one) => (
          <li key={one.currency}>
            <strong className="figures">{formatAmount(one.amount, one.currency)}</strong>
            <span className="small soft figures">
              <Decisions of={one.decisions} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
