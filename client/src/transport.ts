/** One call over HTTP: tried, timed, repeated where that is safe, and its failure told by a class. */

import { ConnectionError, errorFor, FairwayError, TimeoutError, UnexpectedAnswerError } from './errors.ts'
import { withLimits, type CallLimits, type CallOptions } from './request.ts'
import { mayRepeat, readRetryAfter, retryDelayMs, type Repeatable } from './retry.ts'
import type { Runtime } from './runtime.ts'
import type { ErrorCode, FieldError, SignalName } from './types.ts'

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** From the base URL on, with what is behind the question mark. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly repeatable: Repeatable
  /** Of a verify: what makes repeating safe. */
  readonly idempotencyKey: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly attempts: number
  readonly idempotencyKey: string | null
}

/** What is known of a call beside its answer. */
type Known = Pick<Answer, 'attempts' | 'idempotencyKey'>

/** With less there is no point in trying: what is done would be told as a timeout. */
const usefulTryMs = 1_000

export class Transport {
  readonly #baseUrl: string
  readonly #limits: CallLimits
  readonly #world: Runtime

  constructor(baseUrl: string, limits: CallLimits, world: Runtime) {
    this.#baseUrl = baseUrl
    this.#limits = limits
    this.#world = world
  }

  /** The answer of a success; throws for everything else, when there is nothing left to try. */
  async send(call: Call, options: CallOptions): Promise<Answer> {
    const limits = withLimits(this.#limits, options)
    const deadlineMs = this.#world.nowMs() + limits.totalTimeoutMs
    for (let attempt = 1; ; attempt += 1) {
      options.signal?.throwIfAborted()
      const leftMs = deadlineMs - this.#world.nowMs()
      // Whoever slept too long still has a moment to be told so.
      const timeoutMs = Math.max(1, Math.round(Math.min(limits.timeoutMs, leftMs)))
      const result = await this.#try(call, timeoutMs, attempt, options.signal)
      if (!(result instanceof FairwayError)) return result
      const delayMs = retryDelayMs(attempt, result.retryAfterSeconds, this.#world.random)
      const leftAfterMs = deadlineMs - this.#world.nowMs() - delayMs
      const inTime = leftAfterMs >= Math.min(limits.timeoutMs, usefulTryMs)
      if (attempt > limits.maxRetries || !inTime || !mayRepeat(call.repeatable, result.status)) throw result
      await this.#world.sleep(delayMs, options.signal)
    }
  }

  async #try(
    call: Call,
    timeoutMs: number,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer | FairwayError> {
    const known = { attempts: attempt, idempotencyKey: call.idempotencyKey }
    const controller = new AbortController()
    const onAbort = (): void => controller.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    let isLate = false
    const cancelTimer = this.#world.after(timeoutMs, () => {
      isLate = true
      controller.abort()
    })
    try {
      const { method, headers, body, path } = call
      const request = { method, headers, body, signal: controller.signal, redirect: 'manual' as const }
      const response = await this.#world.fetch(this.#baseUrl + path, request)
      const text = await response.text()
      if (response.status === 200) return { status: 200, headers: response.headers, text, ...known }
      return refusal(response, text, known)
    } catch (error) {
      signal?.throwIfAborted()
      if (isLate) {
        return new TimeoutError(`Fairway did not answer within ${timeoutMs} ms.`, known, { cause: error })
      }
      return new ConnectionError(`Fairway cannot be reached: ${reasonOf(error)}.`, known, { cause: error })
    } finally {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
    }
  }
}

/** What fetch says is little; beneath it is the name of the fault, one for each address where a name has several. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const inner = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause]
  const reasons = inner.flatMap((one) => (one instanceof Error && one.message !== '' ? [one.message] : []))
  return reasons.length === 0 ? error.message : reasons.join('; ')
}

interface ErrorBody {
  readonly message?: unknown
  readonly code?: unknown
  readonly request_id?: unknown
  readonly errors?: unknown
  readonly unavailable_signals?: unknown
}

/** An error as Fairway tells it, as far as the answer is one of its. */
function refusal(response: Response, text: string, known: Known): FairwayError {
  const body = (readJson(text) ?? {}) as ErrorBody
  const { status, headers } = response
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const code = textOf(body.code) as ErrorCode | null
  const message = textOf(body.message) ?? strangeMessage(status)
  return errorFor(status, message, {
    ...known,
    code,
    requestId: textOf(body.request_id) ?? headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), Date.now()),
    errors: itemsOf(body.errors) as FieldError[],
    unavailableSignals: itemsOf(body.unavailable_signals) as SignalName[],
  })
}

/** A browser does not tell the status of a redirect. */
function strangeMessage(status: number): string {
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  return isRedirect
    ? 'The address redirects to another, where no key is sent: give the final address as baseUrl.'
    : `The answer was ${status}, and not one that Fairway gives.`
}

/** Null where it is no JSON object or list. */
function readJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** A success that is none of Fairway's. Of a verify it may hide a decision that was made, so that its key is told. */
export function unexpected(
  message: string,
  { status, headers, attempts, idempotencyKey }: Answer,
): FairwayError {
  const requestId = headers.get('x-request-id')
  return new UnexpectedAnswerError(message, { status, requestId, attempts, idempotencyKey })
}

/** The body of a success. */
// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- what comes is what the contract says, and the caller names it
export function jsonOf<Body extends object>(answer: Answer): Body {
  const body = readJson(answer.text)
  if (body === null) throw unexpected('The answer is not JSON: is this the address of a Fairway?', answer)
  return body as Body
}

/** Likewise, of a list. */
// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- likewise
export function listOf<Item>(answer: Answer): readonly Item[] {
  const body = jsonOf(answer)
  if (!Array.isArray(body))
    throw unexpected('The answer is not a list: is this the address of a Fairway?', answer)
  return body as Item[]
}

/** The text of a success that is a table. */
export function csvOf(answer: Answer): string {
  if (!/^text\/csv\b/i.test(answer.headers.get('content-type') ?? ''))
    throw unexpected('The answer is not CSV: is this the address of a Fairway?', answer)
  return answer.text
}
