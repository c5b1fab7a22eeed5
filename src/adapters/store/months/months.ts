/**
 * Names the detached table of a month, and computes its id bounds, for use as literals in SQL. With literal bounds
 * PostgreSQL prunes all other partitions when it plans the statement; parameters are known too late for that.
 */

import { monthEndMs, monthStartMs, type Month } from '../../../core/time/month.ts'
import { firstRequestIdAt, type RequestId } from '../../../core/identity/request-id.ts'

export interface Bounds {
  readonly firstId: RequestId
  /** The first id after the month. */
  readonly endId: RequestId
}

export function boundsOf(month: Month): Bounds {
  return {
    firstId: firstRequestIdAt(monthStartMs(month)),
    endId: firstRequestIdAt(monthEndMs(month)),
  }
}

/** A distinct name, so that the table is recognisable as detached and a dump can select it. */
export const detachedTableOf = (month: Month): string => `verifications_detached_${month.replace('-', '_')}`
