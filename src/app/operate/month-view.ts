/** A month of records as the command line and the console show it. */

import { iso } from '../../core/time/durations.ts'
import type { StoredMonth } from '../ports/operate/partitions.ts'

export function monthView({ month, state, table: name, records, bytes, away }: StoredMonth) {
  return {
    month,
    state,
    table: name,
    records,
    records_exact: away !== null,
    bytes,
    detached_at: away === null ? null : iso(away.detachedAtMs),
    detached_by: away?.detachedBy ?? null,
    fingerprint: away?.fingerprint ?? null,
  }
}
