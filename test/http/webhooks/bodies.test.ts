/** What a receiver is sent: the contract's envelope and headers, and the data of each kind of event. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withReceiver, type Received, type TestReceiver } from '../../helpers/peers/receiver.ts'
import { override, register, signs, trial } from '../../helpers/webhooks.ts'

const eventIdOf = (subjectId: string): string => `evt_${subjectId.slice(-26).toLowerCase()}`

/** Verifies, and gives back what the receiver was told of it. */
async function told(
  harness: Harness,
  receiver: TestReceiver,
  key: string,
  asked: object,
): Promise<{ answer: Record<string, unknown>; event: Received }> {
  const { body } = await harness.verify(key, asked)
  await harness.deliver()
  return { answer: body, event: receiver.requests.at(-1) ?? assert.fail('nothing arrived') }
}

/** The data of a decision's event, from the answer and the request. */
function dataOf(answer: Record<string, unknown>, asked: Record<string, unknown>): object {
  return {
    request_id: answer['request_id'],
    decision: answer['decision'],
    score: answer['score'],
    confidence: answer['confidence'],
    corridor: answer['corridor'],
    amount: asked['amount'] ?? null,
    currency: asked['currency'] ?? 'GBP',
    request_currency: answer.request_currency,
    settlement_currency: answer.currency,
    reason_codes: answer['reason_codes'],
    recommended_action: answer['recommended_action'],
    evaluated_at: answer['evaluated_at'],
    mode: 'shadow',
    environment: 'sandbox',
    ...('correlation_id' in asked ? { correlation_id: asked['correlation_id'] } : {}),
    ...sourceOf(answer),
  }
}

/** Only in the event of a repeat. */
function sourceOf(answer: Record<string, unknown>): object {
  const cooldown = answer['cooldown'] as { source_request_id: string } | undefined
  return cooldown === undefined ? {} : { cooldown_source_request_id: cooldown.source_request_id }
}

const requests: readonly Record<string, unknown>[] = [
  { corridor: 'GB-NG' },
  { corridor: 'GB-NG', amount: 0 },
  { corridor: 'united kingdom-nigeria', amount: 1234.5, currency: 'NGN', correlation_id: 'order 7' },
  { corridor: 'GB-NG', amount: 10.05, currency: 'GBP' },
  { corridor: 'US-MX', amount: 1e15 / 4, currency: 'USD', correlation_id: '☕ "<b>\\' },
  { corridor: 'NG-GB', amount: 600_000, currency: 'NGN' },
  { corridor: 'NG-GB', amount: 0.1, correlation_id: 'hit' },
  { corridor: 'XX-YY', amount: 10 },
  { corridor: 'GB-NG', correlation_id: ',"recommended_action":"X","reason_codes":["Y"]' },
]

for (const engine of engines) {
  test(`the event of a decision has the data of its answer, with the request's own amount and currency (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        await register(harness, key, receiver.url)
        for (const asked of requests) {
          harness.clock.advance(1_234)
          const { answer, event } = await told(harness, receiver, key, asked)
          assert.deepEqual(event.json, {
            event: 'payment.decision.created',
            event_id: eventIdOf(String(answer['request_id'])),
            created_at: new Date(harness.clock.nowMs()).toISOString(),
            attempt: 1,
            data: dataOf(answer, asked),
          })
        }
        assert.equal(receiver.requests.length, requests.length)
        const hit = receiver.requests[6]?.json
        assert.equal(hit.data.decision, 'NO-GO', 'a cooldown hit tells of itself')
        const blocked = receiver.requests[5]?.json
        assert.equal(hit.data.cooldown_source_request_id, blocked.data.request_id)
        assert.equal('cooldown_source_request_id' in blocked.data, false)
        assert.ok(hit.data.evaluated_at < hit.created_at)
      }),
    )
  })

  test(`the event of an override has the data of its answer (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key, record } = await harness.issue()
        await register(harness, key, receiver.url, { events: ['payment.override.created'] })
        for (const [corridor, original] of [
          ['US-MX', 'DEGRADED'],
          ['GB-NG', 'NO-GO'],
        ]) {
          const { body } = await harness.verify(key, { corridor, amount: corridor === 'GB-NG' ? 600_000 : 1 })
          harness.clock.advance(3_600_000)
          const more = { action: 'REJECT', reason_code: 'PAYEE_UNKNOWN', justification: 'Two\nlines ☕ "so"' }
          const made = await override(harness, key, body.request_id, more)
          await harness.deliver()
          const { json } = receiver.requests.at(-1) ?? assert.fail('nothing arrived')
          const createdAt = new Date(harness.clock.nowMs()).toISOString()
          assert.deepEqual(json, {
            event: 'payment.override.created',
            event_id: eventIdOf(made.body.override_id),
            created_at: createdAt,
            attempt: 1,
            data: {
              override_id: made.body.override_id,
              request_id: body.request_id,
              original_decision: original,
              ...more,
              created_at: createdAt,
              created_by: { kind: 'key', id: record.keyId, name: record.ownerLabel },
              approval: null,
            },
          })
          assert.deepEqual(json.data, made.body)
        }
        assert.equal(receiver.requests.length, 2)
      }),
    )
  })
}

