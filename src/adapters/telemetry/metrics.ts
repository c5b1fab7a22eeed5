/** Gives the service's metrics, those of `/metrics`, to the OpenTelemetry SDK: nothing is counted twice. */

import type { HrTime } from '@opentelemetry/api'
import type {
  CollectionResult,
  DataPoint,
  Histogram,
  MetricData,
  MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricsData } from '../metrics.ts'
import type { Packages } from './packages.ts'

type Family = MetricsData[number]
type Value = Family['values'][number] & { readonly metricName?: string }

/** `read` returns all metrics of this process; counts are cumulative since its start. */
export function createProducer(
  { api, metrics, resources }: Packages,
  read: () => Promise<MetricsData>,
): MetricProducer {
  const { AggregationTemporality, DataPointType } = metrics
  const startTime = hrTime(performance.timeOrigin)
  const convert = (family: Family, endTime: HrTime): MetricData => {
    const { name, help: description } = family
    const times = { startTime, endTime }
    const common = {
      descriptor: { name, description, unit: unitOf(name), valueType: api.ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    }
    switch (String(family.type)) {
      case 'histogram':
        return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(family, times) }
      case 'counter':
        return {
          ...common,
          dataPointType: DataPointType.SUM,
          isMonotonic: true,
          dataPoints: points(family, times),
        }
      default:
        return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points(family, times) }
    }
  }
  return {
    async collect(): Promise<CollectionResult> {
      const families = await read()
      const endTime = hrTime(Date.now())
      const all = families.map((family) => convert(family, endTime))
      // The reader replaces the resource by that of the SDK.
      const resource = resources.emptyResource()
      const scopeMetrics = [{ scope: { name: 'fairway' }, metrics: all }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>

function points({ values }: Family, times: Times): DataPoint<number>[] {
  return values.map(({ labels, value }) => ({ ...times, attributes: stringsOf(labels), value }))
}

/** The values of one histogram are its cumulative buckets, its sum and its count, told apart by name and label. */
function histograms({ name, values }: Family, times: Times): DataPoint<Histogram>[] {
  const series = new Map<string, Value[]>()
  for (const value of values) {
    const { le: _, ...labels } = value.labels
    const key = JSON.stringify(labels)
    series.set(key, [...(series.get(key) ?? []), value])
  }
  return [...series].map(([key, all]) => {
    const named = (suffix: string): Value[] =>
      all.filter(({ metricName }) => metricName === `${name}_${suffix}`)
    const buckets = named('bucket')
    const totals = buckets.map(({ value }) => value)
    const boundaries = buckets
      .map(({ labels }) => Number(labels['le']))
      .filter((bound) => Number.isFinite(bound))
    const counts = totals.map((total, place) => total - (totals[place - 1] ?? 0))
    return {
      ...times,
      attributes: JSON.parse(key) as Record<string, string>,
      value: {
        buckets: { boundaries, counts },
        sum: named('sum')[0]?.value ?? 0,
        count: named('count')[0]?.value ?? 0,
      },
    }
  })
}

const stringsOf = (labels: Family['values'][number]['labels']): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

/** By the names of UCUM, from the last word of a name. */
function unitOf(name: string): string {
  const [, unit = ''] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return { seconds: 's', bytes: 'By' }[unit] ?? '1'
}

function hrTime(sinceEpochMs: number): HrTime {
  const seconds = Math.floor(sinceEpochMs / 1000)
  return [seconds, Math.round((sinceEpochMs - seconds * 1000) * 1_000_000)]
}
