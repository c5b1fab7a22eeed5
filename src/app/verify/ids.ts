/** Generates ids: unique, and in ascending text order within this process. */

import { encodeBase32 } from '../../core/identity/base32.ts'
import { clockSkewMsMax } from '../../core/time/cooldown.ts'
import {
  formatRequestId,
  nextRequestId,
  requestIdDigits,
  requestIdRandomBytes,
  type RequestId,
} from '../../core/identity/request-id.ts'
import type { Clock, Random } from '../ports/system.ts'

export interface Ids {
  /** A new request id and the recording time that it contains. */
  nextRequest(): { requestId: RequestId; recordedAtMs: number }
  /** An ordered id for other things, such as `ovr_…`, and the time that it contains. */
  next(prefix: string): { id: string; atMs: number }
}

/**
 * A clock set back by up to `clockSkewMsMax` does not break the order: ids continue from the last one until the clock
 * catches up. After a larger step the clock is believed, since a wrong recording time would be permanent.
 */
export function createIds(deps: { clock: Clock; random: Random }): Ids {
  let last: { requestId: RequestId; recordedAtMs: number } | null = null
  function nextRequest(): { requestId: RequestId; recordedAtMs: number } {
    const nowMs = deps.clock.nowMs()
    const behindMs = last === null ? -1 : last.recordedAtMs - nowMs
    last =
      last !== null && behindMs >= 0 && behindMs <= clockSkewMsMax
        ? { requestId: nextRequestId(last.requestId), recordedAtMs: last.recordedAtMs }
        : {
            requestId: formatRequestId(nowMs, deps.random.bytes(requestIdRandomBytes)),
            recordedAtMs: nowMs,
          }
    return last
  }
  return {
    nextRequest,
    next(prefix) {
      const { requestId, recordedAtMs } = nextRequest()
      return { id: `${prefix}_${requestId.slice(-requestIdDigits).toLowerCase()}`, atMs: recordedAtMs }
    },
  }
}

/** An id for things that are not decisions: `key_…`, `own_…`, `req_…`. */
export function prefixedId(prefix: string, random: Random): string {
  return `${prefix}_${encodeBase32(random.bytes(10)).toLowerCase()}`
}
