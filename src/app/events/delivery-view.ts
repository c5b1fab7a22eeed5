/** How a webhook delivery is shown in the API. */

import { isDelivered } from '../../core/events/retry-schedule.ts'
import { iso } from '../../core/time/durations.ts'
import type { Delivery } from '../ports/webhooks.ts'

export function deliveryView(delivery: Delivery) {
  const { state, attemptNumber, dueAtMs } = delivery
  return {
    event_id: delivery.eventId,
    event: delivery.kind,
    request_id: delivery.requestId,
    status: state,
    created_at: iso(delivery.createdAtMs),
    next_attempt: state === 'pending' ? { attempt: attemptNumber, due_at: iso(dueAtMs) } : null,
    attempts: delivery.attempts.map(({ number, atMs, durationMs, status, fault }) => ({
      attempt: number,
      at: iso(atMs),
      duration_ms: durationMs,
      outcome: isDelivered(status) ? ('delivered' as const) : ('failed' as const),
      status_code: status,
      error: fault,
    })),
  }
}
