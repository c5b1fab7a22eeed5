/** Exact sums of amounts. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addAmount, amountOf, type ExactSum } from '../../../src/core/reference/exact-sum.ts'

function check(amounts: readonly number[], expected: number): void {
  const sum: ExactSum = new Map()
  for (const amount of amounts) addAmount(sum, amount)
  assert.equal(amountOf(sum), expected, JSON.stringify(amounts))
}

test('a sum is that of the decimals, rounded once', () => {
  check([], 0)
  check([0.1, 0.2], 0.3)
  check(
    Array.from({ length: 10 }, () => 0.1),
    1,
  )
  check([1e15, 0.05, 0.05, 0.025], 1e15 + 0.125)
  check([1e-7, 2e-7], 3e-7)
  check([1.005, 2.5, 1000], 1003.505)
  check([1e21, 1], 1e21)
  check([0, 0], 0)
})
