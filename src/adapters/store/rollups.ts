/** Decisions counted by hour and by day, in the transaction that writes them, and summed up again. */

import type { Corridor } from '../../core/corridor.ts'
import {
  count,
  dayMs,
  hourMs,
  measureNames,
  noMeasures,
  sumOf,
  totalsOf,
  type Measures,
} from '../../core/rollup.ts'
import type { Verdict } from '../../core/score.ts'
import { piecesOf, stepMs } from '../../core/summary.ts'
import type { CommitCommand, Summed, SummedDecisions, SummaryQuery, Verification } from '../../app/ports.ts'
import {
  inRuns,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from './script.ts'

/** Of a combination's row, where several instances may count at once. */
export const rollupShards = 8

const keyColumns = ['owner_id', 'span', 'starts_at_ms', 'mode', 'corridor', 'decision', 'shard'] as const
const columns = [...keyColumns, ...measureNames]

const addSql = sqlForRows(
  (rows) => `INSERT INTO rollups (${columns.join(', ')}) VALUES ${placeholders(rows, columns.length)}
    ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE SET
      ${measureNames.map((name) => `${name} = rollups.${name} + excluded.${name}`).join(', ')}`,
)

/** What is counted in one row; the record stands for all that it has in common. */
interface Bucket {
  readonly span: 'hour' | 'day'
  readonly startsAtMs: number
  readonly record: Verification
  readonly measures: Measures
}

/** Rows in one order, so that two writers never wait for each other in a ring. */
export function rollupStatements(written: readonly CommitCommand[], shard: number): Statement[] {
  const hours = hoursOf(written)
  const buckets = [...hours, ...daysOf(hours)].toSorted(([left], [right]) => (left < right ? -1 : 1))
  return inRuns(buckets).map((run) => ({
    sql: addSql(run.length),
    values: run.flatMap(([, bucket]) => valuesOf(bucket, shard)),
  }))
}

function valuesOf({ span, startsAtMs, record, measures }: Bucket, shard: number): SqlValue[] {
  const { ownerId, mode, corridor, verdict } = record
  const key: SqlValue[] = [ownerId, span, startsAtMs, mode, corridor, verdict, shard]
  return key.concat(measures)
}

const isLike = (one: Verification, other: Verification): boolean =>
  one.ownerId === other.ownerId &&
  one.corridor === other.corridor &&
  one.verdict === other.verdict &&
  one.mode === other.mode

const nameOf = (
  span: Bucket['span'],
  startsAtMs: number,
  { ownerId, mode, corridor, verdict }: Verification,
): string => `${ownerId} ${span} ${startsAtMs} ${mode} ${corridor} ${verdict}`

/** Like requests of one batch are one row. Mostly they follow each other, and then no name has to be made. */
function hoursOf(written: readonly CommitCommand[]): Map<string, Bucket> {
  const buckets = new Map<string, Bucket>()
  let bucket: Bucket | undefined
  for (const { record, noted } of written) {
    const startsAtMs = record.recordedAtMs - (record.recordedAtMs % hourMs)
    if (bucket === undefined || bucket.startsAtMs !== startsAtMs || !isLike(bucket.record, record)) {
      const name = nameOf('hour', startsAtMs, record)
      bucket = buckets.get(name) ?? { span: 'hour', startsAtMs, record, measures: noMeasures() }
      buckets.set(name, bucket)
    }
    count(bucket.measures, {
      scoreHundredths: record.scoreHundredths,
      confidenceHundredths: record.confidenceHundredths,
      isCooldownHit: record.cooldownSourceId !== null,
      reasonCodes: noted.reasonCodes,
      latencyUs: noted.latencyUs,
    })
  }
  return buckets
}

/** A batch is rarely of two hours: the day has the numbers of its hour then. */
function daysOf(hours: ReadonlyMap<string, Bucket>): Map<string, Bucket> {
  const buckets = new Map<string, Bucket>()
  for (const { startsAtMs: hourAtMs, record, measures } of hours.values()) {
    const startsAtMs = hourAtMs - (hourAtMs % dayMs)
    const name = nameOf('day', startsAtMs, record)
    const known = buckets.get(name)
    const sum = known === undefined ? measures : sumOf(known.measures, measures)
    buckets.set(name, { span: 'day', startsAtMs, record, measures: sum })
  }
  return buckets
}

const verdictColumns = { GO: 'go', DEGRADED: 'degraded', 'NO-GO': 'no_go' } as const satisfies Record<
  Verdict,
  string
>
const verdictSums = Object.entries(verdictColumns)
  .map(([verdict, name]) => `SUM(CASE WHEN decision = '${verdict}' THEN total ELSE 0 END) AS ${name}`)
  .join(', ')
const shared = 'SUM(total) AS total, SUM(score_sum) AS score_sum'

/**
 * One statement, so that all parts of the answer are of one moment: everything, by step, and by corridor. The histograms
 * travel as one text, since the other parts have none.
 */
function summarySql(conditions: string, unitMs: number): string {
  const piece = (span: string, from: number): string => `SELECT * FROM rollups
      WHERE owner_id = $1 AND span = '${span}' AND starts_at_ms >= $${from} AND starts_at_ms < $${from + 1}${conditions}`
  const counts = measureNames.map((name) => `COALESCE(SUM(${name}), 0)`).join(` || ',' || `)
  return `WITH picked AS NOT MATERIALIZED (${piece('hour', 2)} UNION ALL ${piece('day', 4)} UNION ALL ${piece('hour', 6)}),
    everything AS (SELECT 'all' AS part, '' AS name, ${shared}, ${verdictSums}, 0 AS parts, ${counts} AS counts FROM picked),
    steps AS (SELECT 'step' AS part, CAST(step_ms AS text) AS name, ${shared}, ${verdictSums}, 0 AS parts, '' AS counts
      FROM (SELECT starts_at_ms - starts_at_ms % ${unitMs} AS step_ms, decision, total, score_sum FROM picked) AS timed
      GROUP BY step_ms),
    corridors AS (SELECT 'corridor' AS part, corridor AS name, ${shared}, ${verdictSums}, COUNT(*) OVER () AS parts, '' AS counts
      FROM picked GROUP BY corridor ORDER BY SUM(total) DESC, corridor LIMIT $8)
    SELECT part, name, CAST(total AS bigint) AS total, CAST(score_sum AS bigint) AS score_sum, CAST(go AS bigint) AS go,
        CAST(degraded AS bigint) AS degraded, CAST(no_go AS bigint) AS no_go, parts, counts
      FROM (SELECT * FROM everything UNION ALL SELECT * FROM steps UNION ALL SELECT * FROM corridors) AS summed`
}

export function* summarise(ownerId: string, asked: SummaryQuery): Script<Summed> {
  const { head, days, tail } = piecesOf(asked.range, asked.step)
  const values: SqlValue[] = [ownerId]
  for (const { fromMs, toMs } of [head, days, tail]) values.push(fromMs, toMs)
  values.push(asked.corridorsMax)
  let conditions = ''
  for (const name of ['corridor', 'mode'] as const) {
    const value = asked[name]
    if (value !== null) conditions += ` AND ${name} = $${values.push(value)}`
  }
  const rows = yield* query(summarySql(conditions, stepMs[asked.step]), values)
  const [all] = partsOf(rows, 'all')
  const corridors = partsOf(rows, 'corridor')
  return {
    totals: totalsOf(
      String(all?.['counts'] ?? '')
        .split(',')
        .map(Number),
    ),
    verdicts: summedOf(all).verdicts,
    steps: new Map(partsOf(rows, 'step').map((row) => [Number(row['name']), summedOf(row)])),
    corridors: corridors.map((row) => ({ corridor: row['name'] as Corridor, ...summedOf(row) })),
    corridorsTotal: Number(corridors[0]?.['parts'] ?? 0),
  }
}

function partsOf(rows: readonly Row[], part: 'all' | 'step' | 'corridor'): readonly Row[] {
  return rows.filter((row) => row['part'] === part)
}

/** Of nothing, a sum is null. */
function summedOf(row: Row | undefined): SummedDecisions {
  return {
    total: Number(row?.['total'] ?? 0),
    scoreSum: Number(row?.['score_sum'] ?? 0),
    verdicts: {
      GO: Number(row?.[verdictColumns.GO] ?? 0),
      DEGRADED: Number(row?.[verdictColumns.DEGRADED] ?? 0),
      'NO-GO': Number(row?.[verdictColumns['NO-GO']] ?? 0),
    },
  }
}
