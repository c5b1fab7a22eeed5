/** Asks Fairway before a payout. The Express and the Fastify recipe need this file beside them. */

import { allows, ConflictError, FairwayClient, FairwayError, InvalidRequestError } from '@fairway/client'

/** One object for the question and for the payment, so that they cannot differ. */
export interface Payout {
  readonly corridor: string
  readonly amount: number
  readonly currency: string
  readonly payee: string
}

export interface KeptPayout extends Payout {
  /** The decision that allowed it. */
  readonly request_id: string
  status: 'sending' | 'sent'
}

/** An answer in place of the payout. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** In production a table with a unique key. An entry is written before the payout is sent, so it is sent at most once. */
const kept = new Map<string, KeptPayout>()

const apiKey = process.env['FAIRWAY_API_KEY']
if (apiKey === undefined) throw new Error('Set FAIRWAY_API_KEY to a key with the scope decision:read')

/** The caller waits meanwhile, so it gives up sooner than by default. */
const client = new FairwayClient({
  baseUrl: process.env['FAIRWAY_URL'] ?? 'http://127.0.0.1:8080',
  apiKey,
  timeoutMs: 3_000,
  totalTimeoutMs: 8_000,
  maxRetries: 2,
})

/** `key` and `body` are as the caller sent them. Authenticate the caller first, and put their id before the key. */
export async function gate(key: unknown, body: unknown): Promise<KeptPayout | Refusal> {
  const payout = readPayout(body)
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    return refusal(400, { message: 'send an Idempotency-Key of 1 to 255 printable characters' })
  if (typeof payout === 'string') return refusal(400, { message: payout })
  // A repeat after an answer was lost: it is told, and sends nothing.
  return repeated(key, payout) ?? (await ask(key, payout))
}

async function ask(key: string, payout: Payout): Promise<KeptPayout | Refusal> {
  const { corridor, amount, currency } = payout
  try {
    const answer = await client.verify({ corridor, amount, currency }, { idempotencyKey: key })
    if (answer.held) return noAnswer(answer.retryAfterSeconds)
    const { decision, recommended_action, reason_codes, request_id } = answer
    for (const { message } of answer.warnings ?? []) console.error(`fairway: ${request_id}: ${message}`)
    if (!allows(answer) || recommended_action !== 'PROCEED')
      return refusal(409, { decision, recommended_action, reason_codes, request_id })
    // An earlier request under this key may have got this answer long ago.
    if (!(Date.parse(answer.valid_until ?? '') > Date.now()))
      return refusal(409, { message: 'the decision has expired: use a new Idempotency-Key', request_id })
    const before = repeated(key, payout)
    if (before !== null) return before
    const entry: KeptPayout = { ...payout, request_id, status: 'sending' }
    kept.set(key, entry)
    return entry
  } catch (error) {
    if (!(error instanceof FairwayError)) throw error
    console.error(`fairway: ${error.name} ${error.code ?? ''} ${error.requestId ?? ''}: ${error.message}`)
    if (error instanceof ConflictError) return otherPayout
    if (error instanceof InvalidRequestError && error.status === 400)
      return refusal(422, { message: 'Fairway does not take this payout', errors: error.errors })
    // No answer is a hold, whatever the cause: a refused key, too.
    return noAnswer(error.retryAfterSeconds ?? 30)
  }
}

const refusal = (status: number, body: object, headers: Refusal['headers'] = {}): Refusal => ({
  status,
  body,
  headers,
})

const noAnswer = (seconds: number): Refusal =>
  refusal(
    503,
    { message: 'no decision now: repeat with the same Idempotency-Key' },
    { 'retry-after': `${Math.ceil(seconds)}` },
  )

const otherPayout = refusal(409, { message: 'this Idempotency-Key was used for another payout' })

function repeated(key: string, payout: Payout): Refusal | null {
  const entry = kept.get(key)
  if (entry === undefined) return null
  const names = ['corridor', 'amount', 'currency', 'payee'] as const
  return names.every((name) => entry[name] === payout[name]) ? refusal(200, entry) : otherPayout
}

/** The payout, or what is wrong with the body. */
function readPayout(body: unknown): Payout | string {
  if (typeof body !== 'object' || body === null) return 'send a JSON object'
  const { corridor, amount, currency, payee } = body as Readonly<Record<string, unknown>>
  if (typeof corridor !== 'string' || !/^[A-Z]{2}-[A-Z]{2}$/.test(corridor))
    return 'corridor must be two country codes, such as GB-NG'
  if (typeof amount !== 'number' || !(amount > 0)) return 'amount must be a number above 0'
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    return 'currency must be a code, such as GBP'
  if (typeof payee !== 'string' || payee === '') return 'payee must be a text'
  return { corridor, amount, currency, payee }
}
