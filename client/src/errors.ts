/** The error classes of the client. All have the same members. */

import type { ErrorCode, FieldError, SignalName } from './types.ts'

export interface Failure {
  /** The HTTP status; null without a response. */
  readonly status: number | null
  /** A stable code for programs; null if the response was not from Fairway. */
  readonly code: ErrorCode | null
  /** Quote it when you report the error. */
  readonly requestId: string | null
  /** Seconds to wait before a retry, if the response specified them. */
  readonly retryAfterSeconds: number | null
  /** With 503: the unavailable signals. */
  readonly unavailableSignals: readonly SignalName[]
  /** Those of them for which no feed is set up: waiting does not help. */
  readonly signalsWithoutFeed: readonly SignalName[]
  /** With 400: each invalid member and what is wrong with it. */
  readonly errors: readonly FieldError[]
  /** For verify: retry with this key and the same body, so that nothing is decided twice. */
  readonly idempotencyKey: string | null
  /** The number of attempts made. */
  readonly attempts: number
}

const defaults: Failure = {
  status: null,
  code: null,
  requestId: null,
  retryAfterSeconds: null,
  unavailableSignals: [],
  signalsWithoutFeed: [],
  errors: [],
  idempotencyKey: null,
  attempts: 1,
}

/** The base class of all errors of a call. */
export class FairwayError extends Error implements Failure {
  override readonly name: string = 'FairwayError'
  readonly status: number | null
  readonly code: ErrorCode | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly unavailableSignals: readonly SignalName[]
  /** Those of them for which no feed is set up: waiting does not help. */
  readonly signalsWithoutFeed: readonly SignalName[]
  readonly errors: readonly FieldError[]
  readonly idempotencyKey: string | null
  readonly attempts: number

  constructor(message: string, failure: Partial<Failure> = {}, options?: ErrorOptions) {
    super(message, options)
    const {
      status,
      code,
      requestId,
      retryAfterSeconds,
      unavailableSignals,
      signalsWithoutFeed,
      errors,
      idempotencyKey,
      attempts,
    } = {
      ...defaults,
      ...failure,
    }
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.unavailableSignals = unavailableSignals
    this.signalsWithoutFeed = signalsWithoutFeed
    this.errors = errors
    this.idempotencyKey = idempotencyKey
    this.attempts = attempts
  }
}

/** 400 and other 4xx without a class of their own: correct the request. `errors` lists what is wrong. */
export class InvalidRequestError extends FairwayError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the key is missing, malformed, unknown, expired or revoked. */
export class AuthenticationError extends FairwayError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key is valid but lacks permission, or its principal wrote the policy that it would promote. */
export class PermissionError extends FairwayError {
  override readonly name = 'PermissionError'
}

/** 404: no such record for this key. */
export class NotFoundError extends FairwayError {
  override readonly name = 'NotFoundError'
}

/** 409: an idempotency key with a different body, a second override or outcome, or a change that a policy's state forbids. */
export class ConflictError extends FairwayError {
  override readonly name = 'ConflictError'
}

/** 422: the request is well formed, but cannot be fulfilled. */
export class UnprocessableError extends FairwayError {
  override readonly name = 'UnprocessableError'
}

/** 429, after all retries. */
export class RateLimitError extends FairwayError {
  override readonly name = 'RateLimitError'
}

/** 5xx, after all retries. For verify the result is unknown: hold. */
export class ServerError extends FairwayError {
  override readonly name: string = 'ServerError'
}

/** 503: a dependency is unavailable. `verify` does not throw this: it returns a hold. */
export class UnavailableError extends ServerError {
  override readonly name = 'UnavailableError'
}

/** No response. For verify the result is unknown: hold. */
export class ConnectionError extends FairwayError {
  override readonly name: string = 'ConnectionError'
}

/** No response in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The response is not from Fairway: another service runs at this URL. */
export class UnexpectedAnswerError extends FairwayError {
  override readonly name = 'UnexpectedAnswerError'
}

const classes: Readonly<Record<number, typeof FairwayError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
  503: UnavailableError,
}

/** Creates the error for a status. */
export function errorFor(status: number, message: string, failure: Partial<Failure>): FairwayError {
  const other = status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : UnexpectedAnswerError
  const Class = classes[status] ?? other
  return new Class(message, { ...failure, status })
}
