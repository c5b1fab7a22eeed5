/** Takes the table of a month out of the records, and puts it back: PostgreSQL alone, for an operator's command. */

import type pg from 'pg'
import type {
  Attached,
  AwayMonth,
  Detached,
  MoveCommand,
  PartitionStore,
} from '../../../app/ports/partitions.ts'
import type { Month } from '../../../core/time/month.ts'
import { boundsOf } from './months.ts'
import { awayGuard, figuresOf, findingsOf } from './partition-checks.ts'
import { listMonths, monthNeeds } from './partition-list.ts'
import { attachStatements, partitionOf } from './partitions.ts'

/** A number of its own: no instance that makes the next months waits behind an operator. */
const movesLock = 4_812_772
const lockTimeoutMs = 10_000

/** A name of its own: whoever sees it knows that it is no part of the records, and a dump can choose it. */
const awayTableOf = (month: Month): string => `verifications_detached_${month.replace('-', '_')}`

/** Connections without a time limit: a month may be large, and detaching waits for whoever is reading. */
export interface PatientPool {
  readonly pool: pg.Pool
  close(): Promise<void>
}

export function createPartitionStore(pool: pg.Pool, openPatient: () => PatientPool): PartitionStore {
  const alone = async <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result | { kind: 'busy' }> => {
    const patient = openPatient()
    try {
      const client = await patient.pool.connect()
      try {
        return (await takesLock(client)) ? await work(client) : { kind: 'busy' }
      } finally {
        // The lock goes with the connection.
        client.release(true)
      }
    } finally {
      await patient.close()
    }
  }
  return {
    list: () => listMonths(pool),
    needs: (month, cooldownsSinceMs) => monthNeeds(pool, month, cooldownsSinceMs),
    detach: (command) => alone((client) => detach(client, command)),
    attach: (command) => alone((client) => attach(client, command)),
  }
}

async function takesLock(client: pg.PoolClient): Promise<boolean> {
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`)
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    movesLock,
  ])
  return rows[0]?.taken === true
}

interface Move {
  readonly number: number
  /** Null until all of it is done. */
  readonly away: AwayMonth | null
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

type Place = 'attached' | 'pending' | 'apart' | 'none'

/** Where the table of the month is, by its own name. */
async function placeOf(client: pg.PoolClient, month: Month): Promise<Place> {
  const { rows } = await client.query<{ place: Place }>(
    `SELECT CASE WHEN i.inhrelid IS NULL THEN 'apart' WHEN i.inhdetachpending THEN 'pending' ELSE 'attached' END AS place
      FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = 'verifications'::regclass
      WHERE c.oid = to_regclass($1)`,
    [partitionOf(month)],
  )
  return rows[0]?.place ?? 'none'
}

/**
 * Each step can be the last one before a fault, and the next run goes on from there: the intent, the guard, the
 * detaching, which PostgreSQL itself does in two steps and not within a transaction, then name and figures together.
 */
async function detach(client: pg.PoolClient, { month, by, nowMs }: MoveCommand): Promise<Detached> {
  const move = await openMove(client, month)
  if (move?.away) return { kind: 'away', away: move.away }
  const name = partitionOf(month)
  const place = await placeOf(client, month)
  if (place === 'none' || (place === 'apart' && move === null)) return { kind: 'unknown' }
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
  return inTransaction(client, () => setApart(client, { month, by, nowMs }))
}

async function detachConcurrently(client: pg.PoolClient, name: string, month: Month): Promise<void> {
  try {
    await inTransaction(client, async () => {
      await client.query(
        `CREATE OR REPLACE TRIGGER ${awayGuard} BEFORE UPDATE OR DELETE ON ${name}
          FOR EACH ROW EXECUTE FUNCTION fairway_refuse_change()`,
      )
      await client.query(`ALTER TABLE ${name} ENABLE ALWAYS TRIGGER ${awayGuard}`)
    })
    await client.query('SET lock_timeout = 0')
    await client.query(`ALTER TABLE verifications DETACH PARTITION ${name} CONCURRENTLY`)
  } catch (error) {
    // Where nothing has begun, nothing is to be ended.
    const isWhole = await placeOf(client, month).then(
      (place) => place === 'attached',
      () => false,
    )
    if (isWhole) {
      await client.query('DELETE FROM partition_moves WHERE month = $1 AND detached_at_ms IS NULL', [month])
    }
    throw error
  }
}

/** Nobody can write to it any more: what is counted now stays so. */
async function setApart(client: pg.PoolClient, { month, by, nowMs }: MoveCommand): Promise<Detached> {
  const name = partitionOf(month)
  const table = awayTableOf(month)
  await client.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`)
  const figures = await figuresOf(client, name)
  await client.query(`ALTER TABLE ${name} RENAME TO ${table}`)
  await client.query(
    `UPDATE partition_moves SET detached_at_ms = $2, detached_by = $3, records = $4, fingerprint = $5
      WHERE month = $1 AND attached_at_ms IS NULL`,
    [month, nowMs, by, figures.records, figures.fingerprint],
  )
  return { kind: 'detached', table, away: { ...figures, detachedAtMs: nowMs, detachedBy: by } }
}

async function attach(client: pg.PoolClient, command: MoveCommand): Promise<Attached> {
  const { month } = command
  const move = await openMove(client, month)
  if (move === null) return { kind: 'present' }
  const { away } = move
  if (away === null) return { kind: 'unfinished' }
  const attached = await inTransaction(client, () => putBack(client, command, away))
  // A table that was restored has no statistics.
  if (attached.kind === 'attached') await client.query(`ANALYZE ${attached.table}`)
  return attached
}

/**
 * One transaction. The table is held alone from the first look, so that nothing changes between what was looked at and
 * what is attached; nobody else uses it. Of the records only the last step holds a lock, which no reader or writer waits for.
 */
async function putBack(
  client: pg.PoolClient,
  { month, by, nowMs }: MoveCommand,
  away: AwayMonth,
): Promise<Attached> {
  const table = awayTableOf(month)
  const found = await client.query(
    "SELECT 1 FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'r' AND NOT relispartition",
    [table],
  )
  if (found.rows.length === 0) return { kind: 'missing', table }
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  const findings = await findingsOf(client, table, month, away)
  if (findings.length > 0) return { kind: 'changed', table, findings }
  const name = partitionOf(month)
  for (const sql of await placingStatements(client, table, month)) await client.query(sql)
  await client.query(
    'UPDATE partition_moves SET attached_at_ms = $2, attached_by = $3 WHERE month = $1 AND attached_at_ms IS NULL',
    [month, nowMs, by],
  )
  return { kind: 'attached', table: name, records: away.records }
}

async function placingStatements(client: pg.PoolClient, table: string, month: Month): Promise<string[]> {
  const { firstId, endId } = boundsOf(month)
  const name = partitionOf(month)
  // Detaching left one; it is not believed.
  const { rows } = await client.query<{ name: string }>(
    "SELECT quote_ident(conname) AS name FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype = 'c'",
    [table],
  )
  return [
    ...rows.map((row) => `ALTER TABLE ${table} DROP CONSTRAINT ${row.name}`),
    // Known to hold before it is attached: attaching need not look through the rows then.
    `ALTER TABLE ${table} ADD CONSTRAINT fairway_month CHECK (request_id >= '${firstId}' AND request_id < '${endId}') NOT VALID`,
    `ALTER TABLE ${table} VALIDATE CONSTRAINT fairway_month`,
    `ALTER TABLE ${table} RENAME TO ${name}`,
    ...attachStatements(name, month),
    `DROP TRIGGER ${awayGuard} ON ${name}`,
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
