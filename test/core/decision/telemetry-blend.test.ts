/** Telemetry in the score: a share of it and no more, exact, and never for a payment with an open fraud flag. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { decide, type Decision } from '../../../src/core/decision/decide.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import type { Telemetry } from '../../../src/core/decision/score.ts'
import type { Readings } from '../../../src/core/decision/signals.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  check,
  codesOf,
  corridorOf,
  currencyOf,
  readingsWith,
  weightsInOrder,
} from '../../helpers/check.ts'

const gbNg = corridorOf('GB-NG')
const weightPercentMax = 50

const anyValue = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(0, 480, 799, 800, 1000))
const anyTelemetry: fc.Arbitrary<Telemetry> = fc.record(
  { scoreThousandths: anyValue, weightPercent: fc.integer({ min: 0, max: weightPercentMax }) },
  { noNullPrototype: true },
)
const withFraud = fc
  .tuple(anyReadings, fc.integer({ min: 1, max: 5 }))
  .map(([readings, fraudFlagCount]): Readings => ({ ...readings, fraudFlagCount }))

const decided = (
  readings: Readings,
  telemetry: Telemetry | null | undefined,
  amount: number | null = 1000,
): Decision =>
  decide({
    corridor: gbNg,
    supported: true,
    amount,
    currency: currencyOf('GBP'),
    readings,
    policy: standardPolicy,
    ...(telemetry === undefined ? {} : { telemetry }),
  })

interface Expected {
  readonly composite: bigint
  /** After telemetry, in ten-millionths of the score. */
  readonly blended: bigint
  readonly hundredths: bigint
}

/** The formula in words, in whole numbers of any size: blend, then three quarters from three flags on, then one floor. */
function oracle(readings: Readings, telemetry: Telemetry | null): Expected {
  const flags = BigInt(readings.fraudFlagCount)
  let composite = 0n
  let flagged = 0
  for (const [signal, weight] of weightsInOrder) {
    let risk = BigInt(readings[signal].healthThousandths)
    if (signal === 'fraud_flags' && flags > 0n) {
      const bound = flags >= 3n ? 0n : 450n - 150n * flags
      if (risk > bound) risk = bound
    }
    composite += BigInt(weight) * risk
    if (signal === 'fraud_flags' ? flags > 0n : risk < 500n) flagged += 1
  }
  let blended = composite * 100n
  if (telemetry !== null) {
    const share = BigInt(telemetry.weightPercent)
    const mixed = (100n - share) * composite + share * BigInt(telemetry.scoreThousandths) * 100n
    if (flags === 0n || mixed < blended) blended = mixed
  }
  const quarters = flagged >= 3 ? 3n : 4n
  return { composite, blended, hundredths: (blended * quarters) / (4n * 100_000n) }
}

test('the score is (1 - w) of the composite and w of the telemetry, then the penalty, then one floor', () => {
  fc.assert(
    fc.property(anyReadings, anyTelemetry, (readings, telemetry) => {
      const { scoreHundredths, evidence } = decided(readings, telemetry)
      const { composite, telemetryShift, hundredths } = evidence.score
      const expected = oracle(readings, telemetry)
      assert.equal(BigInt(composite), expected.composite, 'the composite is that of the signals alone')
      assert.equal(BigInt(composite) * 100n + BigInt(telemetryShift), expected.blended)
      assert.equal(BigInt(hundredths), expected.hundredths)
      assert.equal(scoreHundredths, hundredths)
      assert.ok(!Object.is(telemetryShift, -0), 'minus zero')
    }),
    { numRuns: 2000 },
  )
})

/** Every signal at one risk value, in thousandths, beside a telemetry value and its weight: score and verdict. */
const blended = ([risk, scoreThousandths, weightPercent]: readonly [number, number, number]): unknown[] => {
  const readings = readingsWith(Object.fromEntries(weightsInOrder.map(([signal]) => [signal, risk])))
  const { scoreHundredths, verdict } = decided(readings, { scoreThousandths, weightPercent })
  return [scoreHundredths, verdict]
}

test('telemetry moves a decision over a band exactly where the arithmetic says', () => {
  check(
    [
      [
        [800, 800, 50],
        [80, 'GO'],
      ],
      [
        [800, 799, 50],
        [79, 'DEGRADED'],
      ],
      [
        [799, 818, 5],
        [79, 'DEGRADED'],
      ],
      [
        [799, 819, 5],
        [80, 'GO'],
      ],
      [
        [1000, 0, 50],
        [50, 'DEGRADED'],
      ],
      [
        [1000, 600, 50],
        [80, 'GO'],
      ],
      [
        [1000, 599, 50],
        [79, 'DEGRADED'],
      ],
      // Below 0.500 all but fraud are flagged: a quarter goes, from what telemetry has made of it.
      [
        [499, 1000, 50],
        [56, 'DEGRADED'],
      ],
      [
        [400, 879, 50],
        [47, 'NO-GO'],
      ],
      [
        [400, 880, 50],
        [48, 'DEGRADED'],
      ],
    ],
    blended,
  )
})

