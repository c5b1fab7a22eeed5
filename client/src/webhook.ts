/** Checks that a webhook came from Fairway, is unchanged, and is not an old one sent again. */

import type { WebhookEvent } from './types.ts'

export type WebhookFault = 'missing_signature' | 'wrong_signature' | 'too_old' | 'unreadable'

/** Do not act on what was received; answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export interface VerifyWebhookOptions {
  /** How far the signed time of sending may be off, in seconds. */
  readonly toleranceSeconds?: number
  /** How old the event itself may be where only `X-SVC-Signature` came, which signs no time of sending. */
  readonly eventAgeSecondsMax?: number
  /** The time to compare with; now, unless a test gives another. */
  readonly nowMs?: number
}

/** As fetch, Node and frameworks have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** As the libraries of Standard Webhooks have it. */
const toleranceSecondsDefault = 300

/** The last of five attempts is made 51 minutes after the first. */
const eventAgeSecondsMaxDefault = 51 * 60 + toleranceSecondsDefault

const secretPrefix = 'whsec_'

/**
 * The event, when it is authentic. `body` is what came, byte for byte, and not what a framework parsed of it. `secret` is
 * what registration gave; while it is being replaced, both.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new TypeError('A secret is needed to check a webhook.')
  const keys = secrets.map(keyOf)
  const nowMs = options.nowMs ?? Date.now()
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (id !== null && timestamp !== null && signatures !== null) {
    await checkStandard({ bytes, id, timestamp, signatures }, keys)
    const offSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
    checkAge(offSeconds, options.toleranceSeconds ?? toleranceSecondsDefault, 'was sent')
    return eventOf(bytes)
  }
  const signature = headerOf(headers, 'x-svc-signature')
  if (signature === null) {
    const message =
      'There is no signature: neither webhook-signature, with its id and timestamp, nor X-SVC-Signature.'
    throw new WebhookVerificationError('missing_signature', message)
  }
  await checkContract(bytes, signature, keys)
  const event = eventOf(bytes)
  const ageSeconds = (nowMs - Date.parse(event.created_at)) / 1000
  checkAge(Math.abs(ageSeconds), options.eventAgeSecondsMax ?? eventAgeSecondsMaxDefault, 'was made')
  return event
}

interface Keys {
  /** The secret as it is written. */
  readonly contract: Uint8Array<ArrayBuffer>
  /** What it encodes. */
  readonly standard: Uint8Array<ArrayBuffer>
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function keyOf(secret: string): Keys {
  const standard = secret.startsWith(secretPrefix) ? fromBase64(secret.slice(secretPrefix.length)) : null
  if (standard === null || standard.length === 0) {
    throw new TypeError('The secret must begin with whsec_ and go on in base64, as registration gave it.')
  }
  return { contract: encode(secret), standard }
}

/** What fails here is a mistake in the receiver, not in what it received. */
function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  // A copy: nobody changes it while it is checked.
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('The body must be what came, as text or bytes: a parsed body cannot be checked.')
}

/** By what it can do: a program may have more than one class of that name. */
function isFetchHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}

/** Of a header that came twice, neither is believed. */
function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (isFetchHeaders(headers)) return headers.get(name)
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  const values = found.flatMap(([, value]) => value ?? [])
  return values.length === 1 ? (values[0] ?? null) : null
}

interface Standard {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly id: string
  readonly timestamp: string
  readonly signatures: string
}

/** Several signatures come while a secret is replaced, and any key may be the one: all pairs are tried. */
async function checkStandard(
  { bytes, id, timestamp, signatures }: Standard,
  keys: readonly Keys[],
): Promise<void> {
  const signed = joined(encode(`${id}.${timestamp}.`), bytes)
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []))
  const checks = keys.flatMap(({ standard }) => given.map((one) => holds(standard, one, signed)))
  if (!/^\d{1,12}$/.test(timestamp) || !(await Promise.all(checks)).includes(true))
    throw wrong('webhook-signature')
}

async function checkContract(
  bytes: Uint8Array<ArrayBuffer>,
  signature: string,
  keys: readonly Keys[],
): Promise<void> {
  const given = fromHex(signature)
  const checks = keys.map(({ contract }) => holds(contract, given, bytes))
  if (!(await Promise.all(checks)).includes(true)) throw wrong('X-SVC-Signature')
}

/** The platform's own comparison, which takes as long for a near miss as for a wide one. */
async function holds(
  secret: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer> | null,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (signature === null) return false
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  return crypto.subtle.verify('HMAC', key, signature, signed)
}

function wrong(header: string): WebhookVerificationError {
  const message = `${header} does not hold: another secret, or a changed body.`
  return new WebhookVerificationError('wrong_signature', message)
}

function checkAge(offSeconds: number, toleranceSeconds: number, what: string): void {
  if (offSeconds <= toleranceSeconds) return
  const message = `The event ${what} ${Math.round(offSeconds)} seconds from now, which is more than ${toleranceSeconds}.`
  throw new WebhookVerificationError('too_old', message)
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && 'event' in value) return value as WebhookEvent
  } catch {
    // As what is no event.
  }
  throw new WebhookVerificationError('unreadable', 'The body is no event of Fairway.')
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

/** Null where it is none. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Null where it is none. */
function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
