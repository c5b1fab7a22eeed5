/** The one scorer: the golden table, an oracle in fractions of its own, and the guarantees that no input may break. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { decide, type DecideInput, type Decision } from '../../../src/core/decision/decide.ts'
import { standardCap, standardPolicy } from '../../../src/core/decision/policy.ts'
import { isSupported } from '../../../src/core/reference/corridor.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { signalNames, type Readings, type SignalName } from '../../../src/core/decision/signals.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import { scenarioOf } from '../../../src/core/shadow/test-amounts.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  check,
  codesOf,
  corridorOf,
  currencyOf,
  readingsWith,
  shadow,
  weightsInOrder,
} from '../../helpers/check.ts'
import { rawRows, shadowRows, type Risks } from './golden.ts'

const gbp = currencyOf('GBP')
const rank: Readonly<Record<Verdict, number>> = { 'NO-GO': 0, DEGRADED: 1, GO: 2 }

const readingsOf = (risks: Risks, fraudFlagCount: number): Readings =>
  readingsWith(Object.fromEntries(signalNames.map((signal, place) => [signal, risks[place]])), fraudFlagCount)

const decideOn = (
  corridor: DecideInput['corridor'],
  amount: number | null,
  readings: Readings,
  policy = standardPolicy,
): Decision => decide({ corridor, supported: isSupported(corridor), amount, currency: gbp, readings, policy })

/** The contract's scoring rules once more, from the risk values to the verdict, in whole numbers without limits. */
function oracle(supported: boolean, amount: number | null, readings: Readings) {
  const flags = weightsInOrder.filter(
    ([signal]) =>
      supported &&
      (signal === 'fraud_flags' ? readings.fraudFlagCount > 0 : readings[signal].healthThousandths < 500),
  )
  // One open fraud flag allows 0.300 at most, each further one 0.150 less.
  const bound = readings.fraudFlagCount === 0 ? 1000 : Math.max(0, 450 - 150 * readings.fraudFlagCount)
  const riskOf = (signal: SignalName): number =>
    signal === 'fraud_flags'
      ? Math.min(readings[signal].healthThousandths, bound)
      : readings[signal].healthThousandths
  const sum = weightsInOrder.reduce(
    (total, [signal, weight]) => total + BigInt(weight) * BigInt(riskOf(signal)),
    0n,
  )
  const score = flags.length >= 3 ? (sum * 75n) / 100_000n : sum / 1000n
  const byScore: Verdict = score >= 80n ? 'GO' : score >= 48n ? 'DEGRADED' : 'NO-GO'
  const above = (cap: number): boolean => amount !== null && amount > cap
  const floored = above(50_000) && byScore === 'GO' ? 'DEGRADED' : byScore
  const verdict: Verdict = above(500_000) ? 'NO-GO' : supported ? floored : 'DEGRADED'
  return { score: Number(score), verdict, flags: flags.map(([signal]) => signal) }
}

const seen = (decision: Decision) => ({
  score: decision.scoreHundredths,
  verdict: decision.verdict,
  flags: decision.evidence.factors.filter((factor) => factor.flagged).map((factor) => factor.signal),
})

test('the golden table has at least sixty cases of shadow verify, none twice', () => {
  const inputs = shadowRows.map(([corridor, amount, currency]) => `${corridor} ${amount} ${currency}`)
  assert.ok(inputs.length >= 60, String(inputs.length))
  assert.equal(new Set(inputs).size, inputs.length)
})

for (const row of shadowRows) {
  const [corridor, amount, currency, risks, ...expected] = row
  test(`golden: ${corridor}, ${amount ?? 'no amount'} ${currency} is ${expected[0]} at ${expected[1]}`, () => {
    const input = { corridor: corridorOf(corridor), amount, currency: currencyOf(currency) }
    const readings = simulate(input, scenarioOf(amount))
    const decision = decide({
      ...input,
      supported: isSupported(input.corridor),
      readings,
      policy: standardPolicy,
    })
    assert.deepEqual(
      decision.evidence.factors.map((factor) => factor.healthThousandths),
      risks,
    )
    const { verdict, scoreHundredths, confidenceHundredths, recommendedAction } = decision
    const found = [verdict, scoreHundredths, confidenceHundredths, codesOf(decision), recommendedAction]
    assert.deepEqual(found, expected)
    assert.deepEqual(seen(decision), oracle(decision.evidence.supported, amount, readings))
  })
}

