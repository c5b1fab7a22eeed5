/** An endpoint that fails for seven days: it is suspended where everybody sees it, and its events can be sent again. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { ask, degraded, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const hourMs = 3_600_000

/** Lets days pass, with an attempt every half hour. */
async function pass(harness: Harness, days: number): Promise<void> {
  for (let half = 0; half < days * 48; half += 1) {
    harness.clock.advance(hourMs / 2)
    await harness.deliver()
  }
}

const statusesOf = async (harness: Harness, key: string, id: string): Promise<string[]> =>
  (await harness.get(key, `${webhooksUrl}/${id}/deliveries?limit=500`)).body.map(
    ({ status }: { status: string }) => status,
  )

const events = ['payment.decision.created', 'webhook.endpoint.suspended']

async function gauge({ get }: Harness): Promise<string | undefined> {
  const { text } = await get(null, '/metrics')
  return /^fairway_webhook_endpoints_suspended(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]
}

/** Registers an endpoint whose 120 events are waiting when it is suspended, after seven days. */
async function suspend(harness: Harness, key: string, url: string): Promise<string> {
  const { webhook_id: id } = await register(harness, key, url)
  for (let made = 0; made < 120; made += 1) await degraded(harness, key)
  await harness.deliver()
  await pass(harness, 6.5)
  assert.equal((await harness.get(key, `${webhooksUrl}/${id}`)).body.status, 'active')
  await pass(harness, 0.5)
  await harness.deliver()
  return id
}

for (const engine of engines) {
  test(`an endpoint that fails for seven days is suspended, and its owner and the operator see it (${engine})`, async () => {
    await withReceiver(
      (dead) =>
        withReceiver((sound) =>
          withHarness({ engine, settings: trial }, async (harness) => {
            const { key } = await harness.issue()
            const stranger = await harness.issue()
            const startedAt = new Date(harness.clock.nowMs()).toISOString()
            await register(harness, key, `${sound.url}/named`, { events: events.slice(1) })
            await register(harness, key, `${sound.url}/default`)
            await register(harness, stranger.key, `${sound.url}/stranger`, { events })
            assert.equal(await gauge(harness), '0')
            const id = await suspend(harness, key, dead.url)
            harness.clock.advance(1_000)
            const shown = (await harness.get(key, `${webhooksUrl}/${id}`)).body
            assert.deepEqual(
              [shown.status, shown.failing_since, shown.health.state],
              ['suspended', startedAt, 'failing'],
            )
            assert.equal(Date.parse(shown.suspended_at) - Date.parse(startedAt), 7 * 24 * hourMs)
            assert.equal(await gauge(harness), '1')
            const told = sound.requests.filter(({ json }) => json.event === 'webhook.endpoint.suspended')
            const data = { webhook_id: id, failing_since: startedAt, suspended_at: shown.suspended_at }
            assert.deepEqual(
              told.map(({ path, json }) => [path, json.data]),
              [['/hook/named', data]],
            )
            const { events: streamed } = (await harness.get(key, '/api/v1/events?limit=500')).body
            assert.equal(streamed.length, 120, 'the stream has the decisions alone')
          }),
        ),
      () => 500,
    )
  })

  test(`of a suspended endpoint nothing is sent, and everything can be sent again, what came meanwhile too (${engine})`, async () => {
    let isDown = true
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const since = new Date(harness.clock.nowMs()).toISOString()
          const id = await suspend(harness, key, receiver.url)
          isDown = false
          const tried = receiver.requests.length
          await degraded(harness, key)
          await pass(harness, 1)
          assert.equal(receiver.requests.length, tried, 'nothing is sent, also of what is new')
          const listed = await harness.get(key, `${webhooksUrl}/${id}/deliveries?status=suspended&limit=500`)
          assert.equal(listed.body.length, 121)
          assert.equal(listed.body[0].next_attempt, null)

          const resent = await post(harness, `${webhooksUrl}/${id}/resend`, { since }, { key })
          assert.deepEqual([resent.status, resent.body], [200, { queued: 121 }], resent.text)
          await harness.deliver()
          await harness.deliver()
          assert.deepEqual(new Set(await statusesOf(harness, key, id)), new Set(['delivered']))
          const accepted = receiver.requests.slice(tried).map(({ json }) => String(json.event_id))
          assert.equal(accepted.length, 121)
          const suspendedIds = listed.body.map((one: { event_id: string }) => one.event_id)
          assert.deepEqual(new Set(accepted), new Set(suspendedIds))
          const { body: shown } = await harness.get(key, `${webhooksUrl}/${id}`)
          assert.deepEqual([shown.status, shown.suspended_at, shown.failing_since], ['active', null, null])
          assert.equal(await gauge(harness), '0')
        }),
      () => (isDown ? 500 : 200),
    )
  })

  test(`a test event ends a suspension, and what was suspended is sent by request alone (${engine})`, async () => {
    let isDown = true
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const id = await suspend(harness, key, receiver.url)
          isDown = false
          const tried = receiver.requests.length
          assert.equal((await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`)).status, 200)
          await harness.deliver()
          await pass(harness, 1)
          assert.deepEqual(
            receiver.requests.slice(tried).map(({ json }) => json.event),
            ['webhook.test'],
          )
          assert.equal((await harness.get(key, `${webhooksUrl}/${id}`)).body.status, 'active')
          assert.equal((await statusesOf(harness, key, id)).filter((one) => one === 'suspended').length, 120)
          await degraded(harness, key)
          await harness.deliver()
          assert.equal(receiver.requests.length, tried + 2, 'what is new is sent again')
        }),
      () => (isDown ? 500 : 200),
    )
  })
}

test('an endpoint that is delivered to once in seven days is not suspended', async () => {
  let isDown = true
  await withReceiver(
    (receiver) =>
      withHarness({ settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { webhook_id: id } = await register(harness, key, receiver.url)
        for (let made = 0; made < 120; made += 1) await degraded(harness, key)
        await harness.deliver()
        await pass(harness, 6)
        isDown = false
        await pass(harness, 1)
        isDown = true
        for (let made = 0; made < 120; made += 1) await degraded(harness, key)
        await pass(harness, 6)
        assert.equal((await harness.get(key, `${webhooksUrl}/${id}`)).body.status, 'active')
      }),
    () => (isDown ? 500 : 200),
  )
})
