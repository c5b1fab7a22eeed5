/** A decision in words: the paragraph names all that decided, and never more than is so. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { counterfactualsOf } from '../../../src/core/explain/counterfactuals.ts'
import { factorMessage, summaryOf } from '../../../src/core/explain/explanation.ts'
import type { RecordedDecision } from '../../../src/core/explain/recorded-decision.ts'
import { standardCap } from '../../../src/core/decision/policy.ts'
import { titleOf, type Readings } from '../../../src/core/decision/signals.ts'
import { scenarioOf } from '../../../src/core/shadow/test-amounts.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  check,
  corridorOf,
  readingsWith,
} from '../../helpers/check.ts'
import { anyTelemetry, recordedDecision } from '../../helpers/recorded-decisions.ts'

const told = (kept: RecordedDecision): string => summaryOf(kept, counterfactualsOf(kept))
const summary = ([corridor, amount]: readonly [string, number | null]): string =>
  told(recordedDecision(corridorOf(corridor), amount))

test('the paragraph of a decision reads as it is written here', () => {
  check(
    [
      [
        ['GB-NG', 1000],
        'GO: a payment of 1,000 GBP on GB-NG, with a score of 0.96. GO starts at 0.80. No policy cap applies. No signal is flagged; the settlement network lowers the score the most, by 0.0105. The largest whole amount that would have been GO is 50,000 GBP.',
      ],
      [
        ['NG-GB', 300_000],
        'DEGRADED: a payment of 300,000 GBP on NG-GB, with a score of 0.67. A score from 0.48 to 0.79 is DEGRADED. Also, no payment above 50,000 GBP is GO. Flagged: partner liquidity (health 0.3). No single signal, had it been healthy, would have changed the decision. The largest whole amount that would have been GO is 50,000 GBP.',
      ],
      [
        ['GB-NG', 60_000.5],
        'DEGRADED: a payment of 60,000.50 GBP on GB-NG, with a score of 0.84. By its score it is GO, but no payment above 50,000 GBP is GO: it needs manual approval. No signal is flagged; the partner liquidity lowers the score the most, by 0.0528. The largest whole amount that would have been GO is 50,000 GBP.',
      ],
      [
        ['GB-NG', 600_000],
        'NO-GO: a payment of 600,000 GBP on GB-NG, with a score of 0.60. Every payment above 500,000 GBP is NO-GO, whatever its score. Flagged: partner liquidity (health 0.17). The largest whole amount that would have been GO is 50,000 GBP.',
      ],
      [
        ['GB-NG', 1000.02],
        'DEGRADED: a payment of 1,000.02 GBP on GB-NG, with a score of 0.78. A score from 0.48 to 0.79 is DEGRADED. No policy cap applies. Flagged: settlement network (health 0.25). With a healthy settlement network it would have been GO. With the faults of this test amount, no amount would have been GO.',
      ],
      [
        ['GB-NG', 1000.08],
        'NO-GO: a payment of 1,000.08 GBP on GB-NG, with a score of 0.25. A score below 0.48 is NO-GO. No policy cap applies. Flagged: fraud check (health 0.15), settlement network (health 0.2), partner liquidity (health 0.15) and FX volatility (health 0.3). With 3 or more signals flagged, the score is reduced by a quarter. No single signal, had it been healthy, would have changed the decision. With the faults of this test amount, no amount would have been GO.',
      ],
      [
        ['US-MX', null],
        'DEGRADED: a payment of no stated amount on US-MX, with a score of 0.64. There is no data for US-MX, which is not a sign of risk: without data no payment is GO.',
      ],
      [
        ['US-MX', 600_000],
        'NO-GO: a payment of 600,000 GBP on US-MX, with a score of 0.64. Every payment above 500,000 GBP is NO-GO, whatever its score. There is no data for US-MX, which is not a sign of risk.',
      ],
    ],
    summary,
  )
})

const anyTestAmount = fc.oneof(
  anyAmount,
  fc
    .tuple(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 1, max: 8 }))
    .map(([whole, ending]) => Number(`${whole}.0${ending}`)),
)
/** Shadow decisions of every kind, and live ones of any readings. */
const anyKept: fc.Arbitrary<RecordedDecision> = fc.oneof(
  fc
    .tuple(fc.oneof(anySupported, anyUnsupported), anyTestAmount, fc.integer({ min: 0, max: 50_000 }))
    .map(([corridor, amount, reviewAbove]) =>
      recordedDecision(corridor, amount, { cap: { ...standardCap, reviewAbove } }),
    ),
  fc
    .tuple(anySupported, anyAmount, anyReadings, anyTelemetry)
    .map(([corridor, amount, readings, telemetry]) =>
      recordedDecision(corridor, amount, { readings, telemetry }),
    ),
)

