/** Webhook signatures: the contract's own header and those of Standard Webhooks. */

import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import { webhookSecretBytes, webhookSecretPrefix } from '../../../core/events/webhook.ts'
import type { Random } from '../../ports/system.ts'
import type { WebhookSecret } from '../../ports/webhooks.ts'

/** The tolerance of the Standard Webhooks libraries. */
const timestampToleranceSeconds = 300

export function generateSecret(random: Random): string {
  return webhookSecretPrefix + Buffer.from(random.bytes(webhookSecretBytes)).toString('base64')
}

/** True for `whsec_` and base64 of at least 24 bytes, the minimum of Standard Webhooks. */
export function isSecret(text: string): boolean {
  const key = Buffer.from(text.slice(webhookSecretPrefix.length), 'base64')
  const canonical = webhookSecretPrefix + key.toString('base64')
  return text.startsWith(webhookSecretPrefix) && key.length >= 24 && canonical === text
}

/** The HMAC keys of one secret: its text for the contract's signature, its decoded bytes for the standard's. */
interface Keys {
  readonly contract: KeyObject
  readonly standard: KeyObject
}

const cachedKeysMax = 1_000
const keyCache = new Map<string, Keys>()

/** Cached: creating a key takes several times as long as signing with it. */
function keysOf(secret: string): Keys {
  let keys = keyCache.get(secret)
  if (keys === undefined) {
    keys = {
      contract: createSecretKey(Buffer.from(secret)),
      standard: createSecretKey(Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64')),
    }
    if (keyCache.size >= cachedKeysMax) keyCache.clear()
    keyCache.set(secret, keys)
  }
  return keys
}

/** Lower-case hex of HMAC-SHA256; the key is the complete text of the secret. */
function contractSignature(secret: string, body: Uint8Array): string {
  return createHmac('sha256', keysOf(secret).contract).update(body).digest('hex')
}

/** `v1,` and base64 of HMAC-SHA256 over id, time and body. */
function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array): string {
  return `v1,${createHmac('sha256', keysOf(secret).standard).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** A replaced secret signs in addition to the new one until it ends. */
export function signatureHeaders(
  secrets: readonly WebhookSecret[],
  eventId: string,
  nowMs: number,
  body: Uint8Array,
): Record<string, string> {
  const valid = secrets.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs)
  const [newest] = valid
  const timestamp = String(Math.floor(nowMs / 1000))
  return {
    'x-svc-signature': newest === undefined ? '' : contractSignature(newest.secret, body),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': valid
      .map(({ secret }) => standardSignature(secret, eventId, timestamp, body))
      .join(' '),
  }
}

type SignatureCheck = 'valid' | 'missing' | 'wrong' | 'stale'

export interface CheckedSignatures {
  /** `X-SVC-Signature`. */
  readonly contract: SignatureCheck
  /** `webhook-signature`, which covers the id and time too. */
  readonly standard: SignatureCheck
}

type Headers = Readonly<Record<string, string | undefined>>

export function checkSignatures(
  secret: string,
  headers: Headers,
  body: Uint8Array,
  nowMs: number,
): CheckedSignatures {
  return {
    contract: compare(headers['x-svc-signature'], contractSignature(secret, body)),
    standard: checkStandard(secret, headers, body, nowMs),
  }
}

function checkStandard(secret: string, headers: Headers, body: Uint8Array, nowMs: number): SignatureCheck {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': presented } = headers
  if (id === undefined || timestamp === undefined || presented === undefined) return 'missing'
  const expected = standardSignature(secret, id, timestamp, body)
  if (!presented.split(' ').some((one) => compare(one, expected) === 'valid')) return 'wrong'
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  return ageSeconds <= timestampToleranceSeconds ? 'valid' : 'stale'
}

/** Constant-time for texts of equal length; the length is not secret. */
function compare(presented: string | undefined, expected: string): SignatureCheck {
  if (presented === undefined) return 'missing'
  const [left, right] = [Buffer.from(presented), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right) ? 'valid' : 'wrong'
}
