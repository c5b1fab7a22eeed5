/** An amount that no declared partner takes is at most DEGRADED, in every profile and under every policy. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { decide, isBlockedWithoutRules, type DecideInput } from '../../../src/core/decision/decide.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { profileNames, viewIn } from '../../../src/core/decision/profiles.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import {
  anyAmount,
  anyReadings,
  check,
  codesOf,
  corridorOf,
  currencyOf,
  readingsWith,
} from '../../helpers/check.ts'

const payment = {
  corridor: corridorOf('GB-KE'),
  supported: true,
  currency: currencyOf('GBP'),
  readings: readingsWith({}),
  policy: standardPolicy,
} as const
const decided = (amount: number | null, amountMax: number | null, more: Partial<DecideInput> = {}) =>
  decide({ ...payment, amount, amountMax, ...more })

test('above the most that a partner takes nothing is GO, and up to it the score decides', () => {
  check<readonly [number | null, number | null], readonly [Verdict, string, readonly string[]]>(
    [
      [
        [100, null],
        ['GO', 'PROCEED', ['HEALTHY_PARTNER']],
      ],
      [
        [null, 100],
        ['GO', 'PROCEED', ['HEALTHY_PARTNER']],
      ],
      [
        [100, 100],
        ['GO', 'PROCEED', ['HEALTHY_PARTNER']],
      ],
      [
        [100.01, 100],
        ['DEGRADED', 'REROUTE', ['NO_PARTNER_AVAILABLE']],
      ],
      [
        [50_001, 100],
        ['DEGRADED', 'REROUTE', ['NO_PARTNER_AVAILABLE', 'POLICY_CAP_APPLIED']],
      ],
      [
        [500_001, 100],
        ['NO-GO', 'BLOCK', ['NO_PARTNER_AVAILABLE', 'POLICY_CAP_APPLIED']],
      ],
    ],
    ([amount, amountMax]) => {
      const decision = decided(amount, amountMax)
      return [decision.verdict, decision.recommendedAction, codesOf(decision)]
    },
  )
  assert.deepEqual(codesOf(decided(101, 100, { readings: readingsWith({ fraud_flags: 100 }, 1) })), [
    'HIGH_FRAUD_SIGNAL',
    'NO_PARTNER_AVAILABLE',
  ])
})

test('it changes GO to DEGRADED and nothing else: not the score, not a stricter decision, not a cooldown', () => {
  fc.assert(
    fc.property(anyReadings, anyAmount, (readings, amount) => {
      fc.pre(amount !== null && amount > 100)
      const free = decided(amount, null, { readings })
      const bound = decided(amount, 100, { readings })
      assert.equal(bound.verdict, free.verdict === 'GO' ? 'DEGRADED' : free.verdict)
      assert.deepEqual(bound.evidence.score, free.evidence.score)
      assert.equal(bound.confidenceHundredths, free.confidenceHundredths)
      assert.equal(isBlockedWithoutRules(bound), isBlockedWithoutRules(free))
      for (const profile of profileNames) {
        const view = viewIn(profile, bound)
        assert.ok(view.verdict !== 'GO' && !view.capNotApplied)
      }
      // Before revision 6 it was decided by the score alone.
      const { reasons, evidence, ...before } = decided(amount, 100, { readings, revision: 5 })
      const { reasons: freeReasons, evidence: _free, ...rest } = free
      assert.deepEqual([before, reasons, evidence.isTooLarge], [rest, freeReasons, false])
    }),
  )
})
