/** Turns a failed API call into an exit code, an error message and its JSON form. */

import {
  AuthenticationError,
  ConnectionError,
  FairwayError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedAnswerError,
} from '../../../../client/src/index.ts'
import { CommandFailure } from '../../deps.ts'
import { faultExitCode, holdExitCode } from './exit-codes.ts'
import { isLoopback, type Connection } from './settings.ts'
import { counted } from '../../../core/explain/wording.ts'

/** Whether a later retry may succeed. */
export function isTemporary(error: FairwayError): boolean {
  if (error instanceof InvalidRequestError) return error.code === 'REQUEST_TIMEOUT'
  return error instanceof RateLimitError || error instanceof ServerError || error instanceof ConnectionError
}

/** Connection refused, or unknown host name. */
export function isUnreachable(error: FairwayError): boolean {
  return hasCode(error, ['ECONNREFUSED', 'ENOTFOUND'])
}

/** The connection was lost, possibly for a moment only. */
export function isConnectionLost(error: FairwayError): boolean {
  return hasCode(error, ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
}

function hasCode(error: FairwayError, codes: readonly string[]): boolean {
  if (!(error instanceof ConnectionError)) return false
  return causesOf(error).some((cause) => 'code' in cause && codes.includes(String(cause.code)))
}

/** A name with several addresses fails with one error for each. */
function causesOf(error: Error): Error[] {
  const { cause } = error
  const inner = cause instanceof Error ? [cause, ...causesOf(cause)] : []
  return error instanceof AggregateError ? [...inner, ...(error.errors as Error[])] : inner
}

/** The failure that ends the command. */
export function failureOf(error: FairwayError, connection: Connection): CommandFailure {
  const exitCode = isTemporary(error) ? holdExitCode : faultExitCode
  const isMany = error.errors.length > 1
  const message = isMany ? 'the request is invalid:' : failureText(error, connection)
  const details = isMany
    ? error.errors.map(({ path, message: rule, position }) =>
        position === undefined ? `${path} ${rule}` : `${path} (character ${position}) ${rule}`,
      )
    : []
  return Object.assign(new CommandFailure(message, exitCode, details), { cause: error })
}

/** For a call that must not be repeated: after a lost or invalid response it says what is unknown. */
export function lostResult(error: unknown, unknown: string): unknown {
  const isLost =
    error instanceof ServerError || error instanceof ConnectionError || error instanceof UnexpectedAnswerError
  if (!isLost) return error
  const message = `${messageOf(error)} It is unknown ${unknown}`
  // The JSON output has the same message.
  const cause = new FairwayError(message, error, { cause: error })
  return Object.assign(new CommandFailure(message, holdExitCode), { cause })
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The client's message, with the option of the client replaced by that of the command. */
export function messageOf({ message }: FairwayError): string {
  return message.replace(/ as baseUrl\.$/, ' with --url.')
}

/** The cause and the remedy. Names the source of the key, never the key. */
function failureText(error: FairwayError, connection: Connection): string {
  const text = sentence(messageOf(error))
  const { url } = connection
  const keyText = keyFailureText(error, connection)
  if (keyText !== null) return keyText
  if (isUnreachable(error)) {
    return `no server at ${url}${isLoopback(url) ? ': run fairway quickstart to start one' : ''}.`
  }
  const isNoApiError = error instanceof ConnectionError || error instanceof UnexpectedAnswerError
  // An error without a code is not from Fairway, so the address matters.
  if (isNoApiError || (error.code === null && !isTemporary(error))) return `${text} Address: ${url}.`
  return isTemporary(error) ? `${text} Retry ${laterText(error.retryAfterSeconds)}.` : text
}

/** Null if the key is not the cause: none was sent, or the error is not from Fairway. */
function keyFailureText(error: FairwayError, { url, keySource }: Connection): string | null {
  if (keySource === null || error.code === null) return null
  const text = sentence(error.message)
  if (error instanceof AuthenticationError) {
    return `the key from ${keySource} was not accepted by ${url}: it is mistyped, expired or revoked. Run fairway login to store another.`
  }
  if (error instanceof PermissionError) return `${text} The key came from ${keySource}.`
  if (error instanceof NotFoundError) {
    return `${text} The key from ${keySource} can read only its owner's records: run fairway history to list them.`
  }
  return null
}

/** A delay of zero says nothing about when to retry. */
export function laterText(seconds: number | null): string {
  return seconds === null || seconds === 0 ? 'later' : `in ${counted(seconds, 'second')}`
}

/** The JSON output of a failed command. */
export function errorJson(error: unknown) {
  const causes = error instanceof Error ? [error, error.cause] : []
  const apiError = causes.find((one) => one instanceof FairwayError)
  const message = error instanceof Error ? error.message : String(error)
  return {
    error: {
      code: apiError?.code ?? null,
      message: apiError === undefined ? message : messageOf(apiError),
      request_id: apiError?.requestId ?? null,
      retry_after_seconds: apiError?.retryAfterSeconds ?? null,
      errors: apiError?.errors ?? [],
      unavailable_signals: apiError?.unavailableSignals ?? [],
    },
  }
}
