/** Exports traces, metrics and logs by OTLP, by the official SDK, which reads its settings from `OTEL_*` variables. */

import type { DiagLogger } from '@opentelemetry/api'
import type { Tracing } from '../../app/ports/tracing.ts'
import type { TelemetrySettings } from '../../core/operate/telemetry.ts'
import type { MetricsData } from '../metrics.ts'
import { createSendLine, ownPrefix } from './logs.ts'
import { createProducer } from './metrics.ts'
import { loadPackages, type Packages } from './packages.ts'
import { createTracing } from './tracing.ts'

export interface Telemetry {
  /** Null if traces are not exported. */
  readonly tracing: Tracing | null
  /** Adds to the log's lines, and receives them. */
  readonly tap: LogTap
  /** Sends what is left, within a bound. */
  close(): Promise<void>
}

interface LogTap {
  /** Members of a line that is being written: its trace. */
  members(): object
  line(text: string): void
}

export interface TelemetryOptions {
  readonly settings: TelemetrySettings
  readonly version: string
  readonly readMetrics: () => Promise<MetricsData>
  /** Reports faults of the export, which never concern a decision. */
  readonly warn: (message: string) => void
}

const closeMsMax = 3_000
/** A receiver that is away fails every few seconds. */
const warnEveryMs = 60_000

/** Starts the export. Fails with one clear line if the packages are not installed. */
export function openTelemetry({ settings, version, readMetrics, warn }: TelemetryOptions): Telemetry {
  const packages = loadPackages()
  const { api, sdk, resources } = packages
  const faults = diagnosticsTo(warn)
  api.diag.setLogger(faults, api.DiagLogLevel.WARN)
  const node = new sdk.NodeSDK({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'fairway', 'service.version': version })),
    // Without a processor there is no provider; with undefined, the SDK makes the one of its settings.
    ...(settings.traces ? {} : { spanProcessors: [] }),
    ...(settings.logs ? {} : { logRecordProcessors: [] }),
    metricReaders: settings.metrics ? [metricReader(packages, settings, readMetrics)] : [],
  })
  // The SDK replaces the logger if OTEL_LOG_LEVEL is set, by one that writes to the console.
  api.diag.setLogger(faults, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true })
  node.start()
  return {
    tracing: settings.traces ? createTracing(api) : null,
    tap: {
      members: () => traceMembers(packages),
      line: settings.logs ? createSendLine(api) : () => undefined,
    },
    close: () => within(closeMsMax, node.shutdown()),
  }
}

function metricReader(packages: Packages, settings: TelemetrySettings, read: () => Promise<MetricsData>) {
  const { PeriodicExportingMetricReader } = packages.metrics
  const { metricsProtocol, metricsEveryMs, metricsTimeoutMs } = settings
  return new PeriodicExportingMetricReader({
    exporter: packages.metricExporter(metricsProtocol),
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(metricsEveryMs, metricsTimeoutMs),
    metricProducers: [createProducer(packages, read)],
  })
}

/** The trace of the line that is being written. */
function traceMembers({ api }: Packages): object {
  const span = api.trace.getSpanContext(api.context.active())
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/** Reports one fault a minute. */
function diagnosticsTo(warn: (message: string) => void): DiagLogger {
  let nextMs = Number.NEGATIVE_INFINITY
  const report = (text: string): void => {
    if (performance.now() < nextMs) return
    nextMs = performance.now() + warnEveryMs
    warn(`${ownPrefix} ${plain(text)}`)
  }
  const ignore = (): void => undefined
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }
}

/** An export that fails arrives as an error in JSON. */
function plain(text: string): string {
  try {
    const { name = 'Error', message = '', code = '' } = JSON.parse(text) as Readonly<Record<string, string>>
    return `cannot export: ${[name, code, message].filter((part) => part !== '').join(' ')}`
  } catch {
    return text
  }
}

/** Never rejects. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
