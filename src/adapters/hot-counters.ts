/**
 * Counters and spreads for the hot path, in the form that prom-client reads. The library (15.1) checks and hashes the labels at
 * every count, also of a child bound by `labels()`; here a count is a look into a map: `npm run bench -- --only metrics`.
 */

import type { Counter, Histogram, Registry } from 'prom-client'

interface About {
  readonly name: string
  readonly help: string
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  readonly metricName?: string
}

/** What the library asks of a metric. */
interface Shown extends About {
  get(): Promise<
    About & { readonly type: string; readonly values: readonly Value[]; readonly aggregator: 'sum' }
  >
}

function show(registry: Registry, about: About, type: 'counter' | 'histogram', values: () => Value[]): void {
  const metric: Shown = {
    ...about,
    get: async () => ({ ...about, type, values: values(), aggregator: 'sum' }),
  }
  registry.registerMetric(metric as unknown as Counter | Histogram)
}

/** No value of a label has it. */
const between = '\n'

/** Counts by the values of its labels, which come in the order of their names. */
export function hotCounter(
  registry: Registry,
  about: About & { readonly labelNames: readonly string[] },
): (...labels: readonly string[]) => void {
  const { name, help, labelNames } = about
  const counts = new Map<string, number>()
  show(registry, { name, help }, 'counter', () =>
    [...counts].map(([key, value]) => {
      const labels = key.split(between)
      return { labels: Object.fromEntries(labelNames.map((label, at) => [label, labels[at] ?? ''])), value }
    }),
  )
  return (...labels) => {
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join(between)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

interface Spread {
  readonly counts: Float64Array
  sum: number
}

/** How values spread over bounds, by the value of its one label. */
export function spread(
  registry: Registry,
  about: About & { readonly labelName: string; readonly bounds: readonly number[] },
): (label: string, value: number) => void {
  const { name, help, labelName, bounds } = about
  const spreads = new Map<string, Spread>()
  show(registry, { name, help }, 'histogram', () =>
    [...spreads].flatMap(([label, one]) => shownSpread(name, { [labelName]: label }, bounds, one)),
  )
  return (label, value) => {
    let one = spreads.get(label)
    if (one === undefined) {
      one = { counts: new Float64Array(bounds.length + 1), sum: 0 }
      spreads.set(label, one)
    }
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1
    one.counts[at] = (one.counts[at] ?? 0) + 1
    one.sum += value
  }
}

/** Each bucket counts all that is below its bound; the last counts everything. */
function shownSpread(
  name: string,
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
  { counts, sum }: Spread,
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
