/** Turns the arguments of a tool into one call of the API, and what came of it into the result of the tool. */

import { isObject } from '../core/reference/json.ts'
import { localFailure, type Api, type ApiCall, type Failure } from './api.ts'
import { operations } from './operations.ts'
import { dataText, shown } from './render.ts'

type OperationName = keyof typeof operations

export interface ToolResult {
  readonly content: { type: 'text'; text: string }[]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: true
  // The type of the protocol's results is open.
  [member: string]: unknown
}

type Arguments = Readonly<Record<string, unknown>>

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
  return { method, path: filled + search, body: method === 'GET' ? null : body }
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
  readonly headline: (answer: Readonly<Record<string, unknown>>) => string
}

const notFairway = localFailure(
  'The answer did not come from Fairway. Check the address and any proxy.',
  true,
)

export async function run(
  api: Api,
  { operation, decides, headline }: Subject,
  given: Arguments,
  signal: AbortSignal,
): Promise<ToolResult> {
  const key = decides ? { idempotency_key: given['idempotency_key'] ?? api.newIdempotencyKey() } : {}
  const call = callOf(operation, { ...given, ...key })
  if (typeof call === 'string') return failed(decides, localFailure(`Nothing was sent: ${call}.`), {})
  const answer = await api.send(call, signal)
  if (answer.kind === 'failed') return failed(decides, answer.failure, key)
  const members = membersOf(answer.body, answer.link)
  // A page of a proxy, say: a decision may stand behind it, and the key finds it again.
  const isDecision = members !== null && isKnownDecision(members['decision'])
  if (members === null || (decides && !isDecision)) return failed(decides, notFairway, key)
  const data = shown({ ...members, ...key })
  return { content: [textOf(headline(members), data)], structuredContent: data }
}

const isKnownDecision = (value: unknown): boolean =>
  typeof value === 'string' && ['GO', 'DEGRADED', 'NO-GO'].includes(value)

const textOf = (line: string, data: Record<string, unknown>): { type: 'text'; text: string } => ({
  type: 'text',
  text: dataText(line, data),
})

/** An error must not be taken for a yes: it says first that nothing may be paid because of it. */
function failed(decides: boolean, failure: Failure, key: { idempotency_key?: unknown }): ToolResult {
  const { code, message, requestId, retryAfterSeconds, errors, unavailableSignals, isHold } = failure
  const data = shown({
    ...(decides ? { decision: isHold ? 'HOLD' : null } : {}),
    code,
    message,
    request_id: requestId,
    retry_after_seconds: retryAfterSeconds,
    errors,
    unavailable_signals: unavailableSignals,
    ...key,
  })
  const text = textOf(failureLine(decides, failure), data)
  return { content: [text], structuredContent: data, isError: true }
}

function failureLine(decides: boolean, failure: Failure): string {
  const { isHold, retryAfterSeconds, isOwnMessage, message } = failure
  const cause = isOwnMessage ? message : 'The message in the data says what to correct.'
  if (!isHold) {
    return decides
      ? `NO DECISION: the request was refused. Do not pay. ${cause}`
      : `REFUSED: there is no answer. ${cause}`
  }
  const when = (retryAfterSeconds ?? 0) > 0 ? `in ${retryAfterSeconds} seconds` : 'later'
  const reason = isOwnMessage ? ` ${message}` : ''
  return decides
    ? `HOLD: no answer is a hold: do not pay. Ask again ${when} with the same arguments and the idempotency_key below.${reason}`
    : `HOLD: no answer is a hold: do not pay because of it. Ask again ${when}.${reason}`
}
