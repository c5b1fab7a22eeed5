/** Policies only tighten: no caps, floors or rules of any policy make a decision laxer, whatever the payment. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { decide, type DecideInput, type Decision } from '../../../src/core/decision/decide.ts'
import { standardCap, standardPolicy, type Cap } from '../../../src/core/decision/policy.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import {
  isStricter,
  type PaymentPolicy,
  type Policies,
  type Rule,
  type Tightening,
} from '../../../src/core/decision/tightening.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  currencyOf,
  readingsWith,
} from '../../helpers/check.ts'
import { anyTelemetry, policyWith, rule } from '../../helpers/recorded-decisions.ts'

const stricter = (left: Verdict, right: Verdict): Verdict => (isStricter(left, right) ? left : right)

const fails = (): never => {
  throw new Error('no such fact')
}

/** Everything that a rule's function can do: answer, answer something else, fail, and look at the payment. */
const anyWhen: fc.Arbitrary<Rule['when']> = fc.oneof(
  fc.constantFrom<Rule['when']>(
    () => true,
    () => false,
    () => null,
    () => undefined,
    () => Number.NaN,
    () => 0,
    () => '',
    () => 'false',
    () => 0n,
    () => ({}),
    () => Promise.resolve(false),
    fails,
  ),
  fc.constantFrom<Rule['when']>(
    ({ amount }) => amount === null || amount > 1_000,
    ({ score }) => score < 0.9,
    ({ confidence }) => confidence >= 0.9,
    ({ flagged }) => flagged?.length === 0,
    ({ signals }) => signals.network_healthy,
    ({ risk }) => (risk.fraud_flags === null ? fails() : risk.fraud_flags > 0.5),
  ),
  fc.func(fc.oneof(fc.boolean(), fc.anything())).map(
    (when): Rule['when'] =>
      (facts) =>
        when(facts.amount),
  ),
)

const anyRule = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9]{1,6}$/),
    when: anyWhen,
    then: fc.constantFrom<Rule['then']>('DEGRADED', 'NO-GO'),
    message: fc.string({ minLength: 1, maxLength: 10 }),
  },
  { noNullPrototype: true },
)

/** Caps and floors may even be laxer than the contract's, which no document may: still nothing loosens. */
const anyCap: fc.Arbitrary<Cap> = fc.record({
  reviewAbove: fc.oneof(fc.constantFrom(0, 1_000, 50_000), fc.integer({ min: 0, max: 1_000_000 })),
  blockAbove: fc.oneof(fc.constantFrom(0, 1_000, 500_000), fc.integer({ min: 0, max: 1_000_000 })),
})

const anyPolicy: fc.Arbitrary<PaymentPolicy> = fc
  .record({
    caps: fc.array(fc.tuple(fc.constantFrom('GBP', 'NGN', 'USD').map(currencyOf), anyCap), { maxLength: 3 }),
    goFloor: fc.oneof(fc.constant(80), fc.integer({ min: 0, max: 100 })),
    degradedFloor: fc.oneof(fc.constant(48), fc.integer({ min: 0, max: 100 })),
    // Most rules fire, so caps and floors show where there are none.
    rules: fc.oneof(fc.constant([]), fc.array(anyRule, { maxLength: 5 })),
    policyId: fc.constantFrom('pol_1', 'pol_2'),
  })
  .map(({ caps, ...policy }) => ({ ...policy, name: 'Any', caps: new Map(caps) }))

const anyPolicies: fc.Arbitrary<Policies> = fc.record({
  owner: fc.option(anyPolicy),
  installation: fc.option(anyPolicy),
})

/** Healthy but for the network, so that every score from 0.75 on is reached: most readings above are far below `GO`. */
const calmReadings = fc
  .integer({ min: 0, max: 1000 })
  .map((health) => readingsWith({ network_healthy: health }))

