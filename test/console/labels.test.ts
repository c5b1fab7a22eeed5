/** Labels of the console: every reason code and every follower has one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLabel } from '../../console/src/labels.ts'
import { reasonMeaning } from '../../console/src/pages/batch/reasons.ts'
import { followers } from '../../console/src/pages/status/labels.ts'
import type { FollowerName } from '../../src/app/ports/journal.ts'
import { reasonCodes } from '../../src/core/decision/reasons.ts'

test('a score below the GO floor has a label that names GO', () => {
  assert.equal(codeLabel('BELOW_GO_THRESHOLD'), 'Below GO threshold')
  assert.equal(codeLabel('HIGH_FX_VOLATILITY'), 'High FX volatility')
})

test('every reason code has a meaning', () => {
  assert.deepEqual(
    reasonCodes.filter((code) => reasonMeaning(code) === ''),
    [],
  )
})

/** The compiler refuses a list that lacks one. */
const everyFollower = {
  totals: true,
  webhooks: true,
  policies: true,
  calibration: true,
  log: true,
} satisfies Record<FollowerName, true>

test('every follower has a label on the status page', () => {
  assert.deepEqual(Object.keys(followers).toSorted(), Object.keys(everyFollower).toSorted())
})
