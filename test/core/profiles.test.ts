/** The three profiles: one score, three thresholds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileGoFloorHundredths, profileNames } from '../../src/core/profiles.ts'
import { bandOf } from '../../src/core/score.ts'
import { check } from '../helpers/check.ts'

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
