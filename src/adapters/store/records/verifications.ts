/** Records, idempotency keys and cooldowns: every statement on them, once for both engines. */

import type { Mode } from '../../../core/identity/api-key.ts'
import { clockSkewMsMax } from '../../../core/time/cooldown.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Currency } from '../../../core/reference/currency.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type {
  Claim,
  CommitCommand,
  Look,
  LookCommand,
  Followed,
  RepeatedRecord,
  Verification,
  VerificationSummary,
} from '../../../app/ports/records.ts'
import { announceStatement, webhooksOf, type Announcement } from '../outbox/announcements.ts'
import { liveScoreStatements } from './live-scores.ts'
import { waitStatements } from '../log/log-waiting.ts'
import { outcomeColumns, outcomeOf } from './outcomes.ts'
import { overrideColumns, overrideOf } from './overrides.ts'
import {
  inRuns,
  keyTable,
  last,
  parameterList,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { rollupStatements } from './rollups.ts'
import { usageStatements } from './usage.ts'

export const summaryColumns = [
  'request_id',
  'owner_id',
  'key_id',
  'mode',
  'corridor',
  'decision',
  'score_hundredths',
  'confidence_hundredths',
  'amount',
  'currency',
  'correlation_id',
  'evaluated_at_ms',
  'recorded_at_ms',
  'cooldown_source_id',
] as const
const columns = [...summaryColumns, 'answer', 'evidence'] as const
export const recordColumns = columns.join(', ')

/** What a replay or a cooldown needs of the record that it repeats. */
const repeatedColumns =
  'v.request_id, v.mode, v.decision, v.score_hundredths, v.confidence_hundredths, v.evaluated_at_ms, v.answer'

/** The shards of `verification_counts`, as the first migration made them. */
export const countShards = 32

/**
 * What each command finds before it computes: an earlier answer under its key, and a block on its corridor. Records are read
 * only where something was found: a join would have the engine open every month there is for each look.
 */
export function* look(commands: readonly LookCommand[]): Script<Look[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map(lookStatement)
  const found = runs.flatMap((run, index) => foundIdsOf(run, groups[index] ?? []))
  const ids = new Set<string>()
  for (const traces of found) for (const trace of [traces.earlier, traces.block]) if (trace) ids.add(trace.id)
  if (ids.size === 0) return commands.map(() => ({ kind: 'open', block: null }))
  const records = yield inRuns([...ids]).map((run) => ({ sql: repeatedSql(run.length), values: run }))
  const byId = new Map(records.flat().map((row) => [String(row['request_id']), repeatedOf(row)]))
  return commands.map((command, place) => lookResult(command, found[place] ?? noFoundIds, byId))
}

interface FoundIds {
  readonly earlier: FoundId | null
  readonly block: FoundId | null
}

const noFoundIds: FoundIds = { earlier: null, block: null }

function foundIdsOf(run: readonly LookCommand[], rows: readonly Row[]): FoundIds[] {
  const traces: FoundIds[] = run.map(() => noFoundIds)
  for (const { place, earlier, block } of rows) {
    if (earlier === null && block === null) continue
    traces[Number(place)] = { earlier: foundIdOf(earlier), block: foundIdOf(block) }
  }
  return traces
}

/**
 * Subqueries, not joins: each is one look into an index, whatever the engine believes of the size of the table. A join that
 * was planned when there were few keys reads all of them ever after. What belongs together travels as one text.
 */
const lookSql = sqlForRows(
  (
    rows,
  ) => `WITH asked (place, owner_id, mode, corridor, idempotency_key) AS (VALUES ${placeholders(rows, 5)})
    SELECT a.place,
        (SELECT k.request_id || ' ' || k.fingerprint FROM ${keyTable} k
          WHERE k.owner_id = a.owner_id AND k.idempotency_key = a.idempotency_key) AS earlier,
        (SELECT c.request_id || ' ' || c.blocked_at_ms FROM cooldowns c
          WHERE c.owner_id = a.owner_id AND c.mode = a.mode AND c.corridor = a.corridor) AS block
      FROM asked a`,
)

/** An id, and what it is found with. */
interface FoundId {
  readonly id: string
  readonly rest: string
}

function foundIdOf(value: SqlValue | undefined): FoundId | null {
  if (value === null || value === undefined) return null
  const text = String(value)
  const space = text.indexOf(' ')
  return { id: text.slice(0, space), rest: text.slice(space + 1) }
}

function lookStatement(run: readonly LookCommand[]): Statement {
  const values: SqlValue[] = []
  for (const [place, { ownerId, mode, corridor, idempotency }] of run.entries()) {
    values.push(String(place), ownerId, mode, corridor, idempotency?.key ?? null)
  }
  return { sql: lookSql(run.length), values }
}

const repeatedSql = sqlForRows(
  (rows) => `SELECT ${repeatedColumns} FROM verifications v WHERE v.request_id IN (${parameterList(rows)})`,
)

function lookResult(
  command: LookCommand,
  { earlier, block }: FoundIds,
  byId: ReadonlyMap<string, RepeatedRecord>,
): Look {
  const first = earlier === null ? undefined : byId.get(earlier.id)
  if (earlier !== null && first !== undefined) {
    return earlierClaim(earlier.rest, command.idempotency?.fingerprint, first)
  }
  const record = block === null ? undefined : byId.get(block.id)
  if (block === null || record === undefined) return { kind: 'open', block: null }
  return { kind: 'open', block: { blockedAtMs: Number(block.rest), record } }
}

/** What the second one under a key is told. */
export type TakenClaim = Exclude<Claim, { kind: 'fresh' }>

function earlierClaim(kept: string, asked: string | undefined, record: RepeatedRecord): TakenClaim {
  return kept === asked ? { kind: 'replay', record } : { kind: 'conflict' }
}

/** Where a batch counts, so that batches at once rarely meet on one row. */
export interface Shards {
  readonly counts: number
  readonly rollups: number
}

/**
 * Writes records with their keys, blocks and events; says for which endpoints there are events. The unique key decides who
 * is first: where one of these is taken, nothing is written at all.
 */
export function* commit(
  commands: readonly CommitCommand[],
  shards: Shards,
  hashOf: (record: Verification) => string | null,
): Script<string[]> {
  const statements: Statement[] = [...keyStatements(commands), ...inRuns(commands).map(insertStatement)]
  const blocking = commands.filter((command) => command.block !== null)
  for (const command of inLockOrder(blocking, corridorOrder)) statements.push(blockStatement(command))
  const sql = 'UPDATE verification_counts SET total = total + $1 WHERE shard = $2'
  statements.push({ sql, values: [commands.length, shards.counts] })
  statements.push(...usageStatements(commands, shards.counts))
  statements.push(...liveScoreStatements(commands.map(({ record }) => record)))
  statements.push(
    ...waitStatements(
      commands.map(({ record }) => ({ subjectId: record.requestId, leafHash: hashOf(record) })),
    ),
  )
  const announcements = inRuns(commands.map(announcementOf)).map((run) =>
    announceStatement('payment.decision.created', run),
  )
  // Last, so that the rows which every batch wants are held for as short as can be.
  const rollups = rollupStatements(commands, shards.rollups)
  const groups = yield last([...statements, ...announcements, ...rollups])
  return webhooksOf(groups.slice(statements.length, statements.length + announcements.length).flat())
}

function announcementOf({ record }: CommitCommand): Announcement {
  const { ownerId, requestId, recordedAtMs } = record
  return { ownerId, requestId, subjectId: requestId, createdAtMs: recordedAtMs }
}

const keySql = sqlForRows(
  (rows) => `INSERT INTO ${keyTable} (owner_id, idempotency_key, fingerprint, request_id)
    VALUES ${placeholders(rows, 4)}`,
)

function keyStatements(commands: readonly CommitCommand[]): Statement[] {
  const withKey = commands.filter((command) => command.idempotency !== null)
  return inRuns(inLockOrder(withKey, keyOrder)).map((run) => {
    const values: SqlValue[] = []
    for (const { record, idempotency } of run) {
      values.push(record.ownerId, idempotency?.key ?? '', idempotency?.fingerprint ?? '', record.requestId)
    }
    return { sql: keySql(run.length), values }
  })
}

const takenSql = sqlForRows(
  (rows) => `WITH asked (place, owner_id, idempotency_key) AS (VALUES ${placeholders(rows, 3)})
    SELECT a.place, k.fingerprint, ${repeatedColumns}
      FROM asked a
      JOIN ${keyTable} k ON k.owner_id = a.owner_id AND k.idempotency_key = a.idempotency_key
      LEFT JOIN verifications v ON v.request_id = k.request_id`,
)

/** What those whose key is taken are told; null for those whose key is free. */
export function* takenKeys(commands: readonly CommitCommand[]): Script<(TakenClaim | null)[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map((run) => ({
    sql: takenSql(run.length),
    values: run.flatMap(({ record, idempotency }, place) => [
      String(place),
      record.ownerId,
      idempotency?.key ?? null,
    ]),
  }))
  return runs.flatMap((run, index) => {
    const byPlace = new Map((groups[index] ?? []).map((row) => [row['place'], row]))
    return run.map(({ idempotency }, place) => {
      const row = byPlace.get(String(place))
      if (row === undefined) return null
      // A key whose record an operator has taken away is still taken: nothing is decided twice under it.
      return row['request_id'] === null
        ? { kind: 'conflict' }
        : earlierClaim(String(row['fingerprint']), idempotency?.fingerprint, repeatedOf(row))
    })
  })
}

const keyOrder = ({ record, idempotency }: CommitCommand): string =>
  `${record.ownerId}\n${idempotency?.key ?? ''}`
const corridorOrder = ({ record }: CommitCommand): string =>
  `${record.ownerId}\n${record.mode}\n${record.corridor}`

/** All writers take their locks in one order, so that none waits for another in a ring. */
function inLockOrder(
  commands: readonly CommitCommand[],
  orderOf: (command: CommitCommand) => string,
): readonly CommitCommand[] {
  if (commands.length < 2) return commands
  return commands
    .map((command) => ({ command, order: orderOf(command) }))
    .toSorted((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0))
    .map(({ command }) => command)
}

const insertSql = sqlForRows(
  (rows) => `INSERT INTO verifications (${columns.join(', ')}) VALUES ${placeholders(rows, columns.length)}`,
)

function insertStatement(run: readonly CommitCommand[]): Statement {
  return { sql: insertSql(run.length), values: run.flatMap(({ record }) => valuesOf(record)) }
}

/** An open window is never moved: only one that has ended, or that a wrong clock set ahead, gives way. */
function blockStatement({ record, block }: CommitCommand): Statement {
  const blockedAtMs = block?.blockedAtMs ?? 0
  return {
    sql: `INSERT INTO cooldowns (owner_id, mode, corridor, blocked_at_ms, request_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (owner_id, mode, corridor) DO UPDATE
        SET blocked_at_ms = excluded.blocked_at_ms, request_id = excluded.request_id
        WHERE cooldowns.blocked_at_ms <= $6 OR cooldowns.blocked_at_ms > $7`,
    values: [
      record.ownerId,
      record.mode,
      record.corridor,
      blockedAtMs,
      record.requestId,
      blockedAtMs - (block?.windowMs ?? 0),
      blockedAtMs + clockSkewMsMax,
    ],
  }
}

export interface FindCommand {
  readonly ownerId: string
  readonly requestId: RequestId
}

/** With what more is known of where the records lie. */
export const findTextOf = (where: (rows: number) => string): ((rows: number) => string) =>
  sqlForRows(
    (rows) => `WITH asked (place, owner_id, request_id) AS (VALUES ${placeholders(rows, 3)})
    SELECT a.place, ${columns.map((name) => `v.${name}`).join(', ')}, ${overrideColumns}, ${outcomeColumns}
      FROM asked a JOIN verifications v ON v.request_id = a.request_id AND v.owner_id = a.owner_id${where(rows)}
      LEFT JOIN overrides o ON o.request_id = v.request_id
      LEFT JOIN outcomes r ON r.request_id = v.request_id`,
  )
const findSql = findTextOf(() => '')

export type Found = Followed<Verification> | null

/** Many at once: what arrives together is looked up together. */
export function* findAll(commands: readonly FindCommand[]): Script<Found[]> {
  const runs = inRuns(commands)
  const groups = yield runs.map((run) => findStatement(run, findSql))
  return runs.flatMap((run, index) => foundOf(run, groups[index] ?? []))
}

export function findStatement(run: readonly FindCommand[], sql: (rows: number) => string): Statement {
  const values = run.flatMap(({ ownerId, requestId }, place) => [String(place), ownerId, requestId])
  return { sql: sql(run.length), values }
}

export function foundOf(run: readonly FindCommand[], rows: readonly Row[]): Found[] {
  const byPlace = new Map<SqlValue | undefined, Row>()
  for (const row of rows) {
    // A payment that was pending and then ended has two rows: the end counts.
    if (row['r_is_final'] !== 0 || !byPlace.has(row['place'])) byPlace.set(row['place'], row)
  }
  return run.map((_, place) => {
    const row = byPlace.get(String(place))
    return row === undefined
      ? null
      : { ...verificationOf(row), override: overrideOf(row), outcome: outcomeOf(row) }
  })
}

export function* countAll(): Script<number> {
  const [row] = yield* query('SELECT CAST(SUM(total) AS bigint) AS total FROM verification_counts')
  return Number(row?.['total'] ?? 0)
}

function valuesOf(record: Verification): SqlValue[] {
  return [
    record.requestId,
    record.ownerId,
    record.keyId,
    record.mode,
    record.corridor,
    record.verdict,
    record.scoreHundredths,
    record.confidenceHundredths,
    record.amount,
    record.currency,
    record.correlationId,
    record.evaluatedAtMs,
    record.recordedAtMs,
    record.cooldownSourceId,
    record.answer,
    record.evidence,
  ]
}

export function summaryOf(row: Row): VerificationSummary {
  return {
    requestId: row['request_id'] as RequestId,
    ownerId: String(row['owner_id']),
    keyId: String(row['key_id']),
    mode: row['mode'] as Mode,
    corridor: row['corridor'] as Corridor,
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    confidenceHundredths: Number(row['confidence_hundredths']),
    amount: row['amount'] === null ? null : Number(row['amount']),
    currency: row['currency'] as Currency,
    correlationId: row['correlation_id'] as string | null,
    evaluatedAtMs: Number(row['evaluated_at_ms']),
    recordedAtMs: Number(row['recorded_at_ms']),
    cooldownSourceId: row['cooldown_source_id'] as RequestId | null,
  }
}

function repeatedOf(row: Row): RepeatedRecord {
  return {
    requestId: row['request_id'] as RequestId,
    mode: row['mode'] as Mode,
    verdict: row['decision'] as Verdict,
    scoreHundredths: Number(row['score_hundredths']),
    confidenceHundredths: Number(row['confidence_hundredths']),
    evaluatedAtMs: Number(row['evaluated_at_ms']),
    answer: String(row['answer']),
  }
}

export function verificationOf(row: Row): Verification {
  return { ...summaryOf(row), answer: String(row['answer']), evidence: String(row['evidence']) }
}
