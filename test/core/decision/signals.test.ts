/** The seven signals: weights, labels, flags, and the values that are published of them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  failureRiskThousandths,
  fraudRiskThousandths,
  isFlagged,
  labelOf,
  signalNames,
  signalValues,
  weightPercent,
  type SignalName,
} from '../../../src/core/decision/signals.ts'
import { anyReadings, check, readingsWith, weightsInOrder } from '../../helpers/check.ts'

test('the weights are those of the contract, in weight order, and sum to 100', () => {
  assert.deepEqual(
    signalNames.map((signal) => [signal, weightPercent[signal]]),
    weightsInOrder,
  )
  const sum = Object.values(weightPercent).reduce((total, weight) => total + weight, 0)
  assert.equal(sum, 100)
  assert.equal(Object.keys(weightPercent).length, 7)
})

test('a label starts exactly at its floor', () => {
  check(
    [
      [1000, 'CLEAR'],
      [900, 'CLEAR'],
      [899, 'LOW'],
      [750, 'LOW'],
      [749, 'MODERATE'],
      [500, 'MODERATE'],
      [499, 'ELEVATED'],
      [250, 'ELEVATED'],
      [249, 'CRITICAL'],
      [0, 'CRITICAL'],
    ],
    (risk): string => labelOf(risk),
  )
})

test('a risk value below zero is a bug and throws', () => {
  assert.throws(() => labelOf(-1), RangeError)
})

const others = signalNames.filter((signal) => signal !== 'fraud_flags')

test('every signal but fraud is flagged below 0.50 and not at it', () => {
  for (const signal of others) {
    check(
      [
        [0, true],
        [499, true],
        [500, false],
        [1000, false],
      ],
      (risk) => isFlagged(signal, readingsWith({ [signal]: risk })),
    )
  }
})

test('fraud is flagged by one flag or more, whatever its risk value', () => {
  fc.assert(
    fc.property(fc.nat(5), fc.nat(1000), (count, risk) => {
      assert.equal(isFlagged('fraud_flags', readingsWith({ fraud_flags: risk }, count)), count > 0)
    }),
  )
})

test('no flag leaves the risk value of fraud as it is, each further flag never lifts it', () => {
  check(
    [
      [[0, 970], 970],
      [[0, 100], 100],
      [[1, 970], 300],
      [[1, 200], 200],
      [[2, 970], 150],
      [[3, 970], 0],
      [[99, 970], 0],
    ],
    ([count, clear]: readonly [number, number]) => fraudRiskThousandths(count, clear),
  )
  fc.assert(
    fc.property(fc.nat(10), fc.nat(1000), (count, clear) => {
      assert.ok(fraudRiskThousandths(count + 1, clear) <= fraudRiskThousandths(count, clear))
    }),
  )
})

test('one failure in ten is just not flagged, one in five is as bad as it gets', () => {
  check(
    [
      [0, 1000],
      [1, 995],
      [100, 500],
      [101, 495],
      [200, 0],
      [1000, 0],
    ],
    failureRiskThousandths,
  )
})

test('the published values are the good ones when nothing is flagged and the bad ones when all is', () => {
  assert.deepEqual(signalValues(readingsWith({}), new Set(), 'live'), {
    fraud_flags: 0,
    network_healthy: true,
    balance_sufficient: true,
    fx_volatility: 'low',
    operation_valid: true,
    historical_failure_rate: 0,
    cop_overridden: false,
  })
  assert.deepEqual(
    signalValues(readingsWith({ historical_failure_rate: 0 }, 2), new Set(signalNames), 'live'),
    {
      fraud_flags: 2,
      network_healthy: false,
      balance_sufficient: false,
      fx_volatility: 'high',
      operation_valid: false,
      historical_failure_rate: 0.2,
      cop_overridden: true,
    },
  )
})

test('each flag changes the published value of its own signal and of no other', () => {
  const booleans: readonly SignalName[] = others.filter((signal) => signal !== 'historical_failure_rate')
  fc.assert(
    fc.property(anyReadings, fc.constantFrom(...booleans), (readings, flagged) => {
      const calm = signalValues(readings, new Set(), 'live')
      const marked = signalValues(readings, new Set([flagged]), 'live')
      const changed = signalNames.filter((signal) => calm[signal] !== marked[signal])
      assert.deepEqual(changed, [flagged])
    }),
  )
})
