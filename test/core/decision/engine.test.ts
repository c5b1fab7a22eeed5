/** The engine's version: every published form comes from one constant. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiVersion, decisionModel, engineVersion } from '../../../src/core/decision/engine.ts'

test('the published forms of the version agree', () => {
  assert.deepEqual([engineVersion, apiVersion, decisionModel], ['1.3.0', '1.3', 'v1.3'])
})
