/** From a provider's value to a signal's scale: every map that is taken goes one way, and what falls between counts as worse. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  flagsMax,
  mapFault,
  scaledBy,
  scaleOf,
  type FeedMap,
  type FeedScale,
  type FeedValue,
} from '../../../src/core/live/feed-map.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { check } from '../../helpers/check.ts'

type Points = [value: number, onScale: number][]
const points = (...given: Points): NonNullable<FeedMap> => ({ kind: 'points', points: given })
const cases = (...given: [string | boolean, number][]): NonNullable<FeedMap> => ({
  kind: 'cases',
  cases: given,
})

const outcome = (map: FeedMap, scale: FeedScale, value: FeedValue): number | string => {
  const found = scaledBy(map, scale, value)
  return found.kind === 'scaled' ? found.scaled : found.kind
}

const scales: readonly FeedScale[] = ['flags', 'rate', 'risk']
const anyScale = fc.constantFrom(...scales)
const anyNumber = fc.oneof(
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.constantFrom(0, -0, 1e-320, 5e-324, 0.1, 0.2, 0.3, 1e15, 1e300, -1e300),
)

/** Values that rise, places on the scale in one order, up or down, some of them alike. */
const anyTaken: fc.Arbitrary<{ scale: FeedScale; map: NonNullable<FeedMap>; values: number[] }> = fc
  .record({
    scale: anyScale,
    values: fc.uniqueArray(anyNumber, { minLength: 2, maxLength: 8, comparator: (a, b) => a === b }),
    places: fc.array(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1)), {
      minLength: 8,
      maxLength: 8,
    }),
    isRising: fc.boolean(),
  })
  .map(({ scale, values, places, isRising }) => {
    const rising = values.toSorted((left, right) => left - right)
    const onScale = places
      .slice(0, values.length)
      .map((place) => (scale === 'flags' ? Math.round(place * flagsMax) : place))
      .toSorted((left, right) => (isRising ? left - right : right - left))
    return {
      scale,
      map: points(...rising.map((value, at): Points[0] => [value, onScale[at] ?? 0])),
      values: rising,
    }
  })

/** The next number that there is. */
function after(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n)
  return new Float64Array(bits.buffer)[0] ?? value
}

/** Inside the map, its corners and their neighbours among them. */
const probesOf = (values: readonly number[], shares: readonly number[]): number[] => {
  const [low = 0, high = 0] = [values[0], values.at(-1)]
  const inside = shares.map((share) => low * (1 - share) + high * share)
  const close = [...values, ...inside].flatMap((one) => [one, after(one), -after(-one)])
  return close.filter((one) => one >= low && one <= high).toSorted((left, right) => left - right)
}

test('every map that is taken is monotonic over all its range, between neighbouring numbers too', () => {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(anyTaken, shares, ({ scale, map, values }, some) => {
      assert.equal(mapFault(map, scale), null)
      const found = probesOf(values, some).map((value) => outcome(map, scale, value))
      const onScale = found.filter((one) => typeof one === 'number')
      assert.equal(onScale.length, found.length)
      const isRising = onScale.every((one, at) => one >= (onScale[at - 1] ?? 0))
      const isFalling = onScale.every((one, at) => one <= (onScale[at - 1] ?? Infinity))
      assert.ok(isRising || isFalling, `turns: ${onScale.join()}`)
    }),
    { numRuns: 1_000 },
  )
})

test('a mapped value never leaves its scale, and a map does not reach beyond its ends', () => {
  fc.assert(
    fc.property(anyTaken, anyNumber, ({ scale, map, values }, value) => {
      const found = outcome(map, scale, value)
      const [low = 0, high = 0] = [values[0], values.at(-1)]
      if (value < low || value > high) return assert.equal(found, 'out_of_range')
      assert.ok(Number.isInteger(found) && Number(found) >= 0 && Number(found) <= 1_000)
    }),
    { numRuns: 1_000 },
  )
})

test('a map of any points is taken only if it goes one way', () => {
  const entry = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom(0, 0.25, 0.5, 1))
  fc.assert(
    fc.property(fc.array(entry, { minLength: 2, maxLength: 5 }), (given) => {
      const isRisingInValue = given.every(([value], at) => at === 0 || value > (given[at - 1]?.[0] ?? 0))
      const onScale = given.map(([, place]) => place)
      const up = onScale.every((one, at) => at === 0 || one >= (onScale[at - 1] ?? 0))
      const down = onScale.every((one, at) => at === 0 || one <= (onScale[at - 1] ?? 0))
      assert.equal(mapFault(points(...given), 'risk') === null, isRisingInValue && (up || down))
    }),
  )
})

