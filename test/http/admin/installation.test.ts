/** The policies of the installation in the hands of two admins: by the routes of policies, and by four eyes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withHarness } from '../../helpers/harness.ts'
import { person, read, write, type SignedInPerson } from '../../helpers/people.ts'
import { policiesUrl, reviewAll } from '../../helpers/policies.ts'

const forInstallation = ({ headers }: Pick<SignedInPerson, 'headers'>) => ({
  headers: { ...headers, 'x-fairway-owner': 'installation' },
})

const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }

for (const engine of engines) {
  test(`${engine}: one admin writes a policy of the installation, another promotes it, and it holds for every owner`, async () => {
    await withHarness({ engine }, async (harness) => {
      const [author, other] = [await person(harness, 'admin', null), await person(harness, 'admin', null)]
      const { key } = await harness.issue()
      assert.equal((await harness.verify(key, payment)).body.decision, 'GO')
      const by = forInstallation(author)
      const created = await write(harness, by, policiesUrl, reviewAll)
      assert.equal(created.status, 200, created.text)
      const path = `${policiesUrl}/${created.body.policy_id}`
      harness.clock.advance(1)
      const alone = await write(harness, by, `${path}/promote`, { reason: 'Agreed.' })
      assert.deepEqual([alone.status, alone.body.code], [403, 'FOUR_EYES'])
      const promoted = await write(harness, forInstallation(other), `${path}/promote`, { reason: 'Agreed.' })
      assert.equal(promoted.status, 200, promoted.text)
      harness.clock.advance(1_000)
      const { body } = await harness.verify(key, payment)
      assert.equal(body.decision, 'DEGRADED')
      assert.deepEqual(body.policy_version, { owner: null, installation: created.body.policy_id })
      assert.equal((await read(harness, by, policiesUrl)).body.active, created.body.policy_id)
      assert.equal((await harness.get(key, path)).status, 404)
      const rolled = await write(harness, forInstallation(other), `${policiesUrl}/rollback`, {
        reason: 'Too strict.',
      })
      assert.equal(rolled.body.active, null, rolled.text)
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })
}

test('only the policies are of the installation, only for its admins, and only from a page of this site', async () => {
  await withHarness({}, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const admin = forInstallation(await person(harness, 'admin', null))
    for (const url of ['/api/verifications', '/api/v1/webhooks', '/api/v1/calibration', '/api/v1/reviews'])
      assert.equal((await read(harness, admin, url)).status, 403, url)
    const { body } = await read(harness, admin, '/api/v1/me')
    assert.deepEqual(body.scopes, ['policy:read', 'policy:write', 'policy:approve'])
    assert.equal((await read(harness, admin, '/api/v1/admin/keys')).status, 200)
    for (const role of ['admin', 'approver', 'policy_author'] as const) {
      const ofOwner = forInstallation(await person(harness, role, ownerId))
      assert.equal((await read(harness, ofOwner, policiesUrl)).status, 403, role)
    }
    const { origin: _none, ...foreign } = admin.headers
    assert.equal((await write(harness, { headers: foreign }, policiesUrl, reviewAll)).status, 403)
    const { key } = await harness.issue()
    const byKey = { headers: { authorization: `Bearer ${key}`, 'x-fairway-owner': 'installation' } }
    const own = await write(harness, byKey, policiesUrl, reviewAll)
    assert.equal(own.status, 200)
    assert.equal((await read(harness, admin, `${policiesUrl}/${own.body.policy_id}`)).status, 404)
  })
})
