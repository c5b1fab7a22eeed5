/** The parts of the Python client that need no other client beside them: its reader of responses, and its arguments. */

import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { runPython } from '../../helpers/process/python.ts'
import { withScript } from '../../helpers/peers/scripted.ts'

const script = (name: string): string => join(import.meta.dirname, name)

test('a response is read alike however it is cut, and refused if its length or its headers are in doubt', async () => {
  await runPython(script('responses.py'), null)
})

test('mistakes of callers are refused by ValueError; errors can be copied, and never have the key', () => {
  const invalid = { status: 400, body: { message: 'unknown mode', code: 'INVALID_REQUEST' } }
  const compressed = { status: 200, text: '{"status":"ok"}', headers: { 'content-encoding': 'gzip' } }
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = JSON.stringify({ event: 'webhook.test', event_id: 'e' })
  const now = 1_800_000_000
  const headers = {
    'webhook-id': 'e',
    'webhook-timestamp': String(now),
    'webhook-signature': new Webhook(secret).sign('e', new Date(now * 1000), body),
  }
  return withScript([invalid, compressed], async ({ url }) => {
    await runPython(script('arguments.py'), { url, secret, body, headers, now })
  })
})
