/** The Wilson interval: its published values, its bounds, and nothing said of few records. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { rateOf, recordsMin } from '../../../src/core/calibration/rate.ts'
import { check } from '../../helpers/check.ts'
import { wilsonEnds } from '../../helpers/calibration.ts'

const anyCounts = (min = recordsMin, max = 1_000_000) =>
  fc
    .integer({ min, max })
    .chain((records) =>
      fc.oneof(fc.constantFrom(0, records), fc.nat(records)).map((failures) => ({ records, failures })),
    )

test('the interval has the published values', () => {
  // Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3.
  check(
    [
      [
        [263, 81],
        ['0.2553', '0.3662'],
      ],
      [
        [148, 15],
        ['0.0624', '0.1605'],
      ],
      [
        [20, 0],
        ['0.0000', '0.1611'],
      ],
      [
        [29, 1],
        ['0.0061', '0.1718'],
      ],
    ],
    ([records, failures]: [number, number]) => {
      const { low, high } = rateOf({ records, failures })
      return [low?.toFixed(4) ?? '', high?.toFixed(4) ?? '']
    },
  )
})

test('both ends solve the equation of the interval', () => {
  fc.assert(
    fc.property(anyCounts(), ({ records, failures }) => {
      const { rate, low, high } = rateOf({ records, failures })
      const ends = wilsonEnds(records, failures)
      assert.equal(rate, failures / records)
      for (const [place, end] of [low, high].entries())
        assert.ok(Math.abs((end ?? Number.NaN) - (ends[place] ?? 0)) < 1e-12, `${end} and ${ends[place]}`)
    }),
    { numRuns: 1_000 },
  )
})

test('the interval lies between 0 and 1, contains the rate, and mirrors that of successes', () => {
  fc.assert(
    fc.property(anyCounts(), ({ records, failures }) => {
      const { rate, low, high } = rateOf({ records, failures })
      assert.ok(rate !== null && low !== null && high !== null)
      assert.ok(0 <= low && low <= rate && rate <= high && high <= 1)
      assert.equal(low === 0, failures === 0)
      assert.equal(high === 1, failures === records)
      assert.ok(high - low > 0)
      const mirrored = rateOf({ records, failures: records - failures })
      assert.ok(Math.abs(1 - (mirrored.high ?? 0) - low) < 1e-12)
    }),
    { numRuns: 1_000 },
  )
})

test('more records of the same rate narrow the interval', () => {
  fc.assert(
    fc.property(anyCounts(recordsMin, 10_000), fc.integer({ min: 2, max: 50 }), (counts, times) => {
      const few = rateOf(counts)
      const many = rateOf({ records: counts.records * times, failures: counts.failures * times })
      assert.ok((many.low ?? 0) >= (few.low ?? 1) && (many.high ?? 1) <= (few.high ?? 0))
    }),
  )
})

test('below 20 records rate and interval are null, and from 20 on they are not', () => {
  for (let records = 0; records < 40; records += 1) {
    for (let failures = 0; failures <= records; failures += 1) {
      const { rate, low, high, ...counts } = rateOf({ records, failures })
      assert.deepEqual(counts, { records, failures })
      if (records < 20) assert.deepEqual([rate, low, high], [null, null, null])
      else assert.ok(rate !== null && low !== null && high !== null)
    }
  }
})
