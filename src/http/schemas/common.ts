/** Schemas that several resources share. */

import { Type } from 'typebox'
import { actualOutcomes } from '../../core/live/outcome.ts'
import { statusOf, type ErrorCode } from '../errors.ts'
import { warningCodes } from '../../app/verify/answer.ts'
import { recommendedActions, reasonCodes } from '../../core/decision/reasons.ts'
import { labelFloors, signalNames } from '../../core/decision/signals.ts'

/** Names a schema, so that the document defines it once and references it elsewhere. */
export function named<Schema extends Type.TSchema>(title: string, schema: Schema): Schema {
  return { ...schema, title }
}

export const Verdict = named(
  'Decision',
  Type.Enum(['GO', 'DEGRADED', 'NO-GO'], { description: 'The decision.' }),
)
export const Mode = named('Mode', Type.Enum(['shadow', 'live']))
export const ReasonCode = named('ReasonCode', Type.Enum([...reasonCodes]))
export const RecommendedAction = named('RecommendedAction', Type.Enum([...recommendedActions]))
export const PaymentOutcome = named('PaymentOutcome', Type.Enum([...actualOutcomes]))
export const SignalName = named('SignalName', Type.Enum([...signalNames]))
/** A label, or `NO_DATA` for a live corridor that is not supported. */
export const ProbeLabel = named('ProbeLabel', Type.Enum([...labelFloors.map(([label]) => label), 'NO_DATA']))
export const SignalLabel = named('SignalLabel', Type.Enum(labelFloors.map(([label]) => label)))
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })
export const Score = Type.Number({ minimum: 0, maximum: 1 })
export const Bands = Type.Array(
  Type.Object({ decision: Verdict, score_from: Type.Number(), score_below: Type.Number() }),
)

export function nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** Of a recorded payment. The answer of verify alone has the settlement currency as `currency`. */
export const paymentCurrencies = {
  currency: Type.String({ description: 'The currency of the request, as in `request_currency`.' }),
  request_currency: Type.String({ description: 'The currency of the request.' }),
  settlement_currency: nullable(
    Type.String({
      description:
        "The corridor's settlement currency, as recorded with the decision: `currency` in the answer of verify. Null if the corridor has none, or the month of the decision was detached.",
    }),
  ),
}

/** A single line: no control characters. */
export const singleLinePattern = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** Multi-line text: newlines and tabs, but no other control characters. */
export const multilinePattern = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$'

/** Whether the text has no visible character. */
export function isBlank(text: string): boolean {
  return !/[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

/** In the answer to a request with a body; absent if there are none. */
export const Warnings = Type.Optional(
  Type.Array(
    named(
      'Warning',
      Type.Object({
        code: Type.Enum([...warningCodes]),
        message: Type.String(),
        path: Type.Optional(
          Type.String({ description: 'JSON pointer into the body. Absent if it is not about a member.' }),
        ),
      }),
    ),
    {
      description:
        'Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none.',
    },
  ),
)

/** An answer that can have warnings. */
export function withWarnings<Properties extends Type.TProperties>(schema: Type.TObject<Properties>) {
  const properties = { ...schema.properties, warnings: Warnings }
  return { ...schema, ...Type.Object(properties) }
}

const errorCodes = Object.keys(statusOf) as ErrorCode[]

export const ErrorBody = named(
  'Error',
  Type.Object(
    {
      message: Type.String({ description: 'For humans. The text may change.' }),
      code: Type.Enum(errorCodes, { description: 'For programs. Codes are stable.' }),
      request_id: Type.String({ description: 'Quote it when you report the error.' }),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            path: Type.String({ description: 'JSON pointer to the invalid member.' }),
            message: Type.String(),
            row: Type.Optional(
              Type.Integer({ description: 'In a batch: the row, from 1, not counting the header.' }),
            ),
            column: Type.Optional(Type.String({ description: 'In a batch: the invalid column.' })),
            line: Type.Optional(Type.Integer({ description: 'In a CSV file: the line, from 1.' })),
            position: Type.Optional(
              Type.Integer({ description: 'In an expression of a policy: the character, from 1.' }),
            ),
          }),
          {
            description: 'With 400: all syntax errors or, if there are none, all semantic errors.',
          },
        ),
      ),
      unavailable_signals: Type.Optional(
        Type.Array(Type.String(), { description: 'With 503: the signals that could not be read, sorted.' }),
      ),
      signals_without_feed: Type.Optional(
        Type.Array(Type.String(), {
          description: 'With 503: those of them for which no feed is set up, so that waiting does not help.',
        }),
      ),
    },
    { description: 'The shape of every error.' },
  ),
)

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is invalid, or has a member that is likely a misspelling. `errors` lists each invalid member and what is wrong with it.',
  401: 'The key is missing, malformed, unknown, expired or revoked.',
  403: 'The key is valid but lacks permission.',
  404: 'No such record for this key.',
  409: 'Conflict with a stored record: an idempotency key with a different body, a second override or outcome, or a change of a policy that its status does not allow.',
  413: 'The body is too large.',
  415: 'This path does not accept the content type of the body.',
  422: 'The request is well formed, but cannot be fulfilled.',
  429: 'Rate limit exceeded. Retry after `Retry-After` seconds.',
  500: 'Unexpected server error.',
  503: 'A dependency (signals, the store or the captcha service) is unavailable. Hold the payment, never allow it, and retry after `Retry-After` seconds.',
}

const text = (description: string) => ({ type: 'string', description })
const seconds = (description: string) => ({ type: 'integer', description })

/** Headers of every API response. */
const commonHeaders = {
  'X-Request-ID': text('The id of this request or, if it created a record, of the record.'),
  'X-SVC-Version': text('The major version of the API.'),
  'X-SVC-Environment': text('`sandbox`, or `production` for live mode.'),
}
const limitHeaders = {
  RateLimit: text(
    'Requests left in the window and seconds until one more is available, as `"name";r=99;t=60`.',
  ),
  'RateLimit-Policy': text('Requests allowed per window and its length in seconds, as `"name";q=100;w=60`.'),
}
const headersOfStatus: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': text('The authentication scheme.') },
  429: { 'Retry-After': seconds('Seconds to wait before retrying.') },
  503: { 'Retry-After': seconds('Seconds to hold before retrying.') },
}

/** Whether a route is rate limited. */
type Counted = 'limited' | 'free'

/** A response schema with its headers. */
export function response<Schema extends object>(
  schema: Schema,
  counted: Counted,
  extra: object = {},
): Schema {
  return {
    ...schema,
    headers: { ...commonHeaders, ...(counted === 'limited' ? limitHeaders : {}), ...extra },
  }
}

/** Errors sent without rate-limit headers: the window is unknown at that point. */
export const withoutWindow: ReadonlySet<number> = new Set([401, 500, 503])

/** Response schemas of a route's errors. */
export function errorResponses(counted: Counted, ...statuses: readonly number[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      response(
        { ...ErrorBody, description: errorDescriptions[status] ?? 'An error.' },
        withoutWindow.has(status) ? 'free' : counted,
        headersOfStatus[status],
      ),
    ]),
  )
}

/** The authentication schemes; either is sufficient. */
export const keyed = [{ bearer: [] }, { apiKey: [] }]

/** A deeply read-only value, for compile-time checks of bodies that are sent as text. */
export type Frozen<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
  : Value
