/** Spans of ours in the traces of callers: what goes out says whose work it is part of. */

import { formatTraceparent, spanIdBytes, type TraceContext } from '../../core/operate/trace-context.ts'
import type { Random } from '../ports/system.ts'

/** A header that tells of a new span in the trace, or no header where there is no trace. */
export function traceHeaders(context: TraceContext | null, random: Random): { traceparent?: string } {
  return context === null ? {} : { traceparent: formatTraceparent(context, newSpanId(random)) }
}

/** All zeros are no span; that they come is as likely as never. */
function newSpanId(random: Random): string {
  const id = Buffer.from(random.bytes(spanIdBytes)).toString('hex')
  return /^0+$/.test(id) ? newSpanId(random) : id
}