for (const [why, risks, fraudFlagCount, amount, ...expected] of rawRows) {
  test(`at the edge: ${why}`, () => {
    const readings = readingsOf(risks, fraudFlagCount)
    const decision = decideOn(corridorOf('GB-NG'), amount, readings)
    const { composite } = decision.evidence.score
    assert.deepEqual([composite, decision.scoreHundredths, decision.verdict, codesOf(decision)], expected)
    assert.deepEqual(seen(decision), oracle(true, amount, readings))
  })
}

test('score, verdict and flags are those of the rules, for any readings, amount and corridor', () => {
  fc.assert(
    fc.property(
      fc.oneof(anySupported, anyUnsupported),
      anyAmount,
      anyReadings,
      (corridor, amount, readings) => {
        const supported = corridor === 'GB-NG' || corridor === 'NG-GB'
        assert.deepEqual(seen(decideOn(corridor, amount, readings)), oracle(supported, amount, readings))
      },
    ),
    { numRuns: 1000 },
  )
})

test('score and confidence are always in range', () => {
  fc.assert(
    fc.property(
      fc.oneof(anySupported, anyUnsupported),
      anyAmount,
      anyReadings,
      (corridor, amount, readings) => {
        const decision = decideOn(corridor, amount, readings)
        for (const value of [decision.scoreHundredths, decision.confidenceHundredths]) {
          assert.ok(Number.isInteger(value) && value >= 0 && value <= 100, String(value))
        }
      },
    ),
  )
})

/** Readings, and others that are worse or equal in every one of them. */
const betterAndWorse = fc
  .tuple(anyReadings, fc.array(fc.nat(400), { minLength: 7, maxLength: 7 }), fc.nat(2))
  .map(([better, losses, moreFlags]) => {
    const fraudFlagCount = better.fraudFlagCount + moreFlags
    const worse = { ...better, fraudFlagCount }
    for (const [place, signal] of signalNames.entries()) {
      const healthThousandths = Math.max(0, better[signal].healthThousandths - (losses[place] ?? 0))
      worse[signal] = { ...better[signal], healthThousandths }
    }
    return { better, worse }
  })

test('worse input never gives a better decision', () => {
  fc.assert(
    fc.property(
      fc.oneof(anySupported, anyUnsupported),
      anyAmount,
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      betterAndWorse,
      (corridor, amount, more, { better, worse }) => {
        const first = decideOn(corridor, amount, better)
        const second = decideOn(corridor, (amount ?? 0) + more, worse)
        assert.ok(second.scoreHundredths <= first.scoreHundredths)
        assert.ok(rank[second.verdict] <= rank[first.verdict])
      },
    ),
    { numRuns: 1000 },
  )
})

test('a larger amount never gets a better decision in the shadow world', () => {
  const amount = fc.double({ min: 0, max: 1_200_000, noNaN: true })
  fc.assert(
    fc.property(fc.oneof(anySupported, anyUnsupported), amount, amount, (corridor, one, other) => {
      const [small, large] = one < other ? [one, other] : [other, one]
      const verdicts = [small, large].map((value) => rank[shadow(corridor, value, null).verdict])
      assert.ok((verdicts[1] ?? 9) <= (verdicts[0] ?? -1))
    }),
  )
})

test('same input, same output', () => {
  fc.assert(
    fc.property(
      fc.oneof(anySupported, anyUnsupported),
      anyAmount,
      anyReadings,
      (corridor, amount, readings) => {
        const again = structuredClone(readings)
        assert.deepEqual(decideOn(corridor, amount, readings), decideOn(corridor, amount, again))
        assert.deepEqual(readings, again, 'the input was changed')
      },
    ),
  )
})

test('the shown score and the decision never disagree', () => {
  fc.assert(
    fc.property(
      anySupported,
      fc.option(fc.double({ min: 0, max: 50_000, noNaN: true })),
      anyReadings,
      (corridor, amount, readings) => {
        const { verdict, scoreHundredths } = decideOn(corridor, amount, readings)
        const shown = Number((scoreHundredths / 100).toFixed(2))
        assert.equal(verdict, shown >= 0.8 ? 'GO' : shown >= 0.48 ? 'DEGRADED' : 'NO-GO')
      },
    ),
    { numRuns: 500 },
  )
})

