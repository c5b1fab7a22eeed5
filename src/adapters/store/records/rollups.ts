/** SQL of the rollups: adds decisions to their hours and days, and sums ranges. */

import type { Corridor } from '../../../core/reference/corridor.ts'
import {
  count,
  measureNames,
  noMeasures,
  sumOf,
  totalsOf,
  type Counted,
  type Measures,
} from '../../../core/time/rollup.ts'
import { splitRange, stepMs, type Step } from '../../../core/time/summary.ts'
import type { Summed, SummedDecisions, SummaryQuery } from '../../../app/ports/records.ts'
import {
  inRuns,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { dayMs, floorTo, hourMs } from '../../../core/time/durations.ts'

const keyColumns = ['owner_id', 'span', 'starts_at_ms', 'mode', 'corridor'] as const
const columns = [...keyColumns, ...measureNames]

const addSql = sqlForRows(
  (rows) => `INSERT INTO rollups (${columns.join(', ')}) VALUES ${placeholders(rows, columns.length)}
    ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE SET
      ${measureNames.map((name) => `${name} = rollups.${name} + excluded.${name}`).join(', ')}`,
)

type Span = 'hour' | 'day'

/** The columns of a record that are counted. */
export interface CountedRecord extends Counted {
  readonly ownerId: string
  readonly keyId: string
  readonly mode: string
  readonly corridor: string
  readonly recordedAtMs: number
}

/** The counts of one row. `record` supplies the owner, mode and corridor. */
interface Bucket {
  readonly span: Span
  readonly startsAtMs: number
  readonly record: CountedRecord
  measures: Measures
}

export function rollupStatements(records: readonly CountedRecord[]): Statement[] {
  const hours = hoursOf(records)
  return inRuns([...daysOf(hours), ...hours]).map((run) => ({
    sql: addSql(run.length),
    values: valuesOf(run),
  }))
}

/** Loops instead of `flatMap`, which would dominate the cost of counting. */
function valuesOf(buckets: readonly Bucket[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const { span, startsAtMs, record, measures } of buckets) {
    values.push(record.ownerId, span, startsAtMs, record.mode, record.corridor)
    for (const measure of measures) values.push(measure)
  }
  return values
}

const keyOf = (startsAtMs: number, { ownerId, mode, corridor }: CountedRecord): string =>
  `${startsAtMs} ${mode} ${corridor} ${ownerId}`

/** Records of one hour, owner, mode and corridor share a bucket. */
function hoursOf(records: readonly CountedRecord[]): Bucket[] {
  const buckets = new Map<string, Bucket>()
  for (const record of records) {
    const startsAtMs = floorTo(hourMs, record.recordedAtMs)
    const key = keyOf(startsAtMs, record)
    const bucket = buckets.get(key) ?? { span: 'hour', startsAtMs, record, measures: noMeasures() }
    buckets.set(key, bucket)
    count(bucket.measures, record)
  }
  return [...buckets.values()]
}

/** A batch rarely spans two hours, so a day mostly reuses the measures of its hour. */
function daysOf(hours: readonly Bucket[]): Bucket[] {
  const buckets = new Map<string, Bucket>()
  for (const { startsAtMs: hourAtMs, record, measures } of hours) {
    const startsAtMs = floorTo(dayMs, hourAtMs)
    const key = keyOf(startsAtMs, record)
    const bucket = buckets.get(key)
    if (bucket === undefined) buckets.set(key, { span: 'day', startsAtMs, record, measures })
    else bucket.measures = sumOf(bucket.measures, measures)
  }
  return [...buckets.values()]
}

/** The measures reported per step and per corridor. */
const narrow = ['go', 'degraded', 'no_go', 'score_sum'] as const
const narrowSums = narrow.map((name) => `CAST(SUM(${name}) AS bigint) AS ${name}`).join(', ')
/** All measures as one text, because the other parts of the union have no histograms. */
const allSums = measureNames.map((name) => `COALESCE(SUM(${name}), 0)`).join(" || ',' || ")
const noSums = narrow.map((name) => `0 AS ${name}`).join(', ')

/**
 * One statement, so that all parts are consistent: totals, by step, and by corridor. Each piece is summed by itself: a
 * subquery over all pieces would copy every row.
 */
function writeSql(step: Step, spans: readonly Span[], filters: readonly string[]): string {
  // $1 is the owner, $2 the number of corridors; then the filters, and two times for each piece.
  const chosen = filters.map((name, place) => ` AND ${name} = $${3 + place}`).join('')
  const firstTime = 3 + filters.length
  const pieces = spans.map(
    (span, place) => `FROM rollups WHERE owner_id = $1 AND span = '${span}'
      AND starts_at_ms >= $${firstTime + 2 * place} AND starts_at_ms < $${firstTime + 2 * place + 1}${chosen}`,
  )
  const unionOf = (select: (from: string) => string): string => pieces.map(select).join(' UNION ALL ')
  const startsAt = `starts_at_ms - starts_at_ms % ${stepMs[step]}`
  const everything = unionOf(
    (from) => `SELECT 'all' AS part, '' AS name, ${noSums}, 0 AS parts, ${allSums} AS counts ${from}`,
  )
  const steps = unionOf(
    (from) => `SELECT 'step', CAST(${startsAt} AS text), ${narrowSums}, 0, '' ${from} GROUP BY ${startsAt}`,
  )
  const corridors = `SELECT 'corridor', corridor, ${narrowSums}, COUNT(*) OVER (), ''
    FROM (${unionOf((from) => `SELECT corridor, ${narrowSums} ${from} GROUP BY corridor`)}) AS pieces
    GROUP BY corridor ORDER BY SUM(go + degraded + no_go) DESC, corridor LIMIT $2`
  return `${everything} UNION ALL ${steps} UNION ALL SELECT * FROM (${corridors}) AS corridors`
}

const texts = new Map<string, string>()

/** Cached: the text is long, and there are few variants. */
function summarySql(step: Step, spans: readonly Span[], filters: readonly string[]): string {
  const name = [step, ...spans, ...filters].join(' ')
  const text = texts.get(name) ?? writeSql(step, spans, filters)
  texts.set(name, text)
  return text
}

export function* summarise(ownerId: string, request: SummaryQuery): Script<Summed> {
  const { range, step, corridor, mode, corridorsMax } = request
  const { head, days, tail } = splitRange(range, step)
  const pieces = [
    { span: 'hour', ...head },
    { span: 'day', ...days },
    { span: 'hour', ...tail },
  ] as const
  const read = pieces.filter(({ fromMs, toMs }) => fromMs < toMs)
  const filters = Object.entries({ corridor, mode }).filter(([, value]) => value !== null)
  const sql = summarySql(
    step,
    read.map(({ span }) => span),
    filters.map(([name]) => name),
  )
  const values = [ownerId, corridorsMax, ...filters.map(([, value]) => value)]
  return summedOf(yield* query(sql, [...values, ...read.flatMap(({ fromMs, toMs }) => [fromMs, toMs])]))
}

function summedOf(rows: readonly Row[]): Summed {
  const parts = Map.groupBy(rows, (row) => String(row['part']))
  const corridors = parts.get('corridor') ?? []
  const counts = (parts.get('all') ?? []).map((row) => String(row['counts']).split(',').map(Number))
  return {
    totals: totalsOf(counts.reduce(sumOf, noMeasures())),
    steps: new Map((parts.get('step') ?? []).map((row) => [Number(row['name']), decisionsOf(row)])),
    corridors: corridors.map((row) => ({ corridor: row['name'] as Corridor, ...decisionsOf(row) })),
    corridorsTotal: Number(corridors[0]?.['parts'] ?? 0),
  }
}

function decisionsOf(row: Row): SummedDecisions {
  const [go = 0, degraded = 0, noGo = 0, scoreSum = 0] = narrow.map((name) => Number(row[name]))
  return { total: go + degraded + noGo, scoreSum, verdicts: { GO: go, DEGRADED: degraded, 'NO-GO': noGo } }
}
