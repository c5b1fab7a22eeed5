/** A receiver's check: what Fairway sent passes by either signature, and nothing else does. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { verifyWebhook, type WebhookHeaders } from '../../client/src/index.ts'
import { generateSecret, signatureHeaders } from '../../src/app/events/delivery/signature.ts'
import { systemRandom } from '../../src/adapters/system.ts'
import { withHarness } from '../helpers/harness.ts'
import { failureOf } from '../helpers/peers/scripted.ts'
import { withReceiver } from '../helpers/peers/receiver.ts'
import { degraded, override, register, trial } from '../helpers/webhooks.ts'

const nowMs = Date.UTC(2026, 2, 1, 12)
const secret = generateSecret(systemRandom)
const other = generateSecret(systemRandom)
const event = {
  event: 'webhook.test',
  event_id: 'evt_1',
  created_at: '2026-03-01T12:00:00.000Z',
  attempt: 1,
  data: { webhook_id: 'wh_1', message: 'Grüße' },
}
const body = JSON.stringify(event)

function headersFor(...secrets: string[]): Record<string, string> {
  const valid = secrets.map((one) => ({ secret: one, endsAtMs: null }))
  return signatureHeaders(valid, event.event_id, nowMs, Buffer.from(body))
}

const standardOnly = (headers: Record<string, string>): Record<string, string> => {
  const { 'x-svc-signature': _contract, ...rest } = headers
  return rest
}
const contractOnly = (headers: Record<string, string>): Record<string, string> => ({
  'x-svc-signature': headers['x-svc-signature'] ?? '',
})

/** By a receiver that also takes what has no time of sending. */
const check = (
  headers: WebhookHeaders,
  more: { text?: string; secret?: string | string[]; atMs?: number } = {},
) =>
  verifyWebhook(more.text ?? body, headers, more.secret ?? secret, {
    nowMs: more.atMs ?? nowMs,
    requireTimestamp: false,
  })

const fault = (name: string) => ({ name: 'WebhookVerificationError', fault: name })

test('what the service really sends passes, of every kind, with the type of its kind', async () => {
  await withReceiver((receiver) =>
    withHarness({ settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const { secret: real } = await register(harness, key, receiver.url)
      await override(harness, key, await degraded(harness, key))
      await harness.deliver()
      assert.equal(receiver.requests.length, 2)
      for (const { body: bytes, headers, json } of receiver.requests) {
        const received = await verifyWebhook(bytes, headers, real, { nowMs: harness.clock.nowMs() })
        assert.deepEqual(received, json)
        if (received.event === 'payment.decision.created') assert.equal(received.data.decision, 'DEGRADED')
      }
    }),
  )
})

describe('either form alone', () => {
  test('the signature of Standard Webhooks, as its own library makes it', async () => {
    const id = 'msg_1'
    const signed = new StandardWebhook(secret).sign(id, new Date(nowMs), body)
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(nowMs / 1000),
      'webhook-signature': signed,
    }
    assert.deepEqual(await check(headers), event)
  })

  test("the contract's own", async () => {
    assert.deepEqual(await check(contractOnly(headersFor(secret))), event)
  })

  test('headers may be of any case, of fetch or of Node, the body text or bytes', async () => {
    const headers = headersFor(secret)
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    assert.deepEqual(await check(shouted), event)
    assert.deepEqual(await check(new Headers(headers)), event)
    const bytes = Buffer.from(body)
    const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    for (const form of [bytes, new Uint8Array(bytes), copy]) {
      assert.deepEqual(await verifyWebhook(form, headers, secret, { nowMs }), event)
    }
  })
})

describe('what is not authentic is refused', () => {
  const forms = { both: (headers: Record<string, string>) => headers, standardOnly, contractOnly }
  for (const [name, form] of Object.entries(forms)) {
    test(`${name}: another secret, another body, a bent signature`, async () => {
      await assert.rejects(check(form(headersFor(other))), fault('wrong_signature'))
      await assert.rejects(check(form(headersFor(secret)), { text: `${body} ` }), fault('wrong_signature'))
      for (const bent of ['', 'v1,', 'v1,AAAA', 'zz', 'v2,abc', 'v1,*', '00', 'v1a,x v1']) {
        const headers = { ...headersFor(secret), 'x-svc-signature': bent, 'webhook-signature': bent }
        await assert.rejects(check(form(headers)), fault('wrong_signature'), bent)
      }
    })
  }

  test('another id or another time than those that were signed', async () => {
    const headers = headersFor(secret)
    const later = String(nowMs / 1000 + 1)
    await assert.rejects(check({ ...headers, 'webhook-id': 'evt_2' }), fault('wrong_signature'))
    await assert.rejects(check({ ...headers, 'webhook-timestamp': later }), fault('wrong_signature'))
    await assert.rejects(check({ ...headers, 'webhook-timestamp': 'soon' }), fault('wrong_signature'))
  })

  test('no signature at all, or one that came twice', async () => {
    await assert.rejects(check({}), fault('missing_signature'))
    const { 'x-svc-signature': signature = '' } = headersFor(secret)
    await assert.rejects(check({ 'x-svc-signature': [signature, signature] }), fault('missing_signature'))
    const twice = { 'x-svc-signature': signature, 'X-SVC-Signature': signature }
    await assert.rejects(check(twice), fault('missing_signature'))
  })

  test('what is authentic but no event', async () => {
    for (const text of ['[]', '"x"', 'no', '{}', 'null']) {
      const [one] = [{ secret, endsAtMs: null }]
      const headers = signatureHeaders([one], 'evt_1', nowMs, Buffer.from(text))
      await assert.rejects(check(headers, { text }), fault('unreadable'), text)
    }
  })
})

