/** Parses the filters of a history. */

import type { Static } from 'typebox'
import type { HistoryFilters, HistoryQuery as StoreQuery, RecordMatch } from '../../app/ports/records.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { FieldError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { HistoryQuery, TotalsQuery } from '../schemas/records.ts'
import { cursorRule, readCursor } from './paging.ts'
import { readCorridor, readCurrency } from './payment.ts'
import { readRecordedAt } from './times.ts'

export interface Filters {
  readonly filters: HistoryFilters
  readonly match: RecordMatch
}

export function readFilters(query: Static<typeof TotalsQuery>, errors: FieldError[]): Filters {
  const corridor = query.corridor === undefined ? null : readCorridor(query.corridor, '/corridor', errors)
  const currency = query.currency === undefined ? null : readCurrency(query.currency, '/currency', errors)
  const fromMs = readRecordedAt(query.from, '/from', errors)
  const toMs = readRecordedAt(query.to, '/to', errors)
  if (fromMs !== null && toMs !== null && fromMs > toMs)
    errors.push({ path: '/from', message: 'must not be after to' })
  const { amount_min: amountMin = null, amount_max: amountMax = null } = query
  if (amountMin !== null && amountMax !== null && amountMin > amountMax)
    errors.push({ path: '/amount_min', message: 'must not be above amount_max' })
  const { decision, correlation_id: correlationId, mode, reason, override, outcome } = query
  return {
    filters: { verdict: decision ?? null, corridor, correlationId: correlationId ?? null, fromMs, toMs },
    match: {
      mode: mode ?? null,
      reason: reason ?? null,
      currency,
      amountMin,
      amountMax,
      isOverridden: override === undefined ? null : override === 'true',
      outcome: outcome ?? null,
    },
  }
}

export const hasMatch = (match: RecordMatch): boolean => Object.values(match).some((value) => value !== null)

/** Which page, by its size and cursor. */
export function readPage(
  { limit, cursor }: Static<typeof HistoryQuery>,
  errors: FieldError[],
): Pick<StoreQuery, 'limit' | 'before'> {
  const before = cursor === undefined ? null : (parseRequestId(readCursor(cursor))?.id ?? null)
  if (cursor !== undefined && before === null) errors.push({ path: '/cursor', message: cursorRule })
  return { limit: limit ?? limits.historyPageDefault, before }
}
