/** People in the hands of an admin: invited, with other roles, signed out, removed and brought back. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { accept, person, read, signIn, write } from '../../helpers/people.ts'

const url = '/api/v1/admin/people'

for (const engine of engines) {
  test(`${engine}: an invited person joins by the link, once, and has the roles and the owner of the invitation`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const admin = await person(harness, 'admin', null)
      const body = { email: 'ada@example.com', roles: ['reviewer'], owner_id: ownerId }
      const invited = await write(harness, admin, url, body)
      assert.equal(invited.status, 200, invited.text)
      const [origin, token = ''] = String(invited.body.link).split('#')
      assert.equal(origin, 'http://localhost/invitation')
      assert.equal((await accept(harness, token)).status, 200)
      assert.equal((await accept(harness, token)).status, 422)
      const listed = (await read(harness, admin, url)).body.people
      const ada = listed.find((one: { email: string }) => one.email === 'ada@example.com')
      assert.deepEqual(
        [ada.status, ada.roles, ada.owner_id, ada.sessions],
        ['local', ['reviewer'], ownerId, 1],
      )
      assert.ok(!JSON.stringify(listed).includes(token))
      const twice = await write(harness, admin, url, body)
      assert.deepEqual([twice.status, twice.body.code], [409, 'ADMIN_CONFLICT'])
    })
  })

  test(`${engine}: roles, sessions, removal, return and a new link take effect at once, each an act of the admin`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const admin = await person(harness, 'admin', null)
      const email = 'ada@example.com'
      const invited = await write(harness, admin, url, { email, roles: ['viewer'], owner_id: ownerId })
      const token = String(invited.body.link).split('#')[1] ?? ''
      await accept(harness, token)
      const ada = await signIn(harness, email)
      const headers = { cookie: String(ada.headers['set-cookie']).split(';')[0] ?? '' }
      const me = () => read(harness, { headers }, '/api/v1/me')
      const path = `${url}/${invited.body.person_id}`
      const changed = await write(harness, admin, `${path}/roles`, { roles: ['approver', 'viewer'] })
      assert.deepEqual([changed.status, changed.body.roles], [200, ['viewer', 'approver']])
      assert.deepEqual((await me()).body.roles, ['viewer', 'approver'])
      assert.deepEqual((await write(harness, admin, `${path}/end-sessions`, {})).body.ended, 2)
      assert.equal((await me()).status, 401)
      assert.equal((await write(harness, admin, `${path}/remove`, {})).body.status, 'removed')
      assert.equal((await signIn(harness, email)).status, 401)
      assert.equal((await write(harness, admin, `${path}/remove`, {})).status, 409)
      assert.equal((await write(harness, admin, `${path}/roles`, { roles: ['viewer'] })).status, 409)
      assert.equal((await write(harness, admin, `${path}/restore`, {})).body.status, 'invited')
      assert.equal((await write(harness, admin, `${path}/restore`, {})).status, 409)
      const reset = await write(harness, admin, `${path}/reset`, {})
      assert.equal((await accept(harness, String(reset.body.link).split('#')[1] ?? '')).status, 200)
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
      const acts = await rowsOf(
        harness.databaseUrl,
        `SELECT kind FROM acts WHERE made_by = '${admin.personId}' AND kind LIKE 'person.%' ORDER BY act_id`,
      )
      assert.deepEqual(acts.map(({ kind }) => String(kind)).toSorted(), [
        'person.changed',
        'person.invited',
        'person.removed',
        'person.reset',
        'person.restored',
        'person.sessions_ended',
      ])
    })
  })
}

test('an admin neither changes the own roles nor removes the own account: nobody locks the installation out alone', async () => {
  await withHarness({}, async (harness) => {
    const admin = await person(harness, 'admin', null)
    for (const [act, body] of [
      ['roles', { roles: ['viewer'] }],
      ['remove', {}],
    ] as const) {
      const refused = await write(harness, admin, `${url}/${admin.personId}/${act}`, body)
      assert.deepEqual([refused.status, refused.body.code], [409, 'ADMIN_CONFLICT'])
    }
    assert.deepEqual((await read(harness, admin, '/api/v1/me')).body.roles, ['admin'])
  })
})

test('an invitation names what is wrong: the address, the role, an owner that is missing or unknown', async () => {
  await withHarness({}, async (harness) => {
    const admin = await person(harness, 'admin', null)
    const path = async (body: object): Promise<string> => {
      const { status, body: answer } = await write(harness, admin, url, body)
      assert.equal(status, 400)
      return answer.errors[0].path
    }
    assert.equal(await path({ email: 'nobody', roles: ['admin'] }), '/email')
    assert.equal(await path({ email: 'a@example.com', roles: [] }), '/roles')
    assert.equal(await path({ email: 'a@example.com', roles: ['king'] }), '/roles/0')
    assert.equal(await path({ email: 'a@example.com', roles: ['viewer'] }), '/owner_id')
    const unknown = { email: 'a@example.com', roles: ['viewer'], owner_id: 'own_0000000000000000' }
    assert.equal(await path(unknown), '/owner_id')
    for (const act of ['reset', 'end-sessions', 'remove', 'restore'])
      assert.equal((await write(harness, admin, `${url}/prs_0000000000000000/${act}`, {})).status, 404)
    const { body } = await read(harness, admin, url)
    assert.equal(body.people.length, 1)
  })
})
