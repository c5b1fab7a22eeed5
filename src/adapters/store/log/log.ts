/** SQL of the log, shared by both engines. */

import type {
  Backlog,
  RemainingBacklog,
  StoredNote,
  LeafAndSubject,
  LogExtent,
  LogGrowth,
  LogHead,
  LogKey,
  LogRange,
  LogSubject,
  Subject,
  QueuedRow,
} from '../../../app/ports/log.ts'
import { actColumns, actOf, actStatements, type HashedAct } from '../admin/acts.ts'
import { leafHashesQuery, leavesFrom } from './log-blocks.ts'
import { entriesOf, linesSql } from '../journal/queue.ts'
import { outcomeColumns, outcomeOf } from '../records/outcomes.ts'
import { overrideColumns, overrideOf } from '../records/overrides.ts'
import {
  inRuns,
  parameterList,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'
import { recordColumns, verificationOf } from '../records/record-rows.ts'
import { changeColumns, changeOf } from '../reviews/changes.ts'

/** For the check of the log; it reads the whole queue. */
export function* queued(): Script<QueuedRow[]> {
  const rows = yield* query('SELECT number, entries FROM journal_queue ORDER BY number')
  return rows.map((row) => ({ number: Number(row['number']), entries: entriesOf(String(row['entries'])) }))
}

const headSql = `SELECT tree_size, sequenced, origin, (SELECT note FROM log_checkpoints ORDER BY tree_size DESC LIMIT 1) AS note
  FROM log_head`

export function* head(): Script<LogHead> {
  // One statement reads head and note, so that they are consistent.
  const [heads = [], remaining = []] = yield [
    { sql: headSql, values: [] },
    { sql: backlogSql, values: [] },
  ]
  const note = heads[0]?.['note'] ?? null
  const origin = heads[0]?.['origin'] ?? null
  return {
    size: Number(heads[0]?.['tree_size'] ?? 0),
    sequenced: Number(heads[0]?.['sequenced'] ?? 0),
    origin: origin === null ? null : String(origin),
    note: note === null ? null : String(note),
    backlog: remaining.map(remainingOf),
  }
}

const backlogSql = 'SELECT kind, after_id, until_id FROM log_backlog WHERE after_id < until_id'

function remainingOf(row: Row): RemainingBacklog {
  const kind = row['kind'] === 'record' ? 'record' : 'override'
  return { kind, after: String(row['after_id']), until: String(row['until_id']) }
}

const nodesSql = sqlForRows(
  (rows) => `INSERT INTO log_nodes (level, node_index, node_hash) VALUES ${placeholders(rows, 3)}`,
)

/** Updates the head first: the update fails if the log has grown since it was read, and locks out other appends. */
export function* append({ from, size, nodes, note }: LogGrowth): Script<boolean> {
  const moved = yield* query('UPDATE log_head SET tree_size = $1 WHERE tree_size = $2 RETURNING tree_size', [
    size,
    from,
  ])
  if (moved.length === 0) return false
  const statements: Statement[] = inRuns(nodes).map((run) => ({
    sql: nodesSql(run.length),
    values: run.flatMap(({ level, index, hash }) => [level, index, hash]),
  }))
  if (size > from || size === 0) {
    // Two instances may sign the empty log concurrently.
    const sql =
      'INSERT INTO log_checkpoints (tree_size, note) VALUES ($1, $2) ON CONFLICT (tree_size) DO NOTHING'
    statements.push({ sql, values: [size, note] })
  }
  yield statements
  return true
}

/** Records first, then overrides. */
export function* backlog(countMax: number): Script<Backlog | null> {
  const rows = yield* query(backlogSql)
  const remaining = rows.map(remainingOf)
  const next = remaining.find(({ kind }) => kind === 'record') ?? remaining[0]
  if (next === undefined) return null
  const { kind, after, until } = next
  const batch = yield* query(backlogBatchSql[kind], [after, until, countMax])
  const id = kind === 'record' ? 'request_id' : 'o_override_id'
  // A short batch is the last one, also where a detached month has removed the end of the range.
  const upTo = String(batch.length < countMax ? until : batch.at(-1)?.[id])
  return kind === 'record'
    ? { kind, subjects: batch.map(verificationOf), upTo }
    : { kind, subjects: batch.flatMap((row) => overrideOf(row) ?? []), upTo }
}

const backlogBatchSql = {
  record: `SELECT ${recordColumns} FROM verifications v
    WHERE v.request_id > $1 AND v.request_id <= $2 ORDER BY v.request_id LIMIT $3`,
  override: `SELECT ${overrideColumns} FROM overrides o
    WHERE o.override_id > $1 AND o.override_id <= $2 ORDER BY o.override_id LIMIT $3`,
}

export function* hashes(ranges: readonly LogRange[]): Script<string[][]> {
  if (ranges.length === 0) return []
  const queries = ranges.map((range) => (range.level === 0 ? leafHashesQuery(range) : nodeHashesQuery(range)))
  const groups = yield queries.map(({ statement }) => statement)
  return queries.map(({ hashesOf }, at) => hashesOf(groups[at] ?? []))
}

function nodeHashesQuery({ level, from, to }: LogRange) {
  const sql = `SELECT node_hash FROM log_nodes
    WHERE level = $1 AND node_index >= $2 AND node_index < $3 ORDER BY node_index`
  return {
    statement: { sql, values: [level, from, to] },
    hashesOf: (rows: readonly Row[]): string[] => rows.map((row) => String(row['node_hash'])),
  }
}

/** One statement, so that the counts are consistent during an append. */
const extentSql = `SELECT
  (SELECT COUNT(*) FROM log_head) AS heads,
  (SELECT MAX(tree_size) FROM log_head) AS size,
  (SELECT MAX(sequenced) FROM log_head) AS sequenced,
  (SELECT COALESCE(SUM(${linesSql}), 0) FROM log_blocks) AS leaves,
  (SELECT MAX(first_leaf) FROM log_blocks) AS last_leaves,
  (SELECT COUNT(*) FROM log_nodes) AS nodes,
  (SELECT MAX(tree_size) FROM log_checkpoints) AS newest_checkpoint`

export function* extent(): Script<LogExtent> {
  const [row = {}] = yield* query(extentSql, ['\n'])
  const numberOf = (name: string): number | null => {
    const value = row[name] ?? null
    return value === null ? null : Number(value)
  }
  return {
    heads: numberOf('heads') ?? 0,
    size: numberOf('size') ?? 0,
    sequenced: numberOf('sequenced') ?? 0,
    leaves: numberOf('leaves') ?? 0,
    nodes: numberOf('nodes') ?? 0,
    lastLeaves: numberOf('last_leaves'),
    newestCheckpoint: numberOf('newest_checkpoint'),
  }
}

/** How subjects of a kind are read. */
interface SubjectTable {
  readonly from: string
  readonly id: string
  readonly columns: string
  readonly subjectOf: (row: Row) => Subject | null
}

const tables: Readonly<Record<LogSubject, SubjectTable>> = {
  record: {
    from: 'verifications v',
    id: 'v.request_id',
    columns: recordColumns,
    subjectOf: (row) => ({ kind: 'record', value: verificationOf(row) }),
  },
  override: {
    from: 'overrides o',
    id: 'o.override_id',
    columns: overrideColumns,
    subjectOf(row) {
      const value = overrideOf(row)
      return value === null ? null : { kind: 'override', value }
    },
  },
  outcome: {
    from: 'outcomes r',
    id: 'r.outcome_id',
    columns: outcomeColumns,
    subjectOf(row) {
      const value = outcomeOf(row)
      return value === null ? null : { kind: 'outcome', value }
    },
  },
  act: {
    from: 'acts a',
    id: 'a.act_id',
    columns: actColumns,
    subjectOf: (row) => ({ kind: 'act', value: actOf(row) }),
  },
  review: {
    from: 'review_changes c',
    id: 'c.change_id',
    columns: changeColumns,
    subjectOf: (row) => ({ kind: 'review', value: changeOf(row) }),
  },
}
const kinds = Object.keys(tables) as LogSubject[]

const readSql = Object.fromEntries(
  Object.entries(tables).map(([kind, { from, id, columns }]) => [
    kind,
    sqlForRows(
      (rows) => `SELECT ${id} AS subject_id, ${columns} FROM ${from} WHERE ${id} IN (${parameterList(rows)})`,
    ),
  ]),
) as Readonly<Record<LogSubject, (rows: number) => string>>

/** Looks for each id in every table: an id that is in two was tampered with. */
export function* leaves(from: number, countMax: number): Script<LeafAndSubject[]> {
  const page = yield* leavesFrom(from, countMax)
  if (page.length === 0) return []
  const runs = inRuns(page.map(({ subjectId }) => subjectId))
  const found = new Map<string, Subject[]>()
  for (const kind of kinds) {
    const groups = yield runs.map((run) => ({ sql: readSql[kind](run.length), values: run }))
    for (const row of groups.flat()) {
      const id = String(row['subject_id'])
      const subject = tables[kind].subjectOf(row)
      if (subject !== null) found.set(id, [...(found.get(id) ?? []), subject])
    }
  }
  return page.map((leaf) => ({ ...leaf, subjects: found.get(leaf.subjectId) ?? [] }))
}

/** Outcomes of before the log have no id. */
export function* countSubjects(kind: LogSubject): Script<number> {
  const { from, id } = tables[kind]
  const [row] = yield* query(`SELECT COUNT(${id}) AS count FROM ${from}`)
  return Number(row?.['count'] ?? 0)
}

export function* subjects(kind: LogSubject, afterId: string, countMax: number): Script<string[]> {
  const { from, id } = tables[kind]
  const rows = yield* query(`SELECT ${id} AS id FROM ${from} WHERE ${id} > $1 ORDER BY ${id} LIMIT $2`, [
    afterId,
    countMax,
  ])
  return rows.map((row) => String(row['id']))
}

export function* checkpoints(afterSize: number, countMax: number): Script<StoredNote[]> {
  const rows = yield* query(
    'SELECT tree_size, note FROM log_checkpoints WHERE tree_size > $1 ORDER BY tree_size LIMIT $2',
    [afterSize, countMax],
  )
  return rows.map((row) => ({ size: Number(row['tree_size']), note: String(row['note']) }))
}

export function* keys(): Script<LogKey[]> {
  const rows = yield* query(
    'SELECT public_key, seed, created_at_ms FROM log_keys ORDER BY created_at_ms, public_key',
  )
  return rows.map((row) => ({
    publicKey: String(row['public_key']),
    seed: row['seed'] === null ? null : String(row['seed']),
    createdAtMs: Number(row['created_at_ms']),
  }))
}

export function* addKey({ publicKey, seed, createdAtMs }: LogKey, origin: string): Script<void> {
  // Locks the head row: a second instance waits here and then reads the first one's key.
  yield* query('UPDATE log_head SET origin = COALESCE(origin, $1)', [origin])
  // One first key is enough, also when two instances start together.
  if ((yield* keys()).length > 0) return
  yield* query('INSERT INTO log_keys (public_key, seed, created_at_ms) VALUES ($1, $2, $3)', [
    publicKey,
    seed,
    createdAtMs,
  ])
}

export function* changeKey({ publicKey, createdAtMs }: LogKey, act: HashedAct): Script<void> {
  yield [
    {
      // Later than all others by any clock: the newest key is the last.
      sql: `INSERT INTO log_keys (public_key, seed, created_at_ms)
        SELECT $1, NULL, CASE WHEN MAX(created_at_ms) < CAST($2 AS bigint) THEN CAST($2 AS bigint) ELSE MAX(created_at_ms) + 1 END
        FROM log_keys WHERE true
        ON CONFLICT (public_key) DO UPDATE SET created_at_ms = excluded.created_at_ms`,
      values: [publicKey, createdAtMs],
    },
    ...actStatements(act),
  ]
}

export function* forgetSeeds(act: HashedAct): Script<void> {
  yield [{ sql: 'UPDATE log_keys SET seed = NULL', values: [] }, ...actStatements(act)]
}
