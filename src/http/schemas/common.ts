/** Schemas that several resources share. */

import { Type } from 'typebox'
import { actualOutcomes } from '../../core/live/outcome.ts'
import { statusOf, type ErrorCode } from '../errors.ts'
import { recommendedActions, reasonCodes } from '../../core/decision/reasons.ts'
import { labelFloors, signalNames } from '../../core/decision/signals.ts'

/** A schema with a name of its own in the document, where it is written once and referred to. */
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
export const SignalLabel = named('SignalLabel', Type.Enum(labelFloors.map(([label]) => label)))
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })
export const Score = Type.Number({ minimum: 0, maximum: 1 })
export const Bands = Type.Array(
  Type.Object({ decision: Verdict, score_from: Type.Number(), score_below: Type.Number() }),
)

export function nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** One line of words: no control characters. */
export const wordsPattern = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** Lines and tabs belong in a text; other control characters do not. */
export const textPattern = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$'

/** Nothing in it that anybody could read. */
export function isBlank(text: string): boolean {
  return !/[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

const errorCodes = Object.keys(statusOf) as ErrorCode[]

export const ErrorBody = named(
  'Error',
  Type.Object(
    {
      message: Type.String({ description: 'For people; may change.' }),
      code: Type.Enum(errorCodes, { description: 'For programs; stable.' }),
      request_id: Type.String({ description: 'Quote it when you report the error.' }),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            path: Type.String({ description: 'JSON pointer to the offending member.' }),
            message: Type.String(),
            row: Type.Optional(
              Type.Integer({ description: 'Of a batch: the row, from 1; a header is not counted.' }),
            ),
            column: Type.Optional(Type.String({ description: 'Of a batch: the column at fault.' })),
            line: Type.Optional(Type.Integer({ description: 'Of a CSV: the line in the file, from 1.' })),
          }),
          {
            description:
              'With 400: all that is wrong with the form or, where that is right, with the meaning.',
          },
        ),
      ),
      unavailable_signals: Type.Optional(
        Type.Array(Type.String(), { description: 'With 503: the signals that could not be read, sorted.' }),
      ),
    },
    { description: 'Every error has this shape.' },
  ),
)

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is not valid; `errors` says what is wrong with which member.',
  401: 'The key is missing, malformed, unknown, expired or revoked.',
  403: 'The key is valid but may not do this.',
  404: 'There is no such record for this key.',
  409: 'It clashes with what is kept: an idempotency key with another body, a second override, or a second outcome.',
  413: 'The body is too large.',
  415: 'The body is of a content type that this path does not take.',
  422: 'The request is well formed, but what it asks for cannot be.',
  429: 'The rate limit is exceeded; wait `Retry-After` seconds.',
  500: 'A fault on our side.',
  503: 'What is needed for an answer is unavailable (signals, the store, the captcha service): hold, never allow, and retry after `Retry-After` seconds.',
}

const text = (description: string) => ({ type: 'string', description })
const seconds = (description: string) => ({ type: 'integer', description })

/** What every answer of the API carries. */
const commonHeaders = {
  'X-Request-ID': text('The id of this request; of its record, where there is one.'),
  'X-SVC-Version': text('The major version of the API.'),
  'X-SVC-Environment': text('`sandbox`, or `production` for live mode.'),
}
const limitHeaders = {
  RateLimit: text('Places left in the window and seconds until one is free, as `"name";r=99;t=60`.'),
  'RateLimit-Policy': text('Places and seconds of the window, as `"name";q=100;w=60`.'),
}
const headersOfStatus: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': text('How to authenticate.') },
  429: { 'Retry-After': seconds('Seconds until a place is free.') },
  503: { 'Retry-After': seconds('Seconds to hold before asking again.') },
}

/** Whether a route is counted against a rate limit. */
type Counted = 'limited' | 'free'

/** A response schema with its headers. */
export function response<Schema extends object>(schema: Schema, counted: Counted, more: object = {}): Schema {
  return { ...schema, headers: { ...commonHeaders, ...(counted === 'limited' ? limitHeaders : {}), ...more } }
}

/** Refused before a window was found, or by a store that could not be asked for it. */
export const withoutWindow: ReadonlySet<number> = new Set([401, 500, 503])

/** Response schemas for the errors that a route can give. */
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

/** How a caller proves who it is; either will do. */
export const keyed = [{ bearer: [] }, { apiKey: [] }]

/** A value of a schema's type that nobody changes: what travels as text is held against it. */
export type Frozen<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
  : Value
