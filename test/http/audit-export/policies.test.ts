/** A decision under a policy that was promoted over HTTP: explained and exported with it, and verified without the service. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

const document = {
  name: 'Hard stops',
  go_floor: 0.85,
  rules: [{ id: 'large', when: 'amount > 500.0', then: 'NO-GO', message: 'Large payments wait.' }],
}

const post = (harness: Harness, key: string, url: string, payload: object) =>
  harness.send({ method: 'POST', url, headers: { authorization: `Bearer ${key}` }, payload })

/** Writes a policy and promotes it, with four eyes. Returns its id and both keys. */
async function promoted(harness: Harness): Promise<{ id: string; key: string; second: string }> {
  const { key, record } = await harness.issue({
    scopes: ['decision:read', 'audit:read', 'policy:write', 'policy:read'],
  })
  const { key: second } = await harness.issue({ scopes: ['policy:approve'], ownerId: record.ownerId })
  const { body: created } = await post(harness, key, '/api/v1/policies', document)
  const id = String(created.policy_id)
  const url = `/api/v1/policies/${id}/promote`
  const { status, text } = await post(harness, second, url, { reason: 'agreed' })
  assert.equal(status, 200, text)
  harness.clock.advance(1_000)
  return { id, key, second }
}

for (const engine of engines) {
  test(`a decision under a policy is exported with it, after the policy was rolled back, too (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { id, key, second } = await promoted(harness)
      const { body: decided } = await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })
      assert.deepEqual(
        [decided.decision, decided.policy_version],
        ['NO-GO', { owner: id, installation: null }],
      )
      const url = `/api/v1/audit/export/${decided.request_id}`
      const { body } = await harness.get(key, url)
      assert.deepEqual(body.policies, [{ policy_id: id, document }])
      const [fired] = body.explanation.policies.owner.rules_fired
      assert.deepEqual([fired.rule_id, fired.when], ['large', 'amount > 500.0'])
      const { text: csv } = await harness.get(key, `${url}?format=csv`)
      for (const text of [JSON.stringify(body), csv]) {
        const { findings, notices, notRecomputed } = verifyBundle(text)
        assert.deepEqual([findings, notices, notRecomputed], [[], [], null])
      }
      const undone = await post(harness, second, '/api/v1/policies/rollback', { reason: 'too strict' })
      assert.equal(undone.status, 200, undone.text)
      harness.clock.advance(1_000)
      const { body: later } = await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })
      assert.deepEqual([later.decision, later.policy_version], ['GO', null])
      const { body: again } = await harness.get(key, url)
      assert.equal(again.integrity.bundle_hash, body.integrity.bundle_hash)
    })
  })
}
