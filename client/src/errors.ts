/** Every way in which a call can fail, as a class; all have the same members. */

import type { ErrorCode, FieldError, SignalName } from './types.ts'

export interface Failure {
  /** The HTTP status; null where there was no answer. */
  readonly status: number | null
  /** Stable, for programs; null where the answer was not one of Fairway's. */
  readonly code: ErrorCode | null
  /** Quote it when you report the error. */
  readonly requestId: string | null
  /** How long to wait before asking again, where that was told. */
  readonly retryAfterSeconds: number | null
  /** With 503: the signals that could not be read. */
  readonly unavailableSignals: readonly SignalName[]
  /** With 400: what is wrong with which member. */
  readonly errors: readonly FieldError[]
  /** Of a verify: ask again with this key and the same body, and nothing is decided twice. */
  readonly idempotencyKey: string | null
  /** How often it was tried. */
  readonly attempts: number
}

const unknown: Failure = {
  status: null,
  code: null,
  requestId: null,
  retryAfterSeconds: null,
  unavailableSignals: [],
  errors: [],
  idempotencyKey: null,
  attempts: 1,
}

/** What all failures of a call have in common. */
export class FairwayError extends Error implements Failure {
  override readonly name: string = 'FairwayError'
  readonly status: number | null
  readonly code: ErrorCode | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly unavailableSignals: readonly SignalName[]
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
      errors,
      idempotencyKey,
      attempts,
    } = {
      ...unknown,
      ...failure,
    }
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.unavailableSignals = unavailableSignals
    this.errors = errors
    this.idempotencyKey = idempotencyKey
    this.attempts = attempts
  }
}

/** 400, and any other refusal of the request as it stands: mend it. `errors` says what is wrong. */
export class InvalidRequestError extends FairwayError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the key is missing, malformed, unknown, expired or revoked. */
export class AuthenticationError extends FairwayError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key is valid but may not do this. */
export class PermissionError extends FairwayError {
  override readonly name = 'PermissionError'
}

/** 404: there is no such record for this key. */
export class NotFoundError extends FairwayError {
  override readonly name = 'NotFoundError'
}

/** 409: an idempotency key with another body, a second override, a second outcome. */
export class ConflictError extends FairwayError {
  override readonly name = 'ConflictError'
}

/** 422: well formed, but what it asks for cannot be. */
export class UnprocessableError extends FairwayError {
  override readonly name = 'UnprocessableError'
}

/** 429, after the retries that were allowed. */
export class RateLimitError extends FairwayError {
  override readonly name = 'RateLimitError'
}

/** 500 and its like, after the retries that were allowed. Of a verify nothing is known: hold. */
export class ServerError extends FairwayError {
  override readonly name: string = 'ServerError'
}

/** 503: what is needed for an answer is unavailable. `verify` does not throw this: it answers `HOLD`. */
export class UnavailableError extends ServerError {
  override readonly name = 'UnavailableError'
}

/** No answer. Of a verify nothing is known: hold. */
export class ConnectionError extends FairwayError {
  override readonly name: string = 'ConnectionError'
}

/** No answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** An answer, but none that Fairway gives: something else is at this address. */
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

/** The class that stands for a status. */
export function errorFor(status: number, message: string, failure: Partial<Failure>): FairwayError {
  const other = status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : UnexpectedAnswerError
  const Class = classes[status] ?? other
  return new Class(message, { ...failure, status })
}
