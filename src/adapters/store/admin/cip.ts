/** SQL of the Corridor Intelligence Platform, shared by both engines. */

import { simulationAdapter, type CipStage } from '../../../core/live/cip.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import type {
  CipState,
  CipTransition,
  CompositesQuery,
  Observation,
  ProbeTurn,
} from '../../../app/ports/cip.ts'
import { actStatements, type HashedAct } from './acts.ts'
import { intelligence } from '../engine/schema/intelligence.ts'
import { query, type Row, type Script, type Statement } from '../engine/script.ts'
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

export function* record(lease: string, observations: readonly Observation[]): Script<boolean> {
  const held = yield* query(
    'UPDATE cip_probe SET lease = NULL WHERE probe = 1 AND lease = $1 RETURNING probe',
    [lease],
  )
  if (held.length === 0) return false
  const groups = yield observations.map(insertStatement)
  const written = observations.filter((_, place) => (groups[place] ?? []).length > 0)
  if (written.length > 0) yield written.map(countStatement)
  return true
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

export function* state(): Script<CipState> {
  const [transitions = [], migrations = [], days = []] = yield [
    { sql: `SELECT ${transitionColumns} FROM cip_transitions ORDER BY number`, values: [] },
    { sql: 'SELECT applied_at_ms FROM schema_migrations WHERE number = $1', values: [intelligence.number] },
    { sql: 'SELECT corridor, day, observations, simulated FROM cip_days', values: [] },
  ]
  return {
    transitions: transitions.map(transitionOf),
    startedAtMs: Number(migrations[0]?.['applied_at_ms'] ?? 0),
    days: days.map((row) => ({
      corridor: String(row['corridor']),
      day: Number(row['day']),
      observations: Number(row['observations']),
      simulated: Number(row['simulated']),
    })),
  }
}

const observationColumns = 'corridor, observed_at_ms, adapter, risk_thousandths, composite, duration_us'

/** One index lookup per observed corridor; there are few. */
export function* latest(untilMs: number): Script<Observation[]> {
  const rows = yield* query(
    `SELECT ${observationColumns} FROM cip_observations o
      JOIN (SELECT corridor AS name FROM cip_days GROUP BY corridor) AS d ON o.corridor = d.name
      WHERE o.observed_at_ms =
        (SELECT max(n.observed_at_ms) FROM cip_observations n WHERE n.corridor = d.name AND n.observed_at_ms <= $1)
      ORDER BY corridor`,
    [untilMs],
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
    healthThousandths: JSON.parse(String(row['risk_thousandths'])) as number[],
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
