/** The book of a careful caller: what it was answered, and what it does not know, to be held against what is kept. */

import { createHash } from 'node:crypto'
import { ask } from '../../test/helpers/process/process.ts'

type Body = Readonly<Record<string, unknown>>

interface Answered {
  readonly requestId: string
  /** Of all that never changes when it is asked again. */
  readonly digest: string
}

export interface Service {
  readonly url: string
  readonly apiKey: string
}

/** Some are degraded: a decision is more than its most frequent form. */
function paymentOf(number: number): Body {
  return {
    corridor: number % 2 === 0 ? 'GB-NG' : 'NG-GB',
    amount: number % 7 === 0 ? 60_000 : number % 10_000,
  }
}

const nameOf = (number: number): string => `payment-${number}`

function answeredOf({ idempotency_hit: _hit, response_ms: _ms, ...rest }: Body): Answered {
  const digest = createHash('sha256').update(JSON.stringify(rest)).digest('hex')
  return { requestId: String(rest['request_id']), digest }
}

export type Result = 'answered' | 'unavailable' | 'cut'

/** Payments by their numbers, each always the same. */
export class Book {
  readonly answered = new Map<number, Answered>()
  /** Asked without an answer: recorded once, or not at all. */
  readonly unsure = new Set<number>()
  readonly violations: string[] = []
  replays = 0
  #next = 0

  /** One more payment. */
  next(service: Service): Promise<Result> {
    this.#next += 1
    return this.pay(service, this.#next)
  }

  async pay({ url, apiKey }: Service, number: number): Promise<Result> {
    const headers = { 'idempotency-key': nameOf(number) }
    const answer = await ask(url, apiKey, paymentOf(number), headers).catch(cutOff)
    const body = (await answer?.json().catch(cutOff)) as Body | null | undefined
    if (answer?.status === 200 && body) return this.#note(number, body)
    if (!this.answered.has(number)) this.unsure.add(number)
    if (!answer || !body) return 'cut'
    if (body['code'] !== 'STORE_UNAVAILABLE')
      this.#violated(number, `was answered ${answer.status} ${String(body['code'])}`)
    return 'unavailable'
  }

  #note(number: number, body: Body): Result {
    const now = answeredOf(body)
    const before = this.answered.get(number)
    if (before === undefined) this.answered.set(number, now)
    else {
      this.replays += 1
      if (body['idempotency_hit'] !== true) this.#violated(number, 'was answered before, and decided again')
      if (before.digest !== now.digest) this.#violated(number, 'is answered otherwise than before')
    }
    this.unsure.delete(number)
    return 'answered'
  }

  #violated(number: number, what: string): void {
    this.violations.push(`${nameOf(number)} ${what}`)
  }

  /** Asks again for all of these, by many at once; each must say what it said, where it said anything. */
  async askAgain(service: Service, numbers: readonly number[], callers = 8): Promise<void> {
    const left = [...numbers]
    const caller = async (): Promise<void> => {
      for (let number = left.pop(); number !== undefined; number = left.pop()) {
        const result = await this.pay(service, number)
        if (result !== 'answered') this.#violated(number, `was asked again, and is ${result}`)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }

  /** Which idempotency key must stand for which record. */
  expected(): Map<string, string> {
    return new Map([...this.answered].map(([number, { requestId }]) => [nameOf(number), requestId]))
  }
}

/** A line that breaks is what these experiments are about; anything else is a fault of theirs. */
function cutOff(error: unknown): null {
  if (error instanceof TypeError || error instanceof SyntaxError) return null
  if (error instanceof Error && error.name === 'AbortError') return null
  throw error
}
