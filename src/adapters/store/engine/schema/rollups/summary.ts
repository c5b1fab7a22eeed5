/** Migration 5: hourly and daily rollups of decisions, and the index by correlation id. */

import type { Migration } from '../migration.ts'

// Duplicated from the program on purpose: a migration must not change when the program does.
const scoreBins = Array.from({ length: 25 }, (_, bin) => ({
  name: `score_${String(bin * 4).padStart(2, '0')}`,
  bin,
}))
const latencyBoundsUs = [
  250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
  5_000_000,
]
const latencyBins = [...latencyBoundsUs, null].map((boundUs, place) => ({
  name: boundUs === null ? 'latency_longer' : `latency_${boundUs}us`,
  above: latencyBoundsUs[place - 1] ?? -1,
  boundUs,
}))
const reasonCodes = [
  'HEALTHY_PARTNER',
  'HIGH_FRAUD_SIGNAL',
  'NETWORK_DEGRADED',
  'INSUFFICIENT_BALANCE',
  'HIGH_FX_VOLATILITY',
  'OPERATION_INVALID',
  'HIGH_FAILURE_RATE',
  'COP_OVERRIDE_ACTIVE',
  'CORRIDOR_UNSUPPORTED',
  'POLICY_CAP_APPLIED',
]

const sums = ['go', 'degraded', 'no_go', 'score_sum', 'confidence_sum', 'cooldown_hits']
const bins = [
  ...scoreBins.map(({ name }) => name),
  ...latencyBins.map(({ name }) => name),
  ...reasonCodes.map((code) => `reason_${code.toLowerCase()}`),
]
/** Every column that is a sum. */
export const rollupSums = [...sums, ...bins]
const keys = ['owner_id', 'span', 'starts_at_ms', 'mode', 'corridor', 'shard']
const all = [...keys, ...sums, ...bins].join(', ')

/** SQL that differs between the engines. */
interface Dialect {
  readonly latencyUs: string
  readonly codes: string
  readonly hasCode: (code: string) => string
  /** Stops the planner from flattening the subquery, which would parse its JSON again for every column. */
  readonly noFlatten: string
}

/** Counts the existing records by hour; the days are summed from the hours. */
function backfillHours({ latencyUs, codes, hasCode, noFlatten }: Dialect): string {
  const countWhere = (condition: string): string => `COUNT(*) FILTER (WHERE ${condition})`
  const counts = [
    ...['GO', 'DEGRADED', 'NO-GO'].map((decision) => countWhere(`decision = '${decision}'`)),
    'SUM(score_hundredths)',
    'SUM(confidence_hundredths)',
    'COUNT(cooldown_source_id)',
    ...scoreBins.map(({ bin }) => countWhere(`score_bin = ${bin}`)),
    ...latencyBins.map(({ above, boundUs }) =>
      countWhere(`latency_us > ${above}${boundUs === null ? '' : ` AND latency_us <= ${boundUs}`}`),
    ),
    ...reasonCodes.map((code) => countWhere(hasCode(code))),
  ]
  return `INSERT INTO rollups (${all})
    SELECT owner_id, 'hour', starts_at_ms, mode, corridor, 0, ${counts.join(', ')}
      FROM (SELECT owner_id, recorded_at_ms - recorded_at_ms % 3600000 AS starts_at_ms, mode, corridor, decision,
          score_hundredths, confidence_hundredths, cooldown_source_id,
          CASE WHEN score_hundredths >= 96 THEN 24 ELSE score_hundredths / 4 END AS score_bin,
          ${latencyUs} AS latency_us, ${codes} AS codes
        FROM verifications ${noFlatten}) AS recorded
      GROUP BY owner_id, starts_at_ms, mode, corridor`
}

const backfillDays = `INSERT INTO rollups (${all})
  SELECT owner_id, 'day', day_ms, mode, corridor, 0, ${[...sums, ...bins].map((name) => `SUM(${name})`).join(', ')}
    FROM (SELECT *, starts_at_ms - starts_at_ms % 86400000 AS day_ms FROM rollups) AS hours
    GROUP BY owner_id, day_ms, mode, corridor`

export const summary: Migration = {
  number: 5,
  name: 'summary',
  shared: [
    // One row per hour and one per day for each mode and corridor, so that a long range is read in few rows. Sharded on
    // a shared database, where several instances count concurrently.
    `CREATE TABLE rollups (
      owner_id text NOT NULL,
      span text NOT NULL,
      starts_at_ms bigint NOT NULL,
      mode text NOT NULL,
      corridor text NOT NULL,
      shard integer NOT NULL,
      ${[...sums, ...bins].map((name) => `${name} bigint NOT NULL`).join(', ')},
      PRIMARY KEY (${keys.join(', ')})
    ) WITHOUT ROWID`,
    // Partial: most records have no correlation id. The corridor is last, to filter by it without reading the record.
    `CREATE INDEX verifications_by_correlation
      ON verifications (owner_id, correlation_id, decision, request_id, corridor)
      WHERE correlation_id IS NOT NULL`,
  ],
  sqlite: [
    backfillHours({
      latencyUs: "json_extract(evidence, '$.timeline_us[9]')",
      codes: "json_extract(answer, '$.reason_codes')",
      hasCode: (code) => `instr(codes, '"${code}"') > 0`,
      noFlatten: 'LIMIT -1',
    }),
    backfillDays,
  ],
  postgres: [
    // Few rows, updated with every batch: leave room on their pages and vacuum early.
    `ALTER TABLE rollups SET
      (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
    // For the maintenance task that merges the shards of past hours and days.
    'CREATE INDEX rollups_apart ON rollups (span, starts_at_ms) WHERE shard > 0',
    backfillHours({
      latencyUs: "CAST(CAST(evidence AS jsonb) #>> '{timeline_us,9}' AS bigint)",
      codes: "CAST(answer AS jsonb) -> 'reason_codes'",
      hasCode: (code) => `jsonb_exists(codes, '${code}')`,
      noFlatten: 'OFFSET 0',
    }),
    backfillDays,
  ],
}