const turns = 'changes direction: a map must only rise or only fall'
const wrongMaps: [[NonNullable<FeedMap>, FeedScale], [number | null, string] | null][] = [
  [[points([0, 0], [1, 1]), 'risk'], null],
  [[points([0, 1], [1, 1], [2, 0]), 'risk'], null],
  [
    [points([0, 0]), 'risk'],
    [null, 'must have at least 2 entries'],
  ],
  [
    [cases(), 'risk'],
    [null, 'must have at least 1 entry'],
  ],
  [[cases(['up', 1]), 'risk'], null],
  [
    [points([0, 0], [1, 1], [2, 0.5]), 'risk'],
    [2, turns],
  ],
  [
    [points([0, 1], [1, 0.5], [2, 0.5], [3, 0.6]), 'risk'],
    [3, turns],
  ],
  [
    [cases(['a', 0], ['b', 1], ['c', 0.5]), 'risk'],
    [2, turns],
  ],
  [
    [points([1, 0], [0, 1]), 'risk'],
    [1, 'must have a larger value than the previous point'],
  ],
  [
    [points([1, 0], [1, 1]), 'risk'],
    [1, 'repeats a value'],
  ],
  [
    [cases(['a', 0], ['a', 1]), 'risk'],
    [1, 'repeats a value'],
  ],
  [
    [points([0, -0.1], [1, 1]), 'risk'],
    [0, 'must map to a number from 0 to 1'],
  ],
  [
    [points([0, 0], [1, 1.001]), 'rate'],
    [1, 'must map to a number from 0 to 1'],
  ],
  [
    [points([0, 0], [1, Number.NaN]), 'rate'],
    [1, 'must map to a number from 0 to 1'],
  ],
  [
    [points([0, 0], [1, 1_001]), 'flags'],
    [1, 'must map to a number from 0 to 1000'],
  ],
  [
    [points([0, 0], [1, 2.5]), 'flags'],
    [1, 'must map to an integer'],
  ],
  [[points([0, 0], [1, 1_000]), 'flags'], null],
]

test('what is wrong with a map is said of the entry that is wrong', () => {
  check(wrongMaps, ([map, scale]) => {
    const fault = mapFault(map, scale)
    return fault === null ? null : [fault.place, fault.message]
  })
})

test('without a map a value is on the scale already, or it is none', () => {
  check<[FeedScale, FeedValue], number | string>(
    [
      [['risk', 0], 0],
      [['risk', -0], 0],
      [['risk', 1], 1_000],
      [['risk', 0.123], 123],
      [['risk', -0.001], 'out_of_range'],
      [['risk', 1.001], 'out_of_range'],
      [['risk', 1.0000000001], 'out_of_range'],
      [['risk', Number.NaN], 'wrong_type'],
      [['risk', Infinity], 'wrong_type'],
      [['risk', '1'], 'wrong_type'],
      [['risk', true], 'wrong_type'],
      [['rate', 0.02], 20],
      [['rate', 1], 1_000],
      [['rate', 2], 'out_of_range'],
      [['flags', 0], 0],
      [['flags', 3], 3],
      [['flags', 1_000], 1_000],
      [['flags', 1_001], 'out_of_range'],
      [['flags', 0.5], 'wrong_type'],
      [['flags', -1], 'out_of_range'],
      [['flags', true], 'wrong_type'],
    ],
    ([scale, value]) => outcome(null, scale, value),
  )
})

test('between two thousandths the worse one counts: risk down, failures and flags up', () => {
  const line = points([0, 0], [1, 1])
  const steep = points([0, 0], [1, 10])
  check<[FeedMap, FeedScale, number], number | string>(
    [
      [[null, 'risk', 0.9999], 999],
      [[null, 'risk', 0.4999], 499],
      [[null, 'rate', 0.0201], 21],
      [[null, 'rate', 0.0001], 1],
      [[line, 'risk', 0.4999], 499],
      [[line, 'rate', 0.0001], 1],
      [[steep, 'flags', 0.01], 1],
      [[steep, 'flags', 0.1], 1],
      [[steep, 'flags', 0.11], 2],
      [[steep, 'flags', 0], 0],
      // Floating point has 0.29 * 1000 just below 290, and 0.057 * 1000 just above 57.
      [[null, 'risk', 0.29], 290],
      [[null, 'rate', 0.057], 57],
    ],
    ([map, scale, value]) => outcome(map, scale, value),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 }), (whole) => {
      assert.equal(outcome(null, 'risk', whole / 1_000), whole)
      assert.equal(outcome(null, 'rate', whole / 1_000), whole)
    }),
    { numRuns: 1_001 },
  )
})

test('points take numbers alone, their ends too, and between them go straight', () => {
  const map = points([0, 1], [0.1, 0.95], [0.25, 0.7], [10, 0])
  check<FeedValue, number | string>(
    [
      [0, 1_000],
      [0.05, 975],
      [0.1, 950],
      [0.175, 825],
      [0.25, 700],
      [10, 0],
      [10.0000001, 'out_of_range'],
      [-0.0000001, 'out_of_range'],
      ['0.1', 'wrong_type'],
      [true, 'wrong_type'],
      [Infinity, 'wrong_type'],
    ],
    (value) => outcome(map, 'risk', value),
  )
})

test('cases take the words or the truth that they name, exactly', () => {
  const words = cases(['matched', 1], ['close_match', 0.6], ['bypassed', 0])
  const truth = cases([true, 1], [false, 0])
  check<[FeedMap, FeedValue], number | string>(
    [
      [[words, 'matched'], 1_000],
      [[words, 'close_match'], 600],
      [[words, 'bypassed'], 0],
      [[words, 'Matched'], 'out_of_range'],
      [[words, ''], 'out_of_range'],
      [[words, true], 'wrong_type'],
      [[words, 1], 'wrong_type'],
      [[truth, true], 1_000],
      [[truth, false], 0],
      [[truth, 'true'], 'wrong_type'],
      [[truth, 1], 'wrong_type'],
      [[cases([true, 1]), false], 'out_of_range'],
    ],
    ([map, value]) => outcome(map, 'risk', value),
  )
})

test('every signal has a scale', () => {
  for (const signal of signalNames) assert.ok(scales.includes(scaleOf[signal]), signal)
  assert.equal(scaleOf.fraud_flags, 'flags')
  assert.equal(scaleOf.historical_failure_rate, 'rate')
})