test('a delivery is a POST of JSON with the headers of the contract and of Standard Webhooks', async () => {
  await withReceiver((receiver) =>
    withHarness({ settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const { webhook_id: id, secret } = await register(harness, key, `${receiver.url}?tenant=a%20b`)
      harness.clock.advance(1_999)
      const { answer, event } = await told(harness, receiver, key, { corridor: 'GB-NG', correlation_id: 'ü' })
      assert.equal(event.method, 'POST')
      assert.equal(event.path, '/hook?tenant=a%20b')
      const { host, connection: _connection, 'content-length': length, ...headers } = event.headers
      assert.equal(host, new URL(receiver.url).host)
      assert.equal(Number(length), event.body.length)
      const { 'x-svc-signature': hex, 'webhook-signature': standard, ...rest } = headers
      assert.deepEqual(rest, {
        'content-type': 'application/json',
        'user-agent': 'Fairway-Webhooks/1',
        'x-svc-attempt': '1',
        'x-svc-webhook-id': id,
        'webhook-id': eventIdOf(String(answer['request_id'])),
        'webhook-timestamp': String(Date.parse('2026-03-01T12:00:01Z') / 1000),
      })
      assert.match(String(hex), /^[0-9a-f]{64}$/)
      assert.match(String(standard), /^v1,[A-Za-z0-9+/]{43}=$/)
      assert.deepEqual(signs(secret, event), { contract: true, standard: true })
      const altered = { ...event, body: Buffer.from(event.body.toString().replace('GO', 'NO')) }
      assert.deepEqual(signs(secret, altered), { contract: false, standard: false })
    }),
  )
})

test('a retry is the same event but for the number of the attempt, and is signed anew', async () => {
  await withReceiver(
    (receiver) =>
      withHarness({ settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const { secret } = await register(harness, key, receiver.url)
        const { body } = await harness.verify(key, { corridor: 'US-MX', amount: 12.34 })
        for (const delay of [60_000, 300_000, 900_000, 1_800_000]) {
          await harness.deliver()
          // What is said of the decision meanwhile does not change what its event tells.
          await override(harness, key, body.request_id)
          harness.clock.advance(delay)
        }
        await harness.deliver()
        const own = receiver.requests.filter(({ json }) => json.event === 'payment.decision.created')
        assert.equal(own.length, 5)
        for (const [place, event] of own.entries()) {
          assert.equal(event.headers['x-svc-attempt'], String(place + 1))
          assert.equal(event.headers['webhook-id'], event.json.event_id)
          assert.deepEqual(event.json, { ...own[0]?.json, attempt: place + 1 })
          assert.deepEqual(signs(secret, event), { contract: true, standard: true })
        }
        assert.equal(new Set(own.map(({ headers }) => headers['x-svc-signature'])).size, 5)
        assert.equal(new Set(own.map(({ headers }) => headers['webhook-timestamp'])).size, 5)
      }),
    () => 500,
  )
})
