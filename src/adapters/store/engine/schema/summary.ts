/** Migration 5: decisions counted by hour and by day, and the records that share a correlation id. */

import type { Migration } from './migration.ts'

// Written out, though the program has the like: what a migration did must not change when the program does.
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
const keys = ['owner_id', 'span', 'starts_at_ms', 'mode', 'corridor', 'shard']
const all = [...keys, ...sums, ...bins].join(', ')

/** What the engines say differently. */
interface Dialect {
  readonly latencyUs: string
  readonly codes: string
  readonly hasCode: (code: string) => string
  /** Keeps a subquery apart: merged into the query around it, its JSON is parsed anew for every column that looks at it. */
  readonly apart: string
}

/** What was recorded before anybody counted, by the hour; the days are made of the hours. */
function hoursSoFar({ latencyUs, codes, hasCode, apart }: Dialect): string {
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
        FROM verifications ${apart}) AS recorded
      GROUP BY owner_id, starts_at_ms, mode, corridor`
}

const daysSoFar = `INSERT INTO rollups (${all})
  SELECT owner_id, 'day', day_ms, mode, corridor, 0, ${[...sums, ...bins].map((name) => `SUM(${name})`).join(', ')}
    FROM (SELECT *, starts_at_ms - starts_at_ms % 86400000 AS day_ms FROM rollups) AS hours
    GROUP BY owner_id, day_ms, mode, corridor`

export const summary: Migration = {
  number: 5,
  name: 'summary',
  shared: [
    // Of each mode and corridor a row for the hour and one for the day, so that a long time is read in few rows. Sharded
    // where several instances count at once.
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
    // Most records have none, and those cost nothing here. The corridor comes last to be judged without reading the record.
    `CREATE INDEX verifications_by_correlation
      ON verifications (owner_id, correlation_id, decision, request_id, corridor)
      WHERE correlation_id IS NOT NULL`,
  ],
  sqlite: [
    hoursSoFar({
      latencyUs: "json_extract(evidence, '$.timeline_us[9]')",
      codes: "json_extract(answer, '$.reason_codes')",
      hasCode: (code) => `instr(codes, '"${code}"') > 0`,
      apart: 'LIMIT -1',
    }),
    daysSoFar,
  ],
  postgres: [
    // Few rows, changed with every batch: room for it on their own pages, and dead ones taken away early.
    `ALTER TABLE rollups SET
      (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
    // For the upkeep, which brings shards together when their time is over.
    'CREATE INDEX rollups_apart ON rollups (span, starts_at_ms) WHERE shard > 0',
    hoursSoFar({
      latencyUs: "CAST(CAST(evidence AS jsonb) #>> '{timeline_us,9}' AS bigint)",
      codes: "CAST(answer AS jsonb) -> 'reason_codes'",
      hasCode: (code) => `jsonb_exists(codes, '${code}')`,
      apart: 'OFFSET 0',
    }),
    daysSoFar,
  ],
}
