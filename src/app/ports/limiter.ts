/** Port of the rate limiter. */

import type { Admission, RateLimit } from '../../core/time/rolling-window.ts'

export interface Limiter {
  /**
   * Admits a request to the bucket's rolling window, or returns when to retry. Any client can create open buckets by
   * calling from other addresses, so the memory for them is bounded.
   */
  admit(bucket: string, limit: RateLimit, isOpen?: boolean): Promise<Admission>
}
