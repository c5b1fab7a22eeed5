/** Retries: when they come, what ends them, and what is left to see of an event that was given up. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../../helpers/harness.ts'
import { post } from '../../../helpers/post.ts'
import { withReceiver, type Reaction } from '../../../helpers/peers/receiver.ts'

const minuteMs = 60_000
const settings = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' }

async function subscribed(harness: Harness, url: string): Promise<{ key: string; webhookId: string }> {
  const { key } = await harness.issue()
  const { body } = await post(harness, '/api/v1/webhooks', { url }, { key })
  return { key, webhookId: body.webhook_id }
}

for (const engine of engines) {
  test(`${engine}: a failing event is tried 0, 1, 6, 21 and 51 minutes after it was written, then dropped for good`, async () => {
    await withReceiver(
      async (receiver) => {
        await withHarness({ engine, settings }, async (harness) => {
          const { clock, deliver, get, log } = harness
          const { key, webhookId } = await subscribed(harness, receiver.url)
          const deliveriesUrl = `/api/v1/webhooks/${webhookId}/deliveries`
          await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
          await deliver()
          const startedMs = clock.nowMs()
          const seenAt: number[] = [0]
          for (let second = 1; second <= 60 * 60; second += 1) {
            clock.advance(1_000)
            const before = receiver.requests.length
            // A look just before and just after each minute is enough, and an hour of them takes no time.
            if (second % 60 <= 1 || second % 60 === 59) await deliver()
            if (receiver.requests.length > before) seenAt.push((clock.nowMs() - startedMs) / minuteMs)
          }
          assert.deepEqual(seenAt, [0, 1, 6, 21, 51])
          const attempts = receiver.requests.map((one) => [one.json.attempt, one.headers['x-svc-attempt']])
          assert.deepEqual(
            attempts,
            [1, 2, 3, 4, 5].map((number) => [number, String(number)]),
          )
          assert.equal(new Set(receiver.requests.map((one) => one.json.event_id)).size, 1)

          clock.advance(86_400_000)
          await deliver()
          assert.equal(receiver.requests.length, 5, 'it is not replayed')
          const { body: kept } = await get(key, deliveriesUrl)
          assert.equal(kept.length, 1)
          assert.equal(kept[0].status, 'dropped')
          assert.equal(kept[0].next_attempt, null)
          assert.deepEqual(
            kept[0].attempts.map((one: { attempt: number; status_code: number }) => [
              one.attempt,
              one.status_code,
            ]),
            [1, 2, 3, 4, 5].map((number) => [number, 500]),
          )
          assert.deepEqual((await get(key, `${deliveriesUrl}?status=dropped`)).body, kept)
          const { text } = await get(null, '/metrics')
          assert.match(text, /^fairway_webhook_events_dropped_total 1$/m)
          assert.match(text, /^fairway_webhook_attempts_total\{outcome="refused"\} 5$/m)
          const lines = log
            .filter((line) => line.includes('webhooks: event failed'))
            .map((line) => JSON.parse(line))
          assert.equal(lines.length, 1)
          assert.equal(lines[0].level, 'warn')
          assert.equal(lines[0].event_id, kept[0].event_id)
          assert.equal(lines[0].status_code, 500)
        })
      },
      () => 500,
    )
  })
}

test('the delay counts from the end of the failed attempt, and a success ends the schedule', async () => {
  const answers: Reaction[] = [503, 404, 302, 204]
  await withReceiver(
    async (receiver) => {
      await withHarness(
        { settings: { ...settings, FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '2,3,5,7' } },
        async (harness) => {
          const { clock, deliver, get } = harness
          const { key, webhookId } = await subscribed(harness, receiver.url)
          await harness.verify(key, { corridor: 'GB-NG' })
          await deliver()
          for (const [place, delayMs] of [2_000, 3_000, 5_000].entries()) {
            clock.advance(delayMs - 1)
            await deliver()
            assert.equal(receiver.requests.length, place + 1, 'not a millisecond early')
            clock.advance(1)
            await deliver()
            assert.equal(receiver.requests.length, place + 2)
          }
          clock.advance(86_400_000)
          await deliver()
          assert.equal(receiver.requests.length, 4)
          const { body } = await get(key, `/api/v1/webhooks/${webhookId}/deliveries`)
          assert.equal(body[0].status, 'delivered')
          assert.deepEqual(
            body[0].attempts.map((one: { status_code: number; outcome: string }) => [
              one.status_code,
              one.outcome,
            ]),
            [
              [503, 'failed'],
              [404, 'failed'],
              [302, 'failed'],
              [204, 'delivered'],
            ],
          )
        },
      )
    },
    () => answers.shift() ?? 500,
  )
})

test('an endpoint that cannot be reached is told why, and nothing of what the other side said', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key, webhookId } = await subscribed(harness, 'http://127.0.0.1:1/')
    await harness.verify(key, { corridor: 'GB-NG' })
    await harness.deliver()
    const { body } = await harness.get(key, `/api/v1/webhooks/${webhookId}/deliveries`)
    assert.equal(body[0].status, 'pending')
    assert.equal(body[0].attempts[0].error, 'connection_failed')
    assert.equal(body[0].attempts[0].status_code, null)
    const due = Date.parse(body[0].next_attempt.due_at) - harness.clock.nowMs()
    assert.deepEqual([body[0].next_attempt.attempt, due], [2, minuteMs])
  })
})

test('a receiver that never answers ends as a timeout, and is tried again', async () => {
  await withReceiver(
    async (receiver) => {
      await withHarness({ settings }, async (harness) => {
        const { key, webhookId } = await subscribed(harness, receiver.url)
        await harness.verify(key, { corridor: 'GB-NG' })
        await harness.deliver()
        const { body } = await harness.get(key, `/api/v1/webhooks/${webhookId}/deliveries`)
        assert.deepEqual([body[0].status, body[0].attempts[0].error], ['pending', 'timeout'])
      })
    },
    () => 'hang',
  )
})

test('a clock that was set back by a day delays nothing by more than the schedule', async () => {
  const answers: Reaction[] = [500]
  await withReceiver(
    async (receiver) => {
      await withHarness({ settings }, async (harness) => {
        const { key } = await subscribed(harness, receiver.url)
        await harness.verify(key, { corridor: 'GB-NG' })
        await harness.deliver()
        harness.clock.setWall(harness.clock.nowMs() - 86_400_000)
        await harness.deliver()
        assert.deepEqual(
          receiver.requests.map((one) => one.json.attempt),
          [1, 2],
        )
      })
    },
    () => answers.shift() ?? 200,
  )
})
