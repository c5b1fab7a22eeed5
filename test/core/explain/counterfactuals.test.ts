/** What if: every counterfactual that is told is true, and none that is true is left out. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { counterfactualsOf, type Counterfactuals } from '../../../src/core/explain/counterfactuals.ts'
import { decide } from '../../../src/core/decision/decide.ts'
import type { RecordedDecision } from '../../../src/core/explain/recorded-decision.ts'
import type { Cap } from '../../../src/core/decision/policy.ts'
import { viewIn } from '../../../src/core/decision/profiles.ts'
import { signalNames, type Readings, type SignalName } from '../../../src/core/decision/signals.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
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
import { anyTelemetry, recordedDecision, policyOf } from '../../helpers/recorded-decisions.ts'

const found = (kept: RecordedDecision): Counterfactuals =>
  counterfactualsOf(kept) ?? assert.fail('none were told')
const itemsOf = (kept: RecordedDecision, kind: string) =>
  found(kept).items.filter((item) => item.kind === kind)

const gbNg = corridorOf('GB-NG')
const corridors = [gbNg, corridorOf('NG-GB')]
/** Every test amount that is decided at all: `.09` is not. */
const endings = [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08]
const anyEnding = fc.constantFrom(...endings)
/** Whole amounts with every ending, and anything else that can be asked. */
const anyTestAmount = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 600_000 }), anyEnding)
    .map(([whole, ending]) => Number((whole + ending).toFixed(2))),
  anyAmount.filter((amount) => (scenarioOf(amount)?.unreachable ?? []).length === 0),
)

/** As good as it gets, by hand. */
function mended(readings: Readings, signal: SignalName): Readings {
  const reading = { ...readings[signal], healthThousandths: 1000 }
  return {
    ...readings,
    [signal]: reading,
    ...(signal === 'fraud_flags' ? { fraudFlagCount: 0 } : {}),
    ...(signal === 'historical_failure_rate' ? { failureRatePermille: 0 } : {}),
  }
}

/** The signals each of which alone changes the decision, and what it then is: one after the other, asked of the scorer. */
function changedBySignal(kept: RecordedDecision): [SignalName, string, number][] {
  const { corridor, amount, currency, telemetry, decision } = kept
  const { cap, supported } = decision.evidence
  const policy = policyOf(cap)
  return signalNames.flatMap((signal): [SignalName, string, number][] => {
    const readings = mended(kept.readings, signal)
    const other = decide({ corridor, supported, amount, currency, readings, policy, telemetry })
    return other.verdict === decision.verdict ? [] : [[signal, other.verdict, other.scoreHundredths]]
  })
}

function checkSignals(kept: RecordedDecision): void {
  const expected = changedBySignal(kept)
  const decisive = expected.map(([signal, verdict]) => ({ signal, verdict }))
  assert.deepEqual(found(kept).decisive, decisive)
  const told = itemsOf(kept, 'signal').map((item, place) => {
    assert.match(item.change, new RegExp(`^With .+ \\(${expected[place]?.[0]} at 1\\)\\.$`))
    return [item.verdict, item.scoreHundredths]
  })
  assert.deepEqual(
    told,
    expected.map(([, verdict, score]) => [verdict, score]),
  )
}

test('each signal that is told changes the decision, and no other single signal would', () => {
  fc.assert(
    fc.property(anySupported, anyTestAmount, (corridor, amount) =>
      checkSignals(recordedDecision(corridor, amount)),
    ),
    { numRuns: 500 },
  )
  assert.deepEqual(found(recordedDecision(gbNg, 1000.03)).decisive, [
    { signal: 'network_healthy', verdict: 'GO' },
    { signal: 'balance_sufficient', verdict: 'GO' },
    { signal: 'fx_volatility', verdict: 'GO' },
  ])
  const collapsed = readingsWith({ network_healthy: 0, balance_sufficient: 0, fx_volatility: 0 })
  const verdicts = found(recordedDecision(gbNg, 60_000, { readings: collapsed })).decisive.map(
    (one) => one.verdict,
  )
  assert.deepEqual(verdicts, ['DEGRADED', 'DEGRADED', 'DEGRADED'])
})

