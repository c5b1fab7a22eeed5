/** How an endpoint is doing, from its newest deliveries. */

import { isDelivered } from './retry-schedule.ts'

interface Tried {
  readonly state: 'pending' | 'delivered' | 'dropped'
  /** Null unless its endpoint was suspended before its attempts were over. */
  readonly suspendedAtMs: number | null
  readonly attempts: readonly { readonly atMs: number; readonly status: number | null }[]
}

/** So many of the newest deliveries count. */
export const countedDeliveries = 100

/** An endpoint is failing once so many attempts in a row have failed, whatever their events. */
export const failuresUntilFailing = 3

type EndpointState = 'healthy' | 'failing' | 'idle'

export interface EndpointHealth {
  /** Idle: nothing was sent. */
  readonly state: EndpointState
  /** Events with at least one attempt. */
  readonly tried: number
  readonly delivered: number
  readonly dropped: number
  /** Events that are to be sent, or to be sent again. */
  readonly waiting: number
  readonly failuresInARow: number
  readonly lastAttemptAtMs: number | null
  readonly lastDeliveredAtMs: number | null
}

export function healthOf(deliveries: readonly Tried[]): EndpointHealth {
  const count = (state: Tried['state']): number => deliveries.filter((one) => one.state === state).length
  const attempts = deliveries
    .flatMap((delivery) => delivery.attempts)
    .toSorted((left, right) => right.atMs - left.atMs)
  const lastDelivered = attempts.findIndex(({ status }) => isDelivered(status))
  const failuresInARow = lastDelivered < 0 ? attempts.length : lastDelivered
  return {
    state: stateOf(attempts.length, failuresInARow),
    tried: deliveries.filter((one) => one.attempts.length > 0).length,
    delivered: count('delivered'),
    dropped: deliveries.filter(({ state, suspendedAtMs }) => state === 'dropped' && suspendedAtMs === null)
      .length,
    waiting: count('pending'),
    failuresInARow,
    lastAttemptAtMs: attempts[0]?.atMs ?? null,
    lastDeliveredAtMs: attempts[lastDelivered]?.atMs ?? null,
  }
}

function stateOf(attempts: number, failuresInARow: number): EndpointState {
  if (attempts === 0) return 'idle'
  return failuresInARow >= failuresUntilFailing ? 'failing' : 'healthy'
}
