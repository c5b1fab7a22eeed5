/** Direct access to the tables of the history, with their guards dropped and a copy for restoring them. */

import type { DirectDatabase } from '../../test/helpers/database/sql.ts'
import type { Rng } from '../random.ts'

export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

export interface Table {
  readonly name: string
  /** The primary key. */
  readonly key: readonly string[]
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
  /** Columns that mean nothing in a row in which this one is null. */
  readonly dependent?: { readonly on: string; readonly columns: readonly string[] }
}

export const tables = {
  records: {
    name: 'verifications',
    key: ['request_id'],
    texts: [
      'request_id',
      'owner_id',
      'key_id',
      'mode',
      'corridor',
      'decision',
      'currency',
      'correlation_id',
      'cooldown_source_id',
      'answer',
      'evidence',
    ],
    numbers: ['score_hundredths', 'confidence_hundredths', 'amount', 'evaluated_at_ms', 'recorded_at_ms'],
  },
  overrides: {
    name: 'overrides',
    key: ['override_id'],
    texts: [
      'request_id',
      'override_id',
      'owner_id',
      'key_id',
      'action',
      'reason_code',
      'justification',
      'original_decision',
      'person_id',
      'principal_id',
      'review_id',
      'approved_key_id',
      'approved_person_id',
      'approved_principal_id',
    ],
    numbers: ['created_at_ms'],
    dependent: {
      on: 'review_id',
      columns: ['approved_key_id', 'approved_person_id', 'approved_principal_id'],
    },
  },
  changes: {
    name: 'review_changes',
    key: ['change_id'],
    texts: [
      'change_id',
      'review_id',
      'owner_id',
      'request_id',
      'kind',
      'key_id',
      'person_id',
      'principal_id',
      'action',
      'reason_code',
      'personal_hash',
      'proposal_id',
      'override_id',
    ],
    numbers: ['number', 'due_at_ms', 'expires_at_ms', 'at_ms'],
    dependent: { on: 'key_id', columns: ['person_id', 'principal_id'] },
  },
  reviews: {
    name: 'reviews',
    key: ['review_id'],
    texts: [
      'review_id',
      'owner_id',
      'request_id',
      'mode',
      'corridor',
      'decision',
      'currency',
      'status',
      'claimed_by',
    ],
    numbers: ['amount', 'due_at_ms', 'expires_at_ms', 'version'],
  },
  blocks: {
    name: 'log_blocks',
    key: ['first_leaf'],
    texts: ['slot', 'entries'],
    numbers: ['first_leaf'],
  },
  nodes: {
    name: 'log_nodes',
    key: ['level', 'node_index'],
    texts: ['node_hash'],
    numbers: ['level', 'node_index'],
  },
  checkpoints: { name: 'log_checkpoints', key: ['tree_size'], texts: ['note'], numbers: ['tree_size'] },
} as const satisfies Record<string, Table>

export type TableName = keyof typeof tables

const copied = [...Object.values(tables).map(({ name }) => name), 'log_head']

/** Direct access to the database, with its original rows. */
export interface DirectAccess {
  readonly rng: Rng
  readonly run: (sql: string, ...values: readonly Cell[]) => Promise<Row[]>
  /** The original rows in key order. */
  readonly rows: Readonly<Record<TableName, readonly Row[]>>
  /** Restores all changed tables. */
  readonly restore: () => Promise<void>
}

export async function openDirectAccess(
  { run: query }: DirectDatabase,
  engine: 'sqlite' | 'postgres',
  rng: Rng,
): Promise<DirectAccess> {
  const changed = new Set<string>()
  const run: DirectAccess['run'] = async (sql, ...values) => {
    const [, table] = /^(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)/.exec(sql) ?? []
    if (table !== undefined) changed.add(table)
    return (await query(sql, values)) as Row[]
  }
  if (engine === 'sqlite') await run('PRAGMA synchronous=OFF')
  await dropGuards(run, engine)
  for (const name of copied) await run(`CREATE TABLE original_${name} AS SELECT * FROM ${name}`)
  const rows = {} as Record<TableName, readonly Row[]>
  for (const [name, table] of Object.entries(tables)) {
    rows[name as TableName] = await run(`SELECT * FROM ${table.name} ORDER BY ${table.key.join(', ')}`)
  }
  return {
    rng,
    run,
    rows,
    async restore() {
      for (const name of changed) {
        await query(`DELETE FROM ${name}`)
        await query(`INSERT INTO ${name} SELECT * FROM original_${name}`)
      }
      changed.clear()
    },
  }
}

/** An attacker with write access can drop the guards; the log must detect changes all the same. */
async function dropGuards(run: DirectAccess['run'], engine: 'sqlite' | 'postgres'): Promise<void> {
  for (const { name } of Object.values(tables)) {
    const guards =
      engine === 'sqlite'
        ? await run("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = $1", name)
        : await run(
            'SELECT tgname AS name FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal',
            name,
          )
    for (const guard of guards) {
      await run(`DROP TRIGGER ${String(guard['name'])}${engine === 'sqlite' ? '' : ` ON ${name}`}`)
    }
  }
}
