/** Endpoints of all owners: how they are doing, what was sent and answered, and sending it again. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { person, read, write } from '../../helpers/people.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { another, ask, degraded, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const url = '/api/v1/admin/webhooks'

for (const engine of engines) {
  test(`${engine}: an endpoint is failing after three failed attempts in a row, and healthy after one that is answered`, async () => {
    let status = 500
    const receiver = await openTestReceiver(() => ({ status, body: `answer ${status}` }))
    await withHarness({ engine, settings: trial }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const { key, record } = await harness.issue({ ownerLabel: 'Payouts' })
      const { webhook_id: id } = await register(harness, key, receiver.url)
      const idle = await register(harness, key, another(receiver.url), { events: ['payment.review.closed'] })
      const stateOf = async (): Promise<unknown> => {
        const { body } = await harness.get(key, `${webhooksUrl}/${id}`)
        return body.health.state
      }
      const statesAfter = async (count: number): Promise<unknown> => {
        for (let made = 0; made < count; made += 1) await degraded(harness, key)
        await harness.deliver()
        return stateOf()
      }
      assert.equal(await stateOf(), 'idle')
      assert.equal(await statesAfter(2), 'healthy')
      assert.equal(await statesAfter(1), 'failing')
      const failing = (await read(harness, admin, `${url}?state=failing`)).body.webhooks
      assert.deepEqual(
        failing.map((one: { webhook_id: string; owner: string; owner_id: string }) => [
          one.webhook_id,
          one.owner,
          one.owner_id,
        ]),
        [[id, 'Payouts', record.ownerId]],
      )
      assert.equal(failing[0].health.success_rate, 0)
      assert.equal(failing[0].health.failures_in_a_row, 3)
      status = 204
      harness.clock.advance(1)
      assert.equal(await statesAfter(1), 'healthy')
      const all = (await read(harness, admin, url)).body.webhooks
      assert.deepEqual(
        new Set(all.map((one: { webhook_id: string }) => one.webhook_id)),
        new Set([id, idle.webhook_id]),
      )
      assert.ok(!JSON.stringify(all).includes('whsec_'))
      const found = await read(harness, admin, `${url}?q=${idle.webhook_id}`)
      assert.equal(found.body.webhooks[0].health.state, 'idle')
    })
    await receiver.close()
  })

  test(`${engine}: a delivery shows the body that was sent and the receiver's answer, and is sent again with the same id`, async () => {
    let status = 500
    const receiver = await openTestReceiver(() => ({ status, body: `<b>${status}</b> ${'x'.repeat(2_000)}` }))
    await withHarness({ engine, settings: trial }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const { key, record } = await harness.issue()
      const { webhook_id: id } = await register(harness, key, receiver.url)
      await degraded(harness, key)
      await harness.deliver()
      const byAdmin = { headers: { ...admin.headers, 'x-fairway-owner': record.ownerId } }
      const deliveries = `${webhooksUrl}/${id}/deliveries`
      const [{ event_id: eventId }] = (await read(harness, byAdmin, deliveries)).body
      const shown = (): Promise<Answer> => read(harness, byAdmin, `${deliveries}/${eventId}`)
      const first = (await shown()).body
      assert.equal(first.attempts[0].answer.length, 1_000)
      assert.match(first.attempts[0].answer, /^<b>500<\/b> x+$/)
      assert.deepEqual(JSON.parse(first.body).data, receiver.requests[0]?.json.data)
      status = 200
      const resent = await write(harness, byAdmin, `${deliveries}/${eventId}/resend`, {})
      assert.deepEqual([resent.status, resent.body.status], [200, 'pending'])
      await harness.deliver()
      const second = (await shown()).body
      assert.deepEqual([second.status, second.attempts.length], ['delivered', 2])
      // Also an event that has arrived, by the owner's key, which leaves no act.
      assert.equal((await ask(harness, key, 'POST', `${deliveries}/${eventId}/resend`)).status, 200)
      await harness.deliver()
      assert.equal((await shown()).body.attempts.length, 3)
      status = 500
      assert.equal((await ask(harness, key, 'POST', `${deliveries}/${eventId}/resend`)).status, 200)
      await harness.deliver()
      const last = (await shown()).body
      assert.deepEqual([last.status, last.next_attempt, last.attempts.length], ['delivered', null, 4])
      const ids = receiver.requests.map(({ json }) => json.event_id)
      assert.deepEqual(ids, [eventId, eventId, eventId, eventId])
      const acts = await rowsOf(
        harness.databaseUrl,
        "SELECT kind, subject, made_by FROM acts WHERE kind LIKE 'webhook.%'",
      )
      assert.deepEqual(
        acts.map(({ kind, subject, made_by: by }) => [kind, subject, by]),
        [['webhook.event_resent', id, admin.personId]],
      )
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
    await receiver.close()
  })

  test(`${engine}: what a person does to an endpoint is an act; what a key does to its own is none`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const admin = await person(harness, 'admin', null)
      const { key, record } = await harness.issue()
      const byAdmin = { headers: { ...admin.headers, 'x-fairway-owner': record.ownerId } }
      const own = await register(harness, key, 'http://127.0.0.1:9/own')
      await ask(harness, key, 'POST', `${webhooksUrl}/${own.webhook_id}/test`)
      await ask(harness, key, 'DELETE', `${webhooksUrl}/${own.webhook_id}`)
      const body = { url: 'http://127.0.0.1:9/theirs' }
      const { webhook_id: id } = (await write(harness, byAdmin, webhooksUrl, body)).body
      harness.clock.advance(1)
      await write(harness, byAdmin, `${webhooksUrl}/${id}/rotate-secret`, {})
      harness.clock.advance(1)
      await write(harness, byAdmin, `${webhooksUrl}/${id}/test`, {})
      harness.clock.advance(1)
      const path = `${webhooksUrl}/${id}`
      await harness.send({ method: 'DELETE', url: path, headers: byAdmin.headers })
      const acts = await rowsOf(
        harness.databaseUrl,
        "SELECT kind, subject, made_by FROM acts WHERE kind LIKE 'webhook.%' ORDER BY act_id",
      )
      assert.deepEqual(
        acts.map(({ kind, subject, made_by: by }) => [kind, subject, by]),
        ['webhook.registered', 'webhook.secret_rotated', 'webhook.tested', 'webhook.removed'].map((kind) => [
          kind,
          id,
          admin.personId,
        ]),
      )
    })
  })
}

test('a delivery of another owner, or an event that there is not, is unknown, and nothing is sent', async () => {
  await withHarness({ settings: trial }, async (harness) => {
    const receiver = await openTestReceiver()
    const [one, other] = [await harness.issue(), await harness.issue()]
    const { webhook_id: id } = await register(harness, one.key, receiver.url)
    await degraded(harness, one.key)
    await harness.deliver()
    const [{ event_id: eventId }] = (await harness.get(one.key, `${webhooksUrl}/${id}/deliveries`)).body
    const path = `${webhooksUrl}/${id}/deliveries/${eventId}`
    const unknown = `${webhooksUrl}/${id}/deliveries/evt_00000000000000000000000000`
    for (const [key, target] of [
      [other.key, path],
      [one.key, unknown],
      [one.key, `${webhooksUrl}/${id}/deliveries/x`],
    ] as const) {
      assert.equal((await harness.get(key, target)).status, 404)
      assert.equal((await ask(harness, key, 'POST', `${target}/resend`)).status, 404)
    }
    await harness.deliver()
    assert.equal(receiver.requests.length, 1)
    await receiver.close()
  })
})

test('an event is sent at most fifty times', async () => {
  const receiver = await openTestReceiver()
  await withHarness({ settings: trial }, async (harness) => {
    const { key } = await harness.issue()
    const { webhook_id: id } = await register(harness, key, receiver.url)
    await degraded(harness, key)
    await harness.deliver()
    const [{ event_id: eventId }] = (await harness.get(key, `${webhooksUrl}/${id}/deliveries`)).body
    const statuses: number[] = []
    for (let asked = 0; asked < 50; asked += 1) {
      statuses.push(
        (await ask(harness, key, 'POST', `${webhooksUrl}/${id}/deliveries/${eventId}/resend`)).status,
      )
      await harness.deliver()
    }
    assert.deepEqual(statuses, [...Array.from({ length: 49 }, () => 200), 422])
    assert.equal(receiver.requests.length, 50)
  })
  await receiver.close()
})
