/** GET /metrics: operational metrics of the service. They contain no payment data. */

import type { Metrics } from '../../app/ports/metrics.ts'
import type { App } from '../types.ts'

export function registerMetrics(app: App, metrics: Metrics): void {
  app.get(
    '/metrics',
    { config: { publicWindow: 'metrics', isVital: true }, schema: { hide: true } },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  )
}
