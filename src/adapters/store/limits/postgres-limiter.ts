/** The limiter of many instances: rolling windows in the database, by the database's clock. */

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

interface Asked {
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
  const asked = new Map<string, Asked>()
  for (const { bucket, limit } of commands) {
    const known = asked.get(bucket)
    if (known === undefined) asked.set(bucket, { limit, wanted: 1 })
    else known.wanted += 1
  }
  const buckets = [...asked.keys()].toSorted()
  const rows = await askDatabase(driver, buckets, asked)
  const taken = new Map<string, number>()
  return commands.map(({ bucket, limit }) => {
    const row = rows.get(bucket)
    if (row === undefined) throw new Error(`the limiter did not answer for ${bucket}`)
    const place = (taken.get(bucket) ?? 0) + 1
    taken.set(bucket, place)
    const untilFreeMs = (row.oldestUs - row.nowUs) / 1000 + limit.windowMs
    return place <= row.granted
      ? { admitted: true, remaining: limit.count - row.inWindow - place, resetMs: untilFreeMs }
      : { admitted: false, retryAfterMs: untilFreeMs }
  })
}

const admitSql =
  'SELECT * FROM fairway_admit(CAST($1 AS text[]), CAST($2 AS integer[]), CAST($3 AS integer[]), CAST($4 AS bigint[]))'

async function askDatabase(
  driver: Driver,
  buckets: readonly string[],
  asked: ReadonlyMap<string, Asked>,
): Promise<Map<string, AdmitRow>> {
  const values = [
    listOf(buckets.map(quoted)),
    listOf(buckets.map((bucket) => asked.get(bucket)?.wanted ?? 0)),
    listOf(buckets.map((bucket) => asked.get(bucket)?.limit.count ?? 0)),
    listOf(buckets.map((bucket) => Math.round((asked.get(bucket)?.limit.windowMs ?? 0) * 1000))),
  ]
  try {
    const rows = await driver.read(() => query(admitSql, values))
    return new Map(rows.map((row) => [String(row['bucket']), admitRowOf(row)]))
  } catch (error) {
    throw new StoreUnavailable('the rate limiter cannot reach the database', { cause: error })
  }
}

/** As PostgreSQL writes an array. */
function listOf(items: readonly (string | number)[]): string {
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

/** Forgets buckets that nobody used for a day. */
export async function pruneLimits(pool: pg.Pool): Promise<void> {
  const dayAgo = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint - 86400000000'
  await pool.query(`DELETE FROM limit_admissions WHERE at_us < ${dayAgo}`)
  await pool.query(
    `DELETE FROM limit_buckets b WHERE last_at_us < ${dayAgo}
      AND NOT EXISTS (SELECT 1 FROM limit_admissions a WHERE a.bucket = b.bucket)`,
  )
}
