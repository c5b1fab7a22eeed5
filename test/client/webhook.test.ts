/** A webhook as the platforms of TypeScript hand it over, and the type of its event. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../../client/src/index.ts'
import { generateSecret, signatureHeaders } from '../../src/app/events/delivery/signature.ts'
import { systemRandom } from '../../src/adapters/system.ts'

const nowMs = Date.UTC(2026, 2, 1, 12)
const secret = generateSecret(systemRandom)
const event = {
  event: 'webhook.test',
  event_id: 'evt_1',
  created_at: '2026-03-01T12:00:00.000Z',
  attempt: 1,
  data: { webhook_id: 'wh_1', message: 'Grüße' },
}
const bytes = Buffer.from(JSON.stringify(event))
const headers = signatureHeaders([{ secret, endsAtMs: null }], event.event_id, nowMs, bytes)

test('headers may be those of fetch, the body any kind of bytes', async () => {
  assert.deepEqual(await verifyWebhook(bytes, new Headers(headers), secret, { nowMs }), event)
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  for (const form of [bytes, new Uint8Array(bytes), copy])
    assert.deepEqual(await verifyWebhook(form, headers, secret, { nowMs }), event)
})

test('the name of an event tells the type of its data', async () => {
  const received = await verifyWebhook(bytes, headers, secret, { nowMs })
  if (received.event !== 'webhook.test') assert.fail(received.event)
  assert.equal(received.data.message, 'Grüße')
})
