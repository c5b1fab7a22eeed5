/** SQL of the Corridor Intelligence Platform, shared by both engines. */

import { simulationAdapter, type CipStage, type TelemetryScope } from '../../../core/live/cip.ts'
import type { LiveStatus } from '../../../core/live/corridor-status.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type {
  CipState,
  CipTransition,
  CompositesQuery,
  CorridorStatus,
  Observation,
  PartnerHour,
  PartnerObservation,
  ProbeFindings,
  ProbeTurn,
  TurnState,
} from '../../../app/ports/cip.ts'
import { actStatements, type HashedAct } from './acts.ts'
import { intelligence } from '../engine/schema/intelligence.ts'
import {
  inRuns,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type Statement,
} from '../engine/script.ts'
import { dayMs, dayOf, hourMs } from '../../../core/time/durations.ts'

/** The time of the next probe. Read before a claim, because a claim takes the write lock. */
export function* nextProbeAt(): Script<number> {
  const [row] = yield* query('SELECT due_at_ms FROM cip_probe WHERE probe = 1')
  return Number(row?.['due_at_ms'] ?? 0)
}

/** Instances whose clocks differ by less do not take turns from each other. */
const clockDifferenceMsMax = hourMs

/** True when the time has come, or when a fast clock has postponed it too far. */
export function isDue(dueAtMs: number, { nowMs, everyMs }: ProbeTurn): boolean {
  return dueAtMs <= nowMs || dueAtMs > nowMs + everyMs + clockDifferenceMsMax
}

/** Keeps a fixed schedule: the next turn is due one interval after this one was, unless that has passed. */
export function* claimProbe(turn: ProbeTurn): Script<boolean> {
  const [row] = yield* query('SELECT due_at_ms FROM cip_probe WHERE probe = 1 FOR UPDATE')
  const dueAtMs = Number(row?.['due_at_ms'] ?? 0)
  if (!isDue(dueAtMs, turn)) return false
  const { nowMs, everyMs, lease } = turn
  const onPace = dueAtMs + everyMs
  const next = onPace > nowMs && onPace <= nowMs + everyMs ? onPace : nowMs + everyMs
  yield* query('UPDATE cip_probe SET due_at_ms = $1, lease = $2 WHERE probe = 1', [next, lease])
  return true
}

export function* record(
  lease: string,
  { observations, partners, statuses: changed, gone }: ProbeFindings,
  acts: readonly HashedAct[],
  turn: TurnState | null,
): Script<boolean> {
  const held = yield* query(
    `UPDATE cip_probe SET lease = CAST($2 AS text), due_at_ms = COALESCE(CAST($3 AS bigint), due_at_ms)
      WHERE probe = 1 AND lease = $1 RETURNING probe`,
    [lease, turn?.isEnded === false ? lease : null, turn?.dueAtMs ?? null],
  )
  if (held.length === 0) return false
  const groups = yield observations.map(insertStatement)
  const written = observations.filter((_, place) => (groups[place] ?? []).length > 0)
  yield [
    ...written.map(countStatement),
    ...inRuns(partners).map(hourStatement),
    ...partners.slice(0, 1).map(pruneHours),
    ...inRuns(changed).map(statusStatement),
    ...gone.map(({ corridor, partner }) => ({
      sql: 'DELETE FROM corridor_status WHERE corridor = $1 AND partner = $2',
      values: [corridor, partner ?? ''],
    })),
    ...acts.flatMap(actStatements),
  ]
  return true
}

const hourSql = sqlForRows(
  (rows) => `INSERT INTO partner_hours (corridor, partner, hour, observations, unavailable, composite_sum)
    VALUES ${placeholders(rows, 6)} ON CONFLICT (corridor, partner, hour) DO UPDATE SET
      observations = partner_hours.observations + excluded.observations,
      unavailable = partner_hours.unavailable + excluded.unavailable,
      composite_sum = partner_hours.composite_sum + excluded.composite_sum`,
)

function hourStatement(run: readonly PartnerObservation[]): Statement {
  return {
    sql: hourSql(run.length),
    values: run.flatMap(({ corridor, partner, observedAtMs, composite }) => [
      corridor,
      partner ?? '',
      Math.floor(observedAtMs / hourMs),
      1,
      composite === null ? 1 : 0,
      composite ?? 0,
    ]),
  }
}

