/** W3C Trace Context (https://www.w3.org/TR/trace-context/): the trace that a request is part of, as its `traceparent` tells. */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The caller's span, 16 digits. */
  readonly parentId: string
  /** Whether the caller records this trace. */
  readonly isSampled: boolean
}

export const spanIdBytes = 8

/** A later version may have more behind the flags; this one has not. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const nothing = /^0+$/
const sampled = 1

/** Null for what is none: the standard says to go on as if nothing had come. */
export function parseTraceparent(text: string): TraceContext | null {
  const [, version = 'ff', traceId = '', parentId = '', flags = '', more] = form.exec(text.trim()) ?? []
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (nothing.test(traceId) || nothing.test(parentId)) return null
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & sampled) === sampled }
}

/** What goes on to others: the same trace, with a span of ours. */
export function formatTraceparent({ traceId, isSampled }: TraceContext, spanId: string): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
