/** Figures for the operator, in the form that Prometheus reads. */

import { AggregatorRegistry, Counter, Registry } from 'prom-client'
import type { Attempt, Metrics } from '../app/ports.ts'

/** The figures of one process, as data. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The figures of all who serve on the port, these among them. */
export type GatherFigures = (own: Figures) => Promise<readonly Figures[]>

export interface ProcessMetrics extends Metrics {
  /** Of this process alone. */
  readonly own: () => Promise<Figures>
}

/** Without `gather` this process is all there is. */
export function createMetrics(gather: GatherFigures | null = null): ProcessMetrics {
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
  const own = (): Promise<Figures> => registry.getMetricsAsJSON()
  return {
    webhookAttempted: (attempt, delivered) => attempts.inc({ outcome: outcomeOf(attempt, delivered) }),
    webhookDropped: () => dropped.inc(),
    contentType: registry.contentType,
    own,
    text: async () => (gather === null ? registry : sumOf(await gather(await own()))).metrics(),
  }
}

function outcomeOf({ fault }: Attempt, delivered: boolean): string {
  return delivered ? 'delivered' : (fault ?? 'refused')
}

/** Counters are added up, label by label. */
function sumOf(figures: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate([...figures])
}

/** Several as one: what is kept of those that have ended does not grow with their number. */
export function added(figures: readonly Figures[]): Promise<Figures> {
  return sumOf(figures).getMetricsAsJSON()
}
