/** The three profiles: one score, three thresholds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { decide, type Decision } from '../../../src/core/decision/decide.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import {
  divergenceOf,
  profileGoFloorHundredths,
  profileNames,
  viewIn,
  type ProfileName,
} from '../../../src/core/decision/profiles.ts'
import { bandOf } from '../../../src/core/decision/score.ts'
import type { Readings } from '../../../src/core/decision/signals.ts'
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

const inEachProfile = (scoreHundredths: number): string[] =>
  profileNames.map((name) => bandOf(scoreHundredths, profileGoFloorHundredths[name]))

test('the thresholds are those of the contract', () => {
  assert.deepEqual(profileGoFloorHundredths, { conservative: 85, balanced: 80, optimise_speed: 70 })
  assert.deepEqual(profileNames, ['conservative', 'balanced', 'optimise_speed'])
})

test('the same score is held against each threshold, and below 0.48 is NO-GO in every profile', () => {
  check(
    [
      [100, ['GO', 'GO', 'GO']],
      [85, ['GO', 'GO', 'GO']],
      [84, ['DEGRADED', 'GO', 'GO']],
      [80, ['DEGRADED', 'GO', 'GO']],
      [79, ['DEGRADED', 'DEGRADED', 'GO']],
      [70, ['DEGRADED', 'DEGRADED', 'GO']],
      [69, ['DEGRADED', 'DEGRADED', 'DEGRADED']],
      [48, ['DEGRADED', 'DEGRADED', 'DEGRADED']],
      [47, ['NO-GO', 'NO-GO', 'NO-GO']],
      [0, ['NO-GO', 'NO-GO', 'NO-GO']],
    ],
    inEachProfile,
  )
})

const decisionOn = (readings: Readings, amount: number | null = 1000): Decision =>
  decide({
    corridor: corridorOf('GB-NG'),
    supported: true,
    amount,
    currency: currencyOf('GBP'),
    readings,
    policy: standardPolicy,
  })

/** Every signal at one risk value scores that value. */
const evenly = (thousandths: number): Readings =>
  readingsWith(Object.fromEntries(weightsInOrder.map(([signal]) => [signal, thousandths])))

const verdictsOf = (decision: Decision): string[] =>
  profileNames.map((profile) => viewIn(profile, decision).verdict)

test('below 0.48 every profile says NO-GO and to block, without a recheck', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const decision = decisionOn(readings)
      fc.pre(decision.scoreHundredths < 48)
      for (const profile of profileNames) {
        const { verdict, recommendedAction, recheckRequired } = viewIn(profile, decision)
        assert.deepEqual([verdict, recommendedAction, recheckRequired], ['NO-GO', 'BLOCK', false])
      }
    }),
  )
})

test('a lower threshold never gives a worse verdict, and balanced is the decision itself below the caps', () => {
  const rank = ['NO-GO', 'DEGRADED', 'GO']
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const decision = decisionOn(readings)
      const [conservative = '', balanced = '', speed = ''] = verdictsOf(decision)
      assert.equal(balanced, decision.verdict)
      assert.ok(rank.indexOf(conservative) <= rank.indexOf(balanced))
      assert.ok(rank.indexOf(balanced) <= rank.indexOf(speed))
    }),
  )
})

test('the floor above 50,000 does not act in a profile, neither in the verdict nor in the action', () => {
  const decision = decisionOn(readingsWith({}), 50_001)
  assert.equal(decision.verdict, 'DEGRADED')
  assert.deepEqual(codesOf(decision), ['POLICY_CAP_APPLIED'])
  for (const profile of profileNames) {
    const { verdict, recommendedAction } = viewIn(profile, decision)
    assert.deepEqual([verdict, recommendedAction], ['GO', 'PROCEED'])
  }
})

test('the block above 500,000 acts in every profile, on every corridor', () => {
  fc.assert(
    fc.property(fc.oneof(anySupported, anyUnsupported), (corridor) => {
      assert.deepEqual(verdictsOf(shadow(corridor, 500_000.01, null)), ['NO-GO', 'NO-GO', 'NO-GO'])
    }),
  )
})

test('an unsupported corridor is DEGRADED in every profile, up to the block', () => {
  fc.assert(
    fc.property(anyUnsupported, anyAmount, (corridor, amount) => {
      fc.pre(amount === null || amount <= 500_000)
      const decision = shadow(corridor, amount, null)
      for (const profile of profileNames) {
        const { verdict, recommendedAction } = viewIn(profile, decision)
        assert.deepEqual([verdict, recommendedAction], ['DEGRADED', 'TREAT_AS_NO_DATA'])
      }
    }),
  )
})

test('a recheck is asked for a DEGRADED, and for a GO that the balanced profile would not give', () => {
  const rechecks = (hundredths: number): boolean[] =>
    profileNames.map((profile) => viewIn(profile, decisionOn(evenly(hundredths * 10))).recheckRequired)
  check(
    [
      [85, [false, false, false]],
      [84, [true, false, false]],
      [80, [true, false, false]],
      [79, [true, true, true]],
      [70, [true, true, true]],
      [69, [true, true, true]],
      [50, [true, true, true]],
    ],
    rechecks,
  )
})

test('only the speed profile bounds how long its answer holds: 600 seconds', () => {
  for (const hundredths of [90, 75, 60]) {
    const decision = decisionOn(evenly(hundredths * 10))
    assert.deepEqual(
      profileNames.map((profile) => viewIn(profile, decision).validForSeconds),
      [null, null, 600],
    )
  }
})

test('the sentence on the divergence tells what the profiles said', () => {
  const told = ([hundredths, profiles]: readonly [number, readonly ProfileName[]]): readonly unknown[] => {
    const decision = decisionOn(evenly(hundredths * 10))
    const views = new Map(profiles.map((profile) => [profile, viewIn(profile, decision)]))
    const { agree, summary } = divergenceOf(views, decision.scoreHundredths)
    return [agree, summary]
  }
  check(
    [
      [
        [75, profileNames],
        [
          false,
          'The profiles differ at a score of 0.75: conservative and balanced give DEGRADED, optimise speed gives GO.',
        ],
      ],
      [
        [82, ['optimise_speed', 'conservative', 'balanced']],
        [
          false,
          'The profiles differ at a score of 0.82: optimise speed and balanced give GO, conservative gives DEGRADED.',
        ],
      ],
      [
        [90, profileNames],
        [true, 'All 3 profiles give GO at a score of 0.90.'],
      ],
      [
        [60, ['conservative', 'balanced']],
        [true, 'Both profiles give DEGRADED at a score of 0.60.'],
      ],
      [
        [60, ['optimise_speed']],
        [true, 'The optimise speed profile gives DEGRADED at a score of 0.60.'],
      ],
    ],
    told,
  )
})