test('what is told is told in these words', () => {
  const profiles = [
    'In the conservative profile, by its threshold alone: GO from 0.85.',
    'In the optimise speed profile, by its threshold alone: GO from 0.70.',
  ]
  check<readonly [string, number], string[]>(
    [
      [
        ['GB-NG', 1000],
        ['With 50,000 GBP, the largest whole amount that would have been GO.', ...profiles],
      ],
      [
        ['GB-NG', 1000.01],
        ['With a clear fraud check (fraud_flags at 1).', ...profiles],
      ],
      [
        ['GB-NG', 1000.03],
        [
          'With a healthy settlement network (network_healthy at 1).',
          'With enough partner liquidity (balance_sufficient at 1).',
          'With calm FX rates (fx_volatility at 1).',
          ...profiles,
        ],
      ],
      [['US-MX', 1000], profiles],
    ],
    ([corridor, amount]) =>
      found(recordedDecision(corridorOf(corridor), amount)).items.map((item) => item.change),
  )
})

test('the same is true of any readings of a live feed, with and without telemetry', () => {
  fc.assert(
    fc.property(
      anySupported,
      anyAmount,
      anyReadings,
      anyTelemetry,
      (corridor, amount, readings, telemetry) => {
        checkSignals(recordedDecision(corridor, amount, { source: 'live', readings, telemetry }))
      },
    ),
    { numRuns: 500 },
  )
})

test('nothing is told that would make a GO of a GO', () => {
  for (const corridor of corridors) {
    assert.equal(recordedDecision(corridor, 1000).decision.verdict, 'GO')
    assert.deepEqual(itemsOf(recordedDecision(corridor, 1000), 'signal'), [])
  }
})

/** Whether this whole amount, in the world of the decision, is GO: the shadow world asked again, the test ending kept. */
function isGoAt(kept: RecordedDecision, amount: number): boolean {
  const { corridor, currency } = kept
  const readings = simulate({ corridor, amount, currency }, scenarioOf(kept.amount))
  const { cap, supported } = kept.decision.evidence
  const policy = policyOf(cap)
  return decide({ corridor, supported, amount, currency, readings, policy }).verdict === 'GO'
}

/** Every whole amount from the cap down, without a thought. */
function largestByHand(kept: RecordedDecision): number | null {
  for (let amount = Math.floor(kept.decision.evidence.cap.reviewAbove); amount >= 0; amount -= 1) {
    if (isGoAt(kept, amount)) return amount
  }
  return null
}

function checkLargest(kept: RecordedDecision, expected: number | null): void {
  const { largestGoAmount, amountBasis } = found(kept)
  const world = `${kept.amount} ${kept.currency} on ${kept.corridor}`
  assert.equal(largestGoAmount, expected, world)
  const hasFaults = scenarioOf(kept.amount) !== null
  assert.equal(amountBasis, hasFaults ? 'simulated_with_faults' : 'simulated', world)
  const items = itemsOf(kept, 'amount')
  if (largestGoAmount === null) return assert.deepEqual(items, [], world)
  assert.equal(isGoAt(kept, largestGoAmount), true, world)
  assert.equal(isGoAt(kept, largestGoAmount + 1), false, world)
  assert.deepEqual(
    items.map((item) => item.verdict),
    ['GO'],
    world,
  )
}

test('the largest GO amount is GO and one more is not, for both corridors and every test ending', () => {
  for (const corridor of corridors) {
    for (const ending of endings) {
      for (const currency of ending === 0 ? ['GBP', 'NGN', 'USD'] : ['GBP']) {
        const expected = largestByHand(recordedDecision(corridor, ending, { currency }))
        // Whatever was asked for, it is the same world: the answer is that of the ending alone.
        for (const whole of [0, 1000, 49_999, 50_000, 50_001, 500_001, 1e12]) {
          const kept = recordedDecision(corridor, Number((whole + ending).toFixed(2)), { currency })
          checkLargest(kept, expected)
        }
      }
    }
    checkLargest(recordedDecision(corridor, null), largestByHand(recordedDecision(corridor, null)))
    checkLargest(recordedDecision(corridor, 1e15), largestByHand(recordedDecision(corridor, 1e15)))
  }
})

test('the largest GO amount is the cap, or below it, or there is none', () => {
  const amounts = endings.map((ending) => found(recordedDecision(gbNg, 1000 + ending)).largestGoAmount)
  assert.deepEqual(amounts, [50_000, null, null, null, 50_000, 37_369, 50_000, 50_000, null])
})

