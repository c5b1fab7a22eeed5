/** A page of an owner's history, and what it adds up to. */

import type { Verdict } from '../../core/decision/score.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { addAmount, amountOf, type ExactSum } from '../../core/reference/exact-sum.ts'
import type {
  Annotated,
  HistoryFilters,
  HistoryQuery,
  ListedVerification,
  RecordMatch,
} from '../ports/records.ts'
import type { OwnerRecords } from '../ports/store.ts'

/**
 * The records to look at for one page, if a filter needs that. More would keep a SQLite instance from its other work: so
 * many take about 20 ms.
 */
export const searchMax = 2_000

/** The newest records that totals look at. */
const totalsMax = 10_000

export interface HistoryPage {
  readonly records: readonly Annotated<ListedVerification>[]
  /** The next page has records before this one; null after the last page. */
  readonly next: RequestId | null
}

/** `match` is null if all filters are answered by an index. */
export async function readHistory(
  owner: Pick<OwnerRecords, 'list' | 'search'>,
  query: HistoryQuery,
  match: RecordMatch | null,
): Promise<HistoryPage> {
  // Read one extra record to detect a next page.
  const wanted = { ...query, limit: query.limit + 1 }
  const { found, searchedTo } =
    match === null
      ? { found: await owner.list(wanted), searchedTo: null }
      : await owner.search({ ...wanted, match, searchMax })
  const records = found.slice(0, query.limit)
  const last = records.at(-1)?.requestId ?? null
  return { records, next: found.length > query.limit ? last : searchedTo }
}

interface CurrencyTotal {
  readonly currency: Currency
  readonly records: number
  readonly amount: number
  readonly decisions: Readonly<Record<Verdict, number>>
}

export interface HistoryTotals {
  readonly records: number
  /** False if there are older records that were not looked at. */
  readonly complete: boolean
  readonly by_currency: CurrencyTotal[]
}

interface Counted {
  records: number
  readonly amount: ExactSum
  readonly decisions: Record<Verdict, number>
}

/** In several reads, each as short as a page, so that other requests get their turn between them. */
export async function totalHistory(
  owner: Pick<OwnerRecords, 'searchAmounts'>,
  filters: HistoryFilters,
  match: RecordMatch,
): Promise<HistoryTotals> {
  const totals = new Map<Currency, Counted>()
  let before: RequestId | null = null
  let records = 0
  for (let searched = 0; searched < totalsMax; searched += searchMax) {
    const page = await owner.searchAmounts({ ...filters, before, limit: searchMax, match, searchMax })
    for (const { currency, amount, verdict } of page.found) {
      const counted = totals.get(currency) ?? emptyCount()
      totals.set(currency, counted)
      counted.records += 1
      counted.decisions[verdict] += 1
      if (amount !== null) addAmount(counted.amount, amount)
    }
    records += page.found.length
    before = page.searchedTo
    if (before === null) break
  }
  return { records, complete: before === null, by_currency: inOrder(totals) }
}

const emptyCount = (): Counted => ({
  records: 0,
  amount: new Map(),
  decisions: { GO: 0, DEGRADED: 0, 'NO-GO': 0 },
})

/** Most records first. */
function inOrder(totals: ReadonlyMap<Currency, Counted>): CurrencyTotal[] {
  return [...totals]
    .map(([currency, { amount, ...counted }]) => ({ currency, ...counted, amount: amountOf(amount) }))
    .toSorted((one, other) => other.records - one.records || (one.currency < other.currency ? -1 : 1))
}
