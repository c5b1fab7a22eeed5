/** Reports statements that the database refuses: each is counted, and each cause is a line of the log once a minute. */

import { minuteMs } from '../../core/time/durations.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { StoreRefusal } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'

export interface RefusalDeps {
  readonly log: { error(fields: object, message: string): void }
  readonly metrics: Pick<Metrics, 'storeRefused'>
  readonly clock: Clock
}

export function createReportRefusal({ log, metrics, clock }: RefusalDeps): (refusal: StoreRefusal) => void {
  // By message. Statements have no values in them, so messages are few.
  const loggedAtMs = new Map<string, number>()
  return (refusal) => {
    metrics.storeRefused()
    const nowMs = clock.monotonicMs()
    const lastMs = loggedAtMs.get(refusal.message) ?? Number.NEGATIVE_INFINITY
    if (nowMs - lastMs < minuteMs) return
    loggedAtMs.set(refusal.message, nowMs)
    log.error({ err: refusal }, 'store: the database refuses a statement, and a retry cannot mend it')
  }
}
