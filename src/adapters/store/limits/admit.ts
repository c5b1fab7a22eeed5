/** SQL of admissions to rolling windows in PostgreSQL, for many tickets at once. */

import type { Ticket } from '../../../app/ports/limiter.ts'
import type { Admission, RateLimit } from '../../../core/time/rolling-window.ts'
import type { Row, SqlValue } from '../engine/script.ts'

interface Demand {
  readonly bucket: string
  readonly limit: RateLimit
  readonly wanted: number
}

/** One row per bucket, in the order of the demands: how many of those wanted are granted. */
export const admitSql =
  'SELECT * FROM fairway_admit(CAST($1 AS text[]), CAST($2 AS integer[]), CAST($3 AS integer[]), CAST($4 AS bigint[]))'

/** The tickets of each bucket, in lock order. */
export function demandsOf(tickets: readonly Ticket[]): Demand[] {
  const byBucket = Map.groupBy(tickets, ({ bucket }) => bucket)
  return [...byBucket.keys()].toSorted().flatMap((bucket) => {
    const [first, ...others] = byBucket.get(bucket) ?? []
    return first === undefined ? [] : [{ ...first, wanted: 1 + others.length }]
  })
}

export function admitValues(demands: readonly Demand[]): SqlValue[] {
  return [
    arrayLiteral(demands.map(({ bucket }) => quoted(bucket))),
    arrayLiteral(demands.map(({ wanted }) => wanted)),
    arrayLiteral(demands.map(({ limit }) => limit.count)),
    arrayLiteral(demands.map(({ limit }) => Math.round(limit.windowMs * 1000))),
  ]
}

/** The first tickets of a bucket are granted. */
export function admissionsOf(tickets: readonly Ticket[], rows: readonly Row[]): Admission[] {
  const byBucket = new Map(rows.map((row) => [row['bucket'], row]))
  const counted = new Map<string, number>()
  return tickets.map(({ bucket, limit }) => {
    const row = byBucket.get(bucket)
    if (row === undefined) throw new Error(`rate limiter: no row for bucket ${bucket}`)
    const place = (counted.get(bucket) ?? 0) + 1
    counted.set(bucket, place)
    const resetMs = (Number(row['oldest_us']) - Number(row['now_us'])) / 1000 + limit.windowMs
    return place <= Number(row['granted'])
      ? { admitted: true, remaining: limit.count - Number(row['in_window']) - place, resetMs }
      : { admitted: false, retryAfterMs: resetMs }
  })
}

/** A PostgreSQL array literal. */
function arrayLiteral(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
