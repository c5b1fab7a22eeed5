/** Detaches, attaches and drops the table of a month, for an operator's command (PostgreSQL only). */

import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type {
  Attached,
  DetachedMonth,
  Detached,
  DropCommand,
  Dropped,
  MoveCommand,
  PartitionStore,
} from '../../../app/ports/operate/partitions.ts'
import type { LeafHashes } from '../../../app/ports/log.ts'
import type { Month } from '../../../core/time/month.ts'
import { actStatements } from '../admin/acts.ts'
import { boundsOf, detachedTableOf } from './months.ts'
import { addedColumns, detachedTrigger, digestOf, findingsOf } from './partition-checks.ts'
import { listMonths, monthNeeds } from './partition-list.ts'
import { attachStatements, partitionOf } from './partitions.ts'

/** Differs from the schema lock, so that creating the next months does not wait for an operator. */
const movesLock = 4_812_772
const lockTimeoutMs = 10_000
/** A server that does not answer is not waited for. */
const unlockMsMax = 1_000

/** Connections without timeouts: a month may be large, and detaching waits for readers. */
export interface PoolWithoutTimeouts {
  readonly pool: pg.Pool
  close(): Promise<void>
}

export function createPartitionStore(
  pool: pg.Pool,
  openWithoutTimeouts: () => PoolWithoutTimeouts,
  hashOf: LeafHashes['act'],
): PartitionStore {
  const withMovesLock = async <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result | { kind: 'busy' }> => {
    const opened = openWithoutTimeouts()
    try {
      const client = await opened.pool.connect()
      try {
        return (await tryLock(client)) ? await work(client) : { kind: 'busy' }
      } finally {
        // The server would release the lock with the connection, but only some time after we closed it.
        const unlocked = client.query('SELECT pg_advisory_unlock_all()').catch(() => undefined)
        await Promise.race([unlocked, setTimeout(unlockMsMax, undefined, { ref: false })])
        client.release(true)
      }
    } finally {
      await opened.close()
    }
  }
  return {
    list: () => listMonths(pool),
    needs: (month, moment) => monthNeeds(pool, month, moment),
    detach: (command) => withMovesLock((client) => detach(client, command)),
    attach: (command) => withMovesLock((client) => attach(client, command)),
    drop: (command) => withMovesLock((client) => drop(client, command, hashOf)),
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`)
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    movesLock,
  ])
  return rows[0]?.locked === true
}

interface Move {
  readonly number: number
  /** Null until the detach is complete. */
  readonly away: DetachedMonth | null
}

async function openMove(client: pg.PoolClient, month: Month): Promise<Move | null> {
  const { rows } = await client.query<{
    number: number
    detached_by: string
    detached_at_ms: number | null
    records: number
    fingerprint: string
  }>(
    `SELECT number, detached_by, detached_at_ms, records, fingerprint FROM partition_moves
      WHERE month = $1 AND attached_at_ms IS NULL`,
    [month],
  )
  const [row] = rows
  if (row === undefined) return null
  const { number, records, fingerprint, detached_at_ms: detachedAtMs, detached_by: detachedBy } = row
  return { number, away: detachedAtMs === null ? null : { records, fingerprint, detachedAtMs, detachedBy } }
}

type Place = 'attached' | 'pending' | 'separate' | 'none'

/** The place of the month's partition, found by its name. */
async function placeOf(client: pg.PoolClient, month: Month): Promise<Place> {
  const { rows } = await client.query<{ place: Place }>(
    `SELECT CASE WHEN i.inhrelid IS NULL THEN 'separate' WHEN i.inhdetachpending THEN 'pending' ELSE 'attached' END AS place
      FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'verifications'::regclass
      WHERE c.oid = to_regclass($1)`,
    [partitionOf(month)],
  )
  return rows[0]?.place ?? 'none'
}

/**
 * Runs in steps, so that a run after a fault resumes at the failed one: record the intent, add the trigger, detach
 * (which PostgreSQL does in two steps outside a transaction), then rename the table and record its digest.
 */
async function detach(client: pg.PoolClient, { month, by, nowMs }: MoveCommand): Promise<Detached> {
  const move = await openMove(client, month)
  if (move?.away) return { kind: 'away', away: move.away }
  const name = partitionOf(month)
  const place = await placeOf(client, month)
  if (place === 'none' || (place === 'separate' && move === null)) return { kind: 'unknown' }
  if (move === null) {
    await client.query('INSERT INTO partition_moves (month, asked_at_ms, detached_by) VALUES ($1, $2, $3)', [
      month,
      nowMs,
      by,
    ])
  }
  if (place === 'attached') await detachConcurrently(client, name, month)
  if (place === 'pending') {
    await client.query('SET lock_timeout = 0')
    await client.query(`ALTER TABLE verifications DETACH PARTITION ${name} FINALIZE`)
  }
  return inTransaction(client, () => completeDetach(client, { month, by, nowMs }))
}

async function detachConcurrently(client: pg.PoolClient, name: string, month: Month): Promise<void> {
  try {
    await inTransaction(client, async () => {
      await client.query(
        `CREATE OR REPLACE TRIGGER ${detachedTrigger} BEFORE UPDATE OR DELETE ON ${name}
          FOR EACH ROW EXECUTE FUNCTION fairway_refuse_change()`,
      )
      await client.query(`ALTER TABLE ${name} ENABLE ALWAYS TRIGGER ${detachedTrigger}`)
    })
    await client.query('SET lock_timeout = 0')
    await client.query(`ALTER TABLE verifications DETACH PARTITION ${name} CONCURRENTLY`)
  } catch (error) {
    // If the partition is still attached, nothing has happened: withdraw the intent.
    const isAttached = await placeOf(client, month).then(
      (place) => place === 'attached',
      () => false,
    )
    if (isAttached) {
      await client.query('DELETE FROM partition_moves WHERE month = $1 AND detached_at_ms IS NULL', [month])
    }
    throw error
  }
}

/** The table is locked and detached, so its digest is final. */
async function completeDetach(client: pg.PoolClient, { month, by, nowMs }: MoveCommand): Promise<Detached> {
  const name = partitionOf(month)
  const table = detachedTableOf(month)
  await client.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`)
  const digest = await digestOf(client, name)
  await client.query(`ALTER TABLE ${name} RENAME TO ${table}`)
  await client.query(
    `UPDATE partition_moves SET detached_at_ms = $2, detached_by = $3, records = $4, fingerprint = $5
      WHERE month = $1 AND attached_at_ms IS NULL`,
    [month, nowMs, by, digest.records, digest.fingerprint],
  )
  return { kind: 'detached', table, away: { ...digest, detachedAtMs: nowMs, detachedBy: by } }
}

