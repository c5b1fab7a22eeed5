/** Port of the rate limiter. */

import type { Admission, RateLimit } from '../../core/time/rolling-window.ts'

export interface Limiter {
  /**
   * Admits a request to the bucket's rolling window, or returns when to retry. Any client can create open buckets by
   * calling from other addresses, so the memory for them is bounded.
   */
  admit(bucket: string, limit: RateLimit, isOpen?: boolean): Promise<Admission>
}

/** A request for one place in a bucket's window. */
export interface Ticket {
  readonly bucket: string
  readonly limit: RateLimit
}

/** An admission that has not been asked for yet, so that a commit can ask for it in its own message. */
export interface OwedAdmission {
  /** For a commit, which asks for it. Nobody else may after that, even if the commit fails. */
  handOver(): Ticket
  /** Asks for it alone. False: refused, and the caller has been answered. */
  settle(): Promise<boolean>
  /** Takes the result of the commit. False: refused, and the caller has been answered. */
  take(admission: Admission): boolean
}
