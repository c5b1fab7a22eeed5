/** Verifies that a webhook is from Fairway, unchanged and recent. */

import type { WebhookEvent } from './types.ts'

export type WebhookFault = 'missing_signature' | 'wrong_signature' | 'too_old' | 'unreadable'

/** The webhook is not authentic: ignore it and respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export interface VerifyWebhookOptions {
  /** The maximum age or clock difference of the signed timestamp, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /**
   * False accepts requests with `X-SVC-Signature` alone, which signs no timestamp: whoever has seen one can send it
   * again. Fairway itself always sends both. Default: true.
   */
  readonly requireTimestamp?: boolean | undefined
  /** The maximum age of an event without a timestamp. Default: 56 minutes: the last of five attempts is made after 51. */
  readonly eventAgeSecondsMax?: number | undefined
  /** The current time, for tests. Default: now. */
  readonly nowMs?: number | undefined
}

/** Headers as fetch, Node and frameworks provide them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The value used by the Standard Webhooks libraries. */
const toleranceSecondsDefault = 300

/** The last of five attempts is made 51 minutes after the first. */
const eventAgeSecondsMaxDefault = 51 * 60 + toleranceSecondsDefault

const secretPrefix = 'whsec_'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Returns the event if it is authentic. `body` is the raw request body, not the result of a body parser. `secret` is
 * the secret from the registration; during a rotation, pass both the old and the new one.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new TypeError('Pass at least one secret to verify a webhook.')
  const keys = secrets.map(keyOf)
  const nowMs = options.nowMs ?? Date.now()
  const standard = standardOf(headers)
  const tolerance = options.toleranceSeconds ?? toleranceSecondsDefault
  if (standard !== null) {
    await checkStandard(bytes, standard, keys)
    checkTime((nowMs - Number(standard.timestamp) * 1000) / 1000, tolerance, tolerance, 'was sent')
    return eventOf(bytes)
  }
  const signature = headerOf(headers, 'x-svc-signature')
  if (signature === null || options.requireTimestamp !== false) throw missing()
  await checkContract(bytes, signature, keys)
  const event = eventOf(bytes)
  const ageSeconds = (nowMs - Date.parse(event.created_at)) / 1000
  checkTime(ageSeconds, options.eventAgeSecondsMax ?? eventAgeSecondsMaxDefault, tolerance, 'was created')
  return event
}

interface Standard {
  readonly id: string
  readonly timestamp: string
  readonly signatures: string
}

const missing = (): WebhookVerificationError =>
  new WebhookVerificationError(
    'missing_signature',
    'The signature is missing or incomplete: webhook-id, webhook-timestamp and webhook-signature are needed, each once.',
  )

/** Null if all three are missing. Rejects an incomplete set, so that an attacker cannot bypass the timestamp. */
function standardOf(headers: WebhookHeaders): Standard | null {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
  const [id, timestamp, signatures] = names.map((name) => headerOf(headers, name))
  if (typeof id === 'string' && typeof timestamp === 'string' && typeof signatures === 'string') {
    return { id, timestamp, signatures }
  }
  if (names.some((name) => hasHeader(headers, name))) throw missing()
  return null
}

interface Keys {
  /** The secret text, including its prefix. */
  readonly contract: Bytes
  /** The decoded secret. */
  readonly standard: Bytes
}

/** The minimum of Standard Webhooks. Fairway's own have 32. */
const secretBytesMin = 24

const encode = (text: string): Bytes => new TextEncoder().encode(text)

function keyOf(secret: string): Keys {
  const standard = secret.startsWith(secretPrefix) ? fromBase64(secret.slice(secretPrefix.length)) : null
  if (standard === null || standard.length < secretBytesMin) {
    throw new TypeError(
      `The secret must be whsec_ followed by base64 of at least ${secretBytesMin} bytes, exactly as returned by the registration.`,
    )
  }
  return { contract: encode(secret), standard }
}

/** Throws a TypeError for a bug in the receiver, such as a parsed body. */
function bytesOf(body: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof body === 'string') return encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  // Copy, so that the bytes cannot change during the check. No instanceof: a program may have several such classes.
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  }
  throw new TypeError('The body must be the raw text or bytes: a parsed body cannot be verified.')
}

/** Duck-typed, since a program may have more than one Headers class. */
function isFetchHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}

function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (isFetchHeaders(headers)) return headers.has(name) ? [headers.get(name) ?? ''] : []
  const matches = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  return matches.flatMap(([, value]) => value ?? [])
}

const hasHeader = (headers: WebhookHeaders, name: string): boolean => valuesOf(headers, name).length > 0

/** Null if the header is missing or repeated. */
function headerOf(headers: WebhookHeaders, name: string): string | null {
  const values = valuesOf(headers, name)
  return values.length === 1 ? (values[0] ?? null) : null
}

/** Fairway sends at most five, one per valid secret. Limits the work for forged requests. */
const signaturesMax = 10

/** Tries all pairs of keys and signatures, since a rotation has several of each. */
async function checkStandard(
  bytes: Bytes,
  { id, timestamp, signatures }: Standard,
  keys: readonly Keys[],
): Promise<void> {
  const signed = joined(encode(`${id}.${timestamp}.`), bytes)
  const candidates = signatures
    .split(' ', signaturesMax)
    .flatMap((item) => (item.startsWith('v1,') ? [fromBase64(item.slice(3))] : []))
  const isTime = /^\d{1,12}$/.test(timestamp)
  const secrets = keys.map(({ standard }) => standard)
  if (!isTime || !(await anyValid(secrets, candidates, signed))) throw wrong('webhook-signature')
}

async function checkContract(bytes: Bytes, signature: string, keys: readonly Keys[]): Promise<void> {
  const secrets = keys.map(({ contract }) => contract)
  if (!(await anyValid(secrets, [fromHex(signature)], bytes))) throw wrong('X-SVC-Signature')
}

const hmac = { name: 'HMAC', hash: 'SHA-256' }
const signatureBytes = 32

/** Uses the platform's constant-time comparison. */
async function anyValid(
  secrets: readonly Bytes[],
  signatures: readonly (Bytes | null)[],
  signed: Bytes,
): Promise<boolean> {
  const candidates = signatures.filter((item) => item !== null && item.length === signatureBytes) as Bytes[]
  let isValid = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['verify'])
    // Sequential, so that many signatures do not run in parallel.
    for (const item of candidates)
      isValid = (await crypto.subtle.verify('HMAC', key, item, signed)) || isValid
  }
  return isValid
}

function wrong(header: string): WebhookVerificationError {
  const message = `${header} does not match: check the secret, and that the body is unchanged.`
  return new WebhookVerificationError('wrong_signature', message)
}

/** Allows times in the future only within the clock tolerance. */
function checkTime(ageSeconds: number, ageSecondsMax: number, aheadSecondsMax: number, verb: string): void {
  if (ageSeconds <= ageSecondsMax && ageSeconds >= -aheadSecondsMax) return
  const message = `The event ${verb} ${Math.round(ageSeconds)} seconds ago; the accepted range is ${-aheadSecondsMax} to ${ageSecondsMax}.`
  throw new WebhookVerificationError('too_old', message)
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && 'event' in value) return value as WebhookEvent
  } catch {
    // Treated as an unreadable body.
  }
  throw new WebhookVerificationError('unreadable', 'The body is not a Fairway event.')
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const result = new Uint8Array(first.length + second.length)
  result.set(first)
  result.set(second, first.length)
  return result
}

/** Null if the text is not base64. */
function fromBase64(text: string): Bytes | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Null if the text is not hexadecimal. */
function fromHex(text: string): Bytes | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
