/**
 * Months in the text of a statement. A bound that is written out is known when the statement is planned: PostgreSQL then
 * looks at the partition of that month alone, however many there are. A parameter is known too late for that.
 */

import { monthEndMs, monthStartMs, type Month } from '../../../core/time/month.ts'
import { firstRequestIdAt, type RequestId } from '../../../core/identity/request-id.ts'

export interface Bounds {
  readonly firstId: RequestId
  /** The first one after it. */
  readonly endId: RequestId
}

export function boundsOf(month: Month): Bounds {
  return {
    firstId: firstRequestIdAt(monthStartMs(month)),
    endId: firstRequestIdAt(monthEndMs(month)),
  }
}
