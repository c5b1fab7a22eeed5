/** Live readings: how far a signal is trusted, and what the scorer is told of it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  liveConfidencePercent,
  liveReadings,
  riskThousandthsOf,
  type Observed,
} from '../../../src/core/live/live-reading.ts'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import { check } from '../../helpers/check.ts'

const observed = (more: Partial<Observed>): Observed => ({
  scaled: 1_000,
  ageMs: 0,
  maxAgeMs: 300_000,
  history: null,
  ...more,
})

const anyHistory = fc
  .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 500 }))
  .map(([have, need]) => ({ have, need }))
const anyMaxAge = fc.integer({ min: 1_000, max: 366 * 86_400_000 })
/** A clock that was set may make an age negative. */
const anyAge = fc.oneof(
  fc.integer({ min: -5_000, max: 1_000_000 }),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
)
const anyObserved = fc.record({
  scaled: fc.integer({ min: 0, max: 1_000 }),
  ageMs: fc.option(anyAge),
  maxAgeMs: anyMaxAge,
  history: fc.option(anyHistory),
})

test('a signal is trusted from 70 to 97 percent, in whole ones', () => {
  fc.assert(
    fc.property(anyObserved, (one) => {
      const percent = liveConfidencePercent(one)
      assert.ok(Number.isInteger(percent) && percent >= 70 && percent <= 97, String(percent))
    }),
  )
})

test('trust never rises with age', () => {
  fc.assert(
    fc.property(anyObserved, anyAge, anyAge, (one, left, right) => {
      const [younger, older] = [Math.min(left, right), Math.max(left, right)]
      const trusted = (ageMs: number): number => liveConfidencePercent({ ...one, ageMs })
      assert.ok(trusted(younger) >= trusted(older))
    }),
  )
})

test('trust never rises as history is missing', () => {
  fc.assert(
    fc.property(
      anyObserved,
      fc.integer({ min: 1, max: 500 }),
      fc.nat(500),
      fc.nat(500),
      (one, need, left, right) => {
        const trusted = (have: number): number => liveConfidencePercent({ ...one, history: { have, need } })
        assert.ok(trusted(Math.max(left, right)) >= trusted(Math.min(left, right)))
        assert.ok(liveConfidencePercent({ ...one, history: null }) >= trusted(left))
      },
    ),
  )
})

test('what nobody observed is trusted least, whatever else is known of it', () => {
  fc.assert(
    fc.property(anyObserved, (one) => assert.equal(liveConfidencePercent({ ...one, ageMs: null }), 70)),
  )
})

test('trust never reads the value', () => {
  fc.assert(
    fc.property(anyObserved, fc.integer({ min: 0, max: 1_000 }), (one, scaled) =>
      assert.equal(liveConfidencePercent({ ...one, scaled }), liveConfidencePercent(one)),
    ),
  )
})

test('trust falls by the rule: up to 15 with age, up to 12 with missing history, begun ones whole', () => {
  check<Partial<Observed>, number>(
    [
      [{}, 97],
      [{ ageMs: -1 }, 97],
      [{ ageMs: 1 }, 96],
      [{ ageMs: 20_000 }, 96],
      [{ ageMs: 20_001 }, 95],
      [{ ageMs: 150_000 }, 89],
      [{ ageMs: 300_000 }, 82],
      [{ ageMs: 900_000 }, 82],
      [{ history: { have: 20, need: 20 } }, 97],
      [{ history: { have: 30, need: 20 } }, 97],
      [{ history: { have: 19, need: 20 } }, 96],
      [{ history: { have: 10, need: 20 } }, 91],
      [{ history: { have: 0, need: 20 } }, 85],
      [{ ageMs: 150_000, history: { have: 10, need: 20 } }, 83],
      [{ ageMs: 300_000, history: { have: 0, need: 20 } }, 70],
      [{ ageMs: null }, 70],
    ],
    (more) => liveConfidencePercent(observed(more)),
  )
})

test('the risk value follows from the scale of a signal by the rules of the scorer', () => {
  check<[SignalName, number], number>(
    [
      [['fraud_flags', 0], 1_000],
      [['fraud_flags', 1], 300],
      [['fraud_flags', 2], 150],
      [['fraud_flags', 3], 0],
      [['fraud_flags', 1_000], 0],
      [['historical_failure_rate', 0], 1_000],
      [['historical_failure_rate', 20], 900],
      [['historical_failure_rate', 200], 0],
      [['historical_failure_rate', 1_000], 0],
      [['network_healthy', 0], 0],
      [['network_healthy', 437], 437],
      [['cop_overridden', 1_000], 1_000],
    ],
    ([signal, scaled]) => riskThousandthsOf(signal, scaled),
  )
})

test('readings have what each signal gave, the count of flags and the failure rate among it', () => {
  const scaled: Record<SignalName, number> = {
    fraud_flags: 2,
    network_healthy: 991,
    balance_sufficient: 800,
    fx_volatility: 700,
    operation_valid: 0,
    historical_failure_rate: 31,
    cop_overridden: 600,
  }
  const given = Object.fromEntries(
    signalNames.map((signal, place) => [signal, observed({ scaled: scaled[signal], ageMs: place * 20_000 })]),
  ) as Record<SignalName, Observed>
  assert.deepEqual(liveReadings(given), {
    fraudFlagCount: 2,
    failureRatePermille: 31,
    fraud_flags: { healthThousandths: 150, confidencePercent: 97 },
    network_healthy: { healthThousandths: 991, confidencePercent: 96 },
    balance_sufficient: { healthThousandths: 800, confidencePercent: 95 },
    fx_volatility: { healthThousandths: 700, confidencePercent: 94 },
    operation_valid: { healthThousandths: 0, confidencePercent: 93 },
    historical_failure_rate: { healthThousandths: 845, confidencePercent: 92 },
    cop_overridden: { healthThousandths: 600, confidencePercent: 91 },
  })
})
