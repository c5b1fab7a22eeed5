/** SQL of the jobs of maintenance, shared by both engines. */

import type {
  Job,
  JobBeat,
  JobEnd,
  JobKind,
  JobParameters,
  JobStatus,
  Lost,
} from '../../../app/ports/operate/maintenance.ts'
import type { Act } from '../../../app/ports/records.ts'
import { placeholders, query, type Row, type Script } from '../engine/script.ts'
import { actStatements, type HashedAct } from './acts.ts'

const names = [
  'job_id',
  'kind',
  'parameters',
  'reason',
  'started_by',
  'started_at_ms',
  'status',
  'holder',
  'beat_ms',
  'done',
  'total',
  'ended_at_ms',
  'result',
  'error',
] as const
const columns = names.join(', ')

/** The unique index of running jobs decides races. */
export function* start(
  job: Job,
  { holder, beforeMs, act: endOfLost }: Lost,
  act: Act,
  sealed: (act: Act) => HashedAct,
): Script<boolean> {
  const lost = yield* query(
    `UPDATE maintenance_jobs SET status = 'interrupted', ended_at_ms = beat_ms
      WHERE status = 'running' AND (holder = $1 OR beat_ms < $2) RETURNING job_id, kind, started_by`,
    [holder, beforeMs],
  )
  for (const row of lost)
    yield actStatements(
      sealed({
        ...endOfLost,
        by: String(row['started_by']),
        kind: 'maintenance.ended',
        subject: String(row['job_id']),
        detail: { job: String(row['kind']), status: 'interrupted' },
      }),
    )
  const rows = yield* query(
    `INSERT INTO maintenance_jobs (${columns}) VALUES ${placeholders(1, names.length)}
      ON CONFLICT DO NOTHING RETURNING job_id`,
    [
      job.jobId,
      job.kind,
      JSON.stringify(job.parameters),
      job.reason,
      job.startedBy,
      job.startedAtMs,
      job.status,
      job.holder,
      job.beatMs,
      job.done,
      job.total,
      job.endedAtMs,
      null,
      job.error,
    ],
  )
  if (rows.length === 0) return false
  yield actStatements(sealed(act))
  return true
}

export function* beat({ jobId, nowMs, progress }: JobBeat): Script<boolean> {
  const rows = yield* query(
    `UPDATE maintenance_jobs SET beat_ms = $1 WHERE job_id = $2 AND status = 'running' RETURNING job_id`,
    [nowMs, jobId],
  )
  if (rows.length === 0) return false
  if (progress === null) return true
  yield* query(`UPDATE maintenance_jobs SET done = $1, total = $2 WHERE job_id = $3 AND status = 'running'`, [
    progress.done,
    progress.total,
    jobId,
  ])
  return true
}

export function* end(
  { jobId, holder, status, endedAtMs, result, error }: JobEnd,
  act: HashedAct,
): Script<void> {
  const rows = yield* query(
    `UPDATE maintenance_jobs SET status = $1, ended_at_ms = $2, result = $3, error = $4
      WHERE job_id = $5 AND holder = $6 AND status = 'running' RETURNING job_id`,
    [status, endedAtMs, result === null ? null : JSON.stringify(result), error, jobId, holder],
  )
  if (rows.length > 0) yield actStatements(act)
}

export function* find(jobId: string): Script<Job | null> {
  const [row] = yield* query(`SELECT ${columns} FROM maintenance_jobs WHERE job_id = $1`, [jobId])
  return row === undefined ? null : jobOf(row)
}

/** Ids sort by the time of the start. */
export function* list(before: string | null, limit: number): Script<Job[]> {
  const rows =
    before === null
      ? yield* query(`SELECT ${columns} FROM maintenance_jobs ORDER BY job_id DESC LIMIT $1`, [limit])
      : yield* query(
          `SELECT ${columns} FROM maintenance_jobs WHERE job_id < $1 ORDER BY job_id DESC LIMIT $2`,
          [before, limit],
        )
  return rows.map(jobOf)
}

function jobOf(row: Row): Job {
  const number = (name: string): number | null =>
    row[name] === null || row[name] === undefined ? null : Number(row[name])
  const { result } = row
  return {
    jobId: String(row['job_id']),
    kind: row['kind'] as JobKind,
    parameters: JSON.parse(String(row['parameters'])) as JobParameters,
    reason: String(row['reason']),
    startedBy: String(row['started_by']),
    startedAtMs: Number(row['started_at_ms']),
    status: row['status'] as JobStatus,
    holder: String(row['holder']),
    beatMs: Number(row['beat_ms']),
    done: Number(row['done']),
    total: number('total'),
    endedAtMs: number('ended_at_ms'),
    result: typeof result === 'string' ? (JSON.parse(result) as object) : null,
    error: row['error'] as string | null,
  }
}