const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const published = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** `1,234.50` as people write it, by another way than the code's; null where it has more than cents. */
function written(amount: number): string | null {
  if (!/^\d{1,12}(?:\.\d\d?)?$/.test(String(amount))) return null
  return new Intl.NumberFormat('en-GB', Number.isInteger(amount) ? {} : cents).format(amount)
}

test('the paragraph names decision, amount, corridor and score', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const { decision, amount, corridor, currency } = kept
      const text = told(kept)
      assert.ok(text.startsWith(`${decision.verdict}: a payment of `), text)
      assert.ok(
        text.includes(` on ${corridor}, with a score of ${published(decision.scoreHundredths)}. `),
        text,
      )
      const known = amount === null ? 'no stated amount' : written(amount)
      const paid = amount === null ? known : `${known} ${currency}`
      if (known !== null) assert.ok(text.includes(`: a payment of ${paid} on `), text)
    }),
  )
})

/** The parts of a paragraph in their order; every sentence is of exactly one. */
const parts: readonly RegExp[] = [
  /^(?:GO|DEGRADED|NO-GO): a payment of /,
  /^(?:Every payment above|There is no data for|A score |GO starts at|By its score|Also, |No policy cap)/,
  /^(?:Flagged: |No signal is flagged|With 3 or more signals flagged)/,
  /^Corridor telemetry /,
  /^(?:With (?!3 or more|the faults)|Any one of these|No single signal)/,
  /^(?:The largest whole amount|No amount|With the faults of this test amount, )/,
]

test('what settled it is told first, then the signals, then telemetry, then what would have changed it', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const text = told(kept)
      const order = text.split('. ').map((sentence) => {
        const found = parts.flatMap((part, place) => (part.test(sentence) ? [place] : []))
        assert.equal(found.length, 1, sentence)
        return found[0] ?? -1
      })
      assert.deepEqual(
        order,
        order.toSorted((left, right) => left - right),
        text,
      )
      assert.deepEqual(order.slice(0, 2), [0, 1], text)
    }),
    { numRuns: 500 },
  )
})

test('it names every flagged signal with its health, and no other as flagged', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const text = told(kept)
      const { factors, score, supported } = kept.decision.evidence
      for (const { signal, flagged, healthThousandths } of factors) {
        assert.equal(text.includes(`${titleOf[signal]} (`), flagged, `${signal}: ${text}`)
        const named = `${titleOf[signal]} (health ${healthThousandths / 1000})`
        assert.equal(text.includes(named), flagged, text)
      }
      assert.equal(text.includes(' Flagged: '), score.flaggedCount > 0, text)
      assert.equal(text.includes(' No signal is flagged; '), supported && score.flaggedCount === 0, text)
      assert.equal(text.includes('the score is reduced by a quarter'), score.penaltyApplied)
    }),
  )
})

