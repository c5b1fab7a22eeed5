/** Defines the error response: one shape for every error, and the only table from codes to HTTP statuses. */

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { TLocalizedValidationError } from 'typebox/error'
import { FollowerBehind } from '../app/followers/journal.ts'
import { ReadsBusy, StoreRefusal, StoreUnavailable, StoreUnsound } from '../app/ports/store.ts'
import { pointerPart } from '../core/reference/json.ts'
import { overrideReasonPattern } from '../core/events/override.ts'
import {
  archiveNamePattern,
  idempotencyKeyPattern,
  limitPattern,
  limits,
  monthPattern,
  referencePattern,
  sha256Pattern,
} from './limits.ts'

export const statusOf = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  FOUR_EYES: 403,
  REVIEW_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  IDEMPOTENCY_CONFLICT: 409,
  OVERRIDE_EXISTS: 409,
  OUTCOME_EXISTS: 409,
  WEBHOOK_EXISTS: 409,
  POLICY_CONFLICT: 409,
  REVIEW_CONFLICT: 409,
  ADMIN_CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SIGNALS_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
  CAPTCHA_UNAVAILABLE: 503,
  OVERLOADED: 503,
  STOPPING: 503,
} as const

export type ErrorCode = keyof typeof statusOf

export interface FieldError {
  /** JSON pointer into the body, the query or the headers; empty for the request itself. */
  readonly path: string
  readonly message: string
  /** In a batch: the row (from 1), the column, and the line of a CSV file. */
  readonly row?: number
  readonly column?: string
  readonly line?: number
  /** In an expression: the character, from 1. */
  readonly position?: number
}

export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly errors?: readonly FieldError[]
  readonly retryAfterSeconds?: number
  readonly unavailableSignals?: readonly string[]
  /** Those of them for which no feed is set up. */
  readonly signalsWithoutFeed?: readonly string[]
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.request.problem = problem
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return reply.code(statusOf[problem.code]).send(problemBody(problem, reply.request.id))
}

export function problemBody(problem: Problem, requestId: string) {
  const unavailable = problem.unavailableSignals ?? (statusOf[problem.code] === 503 ? [] : undefined)
  return {
    message: problem.message,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...(unavailable === undefined ? {} : { unavailable_signals: unavailable }),
    ...(problem.signalsWithoutFeed === undefined || problem.signalsWithoutFeed.length === 0
      ? {}
      : { signals_without_feed: problem.signalsWithoutFeed }),
  }
}

/** One error for every unknown path and id, so that a caller cannot tell other owners' ids from unknown ones. */
export const notFound: Problem = {
  code: 'NOT_FOUND',
  message: 'No such path, or no such record for this key. Check the path, the id and the key.',
}

export const unauthorized: Problem = {
  code: 'UNAUTHORIZED',
  message: 'A valid API key is required. Send it as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
}

/** Nothing was looked up or stored, so the same request can be sent again. */
export const overloaded: Problem = {
  code: 'OVERLOADED',
  message:
    'The service is overloaded and is shedding requests. Hold the payment and retry with the same idempotency key.',
  retryAfterSeconds: limits.overloadRetryAfterSeconds,
}

export const stopping: Problem = {
  code: 'STOPPING',
  message: 'This instance is stopping. Send requests to another instance.',
  retryAfterSeconds: limits.overloadRetryAfterSeconds,
}

export function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors
  const sentence = first === undefined ? '' : `${placeOf(first)} ${first.message}.`
  const more = errors.length > 1 ? ` See errors for ${errors.length - 1} more.` : ''
  return { code: 'INVALID_REQUEST', message: `${sentence}${more}`, errors }
}

/** Names the location: row and column for a batch, otherwise the JSON pointer. */
function placeOf({ path, row, column, line, position }: FieldError): string {
  const character = position === undefined ? '' : ` (character ${position})`
  const where = line === undefined ? character : ` (line ${line})`
  if (row === undefined) return `${path === '' ? 'The request' : path}${where}`
  const member = column ?? path.split('/').slice(3).join('/')
  return `Row ${row}${where}${member === '' ? '' : `: ${member}`}`
}

/** Thrown by body parsers to carry a problem through Fastify to `handleError`. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.code)
    this.problem = problem
  }
}

export function unsupportedType({ routeOptions }: FastifyRequest): Problem {
  const more = routeOptions.config.acceptsCsv === true ? ' or as "Content-Type: text/csv"' : ''
  return {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: `Send the body as "Content-Type: application/json"${more}.`,
  }
}

const fastifyProblems: Readonly<Record<string, (request: FastifyRequest) => Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedType,
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => ({
    code: 'PAYLOAD_TOO_LARGE',
    message: `The body is too large: send at most ${routeOptions.bodyLimit} bytes.`,
  }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalid([{ path: '', message: 'must have the length given in Content-Length' }]),
}

/** Sends an expected error as its problem. Anything else is a bug: logged in full, answered without internals. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = expectedProblem(error, request)
  if (problem !== null) {
    if (problem.code === 'STORE_UNAVAILABLE')
      request.log.error({ err: error }, 'http: store unavailable, or behind')
    return sendProblem(reply, problem)
  }
  // The error of the request's own stream: the connection ended before the body did. A failure behind it is ours.
  if (error === request.raw.errored) {
    request.log.info('http: caller disconnected before its request was complete')
    return sendProblem(reply, invalid([{ path: '', message: 'did not arrive completely; send it again' }]))
  }
  logUnexpected(error, request)
  return sendProblem(reply, {
    code: 'INTERNAL_ERROR',
    message: `Unexpected server error. Retry with the same idempotency key. If it persists, report ${request.id}.`,
  })
}

/** Also for an error that is answered as something else. */
export function logUnexpected(error: FastifyError, request: FastifyRequest): void {
  if (expectedProblem(error, request) === null && error !== request.raw.errored)
    request.log.error({ err: error }, 'http: unexpected error')
}

