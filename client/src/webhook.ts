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
  /** How far the signed time of sending may be off, in seconds; 300 unless given. */
  readonly toleranceSeconds?: number | undefined
  /**
   * How old the event itself may be where only `X-SVC-Signature` came, which signs no time of sending; 56 minutes unless
   * given, since the last of five attempts is made after 51.
   */
  readonly eventAgeSecondsMax?: number | undefined
  /** Refuses what came with `X-SVC-Signature` alone. Fairway itself always sends both. */
  readonly requireTimestamp?: boolean | undefined
  /** The time to compare with; now, unless a test gives another. */
  readonly nowMs?: number | undefined
}

/** As fetch, Node and frameworks have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** As the libraries of Standard Webhooks have it. */
const toleranceSecondsDefault = 300

/** The last of five attempts is made 51 minutes after the first. */
const eventAgeSecondsMaxDefault = 51 * 60 + toleranceSecondsDefault

const secretPrefix = 'whsec_'

type Bytes = Uint8Array<ArrayBuffer>

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
  const standard = standardOf(headers)
  const tolerance = options.toleranceSeconds ?? toleranceSecondsDefault
  if (standard !== null) {
    await checkStandard(bytes, standard, keys)
    checkTime((nowMs - Number(standard.timestamp) * 1000) / 1000, tolerance, tolerance, 'was sent')
    return eventOf(bytes)
  }
  const signature = headerOf(headers, 'x-svc-signature')
  if (signature === null || options.requireTimestamp === true) throw missing()
  await checkContract(bytes, signature, keys)
  const event = eventOf(bytes)
  const ageSeconds = (nowMs - Date.parse(event.created_at)) / 1000
  checkTime(ageSeconds, options.eventAgeSecondsMax ?? eventAgeSecondsMaxDefault, tolerance, 'was made')
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
    'There is no whole signature: webhook-id, webhook-timestamp and webhook-signature, each once, or X-SVC-Signature.',
  )

/** Null where none of the three is there. Some of them are refused: who leaves one out wants to get by the others. */
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
  /** The secret as it is written. */
  readonly contract: Bytes
  /** What it encodes. */
  readonly standard: Bytes
}

const encode = (text: string): Bytes => new TextEncoder().encode(text)

function keyOf(secret: string): Keys {
  const standard = secret.startsWith(secretPrefix) ? fromBase64(secret.slice(secretPrefix.length)) : null
  if (standard === null || standard.length === 0) {
    throw new TypeError('The secret must begin with whsec_ and go on in base64, as registration gave it.')
  }
  return { contract: encode(secret), standard }
}

/** What fails here is a mistake in the receiver, not in what it received. */
function bytesOf(body: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof body === 'string') return encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  // A copy: nobody changes it while it is checked. By what it is like: a program may have more than one class of that name.
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  }
  throw new TypeError('The body must be what came, as text or bytes: a parsed body cannot be checked.')
}

/** By what it can do: a program may have more than one class of that name. */
function isFetchHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}

function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (isFetchHeaders(headers)) return headers.has(name) ? [headers.get(name) ?? ''] : []
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  return found.flatMap(([, value]) => value ?? [])
}

const hasHeader = (headers: WebhookHeaders, name: string): boolean => valuesOf(headers, name).length > 0

/** Of a header that came twice, neither is believed. */
function headerOf(headers: WebhookHeaders, name: string): string | null {
  const values = valuesOf(headers, name)
  return values.length === 1 ? (values[0] ?? null) : null
}

/** Fairway sends at most five, one for each secret that is being replaced. More would only cost us. */
const signaturesMax = 10

/** Several signatures come while a secret is replaced, and any key may be the one: all pairs are tried. */
async function checkStandard(
  bytes: Bytes,
  { id, timestamp, signatures }: Standard,
  keys: readonly Keys[],
): Promise<void> {
  const signed = joined(encode(`${id}.${timestamp}.`), bytes)
  const given = signatures
    .split(' ', signaturesMax)
    .flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []))
  const isTime = /^\d{1,12}$/.test(timestamp)
  const known = keys.map(({ standard }) => standard)
  if (!isTime || !(await anyHolds(known, given, signed))) throw wrong('webhook-signature')
}

async function checkContract(bytes: Bytes, signature: string, keys: readonly Keys[]): Promise<void> {
  const known = keys.map(({ contract }) => contract)
  if (!(await anyHolds(known, [fromHex(signature)], bytes))) throw wrong('X-SVC-Signature')
}

const hmac = { name: 'HMAC', hash: 'SHA-256' }
const signatureBytes = 32

/** By the platform's own comparison, which takes as long for a near miss as for a wide one. */
async function anyHolds(
  secrets: readonly Bytes[],
  given: readonly (Bytes | null)[],
  signed: Bytes,
): Promise<boolean> {
  const possible = given.filter((one) => one !== null && one.length === signatureBytes) as Bytes[]
  let holds = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['verify'])
    // One after another: whoever sends many makes us no busier than whoever sends one.
    for (const one of possible) holds = (await crypto.subtle.verify('HMAC', key, one, signed)) || holds
  }
  return holds
}

function wrong(header: string): WebhookVerificationError {
  const message = `${header} does not hold: another secret, or a changed body.`
  return new WebhookVerificationError('wrong_signature', message)
}

/** Of the future no more is believed than clocks may differ. */
function checkTime(ageSeconds: number, ageSecondsMax: number, aheadSecondsMax: number, what: string): void {
  if (ageSeconds <= ageSecondsMax && ageSeconds >= -aheadSecondsMax) return
  const message = `The event ${what} ${Math.round(ageSeconds)} seconds ago; from ${-aheadSecondsMax} to ${ageSecondsMax} are taken.`
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

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

/** Null where it is none. */
function fromBase64(text: string): Bytes | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Null where it is none. */
function fromHex(text: string): Bytes | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
