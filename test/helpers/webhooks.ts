/** Overrides and webhooks as the tests ask for them. */

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Answer, Harness } from './harness.ts'
import { post } from './post.ts'
import type { Received } from './peers/receiver.ts'
import { rowsOf } from './database/sql.ts'

export const webhooksUrl = '/api/v1/webhooks'
export const overrideUrl = '/api/v1/override'

/** Settings under which endpoints on the loopback interface are taken, and nobody is limited. */
export const trial = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true', FAIRWAY_LIMIT_KEYED: '1000000/60' }

/** Of a public address. Nothing may ever be sent to it: no events while it is registered. */
export const publicUrl = 'https://93.184.215.14/hook'

let urlsMade = 0

/** Another URL of the same receiver: an owner can register each once. */
export const another = (url: string): string => `${url}?${(urlsMade += 1)}`

/** Of an endpoint that nothing was sent to. */
export const idleHealth = {
  state: 'idle',
  events: 0,
  delivered: 0,
  dropped: 0,
  waiting: 0,
  success_rate: null,
  failures_in_a_row: 0,
  last_attempt_at: null,
  last_delivered_at: null,
} as const

export interface Registered {
  readonly webhook_id: string
  readonly url: string
  readonly secret: string
}

export async function register(
  harness: Harness,
  key: string,
  url: string,
  more: object = {},
): Promise<Registered> {
  const answer = await post(harness, webhooksUrl, { url, ...more }, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Registered
}

/** A request without a body. */
export function ask(
  harness: Harness,
  key: string | null,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
): Promise<Answer> {
  return harness.send({ method, url, headers: key === null ? {} : { authorization: `Bearer ${key}` } })
}

/** The id of a new decision that can be overridden, and that starts no cooldown. */
export async function degraded(harness: Harness, key: string, more: object = {}): Promise<string> {
  const answer = await harness.verify(key, { corridor: 'US-MX', amount: 10, ...more })
  assert.equal(answer.body.decision, 'DEGRADED', answer.text)
  return String(answer.body.request_id)
}

export const goodOverride = {
  action: 'EXECUTE',
  reason_code: 'COMPLIANCE_APPROVED',
  justification: 'Payee confirmed by telephone.',
}

export function override(
  harness: Harness,
  key: string,
  requestId: string,
  more: object = {},
): Promise<Answer> {
  return post(harness, overrideUrl, { request_id: requestId, ...goodOverride, ...more }, { key })
}

/** The events of everything recorded so far, by endpoint: their kinds, oldest first. */
export async function eventRows({ databaseUrl, journal }: Harness): Promise<Record<string, string[]>> {
  await journal.passed('webhooks')
  const rows = await rowsOf(
    databaseUrl,
    'SELECT webhook_id, event FROM webhook_deliveries ORDER BY webhook_id, event_id',
  )
  const grouped = Map.groupBy(rows, (row) => String(row['webhook_id']))
  return Object.fromEntries([...grouped].map(([id, own]) => [id, own.map((row) => String(row['event']))]))
}

/** Every 404 must be this one, whatever it is asked of: what is left of it without what always differs. */
export function anonymous({ status, headers, body }: Answer): string {
  const { date: _date, ...rest } = headers
  const kept = { ...rest, 'x-request-id': '', ratelimit: '' }
  return JSON.stringify({ status, headers: kept, body: { ...body, request_id: '' } })
}

/** As a receiver that holds only this secret checks it, written from the specification, not from our code. */
export function signs(secret: string, { headers, body }: Received): { contract: boolean; standard: boolean } {
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body.toString()}`
  const base64 = createHmac('sha256', key).update(signed).digest('base64')
  return {
    contract: headers['x-svc-signature'] === hex,
    standard: String(headers['webhook-signature']).split(' ').includes(`v1,${base64}`),
  }
}
