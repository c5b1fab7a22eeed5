/** When something happened, as a caller tells it: a moment of the past, read by one rule. */

import { Type } from 'typebox'
import { parseTimestamp, textLengthMax, timestampRule } from '../../core/assess/transaction.ts'
import type { FieldError } from '../errors.ts'
import { limits } from '../limits.ts'

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
