/** Parses and formats the `traceparent` header of W3C Trace Context (https://www.w3.org/TR/trace-context/). */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The caller's span, 16 digits. */
  readonly parentId: string
  /** Whether the caller records this trace. */
  readonly isSampled: boolean
}

export const spanIdBytes = 8

/** Later versions may append fields after the flags; version 00 may not. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/
const sampled = 1

/** Null for an invalid header, which the standard says to ignore. */
export function parseTraceparent(text: string): TraceContext | null {
  const [, version = 'ff', traceId = '', parentId = '', flags = '', more] = form.exec(text.trim()) ?? []
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (zeros.test(traceId) || zeros.test(parentId)) return null
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & sampled) === sampled }
}

/** The header for outgoing requests: the same trace with our span. */
export function formatTraceparent({ traceId, isSampled }: TraceContext, spanId: string): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
