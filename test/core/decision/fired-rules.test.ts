/** The effects of caps, floors and rules on one payment: its verdict, reasons and action, and whether it opens a cooldown. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decide,
  isBlockedWithoutRules,
  type DecideInput,
  type Decision,
} from '../../../src/core/decision/decide.ts'
import { standardCap, standardPolicy } from '../../../src/core/decision/policy.ts'
import { codesOf as uniqueCodesOf } from '../../../src/core/decision/reasons.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import type { PaymentPolicy, Rule, Tightening } from '../../../src/core/decision/tightening.ts'
import { check, codesOf, corridorOf, currencyOf, readingsWith } from '../../helpers/check.ts'
import { policyWith, rule } from '../../helpers/recorded-decisions.ts'

const fails = (): never => {
  throw new Error('no such fact')
}

const circumstances: Tightening['circumstances'] = {
  mode: 'shadow',
  source: 'simulation',
  volatility: 0.01,
  partner: null,
  isCalendarOpen: null,
  atMs: Date.UTC(2026, 10, 17, 12),
}

const under = (
  payment: DecideInput,
  owner: PaymentPolicy | null,
  installation: PaymentPolicy | null = null,
  around = circumstances,
): Decision =>
  decide({ ...payment, tightening: { policies: { owner, installation }, circumstances: around } })

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

test('each fired rule is one reason with its message, and reason_codes has the code once', () => {
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

test('a NO-GO that only rules caused is distinguished from one by score, caps or floors', () => {
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