test('a stricter cap bounds the largest GO amount, in whole units', () => {
  const caps: Cap[] = [
    { reviewAbove: 0, blockAbove: 0 },
    { reviewAbove: 0.5, blockAbove: 10 },
    { reviewAbove: 1, blockAbove: 2 },
    { reviewAbove: 999.99, blockAbove: 1000 },
    { reviewAbove: 40_000, blockAbove: 50_000 },
    // The block below the review: nothing above it is GO either.
    { reviewAbove: 5000, blockAbove: 200.5 },
  ]
  for (const cap of caps) {
    for (const amount of [null, 0, 1000, 1000.05, 1000.08, 60_000]) {
      const kept = recordedDecision(gbNg, amount, { cap })
      checkLargest(kept, largestByHand(kept))
    }
  }
  const bounded = caps.map((cap) => found(recordedDecision(gbNg, 1000, { cap })).largestGoAmount)
  assert.deepEqual(bounded, [0, 0, 1, 999, 40_000, 200])
})

test('no amount on a coarse grid above the largest is GO, and every one up to it is', () => {
  const anyCap = fc.integer({ min: 0, max: 50_000 })
  fc.assert(
    fc.property(anySupported, anyTestAmount, anyCap, (corridor, amount, reviewAbove) => {
      const kept = recordedDecision(corridor, amount, { cap: { reviewAbove, blockAbove: 500_000 } })
      const { largestGoAmount } = found(kept)
      const grid = Array.from({ length: 60 }, (_, step) => step * 1021)
      for (const whole of grid) {
        assert.equal(isGoAt(kept, whole), largestGoAmount !== null && whole <= largestGoAmount, `${whole}`)
      }
      checkLargest(kept, largestGoAmount)
    }),
  )
})

test('what a live feed read of one amount is held for the others', () => {
  const cases: [Readings, number | null, number | null][] = [
    [readingsWith({}), 1000, 50_000],
    [readingsWith({}), null, 50_000],
    [readingsWith({}), 900_000, 50_000],
    [readingsWith({ network_healthy: 0, fx_volatility: 400 }), 1000, null],
    [readingsWith({}, 1), 1000, null],
  ]
  for (const [readings, amount, expected] of cases) {
    const { amountBasis, largestGoAmount } = found(
      recordedDecision(gbNg, amount, { source: 'live', readings }),
    )
    assert.deepEqual([amountBasis, largestGoAmount], ['held', expected])
  }
  // Live readings are held even where they happen to be those of the simulation.
  assert.equal(found(recordedDecision(gbNg, 1000, { source: 'live' })).amountBasis, 'held')
  // And a shadow record whose readings are no longer those of the simulation speaks for itself alone.
  assert.equal(
    found(recordedDecision(gbNg, 1000, { source: 'simulation', readings: readingsWith({}) })).amountBasis,
    'held',
  )
})

test('both other profiles are told, each as the profile itself sees the decision', () => {
  fc.assert(
    fc.property(fc.oneof(anySupported, anyUnsupported), anyTestAmount, (corridor, amount) => {
      const kept = recordedDecision(corridor, amount)
      const { decision } = kept
      const told = itemsOf(kept, 'profile').map((item) => [item.verdict, item.scoreHundredths])
      assert.deepEqual(told, [
        [viewIn('conservative', decision).verdict, decision.scoreHundredths],
        [viewIn('optimise_speed', decision).verdict, decision.scoreHundredths],
      ])
    }),
  )
  const names = itemsOf(recordedDecision(gbNg, 85_000), 'profile').map((item) => item.change)
  assert.match(names.join('\n'), /conservative.* 0\.85.*\n.*optimise speed.* 0\.70/)
})

test('on an unsupported corridor no signal and no amount is GO', () => {
  fc.assert(
    fc.property(anyUnsupported, anyAmount, (corridor, amount) => {
      const { items, decisive, largestGoAmount } = found(recordedDecision(corridor, amount))
      assert.deepEqual([decisive, largestGoAmount], [[], null])
      assert.deepEqual(
        items.map((item) => item.kind),
        ['profile', 'profile'],
      )
      assert.ok(items.every((item) => item.verdict !== 'GO'))
    }),
  )
})

test('of a decision that another engine made, or that this one would not make, nothing is told', () => {
  const kept = recordedDecision(gbNg, 1000)
  assert.notEqual(counterfactualsOf(kept), null)
  assert.equal(counterfactualsOf({ ...kept, engine: '1.2.9' }), null)
  const { decision } = kept
  assert.equal(counterfactualsOf({ ...kept, decision: { ...decision, scoreHundredths: 95 } }), null)
  assert.equal(counterfactualsOf({ ...kept, decision: { ...decision, verdict: 'DEGRADED' } }), null)
})
