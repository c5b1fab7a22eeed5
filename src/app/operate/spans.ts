/** Spans around work, and the trace headers of requests that leave. */

import { formatTraceparent, spanIdBytes, type TraceContext } from '../../core/operate/trace-context.ts'
import type { Random } from '../ports/system.ts'
import type { Span, SpanOptions, Tracing } from '../ports/tracing.ts'

/** Runs the work in a span of its own; without tracing, runs it alone. */
export function inSpan<Result>(
  tracing: Tracing | null,
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  return tracing === null ? work(null) : tracing.run(name, options, work)
}

/** The `traceparent` header that continues a caller's trace without a span of ours; no header without a trace. */
export function traceHeaders(context: TraceContext | null, random: Random): { traceparent?: string } {
  return context === null ? {} : { traceparent: formatTraceparent(context, newSpanId(random)) }
}

/** An id of zeros only is not valid (W3C Trace Context). */
function newSpanId(random: Random): string {
  const id = Buffer.from(random.bytes(spanIdBytes)).toString('hex')
  return /^0+$/.test(id) ? newSpanId(random) : id
}
