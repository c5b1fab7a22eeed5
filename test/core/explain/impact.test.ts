/** The impact of a decision: what was kept away, by the one scorer's own measure. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import { impactOf } from '../../../src/core/explain/impact.ts'
import type { RecordedDecision } from '../../../src/core/explain/recorded-decision.ts'
import { overrideActions, type OverrideAction } from '../../../src/core/events/override.ts'
import { titleOf, type Readings } from '../../../src/core/decision/signals.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  check,
  corridorOf,
  readingsWith,
  weightsInOrder,
} from '../../helpers/check.ts'
import { recordedDecision } from '../../helpers/recorded-decisions.ts'

const gbNg = corridorOf('GB-NG')

/** Of a live feed with these readings. */
const live = (
  readings: Readings,
  amount: number | null = 1000,
  corridor: Corridor = gbNg,
): RecordedDecision => recordedDecision(corridor, amount, { readings })

/** Verdict, intervention and risk reduction. */
const told = ([readings, amount, overridden]: readonly [
  Readings,
  number | null,
  OverrideAction | null,
]): unknown[] => {
  const kept = live(readings, amount)
  const { intervention, riskReductionHundredths } = impactOf(kept, overridden)
  return [kept.decision.verdict, intervention, riskReductionHundredths]
}

const clear = readingsWith({})
/** 0.72: a network that is down, and fraud that is just CLEAR. */
const noNetwork = readingsWith({ network_healthy: 0, fraud_flags: 900 })
/** 0.65: two are flagged, and liquidity is LOW. */
const lowToo = readingsWith({ network_healthy: 0, balance_sufficient: 899, fx_volatility: 250 })
/** 0.22 after the penalty. */
const collapsed = readingsWith({ network_healthy: 0, balance_sufficient: 0, fx_volatility: 499 }, 2)

test('each verdict calls for its intervention, and the reduction is what that keeps away', () => {
  check(
    [
      [
        [clear, 1000, null],
        ['GO', 'PASS_THROUGH', 0],
      ],
      // A hold is worth what mending all that is not CLEAR brings.
      [
        [noNetwork, 1000, null],
        ['DEGRADED', 'CONDITIONAL_HOLD', 25],
      ],
      [
        [lowToo, 1000, null],
        ['DEGRADED', 'CONDITIONAL_HOLD', 35],
      ],
      [
        [clear, 50_001, null],
        ['DEGRADED', 'CONDITIONAL_HOLD', 0],
      ],
      // A block keeps the whole risk away: what the score lacks to 1.
      [
        [collapsed, 1000, null],
        ['NO-GO', 'BLOCK', 78],
      ],
      [
        [clear, 500_001, null],
        ['NO-GO', 'BLOCK', 0],
      ],
    ],
    told,
  )
})

test('an override decides what was kept away, and not what the decision called for', () => {
  check(
    [
      [
        [noNetwork, 1000, 'EXECUTE'],
        ['DEGRADED', 'CONDITIONAL_HOLD', 0],
      ],
      [
        [noNetwork, 1000, 'HOLD'],
        ['DEGRADED', 'CONDITIONAL_HOLD', 25],
      ],
      [
        [noNetwork, 1000, 'REJECT'],
        ['DEGRADED', 'CONDITIONAL_HOLD', 28],
      ],
      [
        [lowToo, 1000, 'REJECT'],
        ['DEGRADED', 'CONDITIONAL_HOLD', 35],
      ],
      [
        [collapsed, 1000, 'EXECUTE'],
        ['NO-GO', 'BLOCK', 0],
      ],
      [
        [collapsed, 1000, 'REJECT'],
        ['NO-GO', 'BLOCK', 78],
      ],
    ],
    told,
  )
  for (const action of overrideActions) {
    const { basis } = impactOf(live(noNetwork), action)
    assert.ok(basis.startsWith(`A person overrode the decision with ${action}`), basis)
  }
  assert.doesNotMatch(impactOf(live(noNetwork), null).basis, /overrode/)
})

/** Every signal below CLEAR, or flagged, made perfect by hand; the score from the composite formula. */
function mendedHundredths({ readings }: RecordedDecision): number {
  const composite = weightsInOrder.reduce((sum, [signal, weight]) => {
    const isFraud = signal === 'fraud_flags' && readings.fraudFlagCount > 0
    const risk = isFraud ? 1000 : readings[signal].healthThousandths
    return sum + weight * (risk < 900 ? 1000 : risk)
  }, 0)
  return Math.floor(composite / 1000)
}

