/** Four eyes for policies, across people and keys: whoever wrote one never puts it in force. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { anotherSession, person, read, setRoles, write } from '../../helpers/people.ts'
import { policiesUrl, stopAll } from '../../helpers/policies.ts'
import { post } from '../../helpers/post.ts'

type Headed = Parameters<typeof write>[1]

async function create(harness: Harness, by: Headed): Promise<string> {
  // Acts of one moment have no order.
  harness.clock.advance(1)
  const { status, body, text } = await write(harness, by, policiesUrl, stopAll)
  assert.equal(status, 200, text)
  return String(body.policy_id)
}

function promote(harness: Harness, by: Headed, policyId: string): Promise<Answer> {
  harness.clock.advance(1)
  return write(harness, by, `${policiesUrl}/${policyId}/promote`, { reason: 'Agreed.' })
}

const refused = ({ status, body }: Answer): void => assert.deepEqual([status, body.code], [403, 'FOUR_EYES'])

for (const engine of engines) {
  test(`${engine}: an author promotes no own policy, by no session and after no change of roles; another person does`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ownerId } = (await harness.issue()).record
      const author = await person(harness, ['policy_author', 'approver'], ownerId)
      const policyId = await create(harness, author)
      refused(await promote(harness, author, policyId))
      refused(await promote(harness, await anotherSession(harness, author.personId), policyId))
      await setRoles(harness, author.personId, ['approver'])
      refused(await promote(harness, author, policyId))
      refused(await promote(harness, await anotherSession(harness, author.personId), policyId))
      assert.equal((await read(harness, author, policiesUrl)).body.active, null)
      const approver = await person(harness, 'approver', ownerId)
      assert.equal((await promote(harness, approver, policyId)).status, 200)
      const { body } = await read(harness, author, `${policiesUrl}/${policyId}`)
      const nameOf = ({ personId, name }: typeof author) => ({ kind: 'person', id: personId, name })
      assert.deepEqual([body.status, body.created_by], ['active', nameOf(author)])
      assert.deepEqual(body.changes[0].by, nameOf(approver))
    })
  })

  test(`${engine}: a key promotes what a person of its owner wrote, and a person what a key wrote`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      const { ownerId } = record
      const both = await person(harness, ['policy_author', 'approver'], ownerId)
      const byPerson = await create(harness, both)
      const byKey = { headers: { authorization: `Bearer ${key}` } }
      assert.equal((await promote(harness, byKey, byPerson)).status, 200)
      const written = await create(harness, byKey)
      refused(await promote(harness, byKey, written))
      assert.equal((await promote(harness, both, written)).status, 200)
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
      const acts = await rowsOf(
        harness.databaseUrl,
        "SELECT kind, made_by, detail FROM acts WHERE kind LIKE 'policy.%' ORDER BY act_id",
      )
      const details = acts.map(({ kind, made_by: by, detail }) => {
        const { principal_id: principal, session_id: session } = JSON.parse(String(detail))
        return [kind, by, principal, session]
      })
      const [ofPerson, ofKey] = [
        [both.personId, both.personId, both.sessionId],
        [record.keyId, record.keyId, undefined],
      ]
      assert.deepEqual(details, [
        ['policy.created', ...ofPerson],
        ['policy.promoted', ...ofKey],
        ['policy.created', ...ofKey],
        ['policy.promoted', ...ofPerson],
      ])
    })
  })
}

test('a person of another owner finds no policy to promote, and a policy author alone may not', async () => {
  await withHarness({}, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { ownerId: otherId } = (await harness.issue()).record
    const author = await person(harness, 'policy_author', ownerId)
    const policyId = await create(harness, author)
    const stranger = await person(harness, 'approver', otherId)
    assert.equal((await promote(harness, stranger, policyId)).status, 404)
    const second = await person(harness, 'policy_author', ownerId)
    const { status, body } = await promote(harness, second, policyId)
    assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
  })
})

test('an admin of the installation promotes nothing alone: the role does not approve, and two roles stay one principal', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    const { ownerId } = record
    const { body } = await post(harness, policiesUrl, stopAll, { key })
    const plain = await person(harness, 'admin', null)
    const forOwner = ({ headers }: Headed): Headed => ({
      headers: { ...headers, 'x-fairway-owner': ownerId },
    })
    assert.equal((await promote(harness, forOwner(plain), body.policy_id)).body.code, 'FORBIDDEN')
    const all = await person(harness, ['policy_author', 'approver', 'admin'], null)
    const own = await create(harness, forOwner(all))
    refused(await promote(harness, forOwner(all), own))
    assert.equal((await promote(harness, forOwner(all), body.policy_id)).status, 200)
  })
})
