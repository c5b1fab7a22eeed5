/** A span for each request, in the caller's trace if it names one. Health, probes and figures have none. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../app/ports/tracing.ts'
import { timelineEvents } from '../core/explain/timeline.ts'
import type { App } from './types.ts'

export function traceRequests(app: App, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.isVital === true) return done()
    const { method, headers } = request
    // The route's pattern, never the URL: a path may hold a one-time link, and a query anything.
    const route = request.is404 ? null : (request.routeOptions.url ?? null)
    const name = route === null ? method : `${method} ${route}`
    const span = tracing.start(name, { kind: 'server', parent: { headers } })
    if (span === null) return done()
    request.span = span
    span.set({ 'http.request.method': method, 'url.scheme': request.protocol === 'https' ? 'https' : 'http' })
    if (route !== null) span.set({ 'http.route': route })
    span.within(done)
  })
  // A body arrives by events of its connection, outside the span.
  app.addHook('preValidation', ({ span }, _reply, done) => (span === null ? done() : span.within(done)))
  app.addHook('onResponse', (request, reply, done) => {
    if (request.span !== null) finish(request.span, request, reply)
    done()
  })
}

function finish(span: Span, { id, problem, timer }: FastifyRequest, reply: FastifyReply): void {
  const { statusCode } = reply
  span.set({
    'http.response.status_code': statusCode,
    'fairway.request_id': String(reply.getHeader('x-request-id') ?? id),
  })
  if (statusCode >= 500) span.fail(problem?.code ?? statusCode)
  // The steps of the request; for a decision, the ten of its timeline.
  const offsetsUs = timer.offsetsUs()
  for (const [place, event] of timelineEvents.entries()) {
    const offsetUs = offsetsUs[place] ?? null
    if (offsetUs !== null) span.event(event, timer.receivedAtMs + offsetUs / 1000)
  }
  span.end()
}
