/** Opens the database that a URL names, brings its schema up to date, and hands out the ports over it. */

import type pg from 'pg'
import type { Clock, Random } from '../../app/ports/system.ts'
import type { LeafHashes } from '../../app/ports/log.ts'
import type { Limiter } from '../../app/ports/limiter.ts'
import type { Override, Verification } from '../../app/ports/records.ts'
import type { Store } from '../../app/ports/store.ts'
import { createMemoryLimiter } from './limits/memory-limiter.ts'
import { migrate } from './engine/migrations.ts'
import { createPartitionStore } from './months/partition-moves.ts'
import { ensurePartitions, schemaLock } from './months/partitions.ts'
import { createPostgresLimiter, pruneLimits } from './limits/postgres-limiter.ts'
import { openPostgres, type PostgresDriver } from './engine/postgres.ts'
import { gatherShards } from './records/rollup-shards.ts'
import { query, type Script } from './engine/script.ts'
import { openSqlite } from './engine/sqlite.ts'
import { withWriter } from './engine/sqlite-writer.ts'
import { createStore } from './engine/store.ts'
import { firstMaintenanceAfterMs, startMaintenance } from './engine/maintenance.ts'

export interface OpenOptions {
  readonly databaseUrl: string
  readonly clock: Clock
  readonly random: Random
  readonly leafHashes: LeafHashes<Verification, Override>
  /** Told of faults that no request sees: a lost idle connection, upkeep that failed and will be tried again. */
  readonly onFault: (message: string) => void
  /** Told where the disk did not confirm a write, by a thread that writes: what it holds is then unknown, and nothing more is written. */
  readonly onLost?: (message: string) => void
  /**
   * The file of a thread that writes to an embedded database, so that no request waits for the disk but its own. Without
   * it, as for a command that does one thing, this thread writes.
   */
  readonly writerEntry?: URL
  /** How soon after the start a shared database is tidied up for the first time. */
  readonly firstMaintenanceAfterMs?: number
}

export interface Opened {
  readonly store: Store
  readonly limiter: Limiter
}

export async function openStore(options: OpenOptions): Promise<Opened> {
  const { databaseUrl } = options
  return databaseUrl.startsWith('sqlite:') ? openEmbedded(databaseUrl.slice(7), options) : openShared(options)
}

async function openEmbedded(
  path: string,
  { clock, random, leafHashes, onFault, onLost = onFault, writerEntry }: OpenOptions,
): Promise<Opened> {
  const own = openSqlite({ path, leafHashes })
  try {
    await own.transact(() => migrate('sqlite', clock.nowMs()))
    const driver =
      writerEntry === undefined ? own : await withWriter(own, { path, entry: writerEntry, onFault, onLost })
    return { store: createStore(driver, random), limiter: createMemoryLimiter(clock) }
  } catch (error) {
    await own.close()
    throw error
  }
}

async function openShared({
  databaseUrl,
  clock,
  random,
  leafHashes,
  onFault,
  firstMaintenanceAfterMs: firstAfterMs = firstMaintenanceAfterMs,
}: OpenOptions): Promise<Opened> {
  const options = {
    url: databaseUrl,
    leafHashes,
    onIdleError: (error: Error) => onFault(`an idle database connection was lost: ${error.message}`),
    onMissingPartition: (pool: pg.Pool) => ensurePartitions(pool, clock.nowMs()),
  }
  await bringUpToDate(openPostgres({ ...options, isPatient: true }), clock.nowMs())
  const driver = openPostgres(options)
  try {
    await ensurePartitions(driver.pool, clock.nowMs())
  } catch (error) {
    await driver.close()
    throw error
  }

  const { pool } = driver
  const maintenance = startMaintenance(
    [
      { name: 'partitions', run: () => ensurePartitions(pool, clock.nowMs()) },
      { name: 'limits', run: () => pruneLimits(pool) },
      { name: 'rollups', run: (signal) => gatherShards(pool, clock.nowMs(), signal) },
    ],
    { firstAfterMs, onFault },
  )
  const openPatient = () => openPostgres({ ...options, isPatient: true })
  const partitions = createPartitionStore(pool, openPatient)
  const store = createStore(driver, random, { nowMs: () => clock.nowMs(), partitions })
  return {
    store: {
      ...store,
      async close() {
        await maintenance.stop()
        await store.close()
      },
    },
    limiter: createPostgresLimiter(driver),
  }
}

/** Bringing a long history up to date takes longer than any request may: it has connections without a time limit. */
async function bringUpToDate(patient: PostgresDriver, nowMs: number): Promise<void> {
  try {
    await patient.transact(() => migrateLocked(nowMs))
  } finally {
    await patient.close()
  }
}

/** Instances that start at once take turns; all but the first find nothing left to do. */
function* migrateLocked(nowMs: number): Script<number> {
  yield* query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
  return yield* migrate('postgres', nowMs)
}
