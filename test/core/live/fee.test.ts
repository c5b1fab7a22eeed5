/** Fees of partners: exact decimals, one rounding, and unknown where they cannot be known. */

import { test } from 'node:test'
import assert from 'node:assert/strict'
import { feeAmount, feeFor, isFeeNumber } from '../../../src/core/live/fee.ts'
import { check, currencyOf } from '../../helpers/check.ts'
import fc from '../../helpers/fast-check.ts'

interface Asked {
  readonly fixed?: number
  readonly percent?: number
  readonly of?: string
  readonly amount: number | null
  readonly in?: string
}

function feeOf({ fixed = 0, percent = 0, of = 'GBP', amount, in: currency = of }: Asked): number | null {
  const fee = feeFor({ fixed, percent, currency: currencyOf(of) }, amount, currencyOf(currency))
  return fee === null ? null : feeAmount(fee)
}

test('a fee is its fixed part and its share of the amount, rounded once, half up, to the minor unit', () => {
  check<Asked, number | null>(
    [
      [{ fixed: 1.5, percent: 0.4, amount: 1_000 }, 5.5],
      [{ fixed: 1.5, amount: 1_000 }, 1.5],
      [{ percent: 0.4, amount: 0 }, 0],
      [{ percent: 0.25, amount: 333.33 }, 0.83],
      [{ percent: 0.5, amount: 1 }, 0.01],
      [{ percent: 0.4999, amount: 1 }, 0],
      // Doubles say 1.0049999999999999 here.
      [{ percent: 1, amount: 100.5 }, 1.01],
      [{ fixed: 0.0001, percent: 0.0001, amount: 0.1 }, 0],
      [{ percent: 1, of: 'UGX', amount: 149 }, 1],
      [{ percent: 1, of: 'UGX', amount: 150 }, 2],
      [{ percent: 0.1, of: 'KWD', amount: 1.5 }, 0.002],
      [{ percent: 100, amount: 1e15 }, 1e15],
      [{ percent: 1, amount: 1e-7 }, 0],
    ],
    feeOf,
  )
})

test('a fee in another currency, or a share of an amount that was not given, is unknown', () => {
  check<Asked, number | null>(
    [
      [{ fixed: 1, of: 'GBP', in: 'KES', amount: 1_000 }, null],
      [{ percent: 1, amount: null }, null],
      [{ fixed: 1, percent: 0.1, amount: null }, null],
      [{ fixed: 1, amount: null }, 1],
    ],
    feeOf,
  )
  assert.equal(feeFor(null, 1_000, currencyOf('GBP')), null)
})

test('numbers with more than four decimals are not fees', () => {
  check<number, boolean>(
    [
      [0, true],
      [1.5, true],
      [0.1234, true],
      [0.12345, false],
      [1e-7, false],
      [99.9999, true],
      [1e9, true],
    ],
    isFeeNumber,
  )
})

test('a larger amount never costs less, and the fee agrees with exact fractions', () => {
  const cents = fc.integer({ min: 0, max: 100_000_000 })
  const tenThousandths = fc.integer({ min: 0, max: 50_000 })
  fc.assert(
    fc.property(cents, cents, tenThousandths, tenThousandths, (one, other, fixed, percent) => {
      const fee = (amount: number) =>
        feeOf({ fixed: fixed / 10_000, percent: percent / 10_000, amount: amount / 100 }) ?? assert.fail()
      // In units of a hundredth of a millionth of a penny, which divides all three.
      const exact = (amount: number) => BigInt(fixed) * 1_000_000n + BigInt(amount) * BigInt(percent) * 100n
      const rounded = (amount: number) => Number((exact(amount) * 2n + 100_000_000n) / 200_000_000n) / 100
      assert.equal(fee(one), rounded(one))
      assert.equal(fee(one) <= fee(other), one <= other || fee(one) === fee(other))
    }),
    { numRuns: 2_000 },
  )
})
