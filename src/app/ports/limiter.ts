/** Rolling rate limits. */

import type { Admission, RateLimit } from '../../core/time/rolling-window.ts'

export interface Limiter {
  /**
   * Takes a place in the bucket's rolling window, or says when one is free. An open bucket is one that anybody can
   * make, by calling from another address: what is kept of these in memory has a bound.
   */
  admit(bucket: string, limit: RateLimit, isOpen?: boolean): Promise<Admission>
}
