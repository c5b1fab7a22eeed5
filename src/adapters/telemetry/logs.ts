/** Sends log lines, as they were written, as log records of OpenTelemetry. */

import { randomBytes } from 'node:crypto'
import type * as Otel from '@opentelemetry/api'
import { spanIdBytes } from '../../core/operate/trace-context.ts'
import type { Api } from './packages.ts'

/** Lines about the export itself, which must not be exported. */
export const ownPrefix = 'telemetry:'

interface Line {
  readonly level: string
  readonly time: string
  readonly msg?: string
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string }
  readonly trace_id?: string
  readonly span_id?: unknown
  readonly [field: string]: unknown
}

/** The log has masked and redacted the line before. */
export function createSendLine({
  logs,
  trace,
  context,
  TraceFlags,
  SeverityNumber,
}: typeof Api): (line: string) => void {
  const logger = logs.getLogger('fairway')
  const severities: Readonly<Record<string, Otel.SeverityNumber>> = {
    trace: SeverityNumber.TRACE,
    debug: SeverityNumber.DEBUG,
    info: SeverityNumber.INFO,
    warn: SeverityNumber.WARN,
    error: SeverityNumber.ERROR,
    fatal: SeverityNumber.FATAL,
  }
  // The SDK takes the ids from a span. A request that is not sampled has none, so an id that is not exported stands for it.
  const inTrace = (traceId: string): Otel.Context => {
    const active = context.active()
    if (trace.getSpanContext(active)?.traceId === traceId) return active
    return trace.setSpanContext(active, {
      traceId,
      spanId: randomBytes(spanIdBytes).toString('hex'),
      traceFlags: TraceFlags.NONE,
    })
  }
  return (text) => {
    const { level, time, msg = '', err, trace_id: traceId, span_id: _, ...fields } = JSON.parse(text) as Line
    if (msg.startsWith(ownPrefix)) return
    logger.emit({
      timestamp: Date.parse(time),
      severityText: level,
      severityNumber: severities[level] ?? SeverityNumber.UNSPECIFIED,
      body: msg,
      attributes: { ...attributesOf(fields), ...(err === undefined ? {} : exceptionOf(err)) },
      context: traceId === undefined ? context.active() : inTrace(traceId),
    })
  }
}

function attributesOf(fields: Readonly<Record<string, unknown>>): Otel.Attributes {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isPlain(value) ? value : JSON.stringify(value)]),
  )
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** By the names of the semantic conventions. */
function exceptionOf({ type = 'Error', message = '', stack = '' }: NonNullable<Line['err']>) {
  return { 'exception.type': type, 'exception.message': message, 'exception.stacktrace': stack }
}
