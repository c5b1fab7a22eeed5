/** SQL of backtests, and of the stretches of history that they read. */

import type {
  Backtest,
  BacktestClaim,
  BacktestStatus,
  BacktestStep,
  RecordWithOutcome,
  Stretch,
  StretchPart,
} from '../../../app/ports/policies.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import { firstRequestIdAt } from '../../../core/identity/request-id.ts'
import type { ActualOutcome } from '../../../core/live/outcome.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import type { ReportSums } from '../../../core/policy/report.ts'
import { placeholders, query, type Row, type Script, type SqlValue } from '../engine/script.ts'
import { policyColumns, policyRecordOf } from './policy-records.ts'
import { lockHead, ownerOf, ownerText } from './policies.ts'

const names = [
  'backtest_id',
  'policy_id',
  'owner_id',
  'from_ms',
  'to_ms',
  'mode',
  'status',
  'created_at_ms',
  'ended_at_ms',
  'done',
  'total',
  'up_to',
  'sums',
  'error',
] as const
const columns = names.join(', ')

/** Takes its turn with changes of policies, so that concurrent requests cannot exceed the limit. */
export function* insert(backtest: Backtest, waitingMax: number): Script<boolean> {
  const { progress } = backtest
  yield* lockHead()
  const [counted] = yield* query(
    `SELECT count(*) AS count FROM policy_backtests WHERE owner_id = $1 AND status IN ('queued', 'running')`,
    [ownerText(backtest.ownerId)],
  )
  if (Number(counted?.['count']) >= waitingMax) return false
  yield* query(`INSERT INTO policy_backtests (${columns}) VALUES ${placeholders(1, names.length)}`, [
    backtest.backtestId,
    backtest.policyId,
    ownerText(backtest.ownerId),
    backtest.fromMs,
    backtest.toMs,
    backtest.mode,
    backtest.status,
    backtest.createdAtMs,
    backtest.endedAtMs,
    progress.done,
    progress.total,
    progress.upTo,
    backtest.sums === null ? null : JSON.stringify(backtest.sums),
    backtest.error,
  ])
  return true
}

export function* find(backtestId: string): Script<Backtest | null> {
  const [row] = yield* query(`SELECT ${columns} FROM policy_backtests WHERE backtest_id = $1`, [backtestId])
  return row === undefined ? null : backtestOf(row)
}

export function* list(policyId: string, limit: number): Script<Backtest[]> {
  const rows = yield* query(
    `SELECT ${columns} FROM policy_backtests WHERE policy_id = $1 ORDER BY backtest_id DESC LIMIT $2`,
    [policyId, limit],
  )
  return rows.map(backtestOf)
}

const claimable = `status = 'queued' OR (status = 'running' AND beat_ms < $1)`

/** Read before a claim, because a claim takes the write lock. */
export function* hasClaimable(lostBeforeMs: number): Script<boolean> {
  const sql = `SELECT 1 AS one FROM policy_backtests WHERE ${claimable} LIMIT 1`
  return (yield* query(sql, [lostBeforeMs])).length > 0
}