function expectedProblem(error: FastifyError, request: FastifyRequest): Problem | null {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof StoreUnsound) {
    const message = `Not ready: ${error.message}.`
    return { code: 'STORE_UNAVAILABLE', message, retryAfterSeconds: limits.storeRetryAfterSeconds }
  }
  if (error instanceof StoreRefusal) {
    return {
      code: 'STORE_UNAVAILABLE',
      message:
        'The database refuses a statement of this service, which its operator must mend. Hold the payment and retry with the same idempotency key.',
      retryAfterSeconds: limits.storeRetryAfterSeconds,
    }
  }
  if (error instanceof ReadsBusy) return overloaded
  if (error instanceof StoreUnavailable) {
    return {
      code: 'STORE_UNAVAILABLE',
      message:
        'The store is unreachable or its response was lost. Hold the payment and retry with the same idempotency key.',
      retryAfterSeconds: limits.storeRetryAfterSeconds,
    }
  }
  if (error instanceof FollowerBehind) {
    return {
      code: 'STORE_UNAVAILABLE',
      message: 'Earlier records are still being processed. Nothing is lost: retry in a few seconds.',
      retryAfterSeconds: limits.storeRetryAfterSeconds,
    }
  }
  if (error.validation !== undefined) {
    return invalid(fieldErrors(error.validation as unknown as TLocalizedValidationError[]))
  }
  return fastifyProblems[error.code]?.(request) ?? null
}

/** Turns validation errors into messages that a caller can act on. */
export function fieldErrors(errors: readonly TLocalizedValidationError[]): FieldError[] {
  return errors.flatMap((error) => {
    if (error.keyword === 'required') {
      return error.params.requiredProperties.map((name) => ({
        path: `${error.instancePath}/${name}`,
        message: 'is required',
      }))
    }
    // Comes with the error of the object that the member is in.
    if (error.keyword === 'boolean') return []
    if (error.keyword === 'additionalProperties') {
      return error.params.additionalProperties.map((name) => ({
        path: `${error.instancePath}/${pointerPart(name)}`,
        message: 'is not a parameter of this list; see the API reference',
      }))
    }
    return [{ path: error.instancePath, message: messageFor(error) }]
  })
}

const patternRules: Readonly<Record<string, string>> = {
  [idempotencyKeyPattern]: 'must contain only printable ASCII characters',
  [overrideReasonPattern]: 'must be in upper snake case, like COMPLIANCE_APPROVED',
  [referencePattern]: 'must be letters, digits and . _ : / # - and start with a letter or digit',
  [archiveNamePattern]: 'must be the name of a folder: letters, digits and . _ - after a letter or digit',
  [sha256Pattern]: 'must be a SHA-256 as 64 hexadecimal digits in lower case',
  [monthPattern]: 'must be a month, like 2026-03',
  [limitPattern]: 'must be COUNT/SECONDS, like 100/60',
}

function messageFor(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'type':
      return error.instancePath === '' && error.params.type === 'object'
        ? 'must have a JSON object as its body'
        : `must be ${typePhrase(error.params.type)}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minimum':
      return error.params.limit === 0 ? 'must not be negative' : `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'pattern':
      return patternRules[String(error.params.pattern)] ?? 'must not contain control characters'
    case 'minItems':
      return `must have at least ${items(error.params.limit)}`
    case 'maxItems':
      return `must have at most ${items(error.params.limit)}`
    case 'uniqueItems':
      return 'must not contain duplicates'
    default:
      return error.message
  }
}

function typePhrase(type: string | string[]): string {
  const [first = '', ...others] = [type].flat()
  return [`${/^[aeiou]/.test(first) ? 'an' : 'a'} ${first}`, ...others].join(' or ')
}

function items(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`
}

/** No decision: a signal could not be read. */
export function signalsUnavailable({
  signals,
  withoutFeed,
}: {
  readonly signals: readonly string[]
  readonly withoutFeed: readonly string[]
}): Problem {
  return {
    code: 'SIGNALS_UNAVAILABLE',
    message: holdMessage(withoutFeed),
    retryAfterSeconds: limits.signalsRetryAfterSeconds,
    unavailableSignals: signals,
    signalsWithoutFeed: withoutFeed,
  }
}

/** Waiting does not bring a feed that nobody has set up. */
function holdMessage(withoutFeed: readonly string[]): string {
  return withoutFeed.length === 0
    ? 'Some signals are unavailable, so no decision was made. Hold the payment and retry after Retry-After seconds.'
    : `No live feed is set up for ${withoutFeed.join(', ')}, so no decision was made. Hold the payment until an operator has set up the feeds (FAIRWAY_LIVE_FEEDS).`
}
