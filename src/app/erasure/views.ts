/** Erasure and retention as the command line and the console show them. */

import { iso } from '../../core/time/durations.ts'
import type { ErasurePlan } from './erase-payment.ts'
import type { RetentionReport } from './retention.ts'

export function planView(plan: ErasurePlan) {
  const { counts, requestIds, keys, reportIds, sealed, detachedMonths } = plan
  return {
    texts: counts,
    idempotency_keys: keys.length,
    batch_reports: reportIds.length,
    report_ids: reportIds,
    request_ids: requestIds,
    cannot_be_erased: sealed,
    detached_months: detachedMonths,
  }
}

export function retentionView({ beforeMs, texts, inUse, sealed, batchReports }: RetentionReport) {
  return {
    before: iso(beforeMs),
    texts,
    batch_reports: batchReports,
    in_use: inUse,
    cannot_be_erased: sealed,
  }
}
