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

/** The records to look at for one page, if a filter needs that. */
export const searchMax = 2_000

/** The newest records that totals look at. */
const totalsMax = 10_000

/** The records of one read: listed, or looked at. Other requests get their turn between two reads. */
const pieceMax = { list: 100, search: 250, totals: 500 } as const

export interface HistoryPage<Item> {
  readonly items: readonly Item[]
  /** The next page has records before this one; null after the last page. */
  readonly next: RequestId | null
}

type ListedRecord = Annotated<ListedVerification>

interface HistoryRequest<Item> {
  readonly query: HistoryQuery
  /** Null if all filters are answered by an index. */
  readonly match: RecordMatch | null
  readonly itemOf: (record: ListedRecord) => Item
}

/** Each piece is turned into items as it is read, which takes as long as its read. */
export async function readHistory<Item>(
  owner: Pick<OwnerRecords, 'list' | 'search'>,
  { query, match, itemOf }: HistoryRequest<Item>,
): Promise<HistoryPage<Item>> {
  const items: Item[] = []
  let { before } = query
  let searched = 0
  for (;;) {
    // One extra record shows that there is a next page.
    const piece = { ...query, before, limit: query.limit + 1 - items.length }
    const read = match === null ? await listPiece(owner, piece) : await searchPiece(owner, piece, match)
    for (const record of read.found) {
      if (items.length === query.limit) return { items, next: before }
      items.push(itemOf(record))
      before = record.requestId
    }
    searched += pieceMax.search
    if (read.readTo === null) return { items, next: null }
    before = read.readTo
    if (match !== null && searched >= searchMax) return { items, next: before }
  }
}

interface Piece {
  readonly found: readonly ListedRecord[]
  /** Null if there are no older records. */
  readonly readTo: RequestId | null
}

async function listPiece(owner: Pick<OwnerRecords, 'list'>, query: HistoryQuery): Promise<Piece> {
  const limit = Math.min(query.limit, pieceMax.list)
  const found = await owner.list({ ...query, limit })
  return { found, readTo: found.length < limit ? null : (found.at(-1)?.requestId ?? null) }
}

async function searchPiece(
  owner: Pick<OwnerRecords, 'search'>,
  query: HistoryQuery,
  match: RecordMatch,
): Promise<Piece> {
  const { found, searchedTo } = await owner.search({ ...query, match, searchMax: pieceMax.search })
  return { found, readTo: searchedTo }
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

export async function totalHistory(
  owner: Pick<OwnerRecords, 'searchAmounts'>,
  filters: HistoryFilters,
  match: RecordMatch,
): Promise<HistoryTotals> {
  const totals = new Map<Currency, Counted>()
  let before: RequestId | null = null
  let records = 0
  const limit = pieceMax.totals
  for (let searched = 0; searched < totalsMax; searched += limit) {
    const page = await owner.searchAmounts({ ...filters, before, limit, match, searchMax: limit })
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
