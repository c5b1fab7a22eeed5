/** The composite score: integers, one penalty, one floor. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { bandOf, scoreOf, factorsOf } from '../../../src/core/decision/score.ts'
import { isFlagged, type Readings } from '../../../src/core/decision/signals.ts'
import { anyReadings, check, weightsInOrder } from '../../helpers/check.ts'

const scored = (readings: Readings) => scoreOf(factorsOf(readings, (signal) => isFlagged(signal, readings)))

test('bands start exactly at 0.80 and 0.48', () => {
  check(
    [
      [100, 'GO'],
      [80, 'GO'],
      [79, 'DEGRADED'],
      [48, 'DEGRADED'],
      [47, 'NO-GO'],
      [0, 'NO-GO'],
    ],
    (hundredths): string => bandOf(hundredths),
  )
})

test('the score is always in range', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const { hundredths, composite } = scored(readings)
      assert.ok(Number.isInteger(hundredths) && hundredths >= 0 && hundredths <= 100)
      assert.ok(Number.isInteger(composite) && composite >= 0 && composite <= 100_000)
    }),
  )
})

test('the composite is the sum of its evidence, one factor a signal in weight order', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const factors = factorsOf(readings, (signal) => isFlagged(signal, readings))
      const expected = weightsInOrder.map(([signal, weight]) => {
        const isFraud = signal === 'fraud_flags'
        const bound =
          isFraud && readings.fraudFlagCount > 0 ? Math.max(0, 450 - 150 * readings.fraudFlagCount) : 1000
        const healthThousandths = Math.min(readings[signal].healthThousandths, bound)
        const flagged = isFraud ? readings.fraudFlagCount >= 1 : healthThousandths <= 499
        return { signal, healthThousandths, contribution: weight * healthThousandths, flagged }
      })
      assert.deepEqual(factors, expected)
      const sum = expected.reduce((total, factor) => total + BigInt(factor.contribution), 0n)
      assert.equal(BigInt(scoreOf(factors).composite), sum)
    }),
  )
})

test('the penalty takes a quarter from three flags on, and the floor comes once, after it', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const score = scored(readings)
      const flags = factorsOf(readings, (signal) => isFlagged(signal, readings)).filter((one) => one.flagged)
      assert.equal(score.flaggedCount, flags.length)
      assert.equal(score.penaltyApplied, flags.length >= 3)
      // hundred-thousandths to hundredths is 1 in 1000; three quarters of that is 3 in 4000.
      const [part, whole] = flags.length >= 3 ? [3n, 4000n] : [1n, 1000n]
      assert.equal(BigInt(score.hundredths), (BigInt(score.composite) * part) / whole)
    }),
    { numRuns: 500 },
  )
})

test('three or more flags are never in the GO band', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const score = scored(readings)
      fc.pre(score.flaggedCount >= 3)
      assert.notEqual(bandOf(score.hundredths), 'GO')
    }),
  )
})

test('flags given as none leave the penalty out, however bad the values are', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const score = scoreOf(factorsOf(readings, () => false))
      assert.deepEqual([score.flaggedCount, score.penaltyApplied], [0, false])
    }),
  )
})
