/** Figures for the operator, in the form that Prometheus reads. */

import { Counter, Registry } from 'prom-client'
import type { Attempt, Metrics } from '../app/ports.ts'

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const attempts = new Counter({
    name: 'fairway_webhook_attempts_total',
    help: 'Webhook deliveries that were attempted, by how they ended.',
    labelNames: ['outcome'],
    registers,
  })
  const dropped = new Counter({
    name: 'fairway_webhook_events_dropped_total',
    help: 'Webhook events that were given up after the last attempt.',
    registers,
  })
  return {
    webhookAttempted: (attempt, delivered) => attempts.inc({ outcome: outcomeOf(attempt, delivered) }),
    webhookDropped: () => dropped.inc(),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function outcomeOf({ fault }: Attempt, delivered: boolean): string {
  return delivered ? 'delivered' : (fault ?? 'refused')
}
