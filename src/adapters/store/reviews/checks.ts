/** Reads reviews for the check of the log, beside what they must agree with. */

import type { CheckedReview, StoredApproval } from '../../../app/ports/reviews.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { OverrideAction } from '../../../core/events/override.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import type { ReviewStatus } from '../../../core/review/life.ts'
import { query, type Row, type Script } from '../engine/script.ts'
import { amountOf, columns, withChanges } from './reviews.ts'

const named = (table: string, names: readonly string[]): string =>
  names.map((name) => `${table}.${name} AS ${table}_${name}`).join(', ')

const checkedColumns = [
  columns,
  named('r', ['claimed_by', 'version', 'closed_at_ms']),
  named('v', ['mode', 'corridor', 'decision', 'amount', 'currency']),
  named('o', ['override_id', 'action', 'principal_id', 'review_id', 'approved_principal_id']),
].join(', ')

export function* page(afterId: string, limit: number): Script<CheckedReview[]> {
  const rows = yield* query(
    `SELECT ${checkedColumns}
      FROM reviews r LEFT JOIN verifications v ON v.request_id = r.request_id
        LEFT JOIN overrides o ON o.request_id = r.request_id
      WHERE r.review_id > $1 ORDER BY r.review_id LIMIT $2`,
    [afterId, limit],
  )
  const found = yield* withChanges(rows)
  return found.map((review, place) => {
    const row = rows[place] ?? {}
    return { ...review, row: rowOf(row), record: recordOf(row), override: overrideOf(row) }
  })
}

/** A review and its first change are written together, so one statement sees both or none. */
export function* missing(limit: number): Script<string[]> {
  const rows = yield* query(
    `SELECT DISTINCT c.review_id FROM review_changes c
      WHERE NOT EXISTS (SELECT 1 FROM reviews r WHERE r.review_id = c.review_id) ORDER BY c.review_id LIMIT $1`,
    [limit],
  )
  return rows.map((row) => String(row['review_id']))
}

const textOf = (value: Row[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

function rowOf(row: Row): CheckedReview['row'] {
  return {
    status: row['status'] as ReviewStatus,
    claimedBy: String(row['r_claimed_by']),
    version: Number(row['r_version']),
    isClosed: textOf(row['r_closed_at_ms']) !== null,
  }
}

function recordOf(row: Row): CheckedReview['record'] {
  if (textOf(row['v_decision']) === null) return null
  return {
    mode: row['v_mode'] as Mode,
    corridor: row['v_corridor'] as Corridor,
    verdict: row['v_decision'] as Verdict,
    amount: amountOf(row['v_amount']),
    currency: row['v_currency'] as Currency,
  }
}

function overrideOf(row: Row): StoredApproval | null {
  const overrideId = textOf(row['o_override_id'])
  if (overrideId === null) return null
  return {
    overrideId,
    action: row['o_action'] as OverrideAction,
    principalId: textOf(row['o_principal_id']),
    reviewId: textOf(row['o_review_id']),
    approverId: textOf(row['o_approved_principal_id']),
  }
}
