/** Keys in the hands of an admin of the installation: issued once, rotated, revoked, found; and whose eyes they are. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { person, read, write } from '../../helpers/people.ts'
import { policiesUrl, stopAll } from '../../helpers/policies.ts'
import { degraded, override } from '../../helpers/webhooks.ts'
import { dayMs } from '../../../src/core/time/durations.ts'

const url = '/api/v1/admin/keys'
const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }
const idsOf = (keys: readonly { key_id: string }[]): string[] => keys.map(({ key_id: id }) => id)

for (const engine of engines) {
  test(`${engine}: an issued key works with its scopes and its limit, and is in one answer alone`, async () => {
    await withHarness({ engine }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const body = { type: 'test', owner: 'Payouts', scopes: ['decision:read'], limit_verify: '2/60' }
      const issued = await write(harness, admin, url, body)
      assert.equal(issued.status, 200, issued.text)
      const { key, key_id: keyId, owner_id: ownerId } = issued.body
      assert.equal((await harness.verify(key, payment)).status, 200)
      assert.equal((await harness.get(key, '/api/v1/webhooks')).status, 403)
      await harness.verify(key, payment)
      assert.equal((await harness.verify(key, payment)).status, 429)
      const listed = await read(harness, admin, url)
      assert.ok(!listed.text.includes(key))
      const [shown] = listed.body.keys
      assert.deepEqual(
        [shown.key_id, shown.owner, shown.scopes, shown.limit_verify, shown.status, shown.principal_id],
        [keyId, 'Payouts', ['decision:read'], '2/60', 'active', admin.personId],
      )
      const further = await write(harness, admin, url, { type: 'live', owner_id: ownerId })
      assert.deepEqual([further.body.owner, further.body.owner_id], ['Payouts', ownerId])
      const rows = await rowsOf(harness.databaseUrl, 'SELECT detail FROM acts')
      assert.ok(!JSON.stringify(rows).includes(key))
    })
  })

  test(`${engine}: a rotated key works beside the old one until the overlap ends, and a revoked one never again`, async () => {
    await withHarness({ engine }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const { key: old, record } = await harness.issue({ scopes: ['decision:read'] })
      const rotated = await write(harness, admin, `${url}/${record.keyId}/rotate`, { overlap_s: 60 })
      assert.equal(rotated.status, 200, rotated.text)
      assert.equal(rotated.body.replaced_key_id, record.keyId)
      assert.equal((await harness.verify(old, payment)).status, 200)
      assert.equal((await harness.verify(rotated.body.key, payment)).status, 200)
      harness.clock.advance(61_000)
      assert.equal((await harness.verify(old, payment)).status, 401)
      const again = await write(harness, admin, `${url}/${record.keyId}/rotate`, {})
      assert.deepEqual([again.status, again.body.code], [409, 'ADMIN_CONFLICT'])
      const path = `${url}/${rotated.body.key_id}/revoke`
      const revoked = await write(harness, admin, path, {})
      assert.equal(revoked.status, 200)
      harness.clock.advance(1_000)
      assert.equal((await harness.verify(rotated.body.key, payment)).status, 401)
      assert.deepEqual((await write(harness, admin, path, {})).body, revoked.body)
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
      const acts = await rowsOf(
        harness.databaseUrl,
        "SELECT kind, made_by FROM acts WHERE kind LIKE 'key.%' ORDER BY act_id",
      )
      assert.deepEqual(
        acts.slice(-2).map(({ kind, made_by: by }) => [kind, by]),
        [
          ['key.rotated', admin.personId],
          ['key.revoked', admin.personId],
        ],
      )
    })
  })

  test(`${engine}: keys are found by owner, id, type, status and approaching end, page by page`, async () => {
    await withHarness({ engine }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const made: { keyId: string; ownerId: string }[] = []
      for (const prefix of ['pk_test_', 'pk_live_', 'svc-sandbox-'] as const) {
        harness.clock.advance(1_000)
        made.push((await harness.issue({ prefix, ownerLabel: `100%_${prefix}` })).record)
      }
      const [first, live, sandbox] = made
      assert.ok(first && live && sandbox)
      const found = async (query: string): Promise<string[]> => {
        const { status, body, text } = await read(harness, admin, `${url}?${query}`)
        assert.equal(status, 200, text)
        return idsOf(body.keys)
      }
      const all = [sandbox.keyId, live.keyId, first.keyId]
      assert.deepEqual(await found(''), all)
      assert.deepEqual(await found('q=PK_LIVE'), [live.keyId])
      assert.deepEqual(await found(`q=${encodeURIComponent('100%_')}`), all)
      assert.deepEqual(await found('q=1000'), [])
      assert.deepEqual(await found(`q=${first.keyId}`), [first.keyId])
      assert.deepEqual(await found(`q=${sandbox.ownerId}`), [sandbox.keyId])
      assert.deepEqual(await found(`q=${first.keyId}&type=test`), [first.keyId])
      assert.deepEqual(await found('type=live'), [live.keyId])
      assert.deepEqual(await found('expires_soon=true'), [])
      harness.clock.advance(80 * dayMs)
      const later = await person(harness, 'admin', null)
      const then = async (query: string) => idsOf((await read(harness, later, `${url}?${query}`)).body.keys)
      assert.deepEqual(await then('expires_soon=true'), [live.keyId])
      harness.clock.advance(20 * dayMs)
      const last = await person(harness, 'admin', null)
      const now = async (query: string) => idsOf((await read(harness, last, `${url}?${query}`)).body.keys)
      assert.deepEqual(await now('status=expired'), [live.keyId])
      await write(harness, last, `${url}/${first.keyId}/revoke`, {})
      assert.deepEqual(await now('status=revoked'), [first.keyId])
      assert.deepEqual(await now('status=active'), [sandbox.keyId])
      const walked: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page = await read(harness, last, `${url}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
        assert.equal(page.status, 200, page.text)
        walked.push(...idsOf(page.body.keys))
        cursor = page.body.next_cursor
      }
      assert.deepEqual(walked, all)
    })
  })

  test(`${engine}: a key that an admin issued is no second pair of eyes for that admin, nor is its successor`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const independent = await harness.issue({ ownerId, scopes: ['policy:approve'] })
      const admin = await person(harness, ['admin', 'approver', 'policy_author'], null)
      const issue = async () => (await write(harness, admin, url, { type: 'test', owner_id: ownerId })).body
      const [one, other] = [await issue(), await issue()]
      const successor = (await write(harness, admin, `${url}/${other.key_id}/rotate`, {})).body
      const policy = await harness.send({
        method: 'POST',
        url: policiesUrl,
        headers: { authorization: `Bearer ${one.key}`, 'content-type': 'application/json' },
        payload: JSON.stringify(stopAll),
      })
      assert.equal(policy.status, 200, policy.text)
      const promote = (key: string) =>
        harness.send({
          method: 'POST',
          url: `${policiesUrl}/${policy.body.policy_id}/promote`,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          payload: JSON.stringify({ reason: 'Agreed.' }),
        })
      for (const { key } of [one, other, successor]) assert.equal((await promote(key)).body.code, 'FOUR_EYES')
      const rotated = await write(harness, admin, `${url}/${independent.record.keyId}/rotate`, {})
      assert.deepEqual([rotated.status, rotated.body.key], [403, undefined])
      assert.match(rotated.body.message, /policy:approve/)
      assert.equal((await promote(independent.key)).status, 200)
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run(`UPDATE api_keys SET principal_id = key_id WHERE key_id = '${one.key_id}'`),
      )
      const { findings } = await checkedLog(harness.store)
      assert.match(JSON.stringify(findings), /another principal than the person who issued it/)
    })
  })
}

test('a key that an admin issued overrides through the review alone, as its person does, and is found by that person', async () => {
  await withHarness({}, async (harness) => {
    const { key: own, record } = await harness.issue()
    const admin = await person(harness, 'admin', null)
    const issued = (await write(harness, admin, url, { type: 'test', owner_id: record.ownerId })).body
    const requestId = await degraded(harness, own)
    const refused = await override(harness, issued.key, requestId)
    assert.deepEqual([refused.status, refused.body.code], [403, 'REVIEW_REQUIRED'])
    const { body } = await harness.get(issued.key, '/api/v1/me')
    assert.ok(!body.scopes.includes('override:create'))
    const found = await read(harness, admin, `${url}?q=${admin.personId}`)
    assert.deepEqual(idsOf(found.body.keys), [issued.key_id])
    assert.equal((await override(harness, own, requestId)).status, 200)
  })
})

test('a key is refused with the place of each fault: no owner, an unknown one, a limit or a scope that there is not', async () => {
  await withHarness({}, async (harness) => {
    const admin = await person(harness, 'admin', null)
    const faults = async (body: object): Promise<string[]> => {
      const { status, body: answer } = await write(harness, admin, url, body)
      assert.equal(status, 400)
      return answer.errors.map(({ path }: { path: string }) => path)
    }
    assert.deepEqual(await faults({ type: 'test' }), ['/owner'])
    assert.deepEqual(await faults({ type: 'test', owner: '  ' }), ['/owner'])
    assert.deepEqual(await faults({ type: 'test', owner_id: 'own_0000000000000000' }), ['/owner_id'])
    assert.deepEqual(await faults({ type: 'test', owner: 'a', limit_verify: '0/60' }), ['/limit_verify'])
    assert.deepEqual(await faults({ type: 'sandbox', owner: 'a' }), ['/type'])
    assert.deepEqual(await faults({ type: 'test', owner: 'a', scopes: ['all'] }), ['/scopes/0'])
    assert.equal((await harness.store.keys.list()).length, 0)
    const unknown = await write(harness, admin, `${url}/key_0000000000000000/revoke`, {})
    assert.equal(unknown.status, 404)
    assert.equal((await write(harness, admin, `${url}/%00/rotate`, {})).status, 404)
    assert.equal((await read(harness, admin, `${url}?cursor=AAAA`)).status, 400)
  })
})
