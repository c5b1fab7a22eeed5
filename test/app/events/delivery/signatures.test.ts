/** Signatures, verified with the library that receivers use, and not with our own code. */

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { withHarness, type Harness } from '../../../helpers/harness.ts'
import { post } from '../../../helpers/post.ts'
import { withReceiver, type Reaction, type Received } from '../../../helpers/peers/receiver.ts'

const settings = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' }
const dayMs = 24 * 60 * 60 * 1000

/** The library reads the machine's clock: ours starts there. */
function standardHolds(secret: string, { headers, body }: Received): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

/** The contract's own header, as its text says. */
function contractHolds(secret: string, { headers, body }: Received): boolean {
  return headers['x-svc-signature'] === createHmac('sha256', secret).update(body).digest('hex')
}

async function subscribed(harness: Harness, url: string) {
  harness.clock.setWall(Date.now())
  const { key } = await harness.issue()
  const { body } = await post(harness, '/api/v1/webhooks', { url }, { key })
  return { key, webhookId: body.webhook_id as string, secret: body.secret as string }
}

test('both signatures hold for every kind of event, and for no other secret or body', async () => {
  await withReceiver(async (receiver) => {
    await withHarness({ settings }, async (harness) => {
      const { key, webhookId, secret } = await subscribed(harness, receiver.url)
      const { body } = await harness.verify(key, {
        corridor: 'GB-NG',
        amount: 1.08,
        correlation_id: 'naïve ☕',
      })
      const override = {
        request_id: body.request_id,
        action: 'HOLD',
        reason_code: 'A_B',
        justification: 'é\n☕',
      }
      await post(harness, '/api/v1/override', override, { key })
      await post(harness, `/api/v1/webhooks/${webhookId}/test`, '', { key })
      await harness.deliver()
      const kinds = new Set(receiver.requests.map((one) => one.json.event))
      assert.deepEqual(
        kinds,
        new Set(['payment.decision.created', 'payment.override.created', 'webhook.test']),
      )
      for (const received of receiver.requests) {
        assert.ok(standardHolds(secret, received), received.json.event)
        assert.ok(contractHolds(secret, received), received.json.event)
        assert.equal(received.headers['webhook-id'], received.json.event_id)
        const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
        assert.ok(!standardHolds(other, received) && !contractHolds(other, received))
        const changed = {
          ...received,
          body: Buffer.from(received.body.toString().replace('attempt', 'Attempt')),
        }
        assert.ok(!standardHolds(secret, changed) && !contractHolds(secret, changed))
      }
    })
  })
})

test('both are computed anew at every attempt: its number and its time are signed', async () => {
  const answers: Reaction[] = [500, 500, 200]
  await withReceiver(
    async (receiver) => {
      await withHarness({ settings }, async (harness) => {
        const { key, secret } = await subscribed(harness, receiver.url)
        await harness.verify(key, { corridor: 'GB-NG' })
        for (const delayMs of [0, 60_000, 300_000]) {
          harness.clock.advance(delayMs)
          await harness.deliver()
        }
        assert.deepEqual(
          receiver.requests.map((one) => one.json.attempt),
          [1, 2, 3],
        )
        const times = receiver.requests.map((one) => Number(one.headers['webhook-timestamp']))
        assert.deepEqual([times[1], times[2]], [Number(times[0]) + 60, Number(times[0]) + 360])
        // The library takes no times further off than five minutes; the third is six ahead, and the hand checks it.
        assert.deepEqual(
          receiver.requests.map((one) => standardHolds(secret, one)),
          [true, true, false],
        )
        for (const received of receiver.requests) assert.ok(contractHolds(secret, received))
        for (const name of ['x-svc-signature', 'webhook-signature']) {
          assert.equal(new Set(receiver.requests.map((one) => one.headers[name])).size, 3, name)
        }
      })
    },
    () => answers.shift() ?? 200,
  )
})

test('for 24 hours after a rotation the standard header has both signatures, ours that of the new secret', async () => {
  await withReceiver(async (receiver) => {
    await withHarness({ settings }, async (harness) => {
      const { key, webhookId, secret: first } = await subscribed(harness, receiver.url)
      const rotate = async (): Promise<string> => {
        const { body } = await post(harness, `/api/v1/webhooks/${webhookId}/rotate-secret`, '', { key })
        return body.secret
      }
      const sent = async (): Promise<Received> => {
        await harness.verify(key, { corridor: 'GB-NG' })
        await harness.deliver()
        return receiver.requests.at(-1) ?? assert.fail('nothing arrived')
      }
      const second = await rotate()
      const startedMs = harness.clock.nowMs()
      const atOnce = await sent()
      assert.deepEqual(
        [first, second].map((one) => standardHolds(one, atOnce)),
        [true, true],
      )
      assert.deepEqual(
        [first, second].map((one) => contractHolds(one, atOnce)),
        [false, true],
      )

      // The clock goes back for the library's sake: what counts is the age of the secret.
      const third = await rotate()
      const twice = await sent()
      assert.deepEqual(
        [first, second, third].map((one) => standardHolds(one, twice)),
        [true, true, true],
      )
      assert.ok(contractHolds(third, twice))

      harness.clock.setWall(startedMs + dayMs - 1)
      assert.equal((await sent()).headers['webhook-signature']?.toString().split(' ').length, 3)
      harness.clock.setWall(startedMs + dayMs)
      const after = await sent()
      assert.equal(after.headers['webhook-signature']?.toString().split(' ').length, 1)
      assert.ok(contractHolds(third, after))
    })
  })
})
