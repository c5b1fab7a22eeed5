/** Labels of the console: every reason code has one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLabel } from '../../console/src/labels.ts'
import { reasonMeaning } from '../../console/src/pages/batch/reasons.ts'
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
