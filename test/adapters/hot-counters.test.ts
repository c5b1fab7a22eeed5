/** Counters and spreads of the hot path read as those of the library do, alone and added up over processes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client'
import { hotHistogram, hotCounter } from '../../src/adapters/hot-counters.ts'

const bounds = [0.01, 0.1, 1]

/** The same counts, by the library and by us. */
function twice(values: readonly number[]): { readonly theirs: Registry; readonly ours: Registry } {
  const theirs = new Registry()
  const ours = new Registry()
  const registers = [theirs]
  const counter = new Counter({ name: 'a_total', help: 'Some.', labelNames: ['x', 'y'], registers })
  const histogram = new Histogram({
    name: 'b_seconds',
    help: 'Others.',
    labelNames: ['x'],
    buckets: bounds,
    registers,
  })
  const count = hotCounter(ours, { name: 'a_total', help: 'Some.', labelNames: ['x', 'y'] })
  const observe = hotHistogram(ours, { name: 'b_seconds', help: 'Others.', labelName: 'x', bounds })
  for (const value of values) {
    const x = value < 0.5 ? 'low' : 'a "high" one'
    counter.inc({ x, y: '2xx' })
    count(x, '2xx')
    histogram.observe({ x }, value)
    observe(x, value)
  }
  return { theirs, ours }
}

const values = [0, 0.01, 0.05, 0.1, 0.5, 0.75, 1, 7]

/** Whatever order labels and lines have. */
const lines = (text: string): Set<string> =>
  new Set(
    text.split('\n').map((line) =>
      line.replace(
        /\{(.*)\}/,
        (_, labels: string) =>
          `{${labels
            .split(/,(?=\w+=)/)
            .toSorted()
            .join()}}`,
      ),
    ),
  )

test('they say the same as the library, line by line', async () => {
  const { theirs, ours } = twice(values)
  assert.deepEqual(lines(await ours.metrics()), lines(await theirs.metrics()))
})

test('they are added up over processes as those of the library are', async () => {
  const [one, other] = [twice(values), twice([0.2, 3])]
  const sum = async (kind: 'theirs' | 'ours'): Promise<string> =>
    AggregatorRegistry.aggregate([
      await one[kind].getMetricsAsJSON(),
      await other[kind].getMetricsAsJSON(),
    ]).metrics()
  assert.deepEqual(lines(await sum('ours')), lines(await sum('theirs')))
})