export function* claim({ holder, nowMs, lostBeforeMs }: BacktestClaim): Script<Backtest | null> {
  const [row] = yield* query(
    `SELECT ${columns} FROM policy_backtests WHERE ${claimable} ORDER BY backtest_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [lostBeforeMs],
  )
  if (row === undefined) return null
  const backtest = backtestOf(row)
  yield* query(
    `UPDATE policy_backtests SET status = 'running', holder = $1, beat_ms = $2 WHERE backtest_id = $3`,
    [holder, nowMs, backtest.backtestId],
  )
  return { ...backtest, status: 'running' }
}

export function* step({
  backtestId,
  holder,
  nowMs,
  status,
  progress,
  sums,
  error,
}: BacktestStep): Script<boolean> {
  const rows = yield* query(
    `UPDATE policy_backtests SET status = $1, beat_ms = $2, ended_at_ms = CAST($3 AS bigint), done = $4,
        total = CAST($5 AS bigint), up_to = $6, sums = $7, error = $8
      WHERE backtest_id = $9 AND holder = $10 AND status = 'running' RETURNING backtest_id`,
    [
      status,
      nowMs,
      status === 'running' ? null : nowMs,
      progress.done,
      progress.total,
      progress.upTo,
      sums === null ? null : JSON.stringify(sums),
      error,
      backtestId,
      holder,
    ],
  )
  return rows.length > 0
}

export function* cancel(backtestId: string, atMs: number): Script<boolean> {
  const rows = yield* query(
    `UPDATE policy_backtests SET status = 'cancelled', ended_at_ms = $1
      WHERE backtest_id = $2 AND status IN ('queued', 'running') RETURNING backtest_id`,
    [atMs, backtestId],
  )
  return rows.length > 0
}

const decisions: readonly Verdict[] = ['GO', 'DEGRADED', 'NO-GO']

/** One after the other: an index has an owner's records by decision. Those of all owners are read as they lie. */
const rangesOf = ({ ownerId }: Stretch): readonly (Verdict | null)[] =>
  ownerId === null ? [null] : decisions

/** Ids begin with their time, so a stretch of time is one of ids. */
function rangeSql({ ownerId, fromMs, toMs, mode }: Stretch, decision: Verdict | null, after: string | null) {
  const from = firstRequestIdAt(fromMs)
  const values: SqlValue[] = [after ?? from, firstRequestIdAt(toMs)]
  const conditions = [`v.request_id ${after === null ? '>=' : '>'} $1`, 'v.request_id < $2']
  for (const [column, value] of Object.entries({ owner_id: ownerId, decision, mode })) {
    if (value === null) continue
    values.push(value)
    conditions.push(`v.${column} = $${values.length}`)
  }
  return { where: conditions.join(' AND '), values }
}

/** The place in a stretch: its range, and the last id that was read there. */
const placeText = (range: number, after: string): string => `${range} ${after}`

function placeOf(upTo: string | null): { readonly range: number; readonly after: string | null } {
  const [range = '0', after = ''] = (upTo ?? '').split(' ')
  return { range: Number(range), after: after === '' ? null : after }
}

export function* records(stretch: Stretch, upTo: string | null, limit: number): Script<StretchPart> {
  const place = placeOf(upTo)
  const ranges = rangesOf(stretch)
  const found: RecordWithOutcome[] = []
  for (let range = place.range; range < ranges.length; range += 1) {
    const after = range === place.range ? place.after : null
    const left = limit - found.length
    const more = yield* rangeRecords(rangeSql(stretch, ranges[range] ?? null, after), left)
    found.push(...more)
    const newest = more.at(-1)
    if (more.length >= left && newest !== undefined)
      return { records: found, upTo: placeText(range, newest.record.requestId) }
  }
  return { records: found, upTo: null }
}

/** Of two outcomes the final one counts. */
function* rangeRecords(
  { where, values }: ReturnType<typeof rangeSql>,
  limit: number,
): Script<RecordWithOutcome[]> {
  const rows = yield* query(
    `SELECT ${policyColumns},
        (SELECT r.outcome FROM outcomes r WHERE r.request_id = v.request_id ORDER BY r.is_final DESC LIMIT 1) AS r_outcome
      FROM verifications v WHERE ${where} ORDER BY v.request_id LIMIT $${values.length + 1}`,
    [...values, limit],
  )
  return rows.map((row) => ({
    record: policyRecordOf(row),
    outcome: row['r_outcome'] as ActualOutcome | null,
  }))
}

export function* countRecords(stretch: Stretch): Script<number> {
  const groups = yield rangesOf(stretch).map((decision) => {
    const { where, values } = rangeSql(stretch, decision, null)
    return { sql: `SELECT count(*) AS count FROM verifications v WHERE ${where}`, values }
  })
  return groups.flat().reduce((sum, row) => sum + Number(row['count']), 0)
}

function backtestOf(row: Row): Backtest {
  const optional = (name: string): number | null => {
    const value = row[name]
    return value === null || value === undefined ? null : Number(value)
  }
  const { sums } = row
  return {
    backtestId: String(row['backtest_id']),
    policyId: String(row['policy_id']),
    ownerId: ownerOf(row['owner_id']),
    fromMs: Number(row['from_ms']),
    toMs: Number(row['to_ms']),
    mode: row['mode'] as Mode | null,
    status: row['status'] as BacktestStatus,
    createdAtMs: Number(row['created_at_ms']),
    endedAtMs: optional('ended_at_ms'),
    progress: {
      done: Number(row['done']),
      total: optional('total'),
      upTo: row['up_to'] as string | null,
    },
    sums: sums === null || sums === undefined ? null : (JSON.parse(String(sums)) as ReportSums),
    error: row['error'] as string | null,
  }
}
