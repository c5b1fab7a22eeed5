/** A caller's own record of its payments, answered and uncertain, to compare with the store. */

import { createHash } from 'node:crypto'
import { ask, holdCodes } from '../../test/helpers/process/process.ts'

type Body = Readonly<Record<string, unknown>>

interface Answered {
  readonly requestId: string
  /** Hash of all members that must be the same on a retry. */
  readonly digest: string
}

export interface Service {
  readonly url: string
  readonly apiKey: string
}

/** Some payments are degraded, so that several kinds of decisions occur. */
function paymentOf(number: number): Body {
  return {
    corridor: number % 2 === 0 ? 'GB-NG' : 'NG-GB',
    amount: number % 7 === 0 ? 60_000 : number % 10_000,
  }
}

export const nameOf = (number: number): string => `payment-${number}`

function answeredOf({ idempotency_hit: _hit, response_ms: _ms, ...rest }: Body): Answered {
  const digest = createHash('sha256').update(JSON.stringify(rest)).digest('hex')
  return { requestId: String(rest['request_id']), digest }
}

export interface BookOptions {
  /** Codes of answers after which a caller sends the same payment again. */
  readonly holds?: RegExp
  /** Adds members to a payment. */
  readonly moreOf?: (number: number) => Body
}

export type Result = 'answered' | 'unavailable' | 'cut'

/** Payments by number; the same number always means the same payment. */
export class Book {
  readonly answered = new Map<number, Answered>()
  /** Sent without a response: recorded once or not at all. */
  readonly unsure = new Set<number>()
  readonly violations: string[] = []
  replays = 0
  readonly #holds: RegExp
  readonly #moreOf: (number: number) => Body
  #next = 0

  constructor({ holds = holdCodes, moreOf = () => ({}) }: BookOptions = {}) {
    this.#holds = holds
    this.#moreOf = moreOf
  }

  /** The number of the next payment. */
  take(): number {
    this.#next += 1
    return this.#next
  }

  /** Sends the next payment. */
  next(service: Service): Promise<Result> {
    return this.pay(service, this.take())
  }

  async pay({ url, apiKey }: Service, number: number): Promise<Result> {
    const headers = { 'idempotency-key': nameOf(number) }
    const payment = { ...paymentOf(number), ...this.#moreOf(number) }
    const answer = await ask(url, apiKey, payment, headers).catch(cutOff)
    const body = (await answer?.json().catch(cutOff)) as Body | null | undefined
    if (answer?.status === 200 && body) return this.#recordAnswer(number, body)
    if (!this.answered.has(number)) this.unsure.add(number)
    if (!answer || !body) return 'cut'
    if (!this.#holds.test(String(body['code'])))
      this.#violated(number, `was answered ${answer.status} ${String(body['code'])}`)
    return 'unavailable'
  }

  #recordAnswer(number: number, body: Body): Result {
    const now = answeredOf(body)
    const before = this.answered.get(number)
    if (before === undefined) this.answered.set(number, now)
    else {
      this.replays += 1
      if (body['idempotency_hit'] !== true)
        this.#violated(number, 'was answered before and decided a second time')
      if (before.digest !== now.digest) this.#violated(number, 'got a different answer than before')
    }
    this.unsure.delete(number)
    return 'answered'
  }

  #violated(number: number, what: string): void {
    this.violations.push(`${nameOf(number)} ${what}`)
  }

  /** Retries these payments with several callers. Each must return its earlier answer, if there was one. */
  async retryAll(service: Service, numbers: readonly number[], callers = 8): Promise<void> {
    const left = [...numbers]
    const caller = async (): Promise<void> => {
      for (let number = left.pop(); number !== undefined; number = left.pop()) {
        const result = await this.pay(service, number)
        if (result !== 'answered') this.#violated(number, `was retried and is ${result}`)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }

  /** The request id that each idempotency key must have in the store. */
  expected(): Map<string, string> {
    return new Map([...this.answered].map(([number, { requestId }]) => [nameOf(number), requestId]))
  }
}

/** Broken connections are expected in these experiments; any other error is a bug in them. */
export function cutOff(error: unknown): null {
  if (error instanceof TypeError || error instanceof SyntaxError) return null
  if (error instanceof Error && error.name === 'AbortError') return null
  throw error
}
