/** What of the history is looked at: read from the address, written back to it, asked of the API. */

import type { Decision, VerificationsQuery } from '@fairway/client'

export const filterNames = ['decision', 'corridor', 'from', 'to', 'correlation_id'] as const

export type FilterName = (typeof filterNames)[number]

/** Empty where nothing is chosen; times in UTC. */
export type Filters = Readonly<Record<FilterName, string>>

const noFilters: Filters = { decision: '', corridor: '', from: '', to: '', correlation_id: '' }

export const pageSizes = [25, 50, 100] as const
const pageSizeDefault = 25
/** As the contract has it. */
const pageSizeMax = 500

export interface Looked {
  readonly filters: Filters
  readonly limit: number
  /** Null on the first page. */
  readonly cursor: string | null
}

/** An address may say anything: what is no size of a page is none that was chosen. */
function limitOf(text: string | null): number {
  const limit = text === null || !/^\d+$/.test(text) ? pageSizeDefault : Number(text)
  return limit >= 1 && limit <= pageSizeMax ? limit : pageSizeDefault
}

export function readLooked(search: string): Looked {
  const params = new URLSearchParams(search)
  const filters = { ...noFilters }
  for (const name of filterNames) filters[name] = params.get(name) ?? ''
  return { filters, limit: limitOf(params.get('limit')), cursor: params.get('cursor') }
}

/** The whole history, from its beginning. */
export const allLooked: Looked = { filters: noFilters, limit: pageSizeDefault, cursor: null }

/** The address that shows it. Whatever is not chosen is not in it. */
export function addressOf({ filters, limit, cursor }: Looked): string {
  const params = new URLSearchParams()
  for (const name of filterNames) if (filters[name] !== '') params.set(name, filters[name])
  if (limit !== pageSizeDefault) params.set('limit', String(limit))
  if (cursor !== null) params.set('cursor', cursor)
  const text = params.toString()
  return text === '' ? '/verifications' : `/verifications?${text}`
}

/** As the API is asked, without a page: for the export, which has none. */
export function queryOf(filters: Filters): VerificationsQuery {
  const { decision, corridor, from, to, correlation_id } = filters
  return {
    // An unknown one is for the server to refuse, beside its field.
    ...(decision !== '' && { decision: decision as Decision }),
    ...(corridor !== '' && { corridor }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(correlation_id !== '' && { correlation_id }),
  }
}

export const isFiltered = (filters: Filters): boolean => filterNames.some((name) => filters[name] !== '')
