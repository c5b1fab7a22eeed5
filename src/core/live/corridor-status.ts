/** The announced status of a live corridor or partner. It changes only when a new one has been seen several times. */

export const liveStatuses = ['OPERATIONAL', 'IMPAIRED', 'CLOSED'] as const

export type LiveStatus = (typeof liveStatuses)[number]

export interface StatusState {
  /** The announced status. */
  readonly status: LiveStatus
  readonly sinceMs: number
  /** The status that was seen last, and how often in a row. */
  readonly candidate: LiveStatus
  readonly seen: number
}

/** More than any status needs is not counted, so that what does not change is not written. */
const seenMax = 3

/** How often in a row a status must be seen. A calendar does not flap, so a closing counts at once. */
const seenMin: Readonly<Record<LiveStatus, number>> = { IMPAIRED: 2, OPERATIONAL: 3, CLOSED: 1 }

/** A corridor or partner counts as well until it was seen otherwise. */
export function firstStatus(nowMs: number): StatusState {
  return { status: 'OPERATIONAL', sinceMs: nowMs, candidate: 'OPERATIONAL', seen: 0 }
}

export function nextStatus(current: StatusState, observed: LiveStatus, nowMs: number): StatusState {
  const seen = observed === current.candidate ? Math.min(current.seen + 1, seenMax) : 1
  const isOpened = current.status === 'CLOSED'
  const isChanged = observed !== current.status && (seen >= seenMin[observed] || isOpened)
  return isChanged
    ? { status: observed, sinceMs: nowMs, candidate: observed, seen }
    : { ...current, candidate: observed, seen }
}
