/** Acts of admins that are made twice at once, or change nothing: an act is in the log exactly when it had an effect. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { person, read, write } from '../../helpers/people.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { degraded, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const admin = '/api/v1/admin'

async function countOf({ databaseUrl }: Harness, kind: string): Promise<number> {
  const rows = await rowsOf(databaseUrl, `SELECT act_id FROM acts WHERE kind = '${kind}'`)
  return rows.length
}

for (const engine of engines) {
  test(`${engine}: a key that is replaced at once has one successor, however many ask at the same time`, async () => {
    await withHarness({ engine }, async (harness) => {
      const boss = await person(harness, 'admin', null)
      const { record } = await harness.issue({ scopes: ['decision:read'] })
      const path = `${admin}/keys/${record.keyId}/rotate`
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => write(harness, boss, path, { overlap_s: 0 })),
      )
      assert.equal(answers.filter(({ status }) => status === 409).length, 3)
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      const { keys } = (await read(harness, boss, `${admin}/keys?q=${record.ownerId}`)).body
      assert.equal(keys.length, 2)
      assert.equal(await countOf(harness, 'key.rotated'), 1)
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: sessions are ended by an act once, and where there are none there is no act`, async () => {
    await withHarness({ engine }, async (harness) => {
      const boss = await person(harness, 'admin', null)
      const { record } = await harness.issue({ scopes: ['decision:read'] })
      const { personId } = await person(harness, 'viewer', record.ownerId)
      const path = `${admin}/people/${personId}/end-sessions`
      assert.equal((await write(harness, boss, path, {})).body.ended, 1)
      assert.equal((await write(harness, boss, path, {})).body.ended, 0)
      assert.equal(await countOf(harness, 'person.sessions_ended'), 1)
    })
  })

  test(`${engine}: an event that is about to be sent is not sent again by asking twice, and the log has one act`, async (t) => {
    const asked = Promise.withResolvers<void>()
    // The second attempt lasts until everybody has asked for it.
    const receiver = await openTestReceiver(async () => {
      if (receiver.requests.length > 1) await asked.promise
      return 200
    })
    t.after(() => receiver.close())
    await withHarness({ engine, settings: trial }, async (harness) => {
      const boss = await person(harness, 'admin', null)
      const { key, record } = await harness.issue()
      const { webhook_id: id } = await register(harness, key, receiver.url)
      await degraded(harness, key)
      await harness.deliver()
      const byAdmin = { headers: { ...boss.headers, 'x-fairway-owner': record.ownerId } }
      const deliveries = `${webhooksUrl}/${id}/deliveries`
      const [{ event_id: eventId }] = (await read(harness, byAdmin, deliveries)).body
      const path = `${deliveries}/${eventId}/resend`
      const answers = await Promise.all([1, 2, 3].map(() => write(harness, byAdmin, path, {})))
      for (const { status, body } of answers) assert.deepEqual([status, body.status], [200, 'pending'])
      asked.resolve()
      await harness.deliver()
      assert.equal(receiver.requests.length, 2)
      assert.equal(await countOf(harness, 'webhook.event_resent'), 1)
    })
  })
}
