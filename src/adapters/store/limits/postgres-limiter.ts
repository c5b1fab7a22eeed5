/** The rate limiter shared by many instances: rolling windows in the database, by its clock. */

import type pg from 'pg'
import { StoreRefusal, StoreUnavailable } from '../../../app/ports/store.ts'
import type { Limiter, Ticket } from '../../../app/ports/limiter.ts'
import type { Admission } from '../../../core/time/rolling-window.ts'
import { createBatcher } from '../engine/batcher.ts'
import type { Driver } from '../engine/driver.ts'
import { query } from '../engine/script.ts'
import { admissionsOf, admitSql, admitValues, demandsOf } from './admit.ts'

export function createPostgresLimiter(driver: Driver): Limiter {
  const admit = createBatcher<Ticket, Admission>({
    run: (tickets) => admitAll(driver, tickets),
    sizeMax: 256,
    inFlightMax: 2,
    failsWholeBatch: () => true,
  })
  return { admit: (bucket, limit) => admit({ bucket, limit }) }
}

async function admitAll(driver: Driver, tickets: readonly Ticket[]): Promise<Admission[]> {
  const demands = demandsOf(tickets)
  try {
    return admissionsOf(tickets, await driver.read(() => query(admitSql, admitValues(demands))))
  } catch (error) {
    if (error instanceof StoreRefusal) throw error
    throw new StoreUnavailable('rate limiter: cannot reach the database', { cause: error })
  }
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
