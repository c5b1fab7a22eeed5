/** The filters and page of the list, in the URL and as an API query. */

import type { Decision, VerificationsQuery } from '@fairway/client'

export const filterNames = ['decision', 'corridor', 'from', 'to', 'correlation_id'] as const

export type FilterName = (typeof filterNames)[number]

/** An empty value means no filter; times are in UTC. */
export type Filters = Readonly<Record<FilterName, string>>

const noFilters: Filters = { decision: '', corridor: '', from: '', to: '', correlation_id: '' }

export const pageSizes = [25, 50, 100] as const
const pageSizeDefault = 25
/** The API's maximum. */
const pageSizeMax = 500

export interface ListView {
  readonly filters: Filters
  readonly limit: number
  /** Null on the first page. */
  readonly cursor: string | null
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
  return { filters, limit: limitOf(params.get('limit')), cursor: params.get('cursor') }
}

/** All decisions, from the first page. */
export const defaultView: ListView = { filters: noFilters, limit: pageSizeDefault, cursor: null }

/** The URL of a view, without default values. */
export function addressOf({ filters, limit, cursor }: ListView): string {
  const params = new URLSearchParams()
  for (const name of filterNames) if (filters[name] !== '') params.set(name, filters[name])
  if (limit !== pageSizeDefault) params.set('limit', String(limit))
  if (cursor !== null) params.set('cursor', cursor)
  const text = params.toString()
  return text === '' ? '/verifications' : `/verifications?${text}`
}

/** The API query without a page; the export has no pages. */
export function queryOf(filters: Filters): VerificationsQuery {
  const { decision, corridor, from, to, correlation_id } = filters
  return {
    // The server rejects an unknown decision, and the form shows the error.
    ...(decision !== '' && { decision: decision as Decision }),
    ...(corridor !== '' && { corridor }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(correlation_id !== '' && { correlation_id }),
  }
}

export const isFiltered = (filters: Filters): boolean => filterNames.some((name) => filters[name] !== '')
