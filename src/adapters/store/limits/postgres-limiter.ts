/** The rate limiter shared by many instances: rolling windows in the database, by its clock. */

import type pg from 'pg'
import { StoreUnavailable } from '../../../app/ports/store.ts'
import type { Limiter } from '../../../app/ports/limiter.ts'
import type { Admission, RateLimit } from '../../../core/time/rolling-window.ts'
import { createBatcher } from '../engine/batcher.ts'
import type { Driver } from '../engine/driver.ts'
import { query, type Row } from '../engine/script.ts'

interface AdmitCommand {
  readonly bucket: string
  readonly limit: RateLimit
}

interface AdmitRow {
  readonly granted: number
  readonly inWindow: number
  readonly oldestUs: number
  readonly nowUs: number
}

interface Demand {
  readonly limit: RateLimit
  wanted: number
}

export function createPostgresLimiter(driver: Driver): Limiter {
  const admit = createBatcher<AdmitCommand, Admission>({
    run: (commands) => admitAll(driver, commands),
    sizeMax: 256,
    inFlightMax: 2,
    failsWholeBatch: () => true,
  })
  return { admit: (bucket, limit) => admit({ bucket, limit }) }
}

async function admitAll(driver: Driver, commands: readonly AdmitCommand[]): Promise<Admission[]> {
  const demands = new Map<string, Demand>()
  for (const { bucket, limit } of commands) {
    const demand = demands.get(bucket)
    if (demand === undefined) demands.set(bucket, { limit, wanted: 1 })
    else demand.wanted += 1
  }
  const buckets = [...demands.keys()].toSorted()
  const rows = await admitRows(driver, buckets, demands)
  const counted = new Map<string, number>()
  return commands.map(({ bucket, limit }) => {
    const row = rows.get(bucket)
    if (row === undefined) throw new Error(`rate limiter: no row for bucket ${bucket}`)
    const place = (counted.get(bucket) ?? 0) + 1
    counted.set(bucket, place)
    const untilFreeMs = (row.oldestUs - row.nowUs) / 1000 + limit.windowMs
    return place <= row.granted
      ? { admitted: true, remaining: limit.count - row.inWindow - place, resetMs: untilFreeMs }
      : { admitted: false, retryAfterMs: untilFreeMs }
  })
}

const admitSql =
  'SELECT * FROM fairway_admit(CAST($1 AS text[]), CAST($2 AS integer[]), CAST($3 AS integer[]), CAST($4 AS bigint[]))'

async function admitRows(
  driver: Driver,
  buckets: readonly string[],
  demands: ReadonlyMap<string, Demand>,
): Promise<Map<string, AdmitRow>> {
  const values = [
    arrayLiteral(buckets.map(quoted)),
    arrayLiteral(buckets.map((bucket) => demands.get(bucket)?.wanted ?? 0)),
    arrayLiteral(buckets.map((bucket) => demands.get(bucket)?.limit.count ?? 0)),
    arrayLiteral(buckets.map((bucket) => Math.round((demands.get(bucket)?.limit.windowMs ?? 0) * 1000))),
  ]
  try {
    const rows = await driver.read(() => query(admitSql, values))
    return new Map(rows.map((row) => [String(row['bucket']), admitRowOf(row)]))
  } catch (error) {
    throw new StoreUnavailable('rate limiter: cannot reach the database', { cause: error })
  }
}

/** A PostgreSQL array literal. */
function arrayLiteral(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

function admitRowOf(row: Row): AdmitRow {
  const [granted = 0, inWindow = 0, oldestUs = 0, nowUs = 0] = [
    'granted',
    'in_window',
    'oldest_us',
    'now_us',
  ].map((name) => Number(row[name]))
  return { granted, inWindow, oldestUs, nowUs }
}

/** Deletes buckets that have not been used for a day. */
export async function pruneLimits(pool: pg.Pool): Promise<void> {
  const dayAgo = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint - 86400000000'
  await pool.query(`DELETE FROM limit_admissions WHERE at_us < ${dayAgo}`)
  await pool.query(
    `DELETE FROM limit_buckets b WHERE last_at_us < ${dayAgo}
      AND NOT EXISTS (SELECT 1 FROM limit_admissions a WHERE a.bucket = b.bucket)`,
  )
}
