/** The filters of the queue, in the address and as an API query, and the views: each is an address. */

import type { Decision, Mode, ReviewsQuery, ReviewStatus } from '@fairway/client'

const filterNames = ['status', 'corridor', 'decision', 'mode', 'claimed_by', 'overdue'] as const

type FilterName = (typeof filterNames)[number]

/** An empty value means no filter, but an empty status means those that wait. */
export type Filters = Readonly<Record<FilterName, string>>

const waitingStatuses: readonly ReviewStatus[] = ['open', 'claimed', 'proposed', 'rejected']

export const isWaiting = ({ status }: { readonly status: ReviewStatus }): boolean =>
  waitingStatuses.includes(status)

export const waitingStatus = waitingStatuses.join(',')
export const closedStatus = 'approved,expired,overridden'
/** Every status, in the address. */
export const anyStatus = 'all'

export const noFilters: Filters = {
  status: '',
  corridor: '',
  decision: '',
  mode: '',
  claimed_by: '',
  overdue: '',
}

/** The values of the filters that are a choice of a few. */
const choices: Readonly<Partial<Record<FilterName, readonly string[]>>> = {
  decision: ['GO', 'DEGRADED', 'NO-GO'] satisfies readonly Decision[],
  mode: ['shadow', 'live'] satisfies readonly Mode[],
  claimed_by: ['me', 'nobody'],
  overdue: ['true'],
}

/** An unknown value of a choice is none; the server rejects unknown statuses and corridors. */
export function filtersIn(params: URLSearchParams): Filters {
  const filters = { ...noFilters }
  for (const name of filterNames) {
    const value = params.get(name) ?? ''
    filters[name] = choices[name]?.includes(value) === false ? '' : value
  }
  return filters.status === waitingStatus ? { ...filters, status: '' } : filters
}

export const isSame = (one: Filters, other: Filters): boolean =>
  filterNames.every((name) => one[name] === other[name])

/** Without default values. `reviewId` is the review that is open beside the queue. */
export function addressOf(filters: Filters, reviewId: string | null = null): string {
  const params = new URLSearchParams()
  for (const name of filterNames) if (filters[name] !== '') params.set(name, filters[name])
  if (reviewId !== null) params.set('review', reviewId)
  // Commas are legal in a query, and easier to read.
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '/reviews' : `/reviews?${text}`
}

export function queryOf({ status, corridor, decision, mode, claimed_by, overdue }: Filters): ReviewsQuery {
  return {
    ...(status !== anyStatus && { status: status === '' ? waitingStatus : status }),
    ...(corridor !== '' && { corridor }),
    ...(decision !== '' && { decision: decision as Decision }),
    ...(mode !== '' && { mode: mode as Mode }),
    ...(claimed_by !== '' && { claimed_by: claimed_by as 'me' | 'nobody' }),
    ...(overdue !== '' && { overdue: 'true' }),
  }
}

export interface View {
  readonly name: string
  readonly filters: Filters
}

const viewOf = (name: string, filters: Partial<Filters>): View => ({
  name,
  filters: { ...noFilters, ...filters },
})

export const unclaimedView = viewOf('Unclaimed', { claimed_by: 'nobody' })
export const mineView = viewOf('Mine', { claimed_by: 'me' })
export const approvalView = viewOf('To approve', { status: 'proposed' })
export const overdueView = viewOf('Overdue', { overdue: 'true' })

export const views: readonly [View, ...View[]] = [
  viewOf('Waiting', {}),
  unclaimedView,
  mineView,
  approvalView,
  overdueView,
  viewOf('Closed', { status: closedStatus }),
]
