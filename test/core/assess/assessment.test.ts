/** One row of a batch: the verdict of the one scorer, held against what came of the payment. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { assess, improvementNote, type Assessment } from '../../../src/core/assess/assessment.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { simulatedVolatility } from '../../../src/core/shadow/simulation.ts'
import type { ActualOutcome } from '../../../src/core/live/outcome.ts'
import type { Transaction } from '../../../src/core/assess/transaction.ts'
import { check, codesOf, corridorOf, currencyOf, shadow } from '../../helpers/check.ts'
import { anyTransaction, transactionWith } from '../../helpers/payments.ts'

const assessed = (transaction: Transaction): Assessment => assess(transaction, 'pay-1', 4, standardPolicy)

/** An amount on GB-NG for each verdict. */
const amountFor = { GO: 1000, DEGRADED: 85_000, 'NO-GO': 600_000 } as const

type Case = readonly [verdict: keyof typeof amountFor, outcome: ActualOutcome | null]

function judged([verdict, actualOutcome]: Case): Assessment {
  const found = assessed(transactionWith({ amount: amountFor[verdict], actualOutcome }))
  assert.equal(found.verdict, verdict)
  return found
}

const fate = (row: Case): readonly (boolean | null)[] => {
  const { alignment, improvement } = judged(row)
  return [alignment, improvement]
}

test('GO matches COMPLETED, the others match what went wrong, and only they are an improvement there', () => {
  check(
    [
      [
        ['GO', 'COMPLETED'],
        [true, false],
      ],
      [
        ['GO', 'FAILED'],
        [false, false],
      ],
      [
        ['GO', 'REJECTED'],
        [false, false],
      ],
      [
        ['GO', 'DELAYED'],
        [false, false],
      ],
      [
        ['DEGRADED', 'COMPLETED'],
        [false, false],
      ],
      [
        ['DEGRADED', 'FAILED'],
        [true, true],
      ],
      [
        ['DEGRADED', 'REJECTED'],
        [true, true],
      ],
      [
        ['DEGRADED', 'DELAYED'],
        [true, true],
      ],
      [
        ['NO-GO', 'COMPLETED'],
        [false, false],
      ],
      [
        ['NO-GO', 'FAILED'],
        [true, true],
      ],
      [
        ['NO-GO', 'REJECTED'],
        [true, true],
      ],
      [
        ['NO-GO', 'DELAYED'],
        [true, true],
      ],
    ],
    fate,
  )
})

test('PENDING and no outcome match nothing and miss nothing', () => {
  for (const verdict of ['GO', 'DEGRADED', 'NO-GO'] as const) {
    for (const outcome of ['PENDING', null] as const)
      assert.deepEqual(fate([verdict, outcome]), [null, false])
  }
})

test('verdict, score and confidence are those of the one scorer without a scenario, whatever the decimals', () => {
  fc.assert(
    fc.property(anyTransaction, (transaction) => {
      const { corridor, amount, currency } = transaction
      const decision = shadow(corridor, amount, null, currency)
      const found = assessed(transaction)
      assert.deepEqual(
        [found.verdict, found.scoreHundredths, found.confidenceHundredths, found.supported],
        [
          decision.verdict,
          decision.scoreHundredths,
          decision.confidenceHundredths,
          decision.evidence.supported,
        ],
      )
    }),
    { numRuns: 300 },
  )
})

test('the test amounts do not act on payments of the past', () => {
  for (const ending of [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09]) {
    const found = assessed(transactionWith({ amount: 1000 + ending }))
    assert.deepEqual([found.verdict, found.flags], ['GO', []], String(ending))
  }
})

test('flags are the reason codes but HEALTHY_PARTNER, in their order', () => {
  fc.assert(
    fc.property(anyTransaction, (transaction) => {
      const { corridor, amount, currency } = transaction
      const codes = codesOf(shadow(corridor, amount, null, currency))
      assert.deepEqual(
        assessed(transaction).flags,
        codes.filter((code) => code !== 'HEALTHY_PARTNER'),
      )
    }),
  )
})

test('policy_capped is true above either cap, of the request currency, and only there', () => {
  const capped = ([amount, currency]: readonly [number | null, string]): boolean =>
    assess(transactionWith({ amount, currency: currencyOf(currency) }), 'pay-1', 0, {
      ...standardPolicy,
      stricter: new Map([[currencyOf('NGN'), { reviewAbove: 100, blockAbove: 200 }]]),
    }).policyCapped
  check(
    [
      [[null, 'GBP'], false],
      [[0, 'GBP'], false],
      [[50_000, 'GBP'], false],
      [[50_000.01, 'GBP'], true],
      [[500_000, 'GBP'], true],
      [[500_000.01, 'GBP'], true],
      [[100, 'NGN'], false],
      [[101, 'NGN'], true],
    ],
    capped,
  )
})

test('a note is there for every improvement and no other row, and names verdict, grounds and outcome', () => {
  fc.assert(
    fc.property(anyTransaction, (transaction) => {
      const found = assessed(transaction)
      const note = improvementNote(found)
      assert.equal(note !== null, found.improvement)
      if (note === null) return
      assert.match(note, /^Would have been (?:held for review|blocked) \(.+\) before it was [A-Z]+\.$/)
      for (const told of [found.verdict, found.actualOutcome ?? '', ...found.flags]) {
        assert.ok(note.includes(told), `${note} tells ${told}`)
      }
    }),
    { numRuns: 300 },
  )
})

test('the note of a row without a flag tells its score', () => {
  const unflagged = judged(['DEGRADED', 'FAILED'])
  const note = improvementNote({ ...unflagged, flags: [], scoreHundredths: 70 })
  assert.equal(note, 'Would have been held for review (DEGRADED: a score of 0.70) before it was FAILED.')
  assert.equal(
    improvementNote(judged(['NO-GO', 'DELAYED'])),
    'Would have been blocked (NO-GO: INSUFFICIENT_BALANCE, POLICY_CAP_APPLIED) before it was DELAYED.',
  )
})

test('place, id and what the caller gave come back as they were, beside the volatility of the corridor', () => {
  const given = transactionWith({
    corridor: corridorOf('US-MX'),
    amount: 12.5,
    currency: currencyOf('USD'),
    actualOutcome: 'DELAYED',
    month: '2026-03',
  })
  const found = assessed(given)
  assert.deepEqual(
    [found.index, found.transactionId, found.volatility, found.supported],
    [4, 'pay-1', simulatedVolatility(given.corridor), false],
  )
  const { corridor, amount, currency, actualOutcome, month } = found
  assert.deepEqual({ id: null, corridor, amount, currency, actualOutcome, month }, given)
})
