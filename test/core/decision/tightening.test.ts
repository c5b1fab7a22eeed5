/** Policies only tighten: no caps, floors or rules of any policy make a decision laxer, whatever the payment. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  decide,
  isBlockedWithoutRules,
  type DecideInput,
  type Decision,
} from '../../../src/core/decision/decide.ts'
import { standardCap, standardPolicy, type Cap } from '../../../src/core/decision/policy.ts'
import { codesOf as uniqueCodesOf } from '../../../src/core/decision/reasons.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import {
  isStricter,
  type PaymentPolicy,
  type Policies,
  type Rule,
  type Tightening,
} from '../../../src/core/decision/tightening.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  check,
  codesOf,
  currencyOf,
  corridorOf,
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
    ({ flagged }) => flagged.length === 0,
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
    rules: fc.array(anyRule, { maxLength: 5 }),
    policyId: fc.constantFrom('pol_1', 'pol_2'),
  })
  .map(({ caps, ...policy }) => ({ ...policy, name: 'Any', caps: new Map(caps) }))

const anyPolicies: fc.Arbitrary<Policies> = fc.record({
  owner: fc.option(anyPolicy),
  installation: fc.option(anyPolicy),
})

const anyPayment: fc.Arbitrary<DecideInput> = fc.record({
  corridor: fc.oneof({ weight: 3, arbitrary: anySupported }, anyUnsupported),
  supported: fc.boolean(),
  amount: anyAmount,
  currency: fc.constantFrom('GBP', 'NGN').map(currencyOf),
  readings: anyReadings,
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

const healthy: DecideInput = {
  corridor: corridorOf('GB-NG'),
  supported: true,
  amount: 1_000,
  currency: currencyOf('GBP'),
  readings: readingsWith({}),
  policy: standardPolicy,
}
const withRules = (...rules: readonly Rule[]): PaymentPolicy => policyWith('Rules', { rules })

test('a rule fires unless it returns false: on an error, null, and everything that is no truth value', () => {
  const values: readonly unknown[] = [null, undefined, 0, 1, '', 'false', Number.NaN, 0n, {}, []]
  for (const value of values) {
    const { verdict, evidence } = under(healthy, withRules(rule('odd', 'DEGRADED', () => value)))
    assert.deepEqual([verdict, evidence.fired[0]?.failed], ['DEGRADED', true], String(value))
  }
  check<Rule['when'], readonly [Verdict, readonly boolean[]]>(
    [
      [() => true, ['NO-GO', [false]]],
      [() => false, ['GO', []]],
      [fails, ['NO-GO', [true]]],
      // Whatever is thrown, and however an answer is to be had.
      [() => Promise.reject(new Error('later')).catch(() => false), ['NO-GO', [true]]],
    ],
    (when) => {
      const { verdict, evidence } = under(healthy, withRules(rule('one', 'NO-GO', when)))
      return [verdict, evidence.fired.map(({ failed }) => failed)]
    },
  )
})

test('every rule is evaluated, after one that fails too, and the strictest of those that fired decides', () => {
  const rules = [
    rule('fails', 'DEGRADED', fails),
    rule('false', 'NO-GO', () => false),
    rule('true', 'NO-GO', () => true),
    rule('late', 'DEGRADED', () => true),
  ]
  const { verdict, evidence } = under(healthy, withRules(...rules))
  assert.equal(verdict, 'NO-GO')
  assert.deepEqual(
    evidence.fired.map(({ policyId, rule: { id }, failed }) => [policyId, id, failed]),
    [
      ['pol_rules', 'fails', true],
      ['pol_rules', 'true', false],
      ['pol_rules', 'late', false],
    ],
  )
})

test('a floor holds from its own hundredth on', () => {
  const scored = (hundredths: number): DecideInput => ({
    ...healthy,
    // The network counts a quarter.
    readings: readingsWith({ network_healthy: 1_000 - (100 - hundredths) * 40 }),
  })
  check<readonly [number, Partial<PaymentPolicy>], Verdict>(
    [
      [[85, { goFloor: 85 }], 'GO'],
      [[84, { goFloor: 85 }], 'DEGRADED'],
      [[84, {}], 'GO'],
      [[80, { goFloor: 80, degradedFloor: 80 }], 'GO'],
      [[79, { goFloor: 80, degradedFloor: 80 }], 'NO-GO'],
      [[78, { degradedFloor: 78 }], 'DEGRADED'],
      [[77, { degradedFloor: 78 }], 'NO-GO'],
      // Laxer floors than the contract's have no effect.
      [[79, { goFloor: 10, degradedFloor: 0 }], 'DEGRADED'],
      [[100, { goFloor: 100 }], 'GO'],
    ],
    ([hundredths, floors]) => {
      const decision = under(scored(hundredths), policyWith('Floors', floors))
      assert.equal(decision.scoreHundredths, hundredths)
      return decision.verdict
    },
  )
})

test('a cap holds above its amount, in its own currency alone, and never raises another', () => {
  const caps = new Map([
    [currencyOf('NGN'), { reviewAbove: 20_000, blockAbove: 200_000 }],
    [currencyOf('USD'), { reviewAbove: 1e9, blockAbove: 1e9 }],
  ])
  check<readonly [string, number | null], readonly [Verdict, readonly string[]]>(
    [
      [
        ['NGN', 20_000],
        ['GO', ['HEALTHY_PARTNER']],
      ],
      [
        ['NGN', 20_000.01],
        ['DEGRADED', ['POLICY_CAP_APPLIED']],
      ],
      [
        ['NGN', 200_000],
        ['DEGRADED', ['POLICY_CAP_APPLIED']],
      ],
      [
        ['NGN', 200_000.01],
        ['NO-GO', ['POLICY_CAP_APPLIED']],
      ],
      [
        ['NGN', null],
        ['GO', ['HEALTHY_PARTNER']],
      ],
      [
        ['GBP', 20_001],
        ['GO', ['HEALTHY_PARTNER']],
      ],
      [
        ['USD', 50_001],
        ['DEGRADED', ['POLICY_CAP_APPLIED']],
      ],
      [
        ['USD', 500_001],
        ['NO-GO', ['POLICY_CAP_APPLIED']],
      ],
    ],
    ([currency, amount]) => {
      const payment = { ...healthy, amount, currency: currencyOf(currency) }
      const decision = under(payment, policyWith('Caps', { caps }))
      return [decision.verdict, codesOf(decision)]
    },
  )
})

test('the caps of both policies and of the settings hold: the lowest of each', () => {
  const gbp = currencyOf('GBP')
  const capped = (reviewAbove: number, blockAbove: number): PaymentPolicy =>
    policyWith('Capped', { caps: new Map([[gbp, { reviewAbove, blockAbove }]]) })
  const payment = {
    ...healthy,
    policy: {
      standard: standardCap,
      stricter: new Map([[gbp, { reviewAbove: 30_000, blockAbove: 90_000 }]]),
    },
  }
  const { evidence } = under(payment, capped(40_000, 80_000), capped(20_000, 400_000))
  assert.deepEqual(evidence.cap, { reviewAbove: 20_000, blockAbove: 80_000 })
  assert.deepEqual(evidence.baseCap, { reviewAbove: 30_000, blockAbove: 90_000 })
})

const degrades = rule('slow', 'DEGRADED', () => true, 'Look at it.')
const blocks = rule('stop', 'NO-GO', () => true, 'Stop it.')

test('each fired rule is one reason with its message, and its code is told once', () => {
  const decision = under(healthy, withRules(degrades, blocks), withRules(degrades))
  assert.deepEqual(
    decision.reasons.map(({ code, message }) => [code, message]),
    [
      ['POLICY_RULE_APPLIED', 'Look at it.'],
      ['POLICY_RULE_APPLIED', 'Stop it.'],
      ['POLICY_RULE_APPLIED', 'Look at it.'],
    ],
  )
  assert.deepEqual(uniqueCodesOf(decision.reasons), ['POLICY_RULE_APPLIED'])
  const flagged = under({ ...healthy, amount: 60_000 }, withRules(degrades, blocks))
  assert.deepEqual(uniqueCodesOf(flagged.reasons), ['POLICY_CAP_APPLIED', 'POLICY_RULE_APPLIED'])
})

test('the action follows the verdict, then fraud, then the rule', () => {
  const flagged = readingsWith({ fraud_flags: 900, network_healthy: 900 }, 1)
  const offline = readingsWith({ network_healthy: 400 })
  const unknown = { ...healthy, corridor: corridorOf('US-MX'), supported: false }
  check<readonly [DecideInput, Rule], readonly [Verdict, string, readonly string[]]>(
    [
      [
        [healthy, degrades],
        ['DEGRADED', 'MANUAL_APPROVAL', ['POLICY_RULE_APPLIED']],
      ],
      [
        [healthy, blocks],
        ['NO-GO', 'BLOCK', ['POLICY_RULE_APPLIED']],
      ],
      [
        [{ ...healthy, readings: flagged }, degrades],
        ['DEGRADED', 'BLOCK', ['HIGH_FRAUD_SIGNAL', 'POLICY_RULE_APPLIED']],
      ],
      [
        [{ ...healthy, readings: offline }, degrades],
        ['DEGRADED', 'MANUAL_APPROVAL', ['NETWORK_DEGRADED', 'POLICY_RULE_APPLIED']],
      ],
      [
        [{ ...healthy, amount: 60_000 }, degrades],
        ['DEGRADED', 'MANUAL_APPROVAL', ['POLICY_CAP_APPLIED', 'POLICY_RULE_APPLIED']],
      ],
      [
        [unknown, degrades],
        ['DEGRADED', 'MANUAL_APPROVAL', ['POLICY_RULE_APPLIED', 'CORRIDOR_UNSUPPORTED']],
      ],
      [
        [unknown, blocks],
        ['NO-GO', 'BLOCK', ['POLICY_RULE_APPLIED', 'CORRIDOR_UNSUPPORTED']],
      ],
    ],
    ([payment, one]) => {
      const decision = under(payment, withRules(one))
      return [decision.verdict, decision.recommendedAction, codesOf(decision)]
    },
  )
})

test('a corridor without data stays at most DEGRADED under floors, and its signals are unknown to rules', () => {
  const unknown = { ...healthy, corridor: corridorOf('US-MX'), supported: false }
  const none = { ...circumstances, source: 'none' as const }
  const floors = policyWith('Floors', { goFloor: 100, degradedFloor: 100 })
  assert.equal(
    under({ ...unknown, readings: readingsWith({ network_healthy: 0 }) }, floors).verdict,
    'DEGRADED',
  )
  for (const signal of signalNames) {
    for (const group of ['signals', 'risk'] as const) {
      const asks = rule('asks', 'NO-GO', (facts) => facts[group][signal])
      const [fired] = under(unknown, withRules(asks), null, none).evidence.fired
      assert.equal(fired?.failed, true, `${group}.${signal}`)
    }
  }
})

test('a NO-GO that only rules caused is told apart from one by score, caps or floors', () => {
  const low = { ...healthy, readings: readingsWith({ network_healthy: 0, fraud_flags: 0 }) }
  const strict = policyWith('Strict', { goFloor: 100, degradedFloor: 100, rules: [blocks] })
  const offline = { ...healthy, readings: readingsWith({ network_healthy: 900 }) }
  check<readonly [DecideInput, PaymentPolicy], boolean>(
    [
      [[healthy, withRules(blocks)], false],
      [[{ ...healthy, amount: 60_000 }, withRules(blocks)], false],
      [[{ ...healthy, corridor: corridorOf('US-MX'), supported: false }, withRules(blocks)], false],
      [[low, withRules(blocks)], true],
      [[{ ...healthy, amount: 600_000 }, withRules(blocks)], true],
      [[offline, strict], true],
    ],
    ([payment, policy]) => {
      const decision = under(payment, policy)
      assert.equal(decision.verdict, 'NO-GO')
      return isBlockedWithoutRules(decision)
    },
  )
})
