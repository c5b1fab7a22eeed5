/** The filters and page of the list, in the URL and as an API query. */

import type { Decision, TotalsQuery } from '@fairway/client'
import { amountIn } from '../../typed-amount.ts'

export const filterNames = [
  'decision',
  'corridor',
  'reason',
  'amount_min',
  'amount_max',
  'currency',
  'override',
  'outcome',
  'mode',
  'from',
  'to',
  'correlation_id',
] as const

export type FilterName = (typeof filterNames)[number]

/** As typed: an empty value means no filter; times are in UTC. */
export type Filters = Readonly<Record<FilterName, string>>

export const noFilters: Filters = {
  decision: '',
  corridor: '',
  reason: '',
  amount_min: '',
  amount_max: '',
  currency: '',
  override: '',
  outcome: '',
  mode: '',
  from: '',
  to: '',
  correlation_id: '',
}

export const pageSizes = [25, 50, 100] as const
const pageSizeDefault = 25
/** The API's maximum. */
const pageSizeMax = 500

export interface ListView {
  readonly filters: Filters
  readonly limit: number
  /** Null on the first page. */
  readonly cursor: string | null
  /** The order of the rows that are loaded; null for newest first. */
  readonly sort: string | null
}

/** An invalid page size in the URL falls back to the default. */
function limitOf(text: string | null): number {
  const limit = text === null || !/^\d+$/.test(text) ? pageSizeDefault : Number(text)
  return limit >= 1 && limit <= pageSizeMax ? limit : pageSizeDefault
}

export function viewIn(search: string): ListView {
  const params = new URLSearchParams(search)
  const filters = { ...noFilters }
  for (const name of filterNames) filters[name] = params.get(name) ?? ''
  return {
    filters,
    limit: limitOf(params.get('limit')),
    cursor: params.get('cursor'),
    sort: params.get('sort'),
  }
}

/** All decisions, from the first page. */
export const defaultView: ListView = { filters: noFilters, limit: pageSizeDefault, cursor: null, sort: null }

/** The URL of a view, without default values. */
export function addressOf({ filters, limit, cursor, sort }: ListView): string {
  const params = new URLSearchParams()
  for (const name of filterNames) if (filters[name] !== '') params.set(name, filters[name])
  if (limit !== pageSizeDefault) params.set('limit', String(limit))
  if (cursor !== null) params.set('cursor', cursor)
  if (sort !== null) params.set('sort', sort)
  const text = params.toString()
  return text === '' ? '/verifications' : `/verifications?${text}`
}

/**
 * The API query without a page; the export has no pages. The server rejects an unknown value, and the form shows the
 * error; an amount is read as people type it, or is an error at its field.
 */
export function queryOf({ decision, amount_min, amount_max, ...texts }: Filters): TotalsQuery {
  const least = amountIn(amount_min, '/amount_min')
  const most = amountIn(amount_max, '/amount_max')
  return {
    ...(decision !== '' && { decision: decision as Decision }),
    ...(least !== undefined && { amount_min: least }),
    ...(most !== undefined && { amount_max: most }),
    ...(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Omit<
      TotalsQuery,
      'decision' | 'amount_min' | 'amount_max'
    >),
  }
}

export const isFiltered = (filters: Filters): boolean => filterNames.some((name) => filters[name] !== '')
