/** Tells the operator of deliveries: every attempt is counted, and what is lost or broken has a line in the log. */

import type { Metrics } from '../../ports/metrics.ts'
import type { DeliveryObserver } from './dispatcher.ts'

/** As much of a logger as is needed. */
export interface DeliveryLog {
  info(told: object, message: string): void
  warn(told: object, message: string): void
  error(told: object, message: string): void
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
        'a webhook event was dropped: every attempt has failed, and it is not sent again',
      )
    },
    abandoned({ webhookId, eventId, kind, requestId }) {
      metrics.webhookDropped()
      log.error(
        { webhook_id: webhookId, event_id: eventId, event: kind, request_id: requestId },
        'a webhook event was dropped: what it tells of cannot be read from the store',
      )
    },
    interrupted: (error) =>
      log.error(
        { err: error },
        'webhook deliveries wait: the store does not answer; they go on by themselves',
      ),
    resumed: () => log.info({}, 'webhook deliveries go on'),
    failed: ({ webhookId, eventId }, error) =>
      log.error(
        { err: error, webhook_id: webhookId, event_id: eventId },
        'a webhook delivery could not be made',
      ),
  }
}