test('with an open fraud flag nothing lifts the score to the GO band', () => {
  fc.assert(
    fc.property(
      anySupported,
      anyAmount,
      anyReadings,
      fc.integer({ min: 1, max: 9 }),
      (corridor, amount, any, count) => {
        const decision = decideOn(corridor, amount, { ...any, fraudFlagCount: count })
        assert.ok(decision.scoreHundredths < 80)
        assert.notEqual(decision.verdict, 'GO')
        assert.equal(decision.recommendedAction, 'BLOCK')
        assert.equal(codesOf(decision)[0], 'HIGH_FRAUD_SIGNAL')
      },
    ),
  )
  // A careless provider calls everything clear, and the flag is open all the same.
  const perfect = decideOn(corridorOf('GB-NG'), null, readingsWith({}, 1))
  assert.deepEqual([perfect.scoreHundredths, perfect.verdict], [79, 'DEGRADED'])
})

test('an unsupported corridor is never flagged, is DEGRADED, and NO-GO only above 500,000', () => {
  fc.assert(
    fc.property(anyUnsupported, anyAmount, anyReadings, (corridor, amount, readings) => {
      const decision = decideOn(corridor, amount, readings)
      assert.equal(decision.verdict, amount !== null && amount > 500_000 ? 'NO-GO' : 'DEGRADED')
      assert.deepEqual(seen(decision).flags, [])
      const capped = amount !== null && amount > 50_000 ? ['POLICY_CAP_APPLIED'] : []
      assert.deepEqual(codesOf(decision), [...capped, 'CORRIDOR_UNSUPPORTED'])
    }),
  )
})

test('confidence is below 0.5 where there is no data', () => {
  fc.assert(
    fc.property(anyUnsupported, anyAmount, anyReadings, (corridor, amount, readings) => {
      assert.ok(decideOn(corridor, amount, readings).confidenceHundredths < 50)
    }),
  )
})

test('confidence is the weighted mean of the trust in each reading, and never reads the score', () => {
  fc.assert(
    fc.property(anySupported, anyAmount, anyReadings, anyReadings, (corridor, amount, one, other) => {
      const trusted = { ...one }
      for (const signal of signalNames) {
        trusted[signal] = { ...other[signal], confidencePercent: one[signal].confidencePercent }
      }
      const sum = weightsInOrder.reduce(
        (total, [signal, weight]) => total + weight * one[signal].confidencePercent,
        0,
      )
      const expected = Number(BigInt(sum) / 100n)
      assert.equal(decideOn(corridor, amount, one).confidenceHundredths, expected)
      assert.equal(decideOn(corridor, null, trusted).confidenceHundredths, expected)
    }),
  )
})

test('a stricter cap of the currency acts, and only on that currency', () => {
  const stricter = new Map([[currencyOf('NGN'), { reviewAbove: 100, blockAbove: 200 }]])
  const policy = { standard: standardCap, stricter }
  const verdictOf = ([currency, amount]: readonly [string, number]): Verdict =>
    decide({
      corridor: corridorOf('GB-NG'),
      supported: true,
      amount,
      currency: currencyOf(currency),
      readings: readingsWith({}),
      policy,
    }).verdict
  check(
    [
      [['NGN', 100], 'GO'],
      [['NGN', 100.01], 'DEGRADED'],
      [['NGN', 200], 'DEGRADED'],
      [['NGN', 200.01], 'NO-GO'],
      [['GBP', 200.01], 'GO'],
    ],
    verdictOf,
  )
})

test('the evidence says what the decision rests on', () => {
  const { evidence } = decideOn(corridorOf('GB-NG'), 60_000, readingsWith({ network_healthy: 100 }))
  const { score, band, gate, cap, supported } = evidence
  assert.deepEqual(
    { score, band, gate, cap, supported },
    {
      score: {
        composite: 77_500,
        telemetryShift: 0,
        flaggedCount: 1,
        penaltyApplied: false,
        hundredths: 77,
      },
      band: 'DEGRADED',
      gate: 'review',
      cap: { reviewAbove: 50_000, blockAbove: 500_000 },
      supported: true,
    },
  )
})

test('each stage is marked once, as it ends', () => {
  const stages: string[] = []
  const input = { corridor: corridorOf('GB-NG'), amount: null, currency: gbp, readings: readingsWith({}) }
  decide({ ...input, supported: true, policy: standardPolicy }, (stage) => stages.push(stage))
  assert.deepEqual(stages, ['score_computed', 'policy_applied', 'reasons_derived'])
})