/** A page shows a day; two leave room for clocks that differ. */
function pruneHours({ observedAtMs }: PartnerObservation): Statement {
  return {
    sql: 'DELETE FROM partner_hours WHERE hour < $1',
    values: [Math.floor((observedAtMs - 2 * dayMs) / hourMs)],
  }
}

const statusSql = sqlForRows(
  (rows) => `INSERT INTO corridor_status (corridor, partner, status, since_ms, candidate, seen)
    VALUES ${placeholders(rows, 6)} ON CONFLICT (corridor, partner) DO UPDATE SET status = excluded.status,
      since_ms = excluded.since_ms, candidate = excluded.candidate, seen = excluded.seen`,
)

function statusStatement(run: readonly CorridorStatus[]): Statement {
  return {
    sql: statusSql(run.length),
    values: run.flatMap(({ corridor, partner, status, sinceMs, candidate, seen }) => [
      corridor,
      partner ?? '',
      status,
      sinceMs,
      candidate,
      seen,
    ]),
  }
}

export function* statuses(corridor: Corridor | null): Script<CorridorStatus[]> {
  const rows = yield* query(
    `SELECT corridor, partner, status, since_ms, candidate, seen FROM corridor_status
      ${corridor === null ? '' : 'WHERE corridor = $1'} ORDER BY corridor, partner`,
    corridor === null ? [] : [corridor],
  )
  return rows.map((row) => ({
    corridor: row['corridor'] as Corridor,
    partner: row['partner'] === '' ? null : String(row['partner']),
    status: row['status'] as LiveStatus,
    sinceMs: Number(row['since_ms']),
    candidate: row['candidate'] as LiveStatus,
    seen: Number(row['seen']),
  }))
}

export function* partnerHours(corridor: Corridor, sinceMs: number): Script<PartnerHour[]> {
  const rows = yield* query(
    `SELECT partner, hour, observations, unavailable, composite_sum FROM partner_hours
      WHERE corridor = $1 AND hour >= $2 ORDER BY partner, hour`,
    [corridor, Math.floor(sinceMs / hourMs)],
  )
  return rows.map((row) => ({
    partner: row['partner'] === '' ? null : String(row['partner']),
    startedAtMs: Number(row['hour']) * hourMs,
    observations: Number(row['observations']),
    unavailable: Number(row['unavailable']),
    compositeSum: Number(row['composite_sum']),
  }))
}

function insertStatement(observation: Observation): Statement {
  return {
    sql: `INSERT INTO cip_observations (corridor, observed_at_ms, adapter, risk_thousandths, composite, duration_us)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING corridor`,
    values: [
      observation.corridor,
      observation.observedAtMs,
      observation.adapter,
      JSON.stringify(observation.healthThousandths),
      observation.composite,
      observation.durationUs,
    ],
  }
}

function countStatement({ corridor, observedAtMs, adapter }: Observation): Statement {
  return {
    sql: `INSERT INTO cip_days (corridor, day, observations, simulated) VALUES ($1, $2, 1, $3)
      ON CONFLICT (corridor, day) DO UPDATE SET
        observations = cip_days.observations + 1, simulated = cip_days.simulated + excluded.simulated`,
    values: [corridor, dayOf(observedAtMs), adapter === simulationAdapter ? 1 : 0],
  }
}

/** Deletes complete days, so that counts and observations stay consistent. */
export function* prune(beforeDay: number): Script<void> {
  const rows = yield* query('SELECT corridor, day FROM cip_days WHERE day < $1', [beforeDay])
  yield rows.flatMap(({ corridor = null, day }) => [
    {
      sql: 'DELETE FROM cip_observations WHERE corridor = $1 AND observed_at_ms >= $2 AND observed_at_ms < $3',
      values: [corridor, Number(day) * dayMs, (Number(day) + 1) * dayMs],
    },
    { sql: 'DELETE FROM cip_days WHERE corridor = $1 AND day = $2', values: [corridor, Number(day)] },
  ])
}

/** Whether there is anything to prune. Read first, because pruning takes the write lock. */
export function* hasOlder(beforeDay: number): Script<boolean> {
  return (yield* query('SELECT day FROM cip_days WHERE day < $1 LIMIT 1', [beforeDay])).length > 0
}

/** Without corridors nothing counts, and a list in SQL is never empty. */
const noRows: Statement = { sql: 'SELECT 1 AS none WHERE 1 = 0', values: [] }

