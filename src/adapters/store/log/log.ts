/** SQL of the log, shared by both engines. */

import type {
  Backlog,
  RemainingBacklog,
  StoredNote,
  LeafAndSubject,
  LogExtent,
  LogHead,
  LogKey,
  LogRange,
  LogSubject,
  Waiting,
  WaitingEntries,
} from '../../../app/ports/log.ts'
import type { Override, Verification } from '../../../app/ports/records.ts'
import { blockStatements, leafHashesQuery, leavesFrom, type PackedGrowth } from './log-blocks.ts'
import { entriesOf, linesSql } from './log-waiting.ts'
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

/** An estimate for the row limit. Under load a row holds many entries, and rows beyond the bound are read in vain. */
const entriesPerRow = 8

export function* waiting(entriesMax: number): Script<Waiting> {
  const rowsMax = Math.ceil(entriesMax / entriesPerRow)
  const rows = yield* query('SELECT number, entries FROM log_waiting ORDER BY number LIMIT $1', [rowsMax])
  const found: WaitingEntries[] = []
  let entryCount = 0
  for (const row of rows) {
    const entries = entriesOf(String(row['entries']))
    if (found.length > 0 && entryCount + entries.length > entriesMax) break
    entryCount += entries.length
    found.push({ number: Number(row['number']), entries })
  }
  return { found, isComplete: found.length === rows.length && rows.length < rowsMax }
}

const headSql = `SELECT tree_size, origin, (SELECT note FROM log_checkpoints ORDER BY tree_size DESC LIMIT 1) AS note
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
const dequeueSql = sqlForRows((rows) => `DELETE FROM log_waiting WHERE number IN (${parameterList(rows)})`)

/** Updates the head first: the update fails if the log has grown since it was read, and locks out other appends. */
export function* append({
  from,
  size,
  blocks,
  nodes,
  note,
  sealedRows: taken,
  backlog: done,
}: PackedGrowth): Script<boolean> {
  const moved = yield* query('UPDATE log_head SET tree_size = $1 WHERE tree_size = $2 RETURNING tree_size', [
    size,
    from,
  ])
  if (moved.length === 0) return false
  const statements: Statement[] = [
    ...blockStatements(blocks),
    ...inRuns(nodes).map((run) => ({
      sql: nodesSql(run.length),
      values: run.flatMap(({ level, index, hash }) => [level, index, hash]),
    })),
    ...inRuns(taken).map((run) => ({ sql: dequeueSql(run.length), values: run })),
  ]
  if (size > from || size === 0) {
    // Two instances may sign the empty log concurrently.
    const sql =
      'INSERT INTO log_checkpoints (tree_size, note) VALUES ($1, $2) ON CONFLICT (tree_size) DO NOTHING'
    statements.push({ sql, values: [size, note] })
  }
  if (done !== null) {
    const sql = 'UPDATE log_backlog SET after_id = $1 WHERE kind = $2'
    statements.push({ sql, values: [done.upTo, done.kind] })
  }
  yield statements
  return true
}

/** Records first, then overrides. */
export function* backlog(countMax: number): Script<Backlog<Verification, Override> | null> {
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
  record: `SELECT ${recordColumns.join(', ')} FROM verifications
    WHERE request_id > $1 AND request_id <= $2 ORDER BY request_id LIMIT $3`,
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
    leaves: numberOf('leaves') ?? 0,
    nodes: numberOf('nodes') ?? 0,
    lastLeaves: numberOf('last_leaves'),
    newestCheckpoint: numberOf('newest_checkpoint'),
  }
}

const recordsSql = sqlForRows(
  (rows) =>
    `SELECT ${recordColumns.join(', ')} FROM verifications WHERE request_id IN (${parameterList(rows)})`,
)
const overridesSql = sqlForRows(
  (rows) => `SELECT ${overrideColumns} FROM overrides o WHERE o.override_id IN (${parameterList(rows)})`,
)

export function* leaves(from: number, countMax: number): Script<LeafAndSubject<Verification, Override>[]> {
  const page = yield* leavesFrom(from, countMax)
  const runs = inRuns(page.map(({ subjectId }) => subjectId))
  const records = yield runs.map((run) => ({ sql: recordsSql(run.length), values: run }))
  const overrides = yield runs.map((run) => ({ sql: overridesSql(run.length), values: run }))
  const recordsById = new Map(records.flat().map((row) => [String(row['request_id']), verificationOf(row)]))
  const overridesById = new Map(
    overrides.flat().map((row) => [String(row['o_override_id']), overrideOf(row)]),
  )
  return page.map((leaf) => ({
    ...leaf,
    record: recordsById.get(leaf.subjectId) ?? null,
    override: overridesById.get(leaf.subjectId) ?? null,
  }))
}

const countSql = {
  record: 'SELECT COUNT(*) AS count FROM verifications',
  override: 'SELECT COUNT(*) AS count FROM overrides',
}

export function* countSubjects(kind: LogSubject): Script<number> {
  const [row] = yield* query(countSql[kind])
  return Number(row?.['count'] ?? 0)
}

const subjectsSql = {
  record: 'SELECT request_id AS id FROM verifications WHERE request_id > $1 ORDER BY request_id LIMIT $2',
  override: 'SELECT override_id AS id FROM overrides WHERE override_id > $1 ORDER BY override_id LIMIT $2',
}

export function* subjects(kind: LogSubject, afterId: string, countMax: number): Script<string[]> {
  const rows = yield* query(subjectsSql[kind], [afterId, countMax])
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
  const registered = yield* keys()
  // One generated key is enough, also when two instances start together.
  const isNeeded = registered.every(
    (key) => key.publicKey !== publicKey && (seed === null || key.seed === null),
  )
  if (!isNeeded) return
  yield* query('INSERT INTO log_keys (public_key, seed, created_at_ms) VALUES ($1, $2, $3)', [
    publicKey,
    seed,
    createdAtMs,
  ])
}