describe('nobody gets by the stronger signature by leaving a part of it out', () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    test(`without ${name}, or with two, all is refused, X-SVC-Signature or not`, async () => {
      const { [name]: value = '', ...rest } = headersFor(secret)
      await assert.rejects(check(rest), fault('missing_signature'))
      await assert.rejects(check({ ...rest, [name]: [value, value] }), fault('missing_signature'))
    })
  }

  test('without webhook-* headers all is refused, unless the receiver says otherwise', async () => {
    for (const options of [{ nowMs }, { nowMs, requireTimestamp: true }]) {
      const alone = verifyWebhook(body, contractOnly(headersFor(secret)), secret, options)
      await assert.rejects(alone, fault('missing_signature'))
      assert.deepEqual(await verifyWebhook(body, headersFor(secret), secret, options), event)
    }
  })
})

test('many signatures are not all tried: beyond ten nothing is looked at', async () => {
  const { 'webhook-signature': good = '', ...rest } = headersFor(secret)
  const bad = (count: number): string => Array.from({ length: count }, () => 'v1,').join(' ')
  const spaced = (count: number) => ({ ...rest, 'webhook-signature': `${bad(count)} ${good}` })
  assert.deepEqual(await check(spaced(9)), event)
  await assert.rejects(check(spaced(10)), fault('wrong_signature'))
})

describe('what is old is refused', () => {
  const seconds = (count: number): number => nowMs + count * 1000

  test('five minutes from the signed time of sending, both ways; or as the receiver says', async () => {
    const headers = headersFor(secret)
    for (const off of [-300, 0, 300]) assert.deepEqual(await check(headers, { atMs: seconds(off) }), event)
    for (const off of [-301, 301, 86_400]) {
      await assert.rejects(check(headers, { atMs: seconds(off) }), fault('too_old'), String(off))
    }
    const strict = verifyWebhook(body, headers, secret, { nowMs: seconds(11), toleranceSeconds: 10 })
    await assert.rejects(strict, fault('too_old'))
  })

  test('with X-SVC-Signature alone, by the age of the event: the last retry passes, a replay of hours ago does not', async () => {
    const headers = contractOnly(headersFor(secret))
    assert.deepEqual(await check(headers, { atMs: seconds(51 * 60) }), event)
    await assert.rejects(check(headers, { atMs: seconds(2 * 60 * 60) }), fault('too_old'))
    await assert.rejects(check(headers, { atMs: seconds(-301) }), fault('too_old'))
    assert.deepEqual(await check(headers, { atMs: seconds(-300) }), event)
    const minute = { nowMs: seconds(61), eventAgeSecondsMax: 60, requireTimestamp: false }
    await assert.rejects(verifyWebhook(body, headers, secret, minute), fault('too_old'))
    await assert.rejects(check(headers, { atMs: seconds(56 * 60 + 1) }), fault('too_old'))
  })

  test('an event without a time is not let in by X-SVC-Signature alone', async () => {
    const text = JSON.stringify({ event: 'webhook.test' })
    const headers = contractOnly(
      signatureHeaders([{ secret, endsAtMs: null }], 'e', nowMs, Buffer.from(text)),
    )
    await assert.rejects(check(headers, { text }), fault('too_old'))
  })
})

test('while a secret is replaced, whoever has either passes, and whoever has both', async () => {
  const headers = headersFor(other, secret)
  for (const given of [secret, other, [secret, other], [other, secret]]) {
    assert.deepEqual(await check(headers, { secret: given }), event)
  }
})

test('a secret of fewer than 24 bytes is refused, however well it signs', async () => {
  const ofBytes = (count: number): string => `whsec_${Buffer.alloc(count, 'k').toString('base64')}`
  for (const short of [1, 16, 23].map(ofBytes)) {
    await assert.rejects(check(headersFor(short), { secret: short }), TypeError)
  }
  assert.deepEqual(await check(headersFor(ofBytes(24)), { secret: ofBytes(24) }), event)
})

test('mistakes of the receiver are told as such, and never repeat a secret', async () => {
  const parsed = event as unknown as string
  await assert.rejects(verifyWebhook(parsed, headersFor(secret), secret), {
    name: 'TypeError',
    message: /parsed/,
  })
  for (const bad of ['', 'topsecret', 'whsec_', 'whsec_*topsecret*']) {
    const error = await failureOf(check(headersFor(secret), { secret: bad }))
    assert.ok(error instanceof TypeError)
    assert.ok(!error.message.includes('topsecret'))
  }
  await assert.rejects(check(headersFor(secret), { secret: [] }), TypeError)
})