const anyPayment: fc.Arbitrary<DecideInput> = fc.record({
  corridor: fc.oneof({ weight: 3, arbitrary: anySupported }, anyUnsupported),
  supported: fc.constantFrom(true, true, true, false),
  amount: fc.oneof(anyAmount, fc.integer({ min: 1, max: 600_000 })),
  currency: fc.constantFrom('GBP', 'NGN').map(currencyOf),
  readings: fc.oneof(anyReadings, calmReadings),
  policy: fc.constant(standardPolicy),
  telemetry: anyTelemetry,
})

const circumstances: Tightening['circumstances'] = {
  mode: 'shadow',
  source: 'simulation',
  volatility: 0.01,
  partner: null,
  isCalendarOpen: null,
  atMs: Date.UTC(2026, 10, 17, 12),
}

const anyCircumstances: fc.Arbitrary<Tightening['circumstances']> = fc.record({
  mode: fc.constantFrom('shadow', 'live'),
  source: fc.constantFrom('simulation', 'live', 'none'),
  volatility: fc.double({ min: 0, max: 1, noNaN: true }),
  partner: fc.option(fc.constantFrom('alpha', 'beta')),
  isCalendarOpen: fc.option(fc.boolean()),
  atMs: fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
})

const under = (
  payment: DecideInput,
  owner: PaymentPolicy | null,
  installation: PaymentPolicy | null = null,
  around = circumstances,
): Decision =>
  decide({ ...payment, tightening: { policies: { owner, installation }, circumstances: around } })

test('no policy makes a verdict laxer, and none changes the score or the confidence', () => {
  fc.assert(
    fc.property(anyPayment, anyPolicies, anyCircumstances, (payment, { owner, installation }, around) => {
      const without = decide(payment)
      const decision = under(payment, owner, installation, around)
      assert.ok(!isStricter(without.verdict, decision.verdict))
      assert.equal(decision.scoreHundredths, without.scoreHundredths)
      assert.equal(decision.confidenceHundredths, without.confidenceHundredths)
    }),
    { numRuns: 1_500 },
  )
})

test('both policies apply: the verdict is the stricter of the two alone', () => {
  fc.assert(
    fc.property(anyPayment, anyPolicies, anyCircumstances, (payment, { owner, installation }, around) => {
      const both = under(payment, owner, installation, around)
      const [left, right] = [under(payment, owner, null, around), under(payment, null, installation, around)]
      assert.equal(both.verdict, stricter(left.verdict, right.verdict))
      assert.deepEqual(both.evidence.fired, [...left.evidence.fired, ...right.evidence.fired])
      const swapped = under(payment, installation, owner, around)
      assert.equal(swapped.verdict, both.verdict)
    }),
    { numRuns: 1_000 },
  )
})

test('a further rule, a lower cap and a higher floor never loosen a policy', () => {
  fc.assert(
    fc.property(anyPayment, anyPolicy, anyRule, anyCap, (payment, policy, more, cap) => {
      const before = under(payment, policy).verdict
      const { currency } = payment
      const own = policy.caps.get(currency) ?? standardCap
      const lower = {
        reviewAbove: Math.min(own.reviewAbove, cap.reviewAbove),
        blockAbove: Math.min(own.blockAbove, cap.blockAbove),
      }
      const changed: readonly PaymentPolicy[] = [
        { ...policy, rules: [...policy.rules, more] },
        { ...policy, caps: new Map([...policy.caps, [currency, lower]]) },
        { ...policy, goFloor: policy.goFloor + 1 },
        { ...policy, degradedFloor: policy.degradedFloor + 1 },
      ]
      for (const tighter of changed) assert.ok(!isStricter(before, under(payment, tighter).verdict))
    }),
    { numRuns: 1_000 },
  )
})

test('without a policy, and under one that asks for nothing, a decision is the same in every part', () => {
  fc.assert(
    fc.property(anyPayment, (payment) => {
      const plain = decide(payment)
      assert.deepEqual(decide({ ...payment, tightening: null }), plain)
      assert.deepEqual(under(payment, null), plain)
      assert.deepEqual(under(payment, policyWith('Empty'), policyWith('Empty, too')), plain)
      assert.deepEqual(
        under(payment, policyWith('Idle', { rules: [rule('idle', 'NO-GO', () => false)] })),
        plain,
      )
    }),
  )
})
