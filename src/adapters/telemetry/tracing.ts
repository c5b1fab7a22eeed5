/** Traces by the OpenTelemetry API. */

import type * as Otel from '@opentelemetry/api'
import type { Span, SpanOptions, Tracing } from '../../app/ports/tracing.ts'
import type { TraceContext } from '../../core/operate/trace-context.ts'
import type { Api } from './packages.ts'

/** Members that are shown as a hash, as in the log. */
export interface SpanMask {
  readonly names: ReadonlySet<string>
  value<Value>(name: string, value: Value): Value | string
}

const sampled = 1
const ownPrefix = 'fairway.'

export function createTracing(api: typeof Api, mask: SpanMask): Tracing {
  const { trace, SpanKind } = api
  const tracer = trace.getTracer('fairway')
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
  const parentOf = createParents(api)
  const start = (name: string, { kind = 'internal', parent, attributes }: SpanOptions = {}): Span | null => {
    const around = parentOf(parent)
    if (around === null) return null
    const span = tracer.startSpan(name, { kind: kinds[kind] }, around)
    // Most are not: so nothing is prepared for them.
    if (!span.isRecording()) return null
    const recorded = new RecordedSpan(api, mask, span, around)
    if (attributes !== undefined) recorded.set(attributes)
    return recorded
  }
  return {
    start,
    async run(name, options, work) {
      const span = start(name, options)
      if (span === null) return work(null)
      try {
        return await span.within(() => work(span))
      } catch (error) {
        span.fail(error)
        throw error
      } finally {
        span.end()
      }
    },
  }
}

/** The context of a parent; null without one. */
function createParents({ context, propagation, trace, ROOT_CONTEXT }: typeof Api) {
  const fields = propagation.fields()
  return (parent: SpanOptions['parent']): Otel.Context | null => {
    if (parent === undefined) {
      const active = context.active()
      return trace.getSpan(active)?.isRecording() === true ? active : null
    }
    if (parent === 'none') return ROOT_CONTEXT
    if ('headers' in parent) {
      const { headers } = parent
      const isNamed = fields.some((field) => headers[field] !== undefined)
      return isNamed ? propagation.extract(ROOT_CONTEXT, headers) : ROOT_CONTEXT
    }
    const { traceId, parentId: spanId, isSampled } = parent
    const traceFlags = isSampled ? sampled : 0
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  }
}

class RecordedSpan implements Span {
  readonly #api: typeof Api
  readonly #mask: SpanMask
  readonly #span: Otel.Span
  readonly #context: Otel.Context

  constructor(api: typeof Api, mask: SpanMask, span: Otel.Span, around: Otel.Context) {
    this.#api = api
    this.#mask = mask
    this.#span = span
    this.#context = api.trace.setSpan(around, span)
  }

  get context(): TraceContext {
    const { traceId, spanId, traceFlags } = this.#span.spanContext()
    return { traceId, parentId: spanId, isSampled: (traceFlags & sampled) === sampled }
  }

  /** Without baggage and `tracestate`: a caller must not choose headers for providers and receivers. */
  headers(): Readonly<Record<string, string>> {
    const carrier: Record<string, string> = {}
    this.#api.propagation.inject(this.#context, carrier)
    const { baggage: _, tracestate: __, ...headers } = carrier
    return headers
  }

  within<Result>(work: () => Result): Result {
    return this.#api.context.with(this.#context, work)
  }

  set(attributes: NonNullable<SpanOptions['attributes']>): void {
    this.#span.setAttributes(this.#mask.names.size === 0 ? attributes : this.#masked(attributes))
  }

  #masked(attributes: Otel.Attributes): Otel.Attributes {
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        name.startsWith(ownPrefix) ? this.#mask.value(name.slice(ownPrefix.length), value) : value,
      ]),
    )
  }

  event(name: string, atMs: number): void {
    this.#span.addEvent(name, undefined, atMs)
  }

  fail(why: unknown): void {
    this.#span.setAttribute('error.type', why instanceof Error ? why.name : String(why))
    this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}