test('a hold is worth the score with everything mended that is not clear, less the score', () => {
  fc.assert(
    fc.property(anySupported, anyReadings, anyAmount, (corridor, readings, amount) => {
      const kept = live(readings, amount, corridor)
      fc.pre(kept.decision.verdict === 'DEGRADED')
      const { riskReductionHundredths, basis } = impactOf(kept, null)
      const mended = mendedHundredths(kept)
      assert.equal(riskReductionHundredths, mended - kept.decision.scoreHundredths)
      const isBad = weightsInOrder.map(([signal]) => {
        const isFraud = signal === 'fraud_flags' && readings.fraudFlagCount > 0
        return isFraud || readings[signal].healthThousandths < 900
      })
      for (const [place, [signal]] of weightsInOrder.entries()) {
        assert.equal(basis.includes(titleOf[signal]), isBad[place], `${signal}: ${basis}`)
      }
      const [then, now] = [mended, kept.decision.scoreHundredths].map((one) => (one / 100).toFixed(2))
      const expected = isBad.includes(true)
        ? ` it would score ${then} instead of ${now}.`
        : 'nothing to resolve.'
      assert.ok(basis.endsWith(expected), basis)
    }),
    { numRuns: 500 },
  )
})

test('the reduction is never negative and never more than the whole risk', () => {
  const anyOverride = fc.constantFrom(null, ...overrideActions)
  fc.assert(
    fc.property(
      fc.oneof(anySupported, anyUnsupported),
      anyReadings,
      anyAmount,
      anyOverride,
      (corridor, readings, amount, overridden) => {
        const kept = live(readings, amount, corridor)
        const { riskReductionHundredths, basis } = impactOf(kept, overridden)
        assert.ok(Number.isInteger(riskReductionHundredths) && riskReductionHundredths >= 0)
        assert.ok(riskReductionHundredths <= 100 - kept.decision.scoreHundredths)
        assert.match(basis, /^[A-Z].*\.$/)
      },
    ),
  )
})

test('the basis reads as it is written here', () => {
  const noData = 'There is no data for this corridor, so the risk avoided is unknown.'
  check<readonly [Readings, number, string], string>(
    [
      [[clear, 1000, 'GB-NG'], 'No risk avoided: the payment may pass.'],
      // A GO can have a condition.
      [
        [readingsWith({ cop_overridden: 0 }), 1000, 'GB-NG'],
        'No risk avoided: the payment may pass once the payee is confirmed.',
      ],
      [
        [readingsWith({ historical_failure_rate: 0 }), 1000, 'GB-NG'],
        'No risk avoided: the payment may pass, preferably by another route.',
      ],
      [
        [noNetwork, 1000, 'GB-NG'],
        'The payment was held. With the settlement network clear, it would score 0.97 instead of 0.72.',
      ],
      [
        [lowToo, 1000, 'GB-NG'],
        'The payment was held. With the settlement network, partner liquidity and FX volatility clear, it would score 1.00 instead of 0.65.',
      ],
      [
        [clear, 50_001, 'GB-NG'],
        'The payment was held. Every signal is clear, so there is nothing to resolve.',
      ],
      [
        [collapsed, 1000, 'GB-NG'],
        'The payment was blocked. All of its risk was avoided: 1 minus the score.',
      ],
      [[noNetwork, 1000, 'US-MX'], `The payment was held. ${noData}`],
      [[noNetwork, 500_001, 'US-MX'], `The payment was blocked. ${noData}`],
    ],
    ([readings, amount, corridor]) => impactOf(live(readings, amount, corridorOf(corridor)), null).basis,
  )
  // A person let it through, whatever the decision asked for.
  assert.match(impactOf(live(noNetwork), 'EXECUTE').basis, /No risk avoided: the payment was let through\.$/)
})

test('without data nothing is claimed, whatever was decided and whatever a person made of it', () => {
  fc.assert(
    fc.property(anyUnsupported, anyReadings, anyAmount, (corridor, readings, amount) => {
      for (const overridden of [null, ...overrideActions]) {
        const { riskReductionHundredths, basis } = impactOf(live(readings, amount, corridor), overridden)
        assert.equal(riskReductionHundredths, 0)
        if (overridden !== 'EXECUTE') assert.match(basis, /no data for this corridor/)
      }
    }),
  )
})

test('what a hold avoids is not guessed for another engine', () => {
  const older = impactOf({ ...live(noNetwork), engine: '1.2.9' }, null)
  assert.equal(older.riskReductionHundredths, 0)
  assert.match(older.basis, /1\.2\.9/)
  // What needs no scorer is told all the same.
  assert.equal(impactOf({ ...live(collapsed), engine: '1.2.9' }, null).riskReductionHundredths, 78)
})

test('the impact is told with high confidence from 0.90 of the decision on', () => {
  check(
    [
      [97, 'high'],
      [90, 'high'],
      [89, 'medium'],
      [70, 'medium'],
    ],
    (percent): string => impactOf(live(readingsWith({}, 0, percent)), null).confidence,
  )
})
