/** Access requests in the hands of an admin: approved once, rejected once, each an act of that person. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { received } from '../../helpers/access.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { person, read, write } from '../../helpers/people.ts'

const url = '/api/v1/admin/access-requests'

async function ask(harness: Harness, email: string) {
  harness.clock.advance(1)
  const { id, key: sandboxKey } = await received(harness, { email })
  return { id, sandboxKey }
}

for (const engine of engines) {
  test(`${engine}: requests are listed newest first with the captcha's result, and found by name, address and status`, async () => {
    await withHarness({ engine }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const [one, other] = [await ask(harness, 'one@example.com'), await ask(harness, 'other@example.com')]
      const ids = async (query: string): Promise<string[]> =>
        (await read(harness, admin, `${url}?${query}`)).body.access_requests.map(
          (request: { access_request_id: string }) => request.access_request_id,
        )
      assert.deepEqual(await ids(''), [other.id, one.id])
      assert.deepEqual(await ids('q=ONE@'), [one.id])
      assert.deepEqual(await ids(`q=${other.id}`), [other.id])
      assert.deepEqual(await ids('status=approved'), [])
      const page = await read(harness, admin, `${url}?limit=1`)
      assert.equal(page.body.access_requests[0].captcha, 'not_checked')
      assert.deepEqual(await ids(`limit=1&cursor=${page.body.next_cursor}`), [one.id])
    })
  })

  test(`${engine}: an approval gives a live key of a new owner, a principal of its own; a decision is final`, async () => {
    await withHarness({ engine }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const { id } = await ask(harness, 'one@example.com')
      const approved = await write(harness, admin, `${url}/${id}/approve`, {
        note: 'Contract 7.',
        scopes: ['decision:read'],
      })
      assert.equal(approved.status, 200, approved.text)
      assert.deepEqual([approved.body.type, approved.body.scopes], ['live', ['decision:read']])
      const live = await harness.store.keys.find(approved.body.key_id)
      assert.equal(live?.principalId, live?.keyId)
      assert.equal((await harness.get(approved.body.key, '/api/v1/me')).status, 200)
      for (const act of ['approve', 'reject']) {
        const again = await write(harness, admin, `${url}/${id}/${act}`, {})
        assert.deepEqual([again.status, again.body.code], [409, 'ADMIN_CONFLICT'])
      }
      const [shown] = (await read(harness, admin, url)).body.access_requests
      assert.deepEqual(
        [shown.status, shown.decided_by, shown.note, shown.live_key_id],
        ['approved', admin.personId, 'Contract 7.', approved.body.key_id],
      )
      assert.ok(!JSON.stringify(shown).includes(approved.body.key))
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: an approval that replaces a key keeps its owner and its principal, and ends it after the overlap`, async () => {
    await withHarness({ engine }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const { key: old, record } = await harness.issue({ scopes: ['audit:read'] })
      const { id } = await ask(harness, 'one@example.com')
      const body = { replaces: record.keyId, overlap_s: 0 }
      const approved = await write(harness, admin, `${url}/${id}/approve`, body)
      assert.equal(approved.body.owner_id, record.ownerId, approved.text)
      const live = await harness.store.keys.find(approved.body.key_id)
      assert.equal(live?.principalId, record.principalId)
      harness.clock.advance(1_000)
      assert.equal((await harness.get(old, '/api/v1/me')).status, 401)
      const { id: further } = await ask(harness, 'two@example.com')
      const path = `${url}/${further}/approve`
      assert.equal((await write(harness, admin, path, { overlap_s: 5 })).status, 400)
      const unknown = await write(harness, admin, path, { replaces: 'key_0000000000000000' })
      assert.deepEqual([unknown.status, unknown.body.errors[0].path], [400, '/replaces'])
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: a rejection ends the sandbox key where the admin says so, and is that admin's act`, async () => {
    await withHarness({ engine }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const [kept, ended] = [await ask(harness, 'one@example.com'), await ask(harness, 'two@example.com')]
      await write(harness, admin, `${url}/${kept.id}/reject`, {})
      const body = { revoke_sandbox: true, note: 'No.' }
      const { body: shown } = await write(harness, admin, `${url}/${ended.id}/reject`, body)
      assert.deepEqual([shown.status, shown.decided_by], ['rejected', admin.personId])
      harness.clock.advance(1_000)
      assert.equal((await harness.get(kept.sandboxKey, '/api/v1/me')).status, 200)
      assert.equal((await harness.get(ended.sandboxKey, '/api/v1/me')).status, 401)
      const acts = await rowsOf(harness.databaseUrl, "SELECT made_by FROM acts WHERE kind = 'access.decided'")
      assert.deepEqual(
        acts.map(({ made_by: by }) => by),
        [admin.personId, admin.personId],
      )
      assert.equal((await write(harness, admin, `${url}/acr_unknown/reject`, {})).status, 404)
    })
  })
}
