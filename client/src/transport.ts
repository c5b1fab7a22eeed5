/** Sends one call over HTTP, with time-outs and safe retries, and turns failures into error classes. */

import { ConnectionError, errorFor, FairwayError, TimeoutError, UnexpectedAnswerError } from './errors.ts'
import { withLimits, type CallLimits, type CallOptions } from './request.ts'
import { mayRepeat, readRetryAfter, retryDelayMs, type Repeatable } from './retry.ts'
import type { Runtime } from './runtime.ts'
import type { ErrorCode, FieldError, SignalName } from './types.ts'

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Relative to the base URL, including the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly repeatable: Repeatable
  /** For verify: makes a retry safe. */
  readonly idempotencyKey: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly attempts: number
  readonly idempotencyKey: string | null
}

/** Context of a call, for its errors. */
type CallContext = Pick<Answer, 'attempts' | 'idempotencyKey'>

/** With less time left, an attempt could succeed but be reported as a timeout. */
const attemptMsMin = 1_000

export class Transport {
  readonly #baseUrl: string
  readonly #limits: CallLimits
  readonly #runtime: Runtime

  constructor(baseUrl: string, limits: CallLimits, runtime: Runtime) {
    this.#baseUrl = baseUrl
    this.#limits = limits
    this.#runtime = runtime
  }

  /** Returns a successful response; throws for anything else, after all retries. */
  async send(call: Call, options: CallOptions): Promise<Answer> {
    const limits = withLimits(this.#limits, options)
    const deadlineMs = this.#runtime.nowMs() + limits.totalTimeoutMs
    for (let attempt = 1; ; attempt += 1) {
      options.signal?.throwIfAborted()
      const leftMs = deadlineMs - this.#runtime.nowMs()
      // At least 1 ms, also if the sleep ended after the deadline.
      const timeoutMs = Math.max(1, Math.round(Math.min(limits.timeoutMs, leftMs)))
      const result = await this.#try(call, timeoutMs, attempt, options.signal)
      if (!(result instanceof FairwayError)) return result
      const delayMs = retryDelayMs(attempt, result.retryAfterSeconds, this.#runtime.random)
      const leftAfterMs = deadlineMs - this.#runtime.nowMs() - delayMs
      const inTime = leftAfterMs >= Math.min(limits.timeoutMs, attemptMsMin)
      if (attempt > limits.maxRetries || !inTime || !mayRepeat(call.repeatable, result.status)) throw result
      await this.#runtime.sleep(delayMs, options.signal)
    }
  }

  async #try(
    call: Call,
    timeoutMs: number,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer | FairwayError> {
    const context = { attempts: attempt, idempotencyKey: call.idempotencyKey }
    const controller = new AbortController()
    const onAbort = (): void => controller.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    let isLate = false
    const cancelTimer = this.#runtime.after(timeoutMs, () => {
      isLate = true
      controller.abort()
    })
    try {
      const { method, headers, body, path } = call
      const request = { method, headers, body, signal: controller.signal, redirect: 'manual' as const }
      const response = await this.#runtime.fetch(this.#baseUrl + path, request)
      const text = await response.text()
      if (response.status === 200) return { status: 200, headers: response.headers, text, ...context }
      return refusal(response, text, context)
    } catch (error) {
      signal?.throwIfAborted()
      if (isLate) {
        return new TimeoutError(`Fairway did not respond within ${timeoutMs} ms.`, context, { cause: error })
      }
      return new ConnectionError(`Fairway cannot be reached: ${reasonOf(error)}.`, context, { cause: error })
    } finally {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
    }
  }
}

/** The messages of the error's cause, which are more specific than fetch's own: one for each address tried. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const inner = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause]
  const reasons = inner.flatMap((item) =>
    item instanceof Error && item.message !== '' ? [item.message] : [],
  )
  return reasons.length === 0 ? error.message : reasons.join('; ')
}

interface ErrorBody {
  readonly message?: unknown
  readonly code?: unknown
  readonly request_id?: unknown
  readonly errors?: unknown
  readonly unavailable_signals?: unknown
  readonly signals_without_feed?: unknown
}

/** The error in a response, with as many members as the response provides. */
function refusal(response: Response, text: string, context: CallContext): FairwayError {
  const body = (readJson(text) ?? {}) as ErrorBody
  const { status, headers } = response
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const code = textOf(body.code) as ErrorCode | null
  const message = textOf(body.message) ?? unexpectedMessage(status)
  return errorFor(status, message, {
    ...context,
    code,
    requestId: textOf(body.request_id) ?? headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), Date.now()),
    errors: itemsOf(body.errors) as FieldError[],
    unavailableSignals: itemsOf(body.unavailable_signals) as SignalName[],
    signalsWithoutFeed: itemsOf(body.signals_without_feed) as SignalName[],
  })
}

/** A browser reports status 0 for a redirect. */
function unexpectedMessage(status: number): string {
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  return isRedirect
    ? 'The URL redirects to another, and the key is not sent there: set the final URL as baseUrl.'
    : `Unexpected response with status ${status}, not from Fairway. Check the URL and any proxy.`
}

/** Null if the text is not a JSON object or array. */
function readJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** A 200 not from Fairway. A decision may still have been made, so the error has the idempotency key. */
export function unexpected(
  message: string,
  { status, headers, attempts, idempotencyKey }: Answer,
): FairwayError {
  const requestId = headers.get('x-request-id')
  return new UnexpectedAnswerError(message, { status, requestId, attempts, idempotencyKey })
}

/** The JSON body of a response. */
// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- the contract defines the type, the caller names it
export function jsonOf<Body extends object>(answer: Answer): Body {
  const body = readJson(answer.text)
  if (body === null)
    throw unexpected('The response is not JSON. Check that the URL is that of a Fairway service.', answer)
  return body as Body
}

/** The items of a list, as they were found in its response. */
export function checkedItems<Item>(items: readonly Item[], answer: Answer): readonly Item[] {
  if (Array.isArray(items)) return items
  throw unexpected('The response is not a list. Check that the URL is that of a Fairway service.', answer)
}

/** The CSV text of a response. */
export function csvOf(answer: Answer): string {
  if (!/^text\/csv\b/i.test(answer.headers.get('content-type') ?? ''))
    throw unexpected('The response is not CSV. Check that the URL is that of a Fairway service.', answer)
  return answer.text
}
