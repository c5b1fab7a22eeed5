/** What a failed call means on the command line: an exit code, a line that says what to do, and the same as JSON. */

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

/** No answer could be had now, and asking later may help. */
export function isTemporary(error: FairwayError): boolean {
  if (error instanceof InvalidRequestError) return error.code === 'REQUEST_TIMEOUT'
  return error instanceof RateLimitError || error instanceof ServerError || error instanceof ConnectionError
}

/** Nobody listens there, or the name is unknown. */
export function isNobodyThere(error: FairwayError): boolean {
  return hasCode(error, ['ECONNREFUSED', 'ENOTFOUND'])
}

/** It was there, and the connection broke: that may have been a moment's trouble. */
export function isBroken(error: FairwayError): boolean {
  return hasCode(error, ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
}

function hasCode(error: FairwayError, codes: readonly string[]): boolean {
  if (!(error instanceof ConnectionError)) return false
  return causesOf(error).some((cause) => 'code' in cause && codes.includes(String(cause.code)))
}

/** A name with two addresses fails for each of them. */
function causesOf(error: Error): Error[] {
  const { cause } = error
  const inner = cause instanceof Error ? [cause, ...causesOf(cause)] : []
  return error instanceof AggregateError ? [...inner, ...(error.errors as Error[])] : inner
}

/** Ends the command. */
export function failureOf(error: FairwayError, connection: Connection): CommandFailure {
  const exitCode = isTemporary(error) ? holdExitCode : faultExitCode
  const isMany = error.errors.length > 1
  const message = isMany ? 'the request was refused:' : toldOf(error, connection)
  const details = isMany ? error.errors.map(({ path, message: rule }) => `${path} ${rule}`) : []
  return Object.assign(new CommandFailure(message, exitCode, details), { cause: error })
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** What happened, in the words of a command: the client speaks of its own options. */
export function messageOf({ message }: FairwayError): string {
  return message.replace(/ as baseUrl\.$/, ' with --url.')
}

/** What happened and what to do. The key itself is never told, only where it came from. */
function toldOf(error: FairwayError, connection: Connection): string {
  const told = sentence(messageOf(error))
  const { url } = connection
  const keyTold = keyToldOf(error, connection)
  if (keyTold !== null) return keyTold
  if (isNobodyThere(error)) {
    return `nothing answers at ${url}${isLoopback(url) ? ': fairway quickstart starts a server there' : ''}.`
  }
  const isStrange = error instanceof ConnectionError || error instanceof UnexpectedAnswerError
  // Without a code it was somebody else who answered: which, is of interest.
  if (isStrange || (error.code === null && !isTemporary(error))) return `${told} It was asked at ${url}.`
  return isTemporary(error) ? `${told} Ask again ${laterText(error.retryAfterSeconds)}.` : told
}

/** Null where the key has nothing to do with it: none was sent, or it was not Fairway that refused. */
function keyToldOf(error: FairwayError, { url, keySource: from }: Connection): string | null {
  if (from === null || error.code === null) return null
  const told = sentence(error.message)
  if (error instanceof AuthenticationError) {
    return `the key from ${from} was not accepted by ${url}: it is mistyped, expired or revoked. fairway login stores another.`
  }
  if (error instanceof PermissionError) return `${told} The key came from ${from}.`
  if (error instanceof NotFoundError) {
    return `${told} The key from ${from} sees its own records: fairway history lists them.`
  }
  return null
}

/** Zero tells nothing of when. */
export function laterText(seconds: number | null): string {
  return seconds === null || seconds === 0 ? 'later' : `in ${counted(seconds, 'second')}`
}

/** The one JSON value of a command that failed. */
export function errorJson(error: unknown) {
  const causes = error instanceof Error ? [error, error.cause] : []
  const known = causes.find((one) => one instanceof FairwayError)
  const message = error instanceof Error ? error.message : String(error)
  return {
    error: {
      code: known?.code ?? null,
      message: known === undefined ? message : messageOf(known),
      request_id: known?.requestId ?? null,
      retry_after_seconds: known?.retryAfterSeconds ?? null,
      errors: known?.errors ?? [],
      unavailable_signals: known?.unavailableSignals ?? [],
    },
  }
}
