/** Exports traces, metrics and logs by OTLP, by the official SDK, which reads its settings from `OTEL_*` variables. */

import type { DiagLogger } from '@opentelemetry/api'
import type { Tracing } from '../../app/ports/tracing.ts'
import type { TelemetrySettings } from '../../core/operate/telemetry.ts'
import type { MetricsData } from '../metrics.ts'
import { createSendLine, ownPrefix } from './logs.ts'
import { createProducer } from './metrics.ts'
import { loadPackages, type Packages } from './packages.ts'
import { createTracing, type SpanMask } from './tracing.ts'

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
  /** That of the process. */
  readonly environment: object
  readonly version: string
  readonly readMetrics: () => Promise<MetricsData>
  /** For what spans tell of a decision, as in the log. */
  readonly mask: SpanMask
  /** Reports faults of the settings and of the export, which never concern a decision. */
  readonly warn: (message: string) => void
}

const closeMsMax = 3_000
/** A receiver that is away fails every few seconds. */
const warnEveryMs = 60_000
const warningCharactersMax = 300

/** Starts the export. Fails with one clear line if the packages are not installed. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { settings, environment, version, readMetrics, mask, warn } = options
  const packages = loadPackages()
  // The SDK reads them from there alone, and some of them came from files.
  Object.assign(environment, settings.headers)
  const { api, sdk, resources } = packages
  const faults = diagnosticsTo(warn)
  const toLog = (): boolean => api.diag.setLogger(faults.logger, api.DiagLogLevel.WARN)
  toLog()
  const readers = settings.metrics ? [metricReader(packages, settings, readMetrics)] : []
  // Otherwise the SDK would report that it replaces the logger.
  if (settings.isLogLevelSet) api.diag.disable()
  const node = new sdk.NodeSDK({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'fairway', 'service.version': version })),
    // Without a processor there is no provider; with undefined, the SDK makes the one of its settings.
    ...(settings.traces ? {} : { spanProcessors: [] }),
    ...(settings.logs ? {} : { logRecordProcessors: [] }),
    metricReaders: readers,
  })
  api.diag.disable()
  toLog()
  node.start()
  faults.limit()
  return {
    tracing: settings.traces ? createTracing(api, mask) : null,
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

/** Reports each fault once while the settings are read, and one fault a minute from `limit` on. */
function diagnosticsTo(warn: (message: string) => void): { logger: DiagLogger; limit(): void } {
  const settingFaults = new Set<string>()
  let nextMs: number | null = null
  const report = (...parts: readonly unknown[]): void => {
    const text = plain(parts.map(textOf).filter(Boolean).join(' ')).slice(0, warningCharactersMax)
    if (nextMs === null ? settingFaults.has(text) : performance.now() < nextMs) return
    if (nextMs === null) settingFaults.add(text)
    else nextMs = performance.now() + warnEveryMs
    warn(`${ownPrefix} ${text}`)
  }
  const ignore = (): void => undefined
  return {
    logger: { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    limit: () => (nextMs = Number.NEGATIVE_INFINITY),
  }
}

/** Of an object only the message of an error: anything else may hold data. */
function textOf(part: unknown): string {
  if (part instanceof Error) return part.message
  return typeof part === 'string' ? part : ''
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