async function attach(client: pg.PoolClient, command: MoveCommand): Promise<Attached> {
  const { month } = command
  const move = await openMove(client, month)
  if (move === null) return { kind: 'present' }
  const { away } = move
  if (away === null) return { kind: 'unfinished' }
  const attached = await inTransaction(client, () => attachTable(client, command, away))
  // A restored table has no statistics.
  if (attached.kind === 'attached') await client.query(`ANALYZE ${attached.table}`)
  return attached
}

/**
 * Runs in one transaction. The table, which has no other users, is locked from the first check, so that it cannot
 * change before it is attached. Only the last step locks `verifications`, in a mode that blocks no readers or writers.
 */
async function attachTable(
  client: pg.PoolClient,
  { month, by, nowMs }: MoveCommand,
  away: DetachedMonth,
): Promise<Attached> {
  const table = detachedTableOf(month)
  const fault = await faultOf(client, month, away)
  if (fault !== null) return fault
  const name = partitionOf(month)
  for (const sql of await moveBackStatements(client, table, month)) await client.query(sql)
  await client.query(
    'UPDATE partition_moves SET attached_at_ms = $2, attached_by = $3 WHERE month = $1 AND attached_at_ms IS NULL',
    [month, nowMs, by],
  )
  return { kind: 'attached', table: name, records: away.records }
}

/** Locks the table of a detached month and compares it with what was detached; null if it is unchanged. */
async function faultOf(
  client: pg.PoolClient,
  month: Month,
  away: DetachedMonth,
): Promise<Extract<Attached, { kind: 'missing' | 'changed' }> | null> {
  const table = detachedTableOf(month)
  const match = await client.query(
    "SELECT 1 FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'r' AND NOT relispartition",
    [table],
  )
  if (match.rows.length === 0) return { kind: 'missing', table }
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  for (const column of addedColumns)
    await client.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column}`)
  const findings = await findingsOf(client, table, month, away)
  return findings.length > 0 ? { kind: 'changed', table, findings } : null
}

/** In one transaction with the act: there is never one without the other. */
async function drop(
  client: pg.PoolClient,
  { month, act }: DropCommand,
  hashOf: LeafHashes['act'],
): Promise<Dropped> {
  const move = await openMove(client, month)
  if (move === null) return { kind: 'present' }
  const { away } = move
  if (away === null) return { kind: 'unfinished' }
  return inTransaction(client, async () => {
    const fault = await faultOf(client, month, away)
    if (fault !== null) return fault
    const table = detachedTableOf(month)
    await client.query(`DROP TABLE ${table}`)
    for (const { sql, values } of actStatements({ act, leafHash: hashOf(act) }))
      await client.query(sql, [...values])
    return { kind: 'dropped', table } as const
  })
}

async function moveBackStatements(client: pg.PoolClient, table: string, month: Month): Promise<string[]> {
  const { firstId, endId } = boundsOf(month)
  const name = partitionOf(month)
  // Detaching leaves a check constraint. It may have been changed, so it is replaced.
  const { rows } = await client.query<{ name: string }>(
    "SELECT quote_ident(conname) AS name FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype = 'c'",
    [table],
  )
  return [
    ...rows.map((row) => `ALTER TABLE ${table} DROP CONSTRAINT ${row.name}`),
    // A validated constraint saves ATTACH PARTITION a scan of the rows.
    `ALTER TABLE ${table} ADD CONSTRAINT fairway_month CHECK (request_id >= '${firstId}' AND request_id < '${endId}') NOT VALID`,
    `ALTER TABLE ${table} VALIDATE CONSTRAINT fairway_month`,
    `ALTER TABLE ${table} RENAME TO ${name}`,
    ...attachStatements(name, month),
    `DROP TRIGGER ${detachedTrigger} ON ${name}`,
    `ALTER TABLE ${name} DROP CONSTRAINT fairway_month`,
  ]
}

async function inTransaction<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
