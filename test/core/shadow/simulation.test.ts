/** The shadow world: its fixed points, and that nothing but its input moves it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { failureRiskThousandths, signalNames } from '../../../src/core/decision/signals.ts'
import { simulate, simulatedVolatility } from '../../../src/core/shadow/simulation.ts'
import {
  anyAmount,
  anySupported,
  anyUnsupported,
  check,
  codesOf,
  corridorOf,
  currencyOf,
  shadow,
} from '../../helpers/check.ts'

const corridors = ['GB-NG', 'NG-GB'].map(corridorOf)
const scoreAt = (corridor: string, amount: number | null): number =>
  shadow(corridorOf(corridor), amount, null).scoreHundredths

/** Every whole amount near a bend of the model, and many between. */
function denseAmounts(): number[] {
  const bends = [15_000, 50_000, 85_000, 250_000, 500_000, 1_000_000]
  const amounts = bends.flatMap((bend) => Array.from({ length: 101 }, (_, offset) => bend - 50 + offset))
  for (let amount = 15_000; amount <= 1_100_000; amount += 97) amounts.push(amount)
  return amounts.filter((amount) => amount >= 15_000).toSorted((left, right) => left - right)
}

test('every whole amount from 0 to 15,000 GBP, and none, is GO at 0.85 or more on both corridors', () => {
  for (const corridor of corridors) {
    for (const amount of [null, ...Array.from({ length: 15_001 }, (_, whole) => whole)]) {
      const { verdict, scoreHundredths } = shadow(corridor, amount, null)
      assert.ok(verdict === 'GO' && scoreHundredths >= 85, `${corridor} ${amount}: ${scoreHundredths}`)
    }
  }
})

test('so is every amount between, with nothing flagged', () => {
  fc.assert(
    fc.property(anySupported, fc.double({ min: 0, max: 15_000, noNaN: true }), (corridor, amount) => {
      const decision = shadow(corridor, amount, null)
      assert.equal(decision.verdict, 'GO')
      assert.ok(decision.scoreHundredths >= 85)
      assert.deepEqual(codesOf(decision), ['HEALTHY_PARTNER'])
    }),
    { numRuns: 500 },
  )
})

test('above 15,000 the score never rises with the amount', () => {
  for (const corridor of corridors) {
    let before = scoreAt(corridor, 15_000)
    for (const amount of denseAmounts()) {
      const score = scoreAt(corridor, amount)
      assert.ok(score <= before, `${corridor} at ${amount} rises from ${before} to ${score}`)
      before = score
    }
  }
  const amount = fc.oneof(
    fc.double({ min: 15_000, max: 1_200_000, noNaN: true }),
    fc.double({ min: 15_000, max: 1e15, noNaN: true }),
  )
  fc.assert(
    fc.property(anySupported, amount, amount, (corridor, one, other) => {
      const [small, large] = one < other ? [one, other] : [other, one]
      assert.ok(scoreAt(corridor, large) <= scoreAt(corridor, small))
    }),
    { numRuns: 1000 },
  )
})

test('no reading gets better with a larger amount', () => {
  const amount = fc.double({ min: 0, max: 1_200_000, noNaN: true })
  fc.assert(
    fc.property(anySupported, amount, amount, (corridor, one, other) => {
      const [small, large] = one < other ? [one, other] : [other, one]
      const at = (value: number) => simulate({ corridor, amount: value, currency: currencyOf('GBP') })
      for (const signal of signalNames) {
        assert.ok(at(large)[signal].healthThousandths <= at(small)[signal].healthThousandths, signal)
      }
    }),
  )
})

test('up to 500,000 GBP the score stays at 0.48 or more', () => {
  for (const corridor of corridors) {
    for (const amount of denseAmounts().filter((value) => value <= 500_000)) {
      assert.ok(scoreAt(corridor, amount) >= 48, `${corridor} ${amount}`)
    }
    assert.ok(scoreAt(corridor, 500_000) >= 48)
  }
})

test('85,000 GBP on GB-NG scores 0.70 to 0.79, so that the profiles part; 15,000 does not part them', () => {
  const apart = scoreAt('GB-NG', 85_000)
  assert.ok(apart >= 70 && apart <= 79, String(apart))
  assert.ok(scoreAt('GB-NG', 15_000) >= 85)
})

test('a currency that the corridor does not take flags the operation, the two that it takes do not', () => {
  const flagsOperation = ([corridor, currency]: readonly [string, string]): boolean =>
    codesOf(shadow(corridorOf(corridor), 1000, null, currencyOf(currency))).includes('OPERATION_INVALID')
  check(
    [
      [['GB-NG', 'GBP'], false],
      [['GB-NG', 'NGN'], false],
      [['NG-GB', 'GBP'], false],
      [['NG-GB', 'NGN'], false],
      [['GB-NG', 'USD'], true],
      [['NG-GB', 'EUR'], true],
      [['US-MX', 'GBP'], false],
    ],
    flagsOperation,
  )
})

test('readings are whole, in range, trusted 70 to 97, and the failure rate agrees with its risk value', () => {
  fc.assert(
    fc.property(fc.oneof(anySupported, anyUnsupported), anyAmount, (corridor, amount) => {
      const readings = simulate({ corridor, amount, currency: currencyOf('GBP') })
      for (const signal of signalNames) {
        const { healthThousandths, confidencePercent } = readings[signal]
        assert.ok(Number.isInteger(healthThousandths) && healthThousandths >= 0 && healthThousandths <= 1000)
        assert.ok(confidencePercent >= 70 && confidencePercent <= 97)
      }
      const { historical_failure_rate: failures, failureRatePermille } = readings
      assert.equal(failures.healthThousandths, failureRiskThousandths(failureRatePermille))
    }),
  )
})

test('the same input gives the same readings, and a corridor has one volatility', () => {
  fc.assert(
    fc.property(fc.oneof(anySupported, anyUnsupported), anyAmount, (corridor, amount) => {
      const input = { corridor, amount, currency: currencyOf('GBP') }
      assert.deepEqual(simulate(input), simulate({ ...input }))
      assert.equal(simulatedVolatility(corridor), simulatedVolatility(corridor))
    }),
  )
})

test('a missing amount reads as a small one but is trusted less', () => {
  for (const corridor of corridors) {
    const none = shadow(corridor, null, null)
    const zero = shadow(corridor, 0, null)
    assert.equal(none.scoreHundredths, zero.scoreHundredths)
    assert.ok(none.confidenceHundredths < zero.confidenceHundredths)
  }
})

test('an unsupported corridor stands in the middle: no reading is a flag, none is a comfort', () => {
  fc.assert(
    fc.property(anyUnsupported, anyAmount, (corridor, amount) => {
      const readings = simulate({ corridor, amount, currency: currencyOf('GBP') })
      assert.equal(readings.fraudFlagCount, 0)
      for (const signal of signalNames) {
        const { healthThousandths } = readings[signal]
        assert.ok(healthThousandths >= 500 && healthThousandths < 750, `${signal} ${healthThousandths}`)
      }
    }),
  )
})

test('a corridor without data swings more widely than one with', () => {
  fc.assert(
    fc.property(anySupported, anyUnsupported, (supported, unsupported) => {
      assert.ok(simulatedVolatility(supported) > 0)
      assert.ok(simulatedVolatility(unsupported) > simulatedVolatility(supported))
    }),
  )
})
