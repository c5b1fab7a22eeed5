/** Parses times in requests: recording times in a query, and the time of a past event. */

import { Type } from 'typebox'
import { parseTimestamp, textLengthMax, timestampRule } from '../../core/assess/transaction.ts'
import { parseIsoTime } from '../../core/time/iso-time.ts'
import type { FieldError } from '../errors.ts'
import { limits } from '../limits.ts'

/** Query parameters that select a range of recording times. */
export const recordedAtMembers = (
  notes: { readonly from: string; readonly to: string } = { from: '', to: '' },
) => ({
  from: Type.Optional(
    Type.String({ description: `Recorded at this time or later; ISO 8601.${notes.from}`, maxLength: 40 }),
  ),
  to: Type.Optional(
    Type.String({ description: `Recorded before this time; ISO 8601.${notes.to}`, maxLength: 40 }),
  ),
})

const timeRule = 'must be a time in ISO 8601, like 2026-01-31T12:00:00Z'
/** The years that an id can encode. */
const yearRule = 'must be in the years 1970 to 9999, in UTC'
const endMs = Date.UTC(10_000, 0)

/** Null if missing or invalid. */
export function readRecordedAt(
  text: string | undefined,
  path: '/from' | '/to' | '/since' | '/until',
  errors: FieldError[],
): number | null {
  if (text === undefined) return null
  const atMs = parseIsoTime(text)
  if (atMs !== null && atMs >= 0 && atMs < endMs) return atMs
  errors.push({ path, message: atMs === null ? timeRule : yearRule })
  return null
}

/** Schema of a past time. */
export const occurredAt = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: textLengthMax.timestamp, description }))

/** Null if missing or invalid. */
export function readOccurredAt(
  value: string | undefined,
  nowMs: number,
  errors: FieldError[],
): { readonly text: string; readonly atMs: number } | null {
  if (value === undefined) return null
  const text = value.trim()
  const atMs = parseTimestamp(text)
  const isAhead = atMs !== null && atMs > nowMs + limits.occurredAheadMsMax
  if (atMs !== null && !isAhead) return { text, atMs }
  errors.push({ path: '/occurred_at', message: isAhead ? 'must not be in the future' : timestampRule })
  return null
}
