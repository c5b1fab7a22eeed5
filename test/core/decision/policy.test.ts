/** The policy gate: caps in the request's own units, which a setting can only make stricter. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  capFor,
  gateFor,
  standardCap,
  standardPolicy,
  type Cap,
  type Gate,
} from '../../../src/core/decision/policy.ts'
import { anyAmount, check, currencyOf } from '../../helpers/check.ts'

const severity: Readonly<Record<Gate, number>> = { none: 0, review: 1, block: 2 }
const anyCap: fc.Arbitrary<Cap> = fc.record({
  reviewAbove: fc.integer({ min: 0, max: 1_000_000 }),
  blockAbove: fc.integer({ min: 0, max: 1_000_000 }),
})

test('above 50,000 is for review and above 500,000 is blocked, at the caps themselves neither', () => {
  check(
    [
      [null, 'none'],
      [0, 'none'],
      [49_999.99, 'none'],
      [50_000, 'none'],
      [50_000.000_01, 'review'],
      [50_000.01, 'review'],
      [50_001, 'review'],
      [499_999.99, 'review'],
      [500_000, 'review'],
      [500_000.000_1, 'block'],
      [500_000.01, 'block'],
      [1e15, 'block'],
    ],
    (amount): Gate => gateFor(amount, standardCap),
  )
})

test('the caps are the same number in every currency that has no stricter one', () => {
  check(
    ['GBP', 'NGN', 'USD', 'JPY'].map((code) => [code, { reviewAbove: 50_000, blockAbove: 500_000 }]),
    (code) => capFor(standardPolicy, currencyOf(code)),
  )
})

test('a currency of its own caps has the stricter of each, and leaves the others alone', () => {
  fc.assert(
    fc.property(anyCap, (own) => {
      const policy = { standard: standardCap, stricter: new Map([[currencyOf('NGN'), own]]) }
      assert.deepEqual(capFor(policy, currencyOf('NGN')), {
        reviewAbove: own.reviewAbove < 50_000 ? own.reviewAbove : 50_000,
        blockAbove: own.blockAbove < 500_000 ? own.blockAbove : 500_000,
      })
      assert.deepEqual(capFor(policy, currencyOf('GBP')), standardCap)
    }),
  )
})

test('no setting opens the gate wider than the standard caps', () => {
  fc.assert(
    fc.property(anyCap, anyAmount, (own, amount) => {
      const policy = { standard: standardCap, stricter: new Map([[currencyOf('NGN'), own]]) }
      const gate = gateFor(amount, capFor(policy, currencyOf('NGN')))
      assert.ok(severity[gate] >= severity[gateFor(amount, standardCap)])
    }),
  )
})

test('a larger amount never meets a wider gate', () => {
  const amount = fc.double({ min: 0, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      const [small, large] = one < other ? [one, other] : [other, one]
      assert.ok(severity[gateFor(large, standardCap)] >= severity[gateFor(small, standardCap)])
    }),
  )
})
