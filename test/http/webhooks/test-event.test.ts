/** POST /api/v1/webhooks/{webhook_id}/test: one event to one endpoint, because somebody asked for it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { ask, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

for (const engine of engines) {
  test(`a test event arrives at its endpoint alone, whatever that subscribes to (${engine})`, async () => {
    await withReceiver((receiver) =>
      withReceiver((bystander) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const only = { events: ['payment.override.created'] }
          const { webhook_id: id } = await register(harness, key, receiver.url, only)
          await register(harness, key, bystander.url)
          const answer = await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)
          assert.equal(answer.status, 200, answer.text)
          const { event_id: eventId, ...rest } = answer.body
          assert.match(eventId, /^evt_[0-9a-hjkmnp-tv-z]{26}$/)
          const createdAt = '2026-03-01T12:00:00.000Z'
          const told = { event: 'webhook.test', created_at: createdAt }
          assert.deepEqual(rest, { webhook_id: id, status: 'pending', ...told })
          await harness.deliver()
          assert.equal(bystander.requests.length, 0)
          assert.equal(receiver.requests.length, 1)
          const { data, ...envelope } = receiver.requests[0]?.json ?? {}
          assert.deepEqual(envelope, { event_id: eventId, attempt: 1, ...told })
          assert.deepEqual(Object.keys(data), ['webhook_id', 'message'])
          assert.equal(data.webhook_id, id)
          assert.equal(typeof data.message, 'string')
          const deliveries = await harness.get(key, `${webhooksUrl}/${id}/deliveries`)
          assert.equal(deliveries.body[0].status, 'delivered')
          assert.equal(deliveries.body[0].request_id, null)
        }),
      ),
    )
  })
}

test('a test event is retried as any other, and each one has an id of its own', async () => {
  await withReceiver(
    (receiver) =>
      withHarness({ settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id } = await register(harness, key, receiver.url)
        const send = () => ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)
        const made = [await send(), await send()].map(({ body }) => String(body.event_id))
        await harness.deliver()
        harness.clock.advance(60_000)
        await harness.deliver()
        const got = receiver.requests.map(({ json }) => `${json.event_id} ${json.attempt}`)
        assert.deepEqual(
          got.toSorted(),
          made.flatMap((eventId) => [`${eventId} 1`, `${eventId} 2`]),
        )
      }),
    ({ json }) => (json.attempt === 1 ? 503 : 200),
  )
})

test('a library of Standard Webhooks accepts what arrives, and nothing that was altered on the way', async () => {
  await withReceiver((receiver) =>
    withHarness({ settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const { webhook_id: id, secret } = await register(harness, key, receiver.url)
      // The library holds the time against the system's own.
      harness.clock.setWall(Date.now())
      await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)
      await harness.deliver()
      const { body, headers, json } = receiver.requests[0] ?? assert.fail('nothing arrived')
      const given = headers as Record<string, string>
      const library = new Webhook(secret)
      assert.deepEqual(library.verify(body.toString(), given), json)
      assert.throws(() => library.verify(body.toString().replace('test', 'Test'), given))
      assert.throws(() => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(body.toString(), given))
    }),
  )
})
