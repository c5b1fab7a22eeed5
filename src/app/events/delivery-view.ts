/** How a webhook delivery is shown in the API. */

import { isDelivered } from '../../core/events/retry-schedule.ts'
import { iso } from '../../core/time/durations.ts'
import type { Delivery, DeliveryState } from '../ports/webhooks.ts'

type Shown = DeliveryState | 'suspended' | 'waiting_for_host'

export function deliveryView(delivery: Delivery) {
  const { state, attemptNumber, heldUntilMs } = delivery
  const dueAtMs = Math.max(delivery.dueAtMs, heldUntilMs ?? 0)
  return {
    event_id: delivery.eventId,
    event: delivery.kind,
    request_id: delivery.requestId,
    status: shownState(delivery),
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

function shownState({ state, suspendedAtMs, heldUntilMs }: Delivery): Shown {
  if (suspendedAtMs !== null) return 'suspended'
  return state === 'pending' && heldUntilMs !== null ? 'waiting_for_host' : state
}
