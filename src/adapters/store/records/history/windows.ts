/** The months that a page is read from, on partitioned tables. */

import type { HistoryQuery } from '../../../../app/ports/records.ts'
import { firstRequestIdAt, monthOfId, type RequestId } from '../../../../core/identity/request-id.ts'
import { monthAt, monthStartMs, type Month } from '../../../../core/time/month.ts'
import { boundsOf } from '../../months/months.ts'

type PageRange = Pick<HistoryQuery, 'before' | 'fromMs' | 'toMs'>

/** A range of ids. Month bounds are literals in the statement's text. */
export interface Window {
  readonly bounds: readonly string[]
  /** Only ids before this one, as a parameter. */
  readonly before: RequestId | null
  /** False for old months: there are many, each rarely read. */
  readonly cachesPlan: boolean
}

export function* windowsOf(request: PageRange, nowMs: number): Generator<Window> {
  const before = upperOf(request)
  const current = monthAt(nowMs)
  const month = before === null ? current : monthBefore(before)
  if (month === null) return yield { bounds: [], before, cachesPlan: true }
  // The newest month has no upper bound, so that clock errors do not matter.
  const isNewest = month >= current
  const shown = isNewest ? current : month
  const first = boundsOf(shown)
  const from = request.fromMs === null ? '' : firstRequestIdAt(request.fromMs)
  const start = `request_id >= '${first.firstId}'`
  const end = `request_id < '${first.endId}'`
  yield { bounds: isNewest ? [start] : [start, end], before, cachesPlan: isNewest }
  // No id is older than the first month.
  if (from >= first.firstId || monthStartMs(shown) <= 0) return
  const { firstId, endId } = boundsOf(monthAt(monthStartMs(shown, -1)))
  yield {
    bounds: [`request_id >= '${firstId}'`, `request_id < '${endId}'`],
    before: null,
    cachesPlan: isNewest,
  }
  if (from < firstId) yield { bounds: [], before: firstId, cachesPlan: true }
}

/** The month of the last id before this one, or null if it is not a valid id. */
function monthBefore(id: RequestId): Month | null {
  const month = monthOfId(id)
  const isFirst = month !== null && boundsOf(month).firstId === id && monthStartMs(month) > 0
  return isFirst ? monthAt(monthStartMs(month, -1)) : month
}

/** The earlier of the cursor and the end time. */
export function upperOf({ before, toMs }: PageRange): RequestId | null {
  const to = toMs === null ? null : firstRequestIdAt(toMs)
  return before === null || to === null ? (before ?? to) : before < to ? before : to
}
