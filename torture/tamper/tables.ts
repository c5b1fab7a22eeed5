/** What somebody with the database in hand can lay hands on: the tables of the history, guards dropped, and a copy to put them back. */

import type { Stranger } from '../../test/helpers/database/sql.ts'
import type { Chance } from '../random.ts'

export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

export interface Table {
  readonly name: string
  /** By which a row is found. */
  readonly key: readonly string[]
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
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
    ],
    numbers: ['created_at_ms'],
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

const kept = [...Object.values(tables).map(({ name }) => name), 'log_head']

/** The database as a stranger has it, with what was in it before. */
export interface Hands {
  readonly chance: Chance
  readonly run: (sql: string, ...values: readonly Cell[]) => Promise<Row[]>
  /** As they were before anybody touched them, in order of their key. */
  readonly rows: Readonly<Record<TableName, readonly Row[]>>
  /** Puts back what was touched. */
  readonly restore: () => Promise<void>
}

export async function takeHold(
  { run: ask }: Stranger,
  engine: 'sqlite' | 'postgres',
  chance: Chance,
): Promise<Hands> {
  const touched = new Set<string>()
  const run: Hands['run'] = async (sql, ...values) => {
    const [, table] = /^(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)/.exec(sql) ?? []
    if (table !== undefined) touched.add(table)
    return (await ask(sql, values)) as Row[]
  }
  if (engine === 'sqlite') await run('PRAGMA synchronous=OFF')
  await dropGuards(run, engine)
  for (const name of kept) await run(`CREATE TABLE kept_${name} AS SELECT * FROM ${name}`)
  const rows = {} as Record<TableName, readonly Row[]>
  for (const [name, table] of Object.entries(tables)) {
    rows[name as TableName] = await run(`SELECT * FROM ${table.name} ORDER BY ${table.key.join(', ')}`)
  }
  return {
    chance,
    run,
    rows,
    async restore() {
      for (const name of touched) {
        await ask(`DELETE FROM ${name}`)
        await ask(`INSERT INTO ${name} SELECT * FROM kept_${name}`)
      }
      touched.clear()
    },
  }
}

/** Whoever can write to the database can drop what guards it: that is what the log is for. */
async function dropGuards(run: Hands['run'], engine: 'sqlite' | 'postgres'): Promise<void> {
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
