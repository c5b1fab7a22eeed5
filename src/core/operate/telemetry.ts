/** Reads which signals of OpenTelemetry are exported, from the standard `OTEL_*` variables. The SDK reads the rest itself. */

import { integer } from '../reference/integer.ts'
import type { ReadSetting } from './settings.ts'

export interface TelemetrySettings {
  readonly traces: boolean
  readonly metrics: boolean
  readonly logs: boolean
  /** Of the metrics; the SDK chooses that of traces and logs. */
  readonly metricsProtocol: OtlpProtocol
  readonly metricsEveryMs: number
  readonly metricsTimeoutMs: number
  /** Variables that the SDK reads from the environment alone; their values may be from files. */
  readonly headers: Readonly<Record<string, string>>
  /** With `OTEL_LOG_LEVEL` the SDK logs to the console, until its logger is replaced. */
  readonly isLogLevelSet: boolean
}

export type OtlpProtocol = (typeof protocols)[number]

const protocols = ['http/protobuf', 'http/json', 'grpc'] as const
const signals = ['TRACES', 'METRICS', 'LOGS'] as const

/**
 * Null if nothing is exported. A signal is on if an endpoint or its exporter is set: the standard's default, an endpoint on
 * this machine, would export from every installation.
 */
export function readTelemetry(setting: ReadSetting): TelemetrySettings | null {
  // Then nothing else is read, so that no other setting can stop the start.
  if (setting('OTEL_SDK_DISABLED', '', (text) => text.toLowerCase(), '') === 'true') return null
  const common = readEndpoint(setting, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  const protocol = readProtocol(setting, 'OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf')
  const [traces, metrics, logs] = signals.map((signal) => {
    const own = readEndpoint(setting, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
    const exporter = setting(`OTEL_${signal}_EXPORTER`, '', exporterOf, 'otlp or none')
    readProtocol(setting, `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, protocol)
    return exporter === 'otlp' || (exporter === '' && (own || common))
  }) as [boolean, boolean, boolean]
  const metricsProtocol = readProtocol(setting, 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', protocol)
  const metricsEveryMs = readMilliseconds(setting, 'OTEL_METRIC_EXPORT_INTERVAL', '60000')
  const metricsTimeoutMs = readMilliseconds(setting, 'OTEL_METRIC_EXPORT_TIMEOUT', '30000')
  const isLogLevelSet = setting('OTEL_LOG_LEVEL', '', (text) => text, '') !== ''
  const headers = readHeaders(setting)
  if (!traces && !metrics && !logs) return null
  return { headers, traces, metrics, logs, metricsProtocol, metricsEveryMs, metricsTimeoutMs, isLogLevelSet }
}

function readHeaders(setting: ReadSetting): Record<string, string> {
  const names = ['', ...signals.map((signal) => `${signal}_`)].map(
    (part) => `OTEL_EXPORTER_OTLP_${part}HEADERS`,
  )
  const read = names.map((name) => [name, setting(name, '', (text) => text, '')] as const)
  return Object.fromEntries(read.filter(([, text]) => text !== ''))
}

const exporterOf = (text: string): string | null => (/^(?:otlp|none)?$/.test(text) ? text : null)

/** Whether there is one. */
function readEndpoint(setting: ReadSetting, name: string): boolean {
  const parse = (text: string): string | null => (text === '' || isHttpUrl(text) ? text : null)
  return setting(name, '', parse, 'an http or https URL, like http://127.0.0.1:4318') !== ''
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

function readProtocol(setting: ReadSetting, name: string, fallback: OtlpProtocol): OtlpProtocol {
  const parse = (text: string): OtlpProtocol | null => protocols.find((one) => one === text) ?? null
  return setting(name, fallback, parse, `one of ${protocols.join(', ')}`)
}

function readMilliseconds(setting: ReadSetting, name: string, fallback: string): number {
  const parse = (text: string): number | null => integer(text, 1, 86_400_000)
  return setting(name, fallback, parse, 'a number of milliseconds from 1 to 86400000')
}
