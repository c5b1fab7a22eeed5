/** The limiter of many instances: rolling windows in the database, by the database's clock. */

import type pg from 'pg'
import { StoreUnavailable, type Limiter } from '../../app/ports.ts'
import type { Admission, RateLimit } from '../../core/rolling-window.ts'
import { createBatcher } from './batcher.ts'

interface AdmitCommand {
  readonly bucket: string
  readonly limit: RateLimit
}

interface AdmitRow {
  readonly bucket: string
  readonly granted: number
  readonly in_window: number
  readonly oldest_us: number
  readonly now_us: number
}

interface Asked {
  readonly limit: RateLimit
  wanted: number
}

export function createPostgresLimiter(pool: pg.Pool): Limiter {
  const admit = createBatcher<AdmitCommand, Admission>({
    run: (commands) => admitAll(pool, commands),
    sizeMax: 256,
    inFlightMax: 2,
    isShared: () => true,
  })
  return { admit: (bucket, limit) => admit({ bucket, limit }) }
}

async function admitAll(pool: pg.Pool, commands: readonly AdmitCommand[]): Promise<Admission[]> {
  const asked = new Map<string, Asked>()
  for (const { bucket, limit } of commands) {
    const known = asked.get(bucket)
    if (known === undefined) asked.set(bucket, { limit, wanted: 1 })
    else known.wanted += 1
  }
  const buckets = [...asked.keys()].toSorted()
  const rows = await askDatabase(pool, buckets, asked)
  const taken = new Map<string, number>()
  return commands.map(({ bucket, limit }) => {
    const row = rows.get(bucket)
    if (row === undefined) throw new Error(`the limiter did not answer for ${bucket}`)
    const place = (taken.get(bucket) ?? 0) + 1
    taken.set(bucket, place)
    const untilFreeMs = (row.oldest_us - row.now_us) / 1000 + limit.windowMs
    return place <= row.granted
      ? { admitted: true, remaining: limit.count - row.in_window - place, resetMs: untilFreeMs }
      : { admitted: false, retryAfterMs: untilFreeMs }
  })
}

async function askDatabase(
  pool: pg.Pool,
  buckets: readonly string[],
  asked: ReadonlyMap<string, Asked>,
): Promise<Map<string, AdmitRow>> {
  try {
    const { rows } = await pool.query<AdmitRow>({
      name: 'fairway_admit',
      text: 'SELECT * FROM fairway_admit($1::text[], $2::integer[], $3::integer[], $4::bigint[])',
      values: [
        buckets,
        buckets.map((bucket) => asked.get(bucket)?.wanted ?? 0),
        buckets.map((bucket) => asked.get(bucket)?.limit.count ?? 0),
        buckets.map((bucket) => Math.round((asked.get(bucket)?.limit.windowMs ?? 0) * 1000)),
      ],
    })
    return new Map(rows.map((row) => [row.bucket, row]))
  } catch (error) {
    throw new StoreUnavailable('the rate limiter cannot reach the database', { cause: error })
  }
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