export function* state({ adapter, corridors }: TelemetryScope): Script<CipState> {
  const isSimulated = adapter === simulationAdapter
  // With live feeds only their observations count, whatever was simulated before.
  const counted = isSimulated ? 'observations' : 'observations - simulated'
  const [transitions = [], migrations = [], days = []] = yield [
    { sql: `SELECT ${transitionColumns} FROM cip_transitions ORDER BY number`, values: [] },
    { sql: 'SELECT applied_at_ms FROM schema_migrations WHERE number = $1', values: [intelligence.number] },
    corridors.length === 0
      ? noRows
      : {
          sql: `SELECT day, count(*) AS corridors, sum(${counted}) AS observations, sum(simulated) AS simulated
        FROM cip_days WHERE ${counted} > 0 AND corridor IN (${corridors.map((_, place) => `$${place + 1}`).join(', ')})
        GROUP BY day`,
          values: corridors,
        },
  ]
  return {
    transitions: transitions.map(transitionOf),
    startedAtMs: Number(migrations[0]?.['applied_at_ms'] ?? 0),
    days: days.map((row) => ({
      day: Number(row['day']),
      corridors: Number(row['corridors']),
      observations: Number(row['observations']),
      simulated: isSimulated ? Number(row['simulated']) : 0,
    })),
  }
}

const observationColumns = 'corridor, observed_at_ms, adapter, risk_thousandths, composite, duration_us'

/** One index lookup per observed corridor; there are few. */
export function* latest(adapter: string, untilMs: number): Script<Observation[]> {
  const rows = yield* query(
    `SELECT ${observationColumns} FROM cip_observations o
      JOIN (SELECT corridor AS name FROM cip_days GROUP BY corridor) AS d ON o.corridor = d.name
      WHERE o.observed_at_ms =
        (SELECT n.observed_at_ms FROM cip_observations n
          WHERE n.corridor = d.name AND n.observed_at_ms <= $1 AND n.adapter = $2
          ORDER BY n.observed_at_ms DESC LIMIT 1)
      ORDER BY corridor`,
    [untilMs, adapter],
  )
  return rows.map(observationOf)
}

export function* composites({ corridor, sinceMs, untilMs, countMax }: CompositesQuery): Script<number[]> {
  const rows = yield* query(
    `SELECT composite FROM cip_observations WHERE corridor = $1 AND observed_at_ms >= $2 AND observed_at_ms <= $3
        AND adapter <> '${simulationAdapter}'
      ORDER BY observed_at_ms DESC LIMIT $4`,
    [corridor, sinceMs, untilMs, countMax],
  )
  return rows.map((row) => Number(row['composite']))
}

const transitionColumns = 'number, stage, blend_percent, reference, made_by, reason, made_at_ms, corpus_days'

/** The `WHERE` is for SQLite, whose trigger against replacing also refuses `ON CONFLICT DO NOTHING`. */
export function* transition(next: CipTransition, act: HashedAct | null): Script<boolean> {
  const rows = yield* query(
    `INSERT INTO cip_transitions (${transitionColumns})
      SELECT CAST($1 AS integer), $2, CAST($3 AS integer), $4, $5, $6, CAST($7 AS bigint), CAST($8 AS integer)
      WHERE NOT EXISTS (SELECT 1 FROM cip_transitions WHERE number = $1) ON CONFLICT DO NOTHING RETURNING number`,
    [
      next.number,
      next.stage,
      next.blendPercent,
      next.reference,
      next.madeBy,
      next.reason,
      next.madeAtMs,
      next.corpusDays,
    ],
  )
  if (rows.length > 0) yield actStatements(act)
  return rows.length > 0
}

function observationOf(row: Row): Observation {
  return {
    corridor: row['corridor'] as Corridor,
    observedAtMs: Number(row['observed_at_ms']),
    adapter: String(row['adapter']),
    healthThousandths: JSON.parse(String(row['risk_thousandths'])) as (number | null)[],
    composite: Number(row['composite']),
    durationUs: Number(row['duration_us']),
  }
}

function transitionOf(row: Row): CipTransition {
  return {
    number: Number(row['number']),
    stage: row['stage'] as CipStage,
    blendPercent: Number(row['blend_percent']),
    reference: String(row['reference']),
    madeBy: String(row['made_by']),
    reason: row['reason'] as string | null,
    madeAtMs: Number(row['made_at_ms']),
    corpusDays: Number(row['corpus_days']),
  }
}
