/** Builds trace headers that add outgoing requests to the caller's trace. */

import { formatTraceparent, spanIdBytes, type TraceContext } from '../../core/operate/trace-context.ts'
import type { Random } from '../ports/system.ts'

/** The `traceparent` header of a new span; no header without a trace. */
export function traceHeaders(context: TraceContext | null, random: Random): { traceparent?: string } {
  return context === null ? {} : { traceparent: formatTraceparent(context, newSpanId(random)) }
}

/** An id of zeros only is not valid (W3C Trace Context). */
function newSpanId(random: Random): string {
  const id = Buffer.from(random.bytes(spanIdBytes)).toString('hex')
  return /^0+$/.test(id) ? newSpanId(random) : id
}
