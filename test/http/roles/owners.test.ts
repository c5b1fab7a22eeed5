/** People belong to owners: their own data alone, unless they serve the whole installation and name an owner. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { person, read, setRoles, write } from '../../helpers/people.ts'
import { stopAll } from '../../helpers/policies.ts'
import { anonymous, degraded, goodOverride, override } from '../../helpers/webhooks.ts'

const unknownId = 'req_00000000000000000000000000'

/** Every read of one decision. */
const readsOf = (id: string): readonly string[] => [
  `/api/v1/audit/${id}`,
  `/api/v1/audit/export/${id}`,
  `/api/v1/audit/${id}/proof`,
  `/api/v1/decision/${id}/explanation`,
  `/api/v1/decision/${id}/impact`,
  `/api/v1/decision/${id}/timeline`,
  `/api/v1/signals/${id}`,
]

interface Scene {
  readonly ownerId: string
  readonly key: string
  /** A decision of this owner. */
  readonly requestId: string
}

async function ownerOn(harness: Harness): Promise<Scene> {
  const { key, record } = await harness.issue()
  return { ownerId: record.ownerId, key, requestId: await degraded(harness, key) }
}

for (const engine of engines) {
  test(`${engine}: a person reads the decisions of the owner, and another owner's answer as unknown ones do`, async () => {
    await withHarness({ engine }, async (harness) => {
      const [own, other] = [await ownerOn(harness), await ownerOn(harness)]
      const approver = await person(harness, 'approver', own.ownerId)
      await harness.seal()
      for (const [place, url] of readsOf(own.requestId).entries()) {
        assert.equal((await read(harness, approver, url)).status, 200, url)
        const theirs = await read(harness, approver, readsOf(other.requestId)[place] ?? '')
        const unknown = await read(harness, approver, readsOf(unknownId)[place] ?? '')
        assert.equal(theirs.status, 404, url)
        assert.equal(anonymous(theirs), anonymous(unknown))
      }
      const history = await read(harness, approver, '/api/verifications')
      assert.deepEqual(
        history.body.map((item: { request_id: string }) => item.request_id),
        [own.requestId],
      )
      const proposing = (id: string) =>
        write(harness, approver, `/api/v1/reviews/rev_${id.slice(-26).toLowerCase()}/propose`, goodOverride)
      const reporting = (id: string) =>
        write(harness, approver, `/api/v1/decision/${id}/outcome`, { outcome: 'COMPLETED' })
      for (const change of [proposing, reporting]) {
        assert.equal(anonymous(await change(other.requestId)), anonymous(await change(unknownId)))
        assert.equal((await change(other.requestId)).status, 404)
        assert.equal((await change(own.requestId)).status, 200)
      }
      const { body } = await harness.get(other.key, `/api/v1/audit/${other.requestId}`)
      assert.deepEqual([body.human_override, body.outcome], [null, null])
    })
  })

  test(`${engine}: an admin of the installation sees each owner's data by naming it, and none otherwise`, async () => {
    await withHarness({ engine }, async (harness) => {
      const [one, other] = [await ownerOn(harness), await ownerOn(harness)]
      const admin = await person(harness, 'admin', null)
      const forOwner = (ownerId: string) => ({ headers: { ...admin.headers, 'x-fairway-owner': ownerId } })
      for (const { ownerId, requestId } of [one, other]) {
        const { status, body } = await read(harness, forOwner(ownerId), '/api/verifications')
        assert.equal(status, 200)
        assert.deepEqual(
          body.map((item: { request_id: string }) => item.request_id),
          [requestId],
        )
      }
      const url = `/api/v1/audit/${one.requestId}`
      assert.equal((await read(harness, forOwner(one.ownerId), url)).status, 200)
      assert.equal((await read(harness, forOwner(other.ownerId), url)).status, 404)
      for (const headers of [
        admin,
        forOwner(''),
        forOwner('own_0000000000000000'),
        forOwner('*'),
        forOwner('null'),
      ]) {
        const { status, body } = await read(harness, headers, url)
        assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
        assert.match(body.message, /X-Fairway-Owner.*GET \/api\/v1\/owners/)
      }
      const decided = await write(harness, forOwner(other.ownerId), '/api/v1/verify', { corridor: 'GB-NG' })
      const { request_id: made } = decided.body
      assert.equal((await harness.get(other.key, `/api/v1/audit/${made}`)).status, 200)
      assert.equal((await harness.get(one.key, `/api/v1/audit/${made}`)).status, 404)
    })
  })
}

test('a person who names another owner is refused, whatever the role, and one who names the own is not', async () => {
  await withHarness({}, async (harness) => {
    const [own, other] = [await ownerOn(harness), await ownerOn(harness)]
    for (const role of ['viewer', 'approver', 'admin'] as const) {
      const someone = await person(harness, role, own.ownerId)
      const naming = (ownerId: string) => ({ headers: { ...someone.headers, 'x-fairway-owner': ownerId } })
      for (const ownerId of [other.ownerId, 'own_0000000000000000', own.ownerId.toUpperCase()]) {
        for (const url of ['/api/verifications', `/api/v1/audit/${other.requestId}`, '/api/v1/me']) {
          const { status, body } = await read(harness, naming(ownerId), url)
          assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
          assert.match(body.message, /^You belong to another owner\./)
        }
      }
      assert.equal((await read(harness, naming(own.ownerId), '/api/verifications')).status, 200)
    }
  })
})

test('a key is of its owner, whatever owner a header names', async () => {
  await withHarness({}, async (harness) => {
    const [own, other] = [await ownerOn(harness), await ownerOn(harness)]
    const headers = { authorization: `Bearer ${own.key}`, 'x-fairway-owner': other.ownerId }
    const { body } = await read(harness, { headers }, '/api/verifications')
    assert.deepEqual(
      body.map((item: { request_id: string }) => item.request_id),
      [own.requestId],
    )
    assert.equal((await read(harness, { headers }, `/api/v1/audit/${other.requestId}`)).status, 404)
  })
})

test('a change of roles counts for the next request of a session that is open', async () => {
  await withHarness({}, async (harness) => {
    const { ownerId, key, requestId } = await ownerOn(harness)
    const viewer = await person(harness, 'viewer', ownerId)
    const url = `/api/v1/reviews/rev_${requestId.slice(-26).toLowerCase()}/propose`
    assert.equal((await write(harness, viewer, url, goodOverride)).status, 403)
    await setRoles(harness, viewer.personId, ['approver'])
    assert.equal((await write(harness, viewer, url, goodOverride)).status, 200)
    await setRoles(harness, viewer.personId, ['viewer'])
    assert.equal((await write(harness, viewer, '/api/v1/policies', stopAll)).status, 403)
    assert.equal((await override(harness, key, requestId)).status, 200, 'a key overrides directly')
  })
})
