/**
 * Fast counters and histograms for prom-client registries. The library (15.1) validates and hashes the labels on every
 * increment, even for a child bound by `labels()`; here it is a map lookup (`npm run bench -- --only metrics`).
 */

import type { Counter, Histogram, Registry } from 'prom-client'

interface MetricInfo {
  readonly name: string
  readonly help: string
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  readonly metricName?: string
}

/** The interface that the library requires of a metric. */
interface CustomMetric extends MetricInfo {
  get(): Promise<
    MetricInfo & { readonly type: string; readonly values: readonly Value[]; readonly aggregator: 'sum' }
  >
}

function register(
  registry: Registry,
  info: MetricInfo,
  type: 'counter' | 'histogram',
  values: () => Value[],
): void {
  const metric: CustomMetric = {
    ...info,
    get: async () => ({ ...info, type, values: values(), aggregator: 'sum' }),
  }
  registry.registerMetric(metric as unknown as Counter | Histogram)
}

/** Never occurs in a label value. */
const separator = '\n'

interface CounterInfo extends MetricInfo {
  readonly labelNames: readonly string[]
  /** Label values of which a zero is reported before the first increment. */
  readonly zeros?: readonly (readonly string[])[]
}

/** Returns a function that increments the counter. Label values are passed in the order of `labelNames`. */
export function hotCounter(
  registry: Registry,
  { name, help, labelNames, zeros = [] }: CounterInfo,
): (...labels: readonly string[]) => void {
  const counts = new Map(zeros.map((labels): [string, number] => [labels.join(separator), 0]))
  register(registry, { name, help }, 'counter', () =>
    [...counts].map(([key, value]) => {
      const labels = key.split(separator)
      return { labels: Object.fromEntries(labelNames.map((label, at) => [label, labels[at] ?? ''])), value }
    }),
  )
  return (...labels) => {
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join(separator)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

interface Buckets {
  readonly counts: Float64Array
  sum: number
}

/** A histogram with one label. */
export function hotHistogram(
  registry: Registry,
  info: MetricInfo & { readonly labelName: string; readonly bounds: readonly number[] },
): (label: string, value: number) => void {
  const { name, help, labelName, bounds } = info
  const series = new Map<string, Buckets>()
  register(registry, { name, help }, 'histogram', () =>
    [...series].flatMap(([label, one]) => histogramValues(name, { [labelName]: label }, bounds, one)),
  )
  return (label, value) => {
    let one = series.get(label)
    if (one === undefined) {
      one = { counts: new Float64Array(bounds.length + 1), sum: 0 }
      series.set(label, one)
    }
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1
    one.counts[at] = (one.counts[at] ?? 0) + 1
    one.sum += value
  }
}

/** Buckets are cumulative; the last counts every value. */
function histogramValues(
  name: string,
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
  { counts, sum }: Buckets,
): Value[] {
  let below = 0
  const buckets = [...counts].map((count, at) => {
    below += count
    return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? '+Inf', ...labels }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: below },
  ]
}