test('it names the cap that acted, and only one that did', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const { gate, cap, band, supported } = kept.decision.evidence
      const text = told(kept)
      const isBlocked = text.includes(
        ` Every payment above ${written(cap.blockAbove)} GBP is NO-GO, whatever its score.`,
      )
      assert.equal(isBlocked, gate === 'block', text)
      const isReviewed = gate === 'review'
      assert.equal(text.includes(`no payment above ${written(cap.reviewAbove)} GBP is GO`), isReviewed, text)
      const isHeld = text.includes('By its score it is GO, but no payment above')
      assert.equal(isHeld, isReviewed && supported && band === 'GO', text)
      assert.equal(text.includes('it needs manual approval.'), isHeld, text)
      assert.equal(text.includes('No policy cap applies.'), gate === 'none' && supported)
      assert.equal(text.includes('There is no data for'), !supported)
    }),
  )
})

test('it tells the band where the score settled it, and only there', () => {
  const bands = {
    GO: ' GO starts at 0.80.',
    DEGRADED: ' A score from 0.48 to 0.79 is DEGRADED.',
    'NO-GO': ' A score below 0.48 is NO-GO.',
  }
  fc.assert(
    fc.property(anyKept, (kept) => {
      const { verdict, evidence } = kept.decision
      const isSettled = evidence.supported && evidence.gate !== 'block' && verdict === evidence.band
      const text = told(kept)
      for (const [band, sentence] of Object.entries(bands)) {
        assert.equal(text.includes(sentence), isSettled && band === verdict, text)
      }
    }),
  )
})

test('it ends with the largest GO amount, or says that there is none; without data it says neither', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const largest = counterfactualsOf(kept)?.largestGoAmount ?? null
      const text = told(kept)
      if (!kept.decision.evidence.supported) return assert.doesNotMatch(text, /would have|amount would/)
      const hasFaults = kept.source === 'simulation' && scenarioOf(kept.amount) !== null
      const faults = 'With the faults of this test amount, '
      const expected =
        largest === null
          ? `${hasFaults ? `${faults}no` : 'No'} amount would have been GO.`
          : `${hasFaults ? `${faults}the` : 'The'} largest whole amount that would have been GO is ${written(largest)} GBP.`
      assert.equal(text.split('. ').at(-1), expected)
    }),
  )
})

const cures = {
  fraud_flags: 'a clear fraud check',
  network_healthy: 'a healthy settlement network',
  balance_sufficient: 'enough partner liquidity',
  fx_volatility: 'calm FX rates',
  operation_valid: 'a valid operation',
  historical_failure_rate: 'no recent failures',
  cop_overridden: 'a confirmed payee',
}

test('it names the signals that alone would have changed the decision, and to what', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const { verdict, evidence } = kept.decision
      const { decisive } = counterfactualsOf(kept) ?? assert.fail('none were told')
      const text = told(kept)
      const isAsked = evidence.supported && verdict !== 'GO' && verdict === evidence.band
      assert.equal(text.includes(' No single signal, '), isAsked && decisive.length === 0, text)
      for (const to of ['GO', 'DEGRADED']) {
        const names = decisive.flatMap((one) => (one.verdict === to ? [cures[one.signal]] : []))
        const sentence =
          names.length === 1
            ? ` With ${names[0]} it would have been ${to}.`
            : ` Any one of these would have made it ${to}: ${names.join('; ')}.`
        assert.equal(text.includes(` it would have been ${to}.`), names.length === 1, text)
        assert.equal(text.includes(` would have made it ${to}: `), names.length > 1, text)
        assert.equal(text.includes(sentence), names.length > 0, text)
      }
    }),
    { numRuns: 500 },
  )
  assert.match(
    told(recordedDecision(corridorOf('GB-NG'), 1000.03)),
    / Any one of these would have made it GO: a healthy settlement network; enough partner liquidity; calm FX rates\./,
  )
})

const blended = (readings: Readings, scoreThousandths: number): RecordedDecision =>
  recordedDecision(corridorOf('GB-NG'), 1000, {
    readings,
    telemetry: { scoreThousandths, weightPercent: 10 },
  })
const telemetryOf = (kept: RecordedDecision): string[] =>
  told(kept)
    .split(/(?<=\.) /)
    .filter((sentence) => /telemetry/i.test(sentence))

