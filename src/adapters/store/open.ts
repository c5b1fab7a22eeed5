/** Opens a database by its URL, migrates its schema, and returns the store and the limiter. */

import type pg from 'pg'
import type { Clock } from '../../app/ports/system.ts'
import type { LeafHashes } from '../../app/ports/log.ts'
import type { Limiter } from '../../app/ports/limiter.ts'
import type { Store } from '../../app/ports/store.ts'
import { createMemoryLimiter } from './limits/memory-limiter.ts'
import { migrate, migrations, type OnMigrate } from './engine/migrations.ts'
import { createPartitionStore } from './months/partition-moves.ts'
import { ensurePartitions, schemaLock } from './months/partitions.ts'
import { createPostgresLimiter, pruneLimits } from './limits/postgres-limiter.ts'
import { reportRefusals, type OnRefusal } from './engine/driver.ts'
import { openPostgres, type PostgresDriver } from './engine/postgres/postgres.ts'
import { query, type Script } from './engine/script.ts'
import { openSqlite, type SqliteDriver } from './engine/sqlite.ts'
import { ownFile } from './engine/sqlite-owner.ts'
import { withWriter } from './engine/sqlite-writer.ts'
import { withReader } from './engine/reads/reader-thread.ts'
import { createStore } from './engine/store.ts'
import { firstMaintenanceAfterMs, startMaintenance } from './engine/maintenance.ts'

export interface OpenOptions {
  readonly databaseUrl: string
  readonly clock: Clock
  readonly leafHashes: LeafHashes
  /** Called for faults outside a request: a lost idle connection, failed maintenance. */
  readonly onFault: (message: string) => void
  /** Called for each statement that the database refuses, whoever needed it. By default only the caller gets the error. */
  readonly onRefusal?: OnRefusal
  /** Called before the schema is migrated. */
  readonly onMigrate?: OnMigrate
  /** Called when the writer thread's fsync fails. The state of the disk is then unknown, and writing stops. */
  readonly onSyncFailed?: (message: string) => void
  /**
   * The entry file of the SQLite writer thread, which keeps one request's disk write from blocking others. Without it,
   * as in a CLI command, this thread writes.
   */
  readonly writerEntry?: URL
  /** The entry file of the SQLite reader thread, beside a writer thread. Without it, this thread reads. */
  readonly readerEntry?: URL
  /** How long a server waits for another one to give up its SQLite file. */
  readonly ownerWaitMs?: number
  /** The delay of the first maintenance run on a shared database. */
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

async function openEmbedded(path: string, options: OpenOptions): Promise<Opened> {
  const { clock, leafHashes, onFault, onMigrate, onSyncFailed = onFault } = options
  const { writerEntry, readerEntry, ownerWaitMs } = options
  // A command works beside the server that owns the file.
  const giveUp = writerEntry === undefined ? () => undefined : await ownFile(path, ownerWaitMs)
  let reader: SqliteDriver | null = null
  try {
    reader = openSqlite({ path, leafHashes })
    await reader.transact(() => migrate('sqlite', clock.nowMs(), migrations.length, onMigrate))
    const driver =
      writerEntry === undefined
        ? reader
        : await withWriter(reader, { path, entry: writerEntry, onFault, onSyncFailed })
    const readable = readerEntry === undefined ? driver : withReader(driver, { path, entry: readerEntry })
    const store = createStore(reportRefusals(readable, options.onRefusal ?? ignore))
    const close = (): Promise<void> => store.close().finally(giveUp)
    return { store: { ...store, close }, limiter: createMemoryLimiter(clock) }
  } catch (error) {
    await reader?.close()
    giveUp()
    throw error
  }
}

async function openShared({
  databaseUrl,
  clock,
  leafHashes,
  onFault,
  onRefusal = ignore,
  onMigrate,
  firstMaintenanceAfterMs: firstAfterMs = firstMaintenanceAfterMs,
}: OpenOptions): Promise<Opened> {
  const options = {
    url: databaseUrl,
    leafHashes,
    onIdleError: (error: Error) => onFault(`database: idle connection lost: ${error.message}`),
    onMissingPartition: (pool: pg.Pool) => ensurePartitions(pool, clock.nowMs()),
  }
  await migrateShared(openPostgres({ ...options, hasNoTimeouts: true }), clock.nowMs(), onMigrate)
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
    ],
    { firstAfterMs, onFault },
  )
  const openWithoutTimeouts = () => openPostgres({ ...options, hasNoTimeouts: true })
  const partitions = createPartitionStore(pool, openWithoutTimeouts, leafHashes.act)
  const reporting = reportRefusals(driver, onRefusal)
  const store = createStore(reporting, { nowMs: () => clock.nowMs(), partitions })
  return {
    store: {
      ...store,
      async close() {
        await maintenance.stop()
        await store.close()
      },
    },
    limiter: createPostgresLimiter(reporting),
  }
}

/** Longer than any transaction of a request: only a long one, such as a dump, is still in the way then. */
const migrationLockTimeoutMs = 2_000
const lockNotAvailable = '55P03'

/** Migrating a long history takes longer than the request timeouts allow, so its connections have none. */
async function migrateShared(
  driver: PostgresDriver,
  nowMs: number,
  onMigrate: OnMigrate | undefined,
): Promise<void> {
  try {
    await driver.transact(() => migrateLocked(nowMs, onMigrate))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error
    const message =
      'the schema was not migrated: a long transaction, such as a dump, holds a table; start again when it has ended'
    throw new Error(message, { cause: error })
  } finally {
    await driver.close()
  }
}

/**
 * Instances that start together take turns; the first one migrates. A statement that waits for a table makes everybody who
 * uses the table wait behind it, so it gives up.
 */
function* migrateLocked(nowMs: number, onMigrate: OnMigrate | undefined): Script<void> {
  yield* query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
  yield* query(`SET LOCAL lock_timeout = ${migrationLockTimeoutMs}`)
  yield* migrate('postgres', nowMs, migrations.length, onMigrate)
}

function ignore(): void {}
