/** POST /api/v1/webhooks/{webhook_id}/resend: what was dropped in a time is sent again, by request. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { anonymous, degraded, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const delaysMs = [60_000, 300_000, 900_000, 1_800_000]

/** An event that has failed all its attempts. */
async function drop(harness: Harness, key: string): Promise<string> {
  const requestId = await degraded(harness, key)
  await harness.deliver()
  for (const delayMs of delaysMs) {
    harness.clock.advance(delayMs)
    await harness.deliver()
  }
  return requestId
}

const timeOf = ({ clock }: Harness): string => new Date(clock.nowMs()).toISOString()

for (const engine of engines) {
  test(`what was dropped in the time is sent again with the same event_id, once, and nothing else (${engine})`, async () => {
    let isDown = true
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const { webhook_id: id } = await register(harness, key, receiver.url)
          const resend = async (body: object): Promise<unknown> => {
            const answer = await post(harness, `${webhooksUrl}/${id}/resend`, body, { key })
            assert.equal(answer.status, 200, answer.text)
            return answer.body
          }
          const times: string[] = []
          const ids: string[] = []
          for (let event = 0; event < 4; event += 1) {
            times.push(timeOf(harness))
            ids.push(await drop(harness, key))
            harness.clock.advance(1_000)
          }
          const [, second = '', third = ''] = times
          const failed = receiver.requests.length
          assert.equal(failed, 20)
          isDown = false
          // The second was dropped just before the third was created.
          assert.deepEqual(await resend({ since: third, until: times[3] }), { queued: 1 })
          await harness.deliver()
          const [again] = receiver.requests.slice(failed)
          assert.deepEqual([again?.json.data.request_id, again?.json.attempt], [ids[2], 6])
          const before = receiver.requests.find(({ json }) => json.data.request_id === ids[2])
          assert.equal(again?.json.event_id, before?.json.event_id)
          assert.equal(again?.headers['x-svc-attempt'], '6')

          assert.deepEqual(await resend({ since: second }), { queued: 2 }, 'without what has arrived')
          await harness.deliver()
          assert.deepEqual(
            receiver.requests.slice(failed + 1).map(({ json }) => json.data.request_id),
            [ids[1], ids[3]],
          )
          assert.deepEqual(await resend({ since: second }), { queued: 0 })
          await harness.deliver()
          assert.equal(receiver.requests.length, failed + 3)
        }),
      () => (isDown ? 500 : 200),
    )
  })

  test(`an event counts in the time of its creation and in that of its last attempt (${engine})`, async () => {
    await withReceiver(
      (receiver) =>
        withHarness({ engine, settings: trial }, async (harness) => {
          const { key } = await harness.issue()
          const { webhook_id: id } = await register(harness, key, receiver.url)
          const createdAtMs = harness.clock.nowMs()
          await drop(harness, key)
          const droppedAtMs = harness.clock.nowMs()
          const range = async (since: number, until: number): Promise<number> => {
            const body = { since: new Date(since).toISOString(), until: new Date(until).toISOString() }
            const { body: answer } = await post(harness, `${webhooksUrl}/${id}/resend`, body, { key })
            if (answer.queued > 0) await harness.deliver()
            return answer.queued
          }
          assert.equal(await range(createdAtMs - 60_000, createdAtMs), 0, 'it was created later')
          assert.equal(await range(droppedAtMs + 1, droppedAtMs + 60_000), 0, 'it was dropped before')
          assert.equal(await range(createdAtMs, createdAtMs + 1), 1)
          assert.equal(await range(harness.clock.nowMs(), harness.clock.nowMs() + 1), 1)
        }),
      () => 500,
    )
  })
}

test("404 for another's, a removed, an unknown and a malformed id, and nothing is sent", async () => {
  await withReceiver(
    (receiver) =>
      withHarness({ settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const stranger = await harness.issue()
        const { webhook_id: id } = await register(harness, key, receiver.url)
        const since = timeOf(harness)
        await drop(harness, key)
        const sent = receiver.requests.length
        const asked = [
          [stranger.key, id],
          [key, `whk_${'0'.repeat(16)}`],
          [key, 'whk_1'],
        ] as const
        const answers = await Promise.all(
          asked.map(([by, of]) => post(harness, `${webhooksUrl}/${of}/resend`, { since }, { key: by })),
        )
        assert.deepEqual(
          answers.map(({ status }) => status),
          [404, 404, 404],
        )
        assert.equal(new Set(answers.map(anonymous)).size, 1)
        await harness.deliver()
        assert.equal(receiver.requests.length, sent)
      }),
    () => 500,
  )
})

test('400: times that are missing, no times, or in the wrong order, with their paths', async () => {
  await withHarness({ settings: trial }, async (harness) => {
    const { key } = await harness.issue()
    const url = `${webhooksUrl}/whk_${'0'.repeat(16)}/resend`
    const since = '2026-03-01T12:00:00Z'
    const table: readonly (readonly [object, string])[] = [
      [{}, '/since'],
      [{ since: 'yesterday' }, '/since'],
      [{ since: 5 }, '/since'],
      [{ since, until: '12:00' }, '/until'],
      [{ since, until: since }, '/until'],
      [{ since, until: '2026-03-01T11:59:59Z' }, '/until'],
    ]
    for (const [body, path] of table) {
      const answer = await post(harness, url, body, { key })
      assert.deepEqual([answer.status, answer.body.errors[0].path], [400, path], JSON.stringify(body))
    }
  })
})
