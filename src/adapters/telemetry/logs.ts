/** Sends log lines, as they were written, as log records of OpenTelemetry. */

import type * as Otel from '@opentelemetry/api'
import type { Api } from './packages.ts'

/** Lines about the export itself, which must not be exported. */
export const ownPrefix = 'telemetry:'

interface Line {
  readonly level: string
  readonly time: string
  readonly msg?: string
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string }
  readonly trace_id?: unknown
  readonly span_id?: unknown
  readonly [field: string]: unknown
}

/** The log has masked and redacted the line before. */
export function createSendLine({ logs, SeverityNumber }: typeof Api): (line: string) => void {
  const logger = logs.getLogger('fairway')
  const severities: Readonly<Record<string, Otel.SeverityNumber>> = {
    trace: SeverityNumber.TRACE,
    debug: SeverityNumber.DEBUG,
    info: SeverityNumber.INFO,
    warn: SeverityNumber.WARN,
    error: SeverityNumber.ERROR,
    fatal: SeverityNumber.FATAL,
  }
  return (text) => {
    // The SDK adds the trace of the current span itself.
    const { level, time, msg = '', err, trace_id: _, span_id: __, ...fields } = JSON.parse(text) as Line
    if (msg.startsWith(ownPrefix)) return
    logger.emit({
      timestamp: Date.parse(time),
      severityText: level,
      severityNumber: severities[level] ?? SeverityNumber.UNSPECIFIED,
      body: msg,
      attributes: { ...attributesOf(fields), ...(err === undefined ? {} : exceptionOf(err)) },
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
