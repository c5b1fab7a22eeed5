/** Reports deliveries to operators: counts every attempt, and logs drops and failures. */

import { iso } from '../../../core/time/durations.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { DeliveryObserver } from './dispatcher.ts'

export interface DeliveryLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export function createDeliveryObserver({
  metrics,
  log,
}: {
  metrics: Metrics
  log: DeliveryLog
}): DeliveryObserver {
  return {
    attempted: (attempt, delivered) => metrics.webhookAttempted(attempt, delivered),
    dropped({ delivery, attempts }) {
      metrics.webhookDropped()
      const last = attempts.at(-1)
      log.warn(
        {
          webhook_id: delivery.webhookId,
          event_id: delivery.eventId,
          event: delivery.kind,
          request_id: delivery.requestId,
          attempts: attempts.length,
          status_code: last?.status ?? null,
          error: last?.fault ?? null,
        },
        'webhooks: event failed all its attempts',
      )
    },
    abandoned({ webhookId, eventId, kind, requestId }) {
      metrics.webhookDropped()
      log.error(
        { webhook_id: webhookId, event_id: eventId, event: kind, request_id: requestId },
        'webhooks: event failed: its record cannot be read from the store',
      )
    },
    suspended: ({ webhookId, ownerId, sinceMs }) =>
      log.warn(
        { webhook_id: webhookId, owner_id: ownerId, failing_since: iso(sinceMs) },
        'webhooks: endpoint suspended: no attempt was delivered for seven days; its owner may send its events again',
      ),
    interrupted: (error) =>
      log.error(
        { err: error },
        'webhooks: deliveries paused: the store does not answer; they resume automatically',
      ),
    resumed: () => log.info({}, 'webhooks: deliveries resumed'),
    failed: ({ webhookId, eventId }, error) =>
      log.error(
        { err: error, webhook_id: webhookId, event_id: eventId },
        'webhooks: delivery failed with an unexpected error; it will be retried',
      ),
  }
}
