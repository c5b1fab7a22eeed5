/** Times as a caller gives them: recording times of a query, and when something happened; each read by one rule. */

import { Type } from 'typebox'
import { parseTimestamp, textLengthMax, timestampRule } from '../../core/assess/transaction.ts'
import type { FieldError } from '../errors.ts'
import { limits } from '../limits.ts'

/** The members of a query that choose a time. */
export const recordedAtMembers = (
  more: { readonly from: string; readonly to: string } = { from: '', to: '' },
) => ({
  from: Type.Optional(
    Type.String({ description: `Recorded at this time or later; ISO 8601.${more.from}`, maxLength: 40 }),
  ),
  to: Type.Optional(
    Type.String({ description: `Recorded before this time; ISO 8601.${more.to}`, maxLength: 40 }),
  ),
})

const timeRule = 'must be a time in ISO 8601, like 2026-01-31T12:00:00Z'
/** Those that ids carry. */
const yearRule = 'must be in the years 1970 to 9999, in UTC'
const endMs = Date.UTC(10_000, 0)

/** Null where none was given, or where a fault was found. */
export function readRecordedAt(
  text: string | undefined,
  path: '/from' | '/to',
  errors: FieldError[],
): number | null {
  if (text === undefined) return null
  const atMs = parseTime(text)
  if (atMs !== null && atMs >= 0 && atMs < endMs) return atMs
  errors.push({ path, message: atMs === null ? timeRule : yearRule })
  return null
}

const isoTime = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A date alone is its midnight in UTC; a time needs its zone. The 30th of February is none, though `Date` takes it. */
function parseTime(text: string): number | null {
  const [, year, month, day] = isoTime.exec(text) ?? []
  const dayExists =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const ms = dayExists ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/** A moment of the past. */
export const occurredAt = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: textLengthMax.timestamp, description }))

/** Null where none was given, or where a fault was found. */
export function readOccurredAt(
  given: string | undefined,
  nowMs: number,
  errors: FieldError[],
): { readonly text: string; readonly atMs: number } | null {
  if (given === undefined) return null
  const text = given.trim()
  const atMs = parseTimestamp(text)
  const isAhead = atMs !== null && atMs > nowMs + limits.occurredAheadMsMax
  if (atMs !== null && !isAhead) return { text, atMs }
  errors.push({ path: '/occurred_at', message: isAhead ? 'must not be in the future' : timestampRule })
  return null
}
