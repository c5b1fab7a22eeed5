/** GET /metrics: figures for the operator. They speak of the whole service and of nobody's payments. */

import type { Metrics } from '../../app/ports/metrics.ts'
import type { App } from '../types.ts'

export function registerMetrics(app: App, metrics: Metrics): void {
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  )
}