test('telemetry is named where it has a say, and not elsewhere', () => {
  const clear = readingsWith({})
  check<RecordedDecision, string[]>(
    [
      [blended(clear, 500), ['Corridor telemetry has a weight of 0.10 and lowered the composite by 0.05.']],
      [blended(clear, 1000), ['Corridor telemetry has a weight of 0.10 and did not change the composite.']],
      [
        blended(readingsWith({ network_healthy: 600 }), 1000),
        ['Corridor telemetry has a weight of 0.10 and raised the composite by 0.01.'],
      ],
      [{ ...blended(clear, 500), telemetry: null }, []],
    ],
    telemetryOf,
  )
})

test('telemetry that may not lift a payment with an open fraud flag is not said to have moved it', () => {
  const anyFraud = fc
    .tuple(anyReadings, fc.integer({ min: 1, max: 5 }))
    .map(([readings, fraudFlagCount]): Readings => ({ ...readings, fraudFlagCount }))
  const held =
    'Corridor telemetry has a weight of 0.10, but it never raises the score of a payment with an open fraud flag.'
  fc.assert(
    fc.property(anyFraud, fc.integer({ min: 0, max: 1000 }), (readings, scoreThousandths) => {
      const kept = blended(readings, scoreThousandths)
      const plain = recordedDecision(kept.corridor, kept.amount, { readings })
      const isLifting = scoreThousandths * 100 >= plain.decision.evidence.score.composite
      if (!isLifting) return assert.match(telemetryOf(kept).join(' '), / lowered the composite by \d/)
      assert.equal(kept.decision.scoreHundredths, plain.decision.scoreHundredths)
      assert.deepEqual(telemetryOf(kept), [held])
      assert.doesNotMatch(told(kept), /moved|raised|lowered/)
    }),
  )
  assert.deepEqual(telemetryOf(blended(readingsWith({}, 1), 1000)), [held])
})

test('of a payment above the block cap on a corridor without data it is not said that it is DEGRADED', () => {
  fc.assert(
    fc.property(anyUnsupported, fc.double({ min: 500_001, max: 1e15, noNaN: true }), (corridor, amount) => {
      const text = told(recordedDecision(corridor, amount))
      assert.ok(text.startsWith('NO-GO: '), text)
      assert.ok(text.includes(' Every payment above 500,000 GBP is NO-GO, whatever its score. '), text)
      assert.ok(text.endsWith(` There is no data for ${corridor}, which is not a sign of risk.`), text)
      assert.doesNotMatch(text, /DEGRADED/)
    }),
  )
})

test('without counterfactuals nothing is said of what would have been', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const text = summaryOf(kept, null)
      assert.doesNotMatch(text, /would have|had it been|it would/)
      assert.ok(told(kept).startsWith(text))
    }),
  )
})

test('every sentence is whole: nothing missing, nothing doubled', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const messages = kept.decision.evidence.factors.map((factor) => factorMessage(factor, kept))
      for (const text of [told(kept), summaryOf(kept, null), ...messages]) {
        assert.doesNotMatch(text, /undefined|NaN|null|Infinity|\[object| {2}|\.\.|,,|-0\b(?!\.)|^\s|\s$|\($/)
        assert.match(text, /^[A-Z0-9].*\.$/)
      }
    }),
    { numRuns: 500 },
  )
})

test('a flagged signal has the sentence of its reason, every other one its share', () => {
  const kept = recordedDecision(corridorOf('GB-NG'), 1000.01)
  assert.deepEqual(
    kept.decision.evidence.factors.slice(0, 3).map((factor) => factorMessage(factor, kept)),
    [
      '1 open fraud or AML flag: block and escalate, do not retry the same payload.',
      'Settlement network: CLEAR at 0.958, which adds 0.2395 of at most 0.25.',
      'Partner liquidity: CLEAR at 0.967, which adds 0.14505 of at most 0.15.',
    ],
  )
})
