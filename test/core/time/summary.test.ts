/** The parts of a summary: ranges in whole hours, the buckets that they need, their steps, averages and percentiles. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { latencyBinCount, latencyBinOf } from '../../../src/core/time/rollup.ts'
import {
  averageHundredths,
  endOfHour,
  widenToHours,
  percentileUs,
  splitRange,
  stepMs,
  stepOf,
  stepStarts,
  type Range,
} from '../../../src/core/time/summary.ts'
import { check } from '../../helpers/check.ts'
import { dayMs } from '../../../src/core/time/durations.ts'

const at = (text: string): number => Date.parse(`${text}Z`)
const range = (from: string, to: string): Range => ({ fromMs: at(from), toMs: at(to) })
const told = ({ fromMs, toMs }: Range): string =>
  `${new Date(fromMs).toISOString().slice(5, 16)} ${new Date(toMs).toISOString().slice(5, 16)}`

test('a range is widened to whole hours, and one of whole hours is left as it is', () => {
  check(
    [
      [range('2026-03-01T10:30', '2026-03-01T11:30'), '03-01T10:00 03-01T12:00'],
      [range('2026-03-01T10:00', '2026-03-01T11:00'), '03-01T10:00 03-01T11:00'],
      [range('2026-03-01T10:59:59.999', '2026-03-01T11:00:00.001'), '03-01T10:00 03-01T12:00'],
      [range('2026-02-28T23:30', '2026-03-01T00:00'), '02-28T23:00 03-01T00:00'],
    ],
    (asked) => told(widenToHours(asked)),
  )
})

test('the hour of a moment ends after it, also where it is the first of its hour', () => {
  check(
    [
      [at('2026-03-01T10:59:59.999'), at('2026-03-01T11:00')],
      [at('2026-03-01T11:00'), at('2026-03-01T12:00')],
    ],
    endOfHour,
  )
})

test('72 hours are shown by the hour, however they lie, and more by the day', () => {
  check(
    [
      [range('2026-03-01T10:00', '2026-03-01T11:00'), 'hour'],
      [range('2026-03-01T10:00', '2026-03-04T10:00'), 'hour'],
      [range('2026-03-01T10:30', '2026-03-04T10:30'), 'hour'],
      [range('2026-03-01T10:00', '2026-03-04T10:00:00.001'), 'day'],
      [range('2026-03-01T10:30', '2026-03-04T11:00'), 'day'],
      [range('2025-03-01T10:30', '2026-03-01T10:30'), 'day'],
    ],
    stepOf,
  )
})

test('by the day, whole days are read as days and what is left at the ends as hours', () => {
  check(
    [
      [
        range('2026-03-01T00:00', '2026-03-05T00:00'),
        '03-01T00:00 03-01T00:00, 03-01T00:00 03-05T00:00, 03-05T00:00 03-05T00:00',
      ],
      [
        range('2026-03-01T10:00', '2026-03-05T09:00'),
        '03-01T10:00 03-02T00:00, 03-02T00:00 03-05T00:00, 03-05T00:00 03-05T09:00',
      ],
      [
        range('2026-03-01T23:00', '2026-03-02T01:00'),
        '03-01T23:00 03-02T00:00, 03-02T00:00 03-02T00:00, 03-02T00:00 03-02T01:00',
      ],
      [
        range('2026-03-01T10:00', '2026-03-01T12:00'),
        '03-01T10:00 03-01T12:00, 03-01T12:00 03-01T12:00, 03-01T12:00 03-01T12:00',
      ],
    ],
    (asked) => {
      const { head, days, tail } = splitRange(asked, 'day')
      return [head, days, tail].map(told).join(', ')
    },
  )
})

const anyRange: fc.Arbitrary<Range> = fc
  .record({
    fromMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    lengthMs: fc.oneof(fc.integer({ min: 1, max: 4 * dayMs }), fc.integer({ min: 1, max: 366 * dayMs })),
  })
  .map(({ fromMs, lengthMs }) => widenToHours({ fromMs, toMs: fromMs + lengthMs }))

test('the pieces of any range follow each other, are the whole of it, and their days are whole', () => {
  fc.assert(
    fc.property(anyRange, fc.constantFrom('hour' as const, 'day' as const), (asked, step) => {
      const { head, days, tail } = splitRange(asked, step)
      assert.deepEqual(
        [head.fromMs, head.toMs, days.toMs, tail.toMs],
        [asked.fromMs, days.fromMs, tail.fromMs, asked.toMs],
      )
      for (const piece of [head, days, tail]) assert.ok(piece.fromMs <= piece.toMs)
      if (days.fromMs < days.toMs) assert.deepEqual([days.fromMs % dayMs, days.toMs % dayMs], [0, 0])
      if (step === 'hour') assert.equal(days.fromMs, days.toMs)
      else assert.ok(head.toMs - head.fromMs < dayMs && tail.toMs - tail.fromMs < dayMs)
    }),
  )
})

test('the steps of any range begin with it, lie on hours or days, and leave no gap', () => {
  fc.assert(
    fc.property(anyRange, (asked) => {
      const step = stepOf(asked)
      const starts = stepStarts(asked, step)
      assert.equal(starts[0], asked.fromMs)
      for (const [place, startMs] of starts.entries()) {
        const nextMs = starts[place + 1] ?? asked.toMs
        assert.ok(nextMs > startMs && nextMs - startMs <= stepMs[step])
        if (place > 0) assert.equal(startMs % stepMs[step], 0)
      }
      assert.ok(starts.length <= 368)
    }),
  )
})

test('an average is rounded half up to two decimals, and there is none of nothing', () => {
  check<readonly [number, number], number | null>(
    [
      [[0, 0], null],
      [[0, 5], 0],
      [[1, 2], 1],
      [[95 + 96, 2], 96],
      [[94 + 94 + 95, 3], 94],
      [[94 + 95 + 95, 3], 95],
      [[100, 1], 100],
    ],
    ([sum, total]) => averageHundredths(sum, total),
  )
  const many = fc.record({ sum: fc.nat(1e11), total: fc.integer({ min: 1, max: 1e9 }) })
  fc.assert(
    fc.property(many, ({ sum, total }) => {
      const exact = (BigInt(sum) * 2n + BigInt(total)) / (BigInt(total) * 2n)
      assert.equal(averageHundredths(sum, total), Number(exact))
    }),
  )
})

function histogramOf(latencies: readonly number[]): number[] {
  const bins = Array.from({ length: latencyBinCount }, () => 0)
  for (const latencyUs of latencies) bins[latencyBinOf(latencyUs)] = (bins[latencyBinOf(latencyUs)] ?? 0) + 1
  return bins
}

test('a percentile lies in its bin as evenly as those beside it', () => {
  check<readonly [readonly number[], number], number | null>(
    [
      [[[], 50], null],
      [[[10], 50], 250],
      [[[10, 20], 50], 125],
      [[[10, 20], 99], 250],
      [[[100, 300, 300, 300, 300], 50], 375],
      [[[9_000_000], 50], 5_000_000],
      [[[1, 1, 1, 9_000_000], 99], 5_000_000],
    ],
    ([latencies, percent]) => percentileUs(histogramOf(latencies), percent),
  )
})

test('a percentile is in the very bin of the latency that has its rank', () => {
  const latencies = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(latencies, fc.integer({ min: 1, max: 100 }), (all, percent) => {
      const inOrder = all.toSorted((left, right) => left - right)
      const exact = inOrder[Math.ceil((all.length * percent) / 100) - 1] ?? assert.fail()
      const found = percentileUs(histogramOf(all), percent) ?? assert.fail()
      assert.equal(latencyBinOf(found), latencyBinOf(exact))
    }),
  )
})
