/** GET /api/v1/me and /auth/session: who calls, with which key or session, and what the caller may do. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { invite, peopleOn, person, read, setRoles } from '../../helpers/people.ts'

const url = '/api/v1/me'
const reads = ['decision:read', 'audit:read', 'policy:read', 'review:read']

for (const engine of engines) {
  test(`${engine}: a key is shown with its owner and the scopes that it has`, async () => {
    await withHarness({ engine }, async (harness) => {
      const shown = async (options: Parameters<typeof harness.issue>[0]) => {
        const { key, record } = await harness.issue(options)
        const { body } = await harness.get(key, url)
        assert.deepEqual(
          [body.kind, body.id, body.owner_id, body.roles, body.email, body.session],
          ['key', record.keyId, record.ownerId, [], undefined, undefined],
        )
        return body
      }
      const full = await shown({ ownerLabel: 'Payments team' })
      assert.deepEqual([full.name, full.owner_name, full.mode], ['Payments team', 'Payments team', 'shadow'])
      assert.equal(full.scopes.length, 11)
      assert.deepEqual((await shown({ scopes: ['audit:read', 'policy:read'] })).scopes, [
        'audit:read',
        'policy:read',
      ])
      const sandbox = await shown({ prefix: 'svc-sandbox-' })
      assert.deepEqual([sandbox.scopes.length, sandbox.scopes.includes('policy:approve')], [9, false])
      assert.equal((await shown({ prefix: 'svc-live-' })).mode, 'live')
    })
  })

  test(`${engine}: a person is shown with owner, roles, scopes and session, the same by both routes`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue({ ownerLabel: 'Payments team' })).record
      const reviewer = await person(harness, ['viewer', 'reviewer'], ownerId)
      const { body } = await read(harness, reviewer, url)
      assert.deepEqual(body, {
        kind: 'person',
        id: reviewer.personId,
        name: reviewer.name,
        owner_id: ownerId,
        owner_name: 'Payments team',
        roles: ['viewer', 'reviewer'],
        scopes: [
          'decision:read',
          'audit:read',
          'outcome:write',
          'policy:read',
          'review:read',
          'review:write',
        ],
        mode: 'shadow',
        email: reviewer.email,
        session: {
          session_id: reviewer.sessionId,
          method: 'password',
          expires_at: new Date(harness.clock.nowMs() + 43_200_000).toISOString(),
        },
      })
      assert.deepEqual((await read(harness, reviewer, '/auth/session')).body.signed_in, body)
      await setRoles(harness, reviewer.personId, ['policy_author'])
      assert.deepEqual((await read(harness, reviewer, url)).body.roles, ['policy_author'])
    })
  })
}

test('an admin of the installation has no owner of their own, whatever owner is named', async () => {
  await withHarness({}, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const admin = await person(harness, 'admin', null)
    for (const more of [{}, { 'x-fairway-owner': ownerId }]) {
      const { status, body } = await read(harness, { headers: { ...admin.headers, ...more } }, url)
      assert.deepEqual([status, body.owner_id, body.owner_name, body.roles], [200, null, null, ['admin']])
      assert.deepEqual(body.scopes.toSorted(), [...reads, 'webhook:manage'].toSorted())
    }
  })
})

test('visitors learn which ways there are to sign in, and nothing else', async () => {
  await withHarness({}, async (harness) => {
    const session = async () => (await harness.get(null, '/auth/session')).body
    assert.deepEqual(await session(), { signed_in: null, ways: { provider: null, password: false } })
    const { ownerId } = (await harness.issue()).record
    const { person: invited } = await invite(harness, { ownerId })
    assert.deepEqual(await session(), { signed_in: null, ways: { provider: null, password: true } })
    await peopleOn(harness).remove(invited.personId)
    assert.deepEqual((await session()).ways, { provider: null, password: false })
    assert.equal((await harness.get(null, url)).status, 401)
  })
})
