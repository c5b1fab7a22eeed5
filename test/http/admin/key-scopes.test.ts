/** A key from a session does nothing that its person may not do: every role with every scope, however the key is had. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askFor } from '../../helpers/access.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { person, unlimited, write, type SignedInPerson } from '../../helpers/people.ts'
import { scopes, type Scope } from '../../../src/core/identity/api-key.ts'
import { allowsRole, roles, type Role } from '../../../src/core/identity/roles.ts'

const keysUrl = '/api/v1/admin/keys'
const requestsUrl = '/api/v1/admin/access-requests'

const scopesOf = async ({ get }: Harness, key: string): Promise<Scope[]> =>
  (await get(key, '/api/v1/me')).body.scopes

/** By a key of somebody else, whoever has these would be two in four eyes. */
const ofTwo = new Set<Scope>(['policy:write', 'policy:approve', 'review:write', 'review:approve'])

interface Case {
  readonly answer: Answer
  readonly held: readonly Role[]
  readonly granted: readonly Scope[]
  readonly command: RegExp
  /** Whether the key acts as the admin. */
  readonly isOwn: boolean
}

const isSeen = (scope: Scope, held: readonly Role[], isOwn: boolean): boolean =>
  allowsRole(held, scope) && (isOwn || !ofTwo.has(scope))

/** No key beyond the roles, or of a second principal; the refusal names the scopes, and the way out. */
async function check(harness: Harness, { answer, held, granted, command, isOwn }: Case): Promise<void> {
  const lacking = granted.filter((scope) => !isSeen(scope, held, isOwn))
  if (lacking.length === 0) {
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await scopesOf(harness, answer.body.key), granted)
    return
  }
  assert.deepEqual([answer.status, answer.body.code, answer.body.key], [403, 'FORBIDDEN', undefined])
  for (const scope of lacking) assert.ok(answer.body.message.includes(scope), answer.text)
  assert.match(answer.body.message, command)
}

let requests = 0

/** Each from an address of its own: one address has few sandbox keys. */
async function request(harness: Harness): Promise<string> {
  requests += 1
  const from = { remoteAddress: `10.0.${Math.floor(requests / 250)}.${requests % 250}` }
  const { status, body, text } = await askFor(harness, { email: `p${requests}@example.com` }, from)
  assert.equal(status, 200, text)
  return body.access_request_id
}

test('the successor of a key that may do nothing may do nothing', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const admin = await person(harness, ['admin'], null)
    const { record } = await harness.issue({ scopes: ['override:create'], actsAs: 'prs_0000000000000000' })
    const { status, body } = await write(harness, admin, `${requestsUrl}/${await request(harness)}/approve`, {
      replaces: record.keyId,
    })
    assert.equal(status, 200)
    assert.deepEqual(await scopesOf(harness, body.key), [])
  })
})

test('the successor of a key that may do more gets what its admin may see', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const admin = await person(harness, ['admin'], null)
    const { record } = await harness.issue({ scopes: ['audit:read', 'override:create', 'decision:read'] })
    const { status, body } = await write(harness, admin, `${requestsUrl}/${await request(harness)}/approve`, {
      replaces: record.keyId,
    })
    assert.equal(status, 200)
    assert.deepEqual(await scopesOf(harness, body.key), ['decision:read', 'audit:read'])
  })
})

for (const engine of engines) {
  for (const role of roles) {
    const held: readonly Role[] = role === 'admin' ? ['admin'] : ['admin', role]
    test(`${engine}: ${held.join(' and ')}: a key that is issued, rotated or approved has no scope that the roles lack`, async () => {
      await withHarness({ engine, settings: unlimited }, async (harness) => {
        const admin: SignedInPerson = await person(harness, held, null)
        for (const scope of scopes) {
          const granted = [scope]
          const body = { type: 'test', owner: 'Payouts', scopes: granted }
          const issued = await write(harness, admin, keysUrl, body)
          await check(harness, { answer: issued, held, granted, command: /fairway keys issue/, isOwn: true })
          const { record } = await harness.issue({ scopes: granted })
          const rotated = await write(harness, admin, `${keysUrl}/${record.keyId}/rotate`, {})
          await check(harness, {
            answer: rotated,
            held,
            granted,
            command: /fairway keys rotate key_/,
            isOwn: false,
          })
          const approve = `${requestsUrl}/${await request(harness)}/approve`
          const approved = await write(harness, admin, approve, { scopes: granted })
          await check(harness, {
            answer: approved,
            held,
            granted,
            command: /fairway access approve acr_/,
            isOwn: false,
          })
          const { record: old } = await harness.issue({ scopes: granted })
          const successor = await write(harness, admin, `${requestsUrl}/${await request(harness)}/approve`, {
            replaces: old.keyId,
          })
          await check(harness, {
            answer: successor,
            held,
            granted,
            command: /fairway access approve acr_/,
            isOwn: false,
          })
        }
      })
    })

    test(`${engine}: ${held.join(' and ')}: without scopes a key has those of the roles, and a key with all is not rotated`, async () => {
      await withHarness({ engine, settings: unlimited }, async (harness) => {
        const admin = await person(harness, held, null)
        const granted = scopes.filter((scope) => allowsRole(held, scope))
        const ofOthers = scopes.filter((scope) => isSeen(scope, held, false))
        for (const more of [{}, { scopes: [] }, { scopes: null }]) {
          const issued = await write(harness, admin, keysUrl, { type: 'live', owner: 'Payouts', ...more })
          await check(harness, { answer: issued, held, granted, command: /./, isOwn: true })
          const again = await write(harness, admin, `${keysUrl}/${issued.body.key_id}/rotate`, {})
          await check(harness, { answer: again, held, granted, command: /./, isOwn: true })
          const approve = `${requestsUrl}/${await request(harness)}/approve`
          const approved = await write(harness, admin, approve, more)
          await check(harness, { answer: approved, held, granted: ofOthers, command: /./, isOwn: false })
        }
        const { key, record } = await harness.issue()
        const refused = await write(harness, admin, `${keysUrl}/${record.keyId}/rotate`, { overlap_s: 0 })
        assert.equal(refused.status, 403)
        assert.equal(
          (await harness.get(key, '/api/v1/me')).status,
          200,
          'the key that was not rotated works on',
        )
      })
    })
  }
}
