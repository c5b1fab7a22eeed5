/** Webhook signatures: the contract's own header, and those of Standard Webhooks, whose libraries verify them. */

import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import { webhookSecretBytes, webhookSecretPrefix } from '../../../core/events/webhook.ts'
import type { Random } from '../../ports/system.ts'
import type { WebhookSecret } from '../../ports/webhooks.ts'

/** As Standard Webhooks' libraries have it. */
const timestampToleranceSeconds = 300

export function makeSecret(random: Random): string {
  return webhookSecretPrefix + Buffer.from(random.bytes(webhookSecretBytes)).toString('base64')
}

/** True for `whsec_` and base64 of at least 24 bytes, which is what Standard Webhooks asks for. */
export function isSecret(text: string): boolean {
  const key = Buffer.from(text.slice(webhookSecretPrefix.length), 'base64')
  const again = webhookSecretPrefix + key.toString('base64')
  return text.startsWith(webhookSecretPrefix) && key.length >= 24 && again === text
}

/** Of one secret: for the contract's signature the text itself, for the standard's what it encodes. */
interface Keys {
  readonly contract: KeyObject
  readonly standard: KeyObject
}

const keysKnownMax = 1_000
const keysKnown = new Map<string, Keys>()

/** Made once for each secret: to make a key takes several times as long as to sign with it. */
function keysOf(secret: string): Keys {
  let keys = keysKnown.get(secret)
  if (keys === undefined) {
    keys = {
      contract: createSecretKey(Buffer.from(secret)),
      standard: createSecretKey(Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64')),
    }
    if (keysKnown.size >= keysKnownMax) keysKnown.clear()
    keysKnown.set(secret, keys)
  }
  return keys
}

/** Lower-case hex of HMAC-SHA256; the key is the whole secret as it is written. */
function contractSignature(secret: string, body: Uint8Array): string {
  return createHmac('sha256', keysOf(secret).contract).update(body).digest('hex')
}

/** `v1,` and base64 of HMAC-SHA256 over id, time and body. */
function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array): string {
  return `v1,${createHmac('sha256', keysOf(secret).standard).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** A secret that was replaced still signs beside the new one until its end. */
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

/** Whether a signature holds, or what is wrong with it. */
type SignatureCheck = 'valid' | 'missing' | 'wrong' | 'stale'

export interface CheckedSignatures {
  /** `X-SVC-Signature`. */
  readonly contract: SignatureCheck
  /** `webhook-signature`, with the id and the time that it covers. */
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
    contract: checked(headers['x-svc-signature'], contractSignature(secret, body)),
    standard: checkStandard(secret, headers, body, nowMs),
  }
}

function checkStandard(secret: string, headers: Headers, body: Uint8Array, nowMs: number): SignatureCheck {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers
  if (id === undefined || timestamp === undefined || given === undefined) return 'missing'
  const expected = standardSignature(secret, id, timestamp, body)
  if (!given.split(' ').some((one) => checked(one, expected) === 'valid')) return 'wrong'
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  return ageSeconds <= timestampToleranceSeconds ? 'valid' : 'stale'
}

/** In constant time for texts of one length; the length itself is no secret. */
function checked(given: string | undefined, expected: string): SignatureCheck {
  if (given === undefined) return 'missing'
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right) ? 'valid' : 'wrong'
}