test('without telemetry every decision is that of the plain formula', () => {
  fc.assert(
    fc.property(anyReadings, anyAmount, (readings, amount) => {
      const plain = decided(readings, undefined, amount)
      assert.deepEqual(decided(readings, null, amount), plain)
      assert.equal(BigInt(plain.scoreHundredths), oracle(readings, null).hundredths)
      assert.equal(plain.evidence.score.telemetryShift, 0)
    }),
    { numRuns: 500 },
  )
})

test('telemetry of weight 0 changes nothing, whatever it says', () => {
  fc.assert(
    fc.property(anyReadings, anyAmount, anyValue, (readings, amount, scoreThousandths) => {
      const plain = decided(readings, null, amount)
      const weightless = decided(readings, { scoreThousandths, weightPercent: 0 }, amount)
      // Strictly: a shift of minus zero would be another.
      assert.deepEqual(weightless, plain)
    }),
  )
})

test('a shift is never minus zero: not without weight, not where there is nothing to move, not of a fraud flag', () => {
  check<readonly [Readings, Telemetry], number>(
    [
      [[readingsWith({}), { scoreThousandths: 0, weightPercent: 0 }], 0],
      [[readingsWith({}), { scoreThousandths: 1000, weightPercent: 50 }], 0],
      [[readingsWith({}, 1), { scoreThousandths: 1000, weightPercent: 50 }], 0],
      [[readingsWith({}, 1), { scoreThousandths: 0, weightPercent: 0 }], 0],
      [[readingsWith({}, 1), { scoreThousandths: 790, weightPercent: 50 }], 0],
    ],
    ([readings, telemetry]) => decided(readings, telemetry).evidence.score.telemetryShift,
  )
})

test('a payment with an open fraud flag is never lifted by telemetry, at any weight', () => {
  fc.assert(
    fc.property(withFraud, anyValue, anyAmount, (readings, scoreThousandths, amount) => {
      const plain = decided(readings, null, amount)
      for (let weightPercent = 0; weightPercent <= weightPercentMax; weightPercent += 1) {
        const { verdict, scoreHundredths } = decided(readings, { scoreThousandths, weightPercent }, amount)
        assert.notEqual(verdict, 'GO', `weight ${weightPercent}`)
        assert.ok(scoreHundredths <= plain.scoreHundredths, `weight ${weightPercent}`)
      }
    }),
    { numRuns: 300 },
  )
})

test('one fraud flag beside otherwise perfect signals is GO under no telemetry there can be', () => {
  const readings = readingsWith({}, 1)
  for (let weightPercent = 0; weightPercent <= weightPercentMax; weightPercent += 1) {
    for (let scoreThousandths = 0; scoreThousandths <= 1000; scoreThousandths += 1) {
      const { verdict, scoreHundredths } = decided(readings, { scoreThousandths, weightPercent })
      const lowered =
        scoreThousandths < 790 ? (100 - weightPercent) * 790 + weightPercent * scoreThousandths : 79_000
      assert.equal(scoreHundredths, Math.floor(lowered / 1000), `${weightPercent}% of ${scoreThousandths}`)
      assert.notEqual(verdict, 'GO')
    }
  }
})

test('telemetry has no part in confidence, flags, caps or codes', () => {
  fc.assert(
    fc.property(
      anySupported,
      anyReadings,
      anyTelemetry,
      anyAmount,
      (corridor, readings, telemetry, amount) => {
        const input = {
          corridor,
          supported: true,
          amount,
          currency: currencyOf('GBP'),
          readings,
          policy: standardPolicy,
        }
        const plain = decide(input)
        const blend = decide({ ...input, telemetry })
        assert.equal(blend.confidenceHundredths, plain.confidenceHundredths)
        assert.deepEqual(blend.evidence.factors, plain.evidence.factors)
        assert.equal(blend.evidence.gate, plain.evidence.gate)
        assert.deepEqual(codesOf(blend), codesOf(plain))
        if (plain.evidence.gate === 'block') assert.equal(blend.verdict, 'NO-GO')
        if (plain.evidence.gate === 'review') assert.notEqual(blend.verdict, 'GO')
      },
    ),
  )
})
