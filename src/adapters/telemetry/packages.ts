/** The official OpenTelemetry packages, which are installed only where they are needed. */

import { createRequire } from 'node:module'
import type * as Api from '@opentelemetry/api'
import type * as Resources from '@opentelemetry/resources'
import type * as Sdk from '@opentelemetry/sdk-node'
import type * as SdkMetrics from '@opentelemetry/sdk-metrics'
import type { OtlpProtocol } from '../../core/operate/telemetry.ts'

export type { Api }

export interface Packages {
  readonly api: typeof Api
  readonly sdk: typeof Sdk
  readonly metrics: typeof SdkMetrics
  readonly resources: typeof Resources
  /** An exporter of metrics that reads its own settings. */
  readonly metricExporter: (protocol: OtlpProtocol) => SdkMetrics.PushMetricExporter
}

const exporters: Readonly<Record<OtlpProtocol, string>> = {
  'http/protobuf': '@opentelemetry/exporter-metrics-otlp-proto',
  'http/json': '@opentelemetry/exporter-metrics-otlp-http',
  grpc: '@opentelemetry/exporter-metrics-otlp-grpc',
}

/** Fails with one clear line if the packages are not installed. */
export function loadPackages(): Packages {
  const own = createRequire(import.meta.url)
  try {
    const sdk = own('@opentelemetry/sdk-node') as typeof Sdk
    // Of the same versions, since they are the SDK's own dependencies.
    const ofSdk = createRequire(own.resolve('@opentelemetry/sdk-node'))
    return {
      api: own('@opentelemetry/api') as typeof Api,
      sdk,
      metrics: ofSdk('@opentelemetry/sdk-metrics') as typeof SdkMetrics,
      resources: ofSdk('@opentelemetry/resources') as typeof Resources,
      metricExporter(protocol) {
        const { OTLPMetricExporter } = ofSdk(exporters[protocol]) as {
          OTLPMetricExporter: new () => SdkMetrics.PushMetricExporter
        }
        return new OTLPMetricExporter()
      },
    }
  } catch (cause) {
    throw new Error(
      'the OTEL_* settings need packages that are not installed: npm install @opentelemetry/api @opentelemetry/sdk-node',
      { cause },
    )
  }
}
