/** A file that somebody forged and hashed anew: the proof, and the record itself, give it away. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { degraded, override } from '../../helpers/webhooks.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'

type Bundle = Answer['body']

/** The export of a decision with a correlation id and an override, sealed. */
async function sealedBundle(): Promise<Bundle> {
  let bundle: Bundle = null
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const id = await degraded(harness, key, { correlation_id: 'order 7' })
    await override(harness, key, id)
    bundle = (await harness.get(key, `/api/v1/audit/export/${id}`)).body
  })
  return bundle
}

/** The findings in a changed copy whose hashes were computed anew, besides that somebody else signed it. */
function findingsIn(bundle: Bundle, change: (copy: Bundle) => void): string[] {
  const copy = structuredClone(bundle)
  change(copy)
  const { integrity: _old, proof, ...evidence } = copy
  const text = JSON.stringify({ ...evidence, proof, integrity: forgedIntegrity(evidence) })
  const found = verifyBundle(text).findings.map(({ path }) => path)
  return found.filter((path) => path !== '/integrity/signature')
}

test('no other text can stand in the place of one that is said to be erased', async () => {
  const bundle = await sealedBundle()
  assert.deepEqual(
    findingsIn(bundle, () => undefined),
    [],
  )
  for (const text of ['forged', '(erased)', '']) {
    const found = findingsIn(bundle, ({ record }) => {
      record.personal_text.salt = null
      record.correlation_id = text
    })
    assert.deepEqual(found, ['/record', '/proof/record/leaf'], text)
  }
  const found = findingsIn(bundle, ({ human_override: overridden }) => {
    overridden.personal_text.salt = null
    overridden.justification = 'forged'
  })
  assert.deepEqual(found, ['/human_override', '/proof/override/leaf'])
})

test('a form that is taken away or lowered is found', async () => {
  const bundle = await sealedBundle()
  for (const form of [undefined, 1, 7]) {
    const found = findingsIn(bundle, ({ record }) => {
      record.form = form
    })
    assert.ok(found.includes('/proof/record/leaf'), String(form))
  }
})

test('an outcome without an id is found: outcomes of such a record are in the log', async () => {
  const bundle = await sealedBundle()
  const found = findingsIn(bundle, (copy) => {
    const { request_id: id, key_id: key } = copy.record
    copy.outcome = {
      request_id: id,
      outcome: 'COMPLETED',
      occurred_at: null,
      reported_at: copy.exported_at,
      reported_by: { kind: 'key', id: String(key), name: 'test' },
      key_id: key,
      person_id: null,
      principal_id: null,
      outcome_id: null,
    }
  })
  assert.deepEqual(found, ['/outcome/outcome_id'])
})
