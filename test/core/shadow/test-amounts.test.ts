/** Test amounts: each ending reaches its path everywhere, and acts on exactly two decimals only. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import { scenarioOf, scenarios } from '../../../src/core/shadow/test-amounts.ts'
import { anySupported, check, codesOf, corridorOf, currencyOf, shadow } from '../../helpers/check.ts'

const codeOfEnding = {
  '01': 'HIGH_FRAUD_SIGNAL',
  '02': 'NETWORK_DEGRADED',
  '03': 'INSUFFICIENT_BALANCE',
  '04': 'HIGH_FX_VOLATILITY',
  '05': 'OPERATION_INVALID',
  '06': 'HIGH_FAILURE_RATE',
  '07': 'COP_OVERRIDE_ACTIVE',
} as const
const endings = ['01', '02', '03', '04', '05', '06', '07', '08', '09']
const wholeParts = [0, 1, 250, 1000, 14_999, 60_000, 123_456, 499_999, 750_000]
const corridors = ['GB-NG', 'NG-GB'].map(corridorOf)

const amountWith = (whole: number, decimals: string): number => Number(`${whole}.${decimals}`)

test('each of the endings .01 to .09 has a scenario, and there is no other', () => {
  assert.deepEqual(Object.keys(scenarios).toSorted(), endings)
})

test('the two decimals choose the scenario at any whole part', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000_000), fc.constantFrom(...endings), (whole, ending) => {
      assert.equal(scenarioOf(amountWith(whole, ending)), scenarios[ending])
    }),
  )
})

test('each ending up to .07 flags its signal, and at an everyday amount nothing else', () => {
  for (const corridor of corridors) {
    for (const [ending, code] of Object.entries(codeOfEnding)) {
      for (const whole of wholeParts) {
        const amount = amountWith(whole, ending)
        for (const currency of ['GBP', 'NGN'].map(currencyOf)) {
          const codes = codesOf(shadow(corridor, amount, scenarioOf(amount), currency))
          if (whole < 15_000) assert.deepEqual(codes, [code], `${corridor} ${amount} ${currency}`)
          else assert.ok(codes.includes(code), `${corridor} ${amount} ${currency}: ${codes.join()}`)
        }
        const elsewhere = codesOf(shadow(corridor, amount, scenarioOf(amount), currencyOf('USD')))
        assert.ok(elsewhere.includes(code), `${corridor} ${amount} USD: ${elsewhere.join()}`)
      }
    }
  }
})

test('an amount ending in .08 is NO-GO by its score, with three flags or more', () => {
  for (const currency of ['GBP', 'NGN', 'USD'].map(currencyOf)) {
    fc.assert(
      fc.property(anySupported, fc.oneof(fc.nat(1000), fc.nat(1_000_000)), (corridor, whole) => {
        const amount = amountWith(whole, '08')
        const decision = shadow(corridor, amount, scenarioOf(amount), currency)
        assert.equal(decision.verdict, 'NO-GO')
        assert.ok(decision.evidence.score.flaggedCount >= 3)
        assert.equal(decision.evidence.band, 'NO-GO')
        assert.ok(decision.scoreHundredths < 48)
      }),
    )
  }
})

test('an amount ending in .09 finds two providers unreachable, and no other ending any', () => {
  assert.deepEqual(new Set(scenarioOf(1000.09)?.unreachable), new Set(['fx_volatility', 'network_healthy']))
  for (const ending of endings.slice(0, -1)) {
    assert.deepEqual(scenarioOf(amountWith(1000, ending))?.unreachable, [])
  }
})

test('no amount at all, whole amounts and any other decimals choose nothing', () => {
  const amounts = [null, 0, 1, 1000, 1e15, 1000.1, 1000.5, 1000.11, 1000.2, 1000.99, 1000.005, 1000.011]
  const finer = [1000.001, 1000.009, 1000.0101, 0.001, 0.0100001, 999.999, 1000.0799999, 1e-7]
  check(
    [...amounts, ...finer].map((amount) => [amount, null]),
    scenarioOf,
  )
})

test('a third decimal that is not zero switches an ending off', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000_000),
      fc.constantFrom(...endings),
      fc.integer({ min: 1, max: 9 }),
      (whole, ending, third) => {
        assert.equal(scenarioOf(amountWith(whole, `${ending}${third}`)), null)
        assert.equal(scenarioOf(amountWith(whole, `${ending}0`)), scenarios[ending])
      },
    ),
  )
})

test('a scenario only ever makes readings worse, and leaves an unsupported corridor alone', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(...endings), anySupported, (whole, ending, corridor) => {
      const input = { corridor, amount: amountWith(whole, ending), currency: currencyOf('GBP') }
      const calm = simulate(input)
      const tried = simulate(input, scenarioOf(input.amount))
      for (const signal of signalNames) {
        assert.ok(tried[signal].healthThousandths <= calm[signal].healthThousandths, signal)
      }
      assert.ok(tried.failureRatePermille >= calm.failureRatePermille)
      const elsewhere = { ...input, corridor: corridorOf('US-MX') }
      assert.deepEqual(simulate(elsewhere, scenarioOf(input.amount)), simulate(elsewhere))
    }),
  )
})
