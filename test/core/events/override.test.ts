/** Which decisions a person may override, and in what words. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayBeOverridden, overrideReasonPattern } from '../../../src/core/events/override.ts'

test('DEGRADED and NO-GO may be overridden, GO needs it not', () => {
  assert.deepEqual((['GO', 'DEGRADED', 'NO-GO'] as const).map(mayBeOverridden), [false, true, true])
})

test('a reason code is upper snake case', () => {
  const pattern = new RegExp(overrideReasonPattern)
  for (const code of ['COMPLIANCE_APPROVED', 'A', 'A1', 'A_1', 'PAYEE_2_CONFIRMED'])
    assert.match(code, pattern)
  for (const code of ['', 'a', '_A', 'A_', 'A__B', 'A B', 'A-B', '1A', 'Á', 'A\n', 'COMPLIANCE_approved']) {
    assert.doesNotMatch(code, pattern, JSON.stringify(code))
  }
})
