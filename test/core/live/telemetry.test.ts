/** Telemetry: the mean of observed composites, with the weight that it has in a live score. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { telemetryOf } from '../../../src/core/live/cip.ts'
import { check } from '../../helpers/check.ts'

test('telemetry is the mean of what was observed, cut to thousandths', () => {
  check<readonly number[], number | null>(
    [
      [[], null],
      [[0], 0],
      [[100_000], 1000],
      [[96_250], 962],
      [[96_299], 962],
      [[100_000, 0], 500],
      [[90_000, 90_000, 90_100], 900],
      [[99_999, 100_000], 999],
    ],
    (composites) => telemetryOf(composites, 15)?.scoreThousandths ?? null,
  )
  assert.deepEqual(telemetryOf([50_000], 15), { scoreThousandths: 500, weightPercent: 15 })
  const anyComposites = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(anyComposites, (composites) => {
      const sum = composites.reduce((total, one) => total + BigInt(one), 0n)
      const found = telemetryOf(composites, 5)?.scoreThousandths
      assert.equal(BigInt(found ?? -1), sum / (BigInt(composites.length) * 100n))
    }),
  )
})
