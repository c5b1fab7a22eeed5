/** Turns the arguments of a tool into one call of the API, and what came of it into the result of the tool. */

import { isObject } from '../core/reference/json.ts'
import type { Headline } from './headlines.ts'
import { localFailure, type Api, type ApiCall, type Failure } from './api.ts'
import { operations } from './operations.ts'
import { dataParts, dataText, shown } from './render.ts'

type OperationName = keyof typeof operations

export interface ToolResult {
  readonly content: { type: 'text'; text: string }[]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: true
  // The type of the protocol's results is open.
  [member: string]: unknown
}

type Arguments = Readonly<Record<string, unknown>>

/** Far from the limits of servers and proxies. Within the service no other limit of a path applies. */
const pathLengthMax = 8_000

/** The request, or why there is none. The API checks the values of arguments. */
function callOf(name: OperationName, given: Arguments): ApiCall | string {
  const { method, path, places, input } = operations[name]
  const placeOf: Readonly<Record<string, string>> = places
  const unknown = Object.keys(given).filter((member) => !Object.hasOwn(placeOf, member))
  if (unknown.length > 0)
    return `unknown arguments; this tool has ${Object.keys(placeOf).join(', ') || 'none'}`
  const missing = input.required.filter((member) => given[member] === undefined)
  if (missing.length > 0) return `missing arguments: ${missing.join(', ')}`
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  let filled: string = path
  for (const [member, value] of Object.entries(given)) {
    if (placeOf[member] === 'body') body[member] = value
    else if (!isScalar(value)) return `${member} must be a text, a number or a truth value`
    else if (placeOf[member] === 'query') query.set(member, String(value))
    // An empty segment, `.` or `..` would address another path.
    else if (/^\.{0,2}$/.test(String(value))) return `${member} is no id`
    else filled = filled.replace(`{${member}}`, () => encodeURIComponent(String(value).toWellFormed()))
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`
  const target = filled + search
  if (target.length > pathLengthMax) return 'the arguments are too long'
  return { method, path: target, body: method === 'GET' ? null : body }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/** A list has its next page in a header, which a tool has not. */
function membersOf(body: unknown, link: string | null): Record<string, unknown> | null {
  if (isObject(body)) return body
  if (!Array.isArray(body)) return null
  const next = link?.split(',').find((part) => /;\s*rel="?next"?/.test(part)) ?? ''
  const cursor = new URLSearchParams(/\?([^>#]*)/.exec(next)?.[1]).get('cursor')
  return { items: body as unknown[], next_cursor: cursor }
}

/** How the result of a call is worded. */
export interface Subject {
  readonly operation: OperationName
  /** Whether an answer decides whether a payment may proceed. */
  readonly decides: boolean
  readonly headline: Headline
}

/** The way to the API, and what else a call needs. */
export interface CallDeps {
  readonly api: Api
  /** Told of a fault of ours, which the caller gets as a hold. */
  readonly onUnexpected: (error: unknown) => void
}

const notFairway = localFailure(
  'The answer did not come from Fairway. Check the address and any proxy.',
  true,
)

const unexpected = localFailure('An unexpected error: Fairway could not handle this call.', true)

/** A fault of ours is a hold, too: the protocol's library would answer with its message alone. */
export async function run(
  deps: CallDeps,
  subject: Subject,
  given: Arguments,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { decides } = subject
  const idempotencyKey = decides ? (given['idempotency_key'] ?? deps.api.newIdempotencyKey()) : null
  const key = decides ? { idempotency_key: idempotencyKey } : {}
  try {
    return await answerOf(deps.api, subject, { given, key, signal })
  } catch (error) {
    signal.throwIfAborted()
    deps.onUnexpected(error)
    // The decision may be recorded, and the key finds it again. Anything but a text may have been the fault.
    return failed(decides, unexpected, typeof idempotencyKey === 'string' ? key : {})
  }
}

interface Asked {
  readonly given: Arguments
  readonly key: { readonly idempotency_key?: unknown }
  readonly signal: AbortSignal
}

async function answerOf(
  api: Api,
  { operation, decides, headline }: Subject,
  { given, key, signal }: Asked,
): Promise<ToolResult> {
  const call = callOf(operation, { ...given, ...key })
  if (typeof call === 'string') return failed(decides, localFailure(`Nothing was sent: ${call}.`), {})
  const answer = await api.send(call, signal)
  if (answer.kind === 'failed') return failed(decides, answer.failure, key)
  const members = membersOf(answer.body, answer.link)
  // A page of a proxy, say: a decision may stand behind it, and the key finds it again.
  const isDecision = members !== null && isKnownDecision(members['decision'])
  if (members === null || (decides && !isDecision)) return failed(decides, notFairway, key)
  return resultOf(headline(members), { ...members, ...key })
}

const isKnownDecision = (value: unknown): boolean =>
  typeof value === 'string' && ['GO', 'DEGRADED', 'NO-GO'].includes(value)

function resultOf(line: string, answer: Record<string, unknown>): ToolResult {
  const data = shown(answer)
  return {
    content: [{ type: 'text', text: dataText(line, data) }],
    structuredContent: dataParts(line, data),
  }
}

/** An error must not be taken for a yes: it says first that nothing may be paid because of it. */
function failed(decides: boolean, failure: Failure, key: { idempotency_key?: unknown }): ToolResult {
  const { code, message, requestId, retryAfterSeconds, errors, unavailableSignals, isHold } = failure
  const answer = {
    ...(decides ? { decision: isHold ? 'HOLD' : null } : {}),
    code,
    message,
    request_id: requestId,
    retry_after_seconds: retryAfterSeconds,
    errors,
    unavailable_signals: unavailableSignals,
    ...key,
  }
  return { ...resultOf(failureLine(decides, failure, 'idempotency_key' in key), answer), isError: true }
}

function failureLine(decides: boolean, failure: Failure, hasKey: boolean): string {
  const { isHold, retryAfterSeconds, isOwnMessage, message } = failure
  const cause = isOwnMessage ? message : 'The message in the data says what to correct.'
  if (!isHold) {
    return decides
      ? `NO DECISION: the request was refused. Do not pay. ${cause}`
      : `REFUSED: there is no answer. ${cause}`
  }
  const when = (retryAfterSeconds ?? 0) > 0 ? `in ${retryAfterSeconds} seconds` : 'later'
  const reason = isOwnMessage ? ` ${message}` : ''
  const same = hasKey ? 'the same arguments and the idempotency_key below' : 'corrected arguments'
  return decides
    ? `HOLD: no answer is a hold: do not pay. Ask again ${when} with ${same}.${reason}`
    : `HOLD: no answer is a hold: do not pay because of it. Ask again ${when}.${reason}`
}
