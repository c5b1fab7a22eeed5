/** Checks that a detached table is unchanged, byte for byte, before it is attached. */

import type pg from 'pg'
import type { DetachedMonth } from '../../../app/ports/operate/partitions.ts'
import type { Month } from '../../../core/time/month.ts'
import { boundsOf } from './months.ts'

/** The write-once trigger of a detached table: detaching drops the one inherited from `verifications`. */
export const detachedTrigger = 'detached_no_change'

interface TableDigest {
  readonly records: number
  readonly fingerprint: string
}

/**
 * Listed explicitly, so that the column order of a restored table does not matter. Later columns are left out, so that
 * months that an earlier version detached still match: the leaves of the log cover those that matter.
 */
const columns =
  'request_id, owner_id, key_id, mode, corridor, decision, score_hundredths, confidence_hundredths, amount, currency, correlation_id, evaluated_at_ms, recorded_at_ms, cooldown_source_id, answer, evidence'

/** Columns that a month lacks if it was detached before a migration added them. Null is right for its records. */
export const addedColumns = [
  'reason_codes text COLLATE "C"',
  'latency_us bigint',
  'form integer',
  'personal_hash text COLLATE "C"',
]

/** 'SVC-2026-' and seven digits of the time: half a minute per digest, to bound memory. */
const slotLength = 16

/** Hashes each row, then the rows of each half minute in id order, then those hashes. */
export async function digestOf(client: pg.ClientBase, table: string): Promise<TableDigest> {
  await client.query('SET LOCAL extra_float_digits = 1')
  const { rows } = await client.query<{ records: string; fingerprint: string }>(
    `SELECT CAST(COALESCE(SUM(counted), 0) AS text) AS records,
        encode(sha256(COALESCE(string_agg(digest, '\\x' ORDER BY slot), '\\x')), 'hex') AS fingerprint
      FROM (SELECT left(request_id, ${slotLength}) AS slot, COUNT(*) AS counted,
          sha256(string_agg(sha256(convert_to(CAST(ROW(${columns}) AS text), 'UTF8')), '\\x' ORDER BY request_id)) AS digest
        FROM ${table} GROUP BY 1) AS slots`,
  )
  return { records: Number(rows[0]?.records ?? 0), fingerprint: rows[0]?.fingerprint ?? '' }
}

/** One line per difference from the table as detached. Rows are compared only if columns and triggers match. */
export async function findingsOf(
  client: pg.ClientBase,
  table: string,
  month: Month,
  away: DetachedMonth,
): Promise<string[]> {
  const findings = [...(await columnFindings(client, table)), ...(await triggerFindings(client, table))]
  if (findings.length > 0) return findings
  const { records, fingerprint } = await digestOf(client, table)
  if (records !== away.records) findings.push(`has ${records} records, expected ${away.records}`)
  else if (fingerprint !== away.fingerprint) findings.push('record contents have changed')
  if (await hasOtherMonths(client, table, month)) findings.push('contains records of other months')
  return findings
}

async function columnFindings(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `WITH described AS (
        SELECT attrelid, attname AS name, format_type(atttypid, atttypmod) AS type, attcollation, attnotnull
          FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped)
      SELECT name FROM described WHERE attrelid IN ('verifications'::regclass, $1::regclass)
        GROUP BY name, type, attcollation, attnotnull HAVING COUNT(*) <> 2 ORDER BY name`,
    [table],
  )
  const names = [...new Set(rows.map(({ name }) => name))]
  return names.map((name) => `column ${name} differs from verifications`)
}

/** Like the check of attached tables: compares each trigger's events, condition and function. */
async function triggerFindings(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT guards.name FROM (VALUES ('${detachedTrigger}', 27), ('verifications_no_truncate', 34)) AS guards (name, kind)
      WHERE NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = $1::regclass AND t.tgname = guards.name
        AND t.tgenabled = 'A' AND t.tgtype = guards.kind AND t.tgqual IS NULL
        AND t.tgfoid = 'fairway_refuse_change'::regproc)`,
    [table],
  )
  return rows.map(({ name }) => `trigger ${name} is missing or changed`)
}

async function hasOtherMonths(client: pg.ClientBase, table: string, month: Month): Promise<boolean> {
  const { firstId, endId } = boundsOf(month)
  const { rows } = await client.query(
    `SELECT 1 FROM ${table} WHERE request_id < $1 OR request_id >= $2 LIMIT 1`,
    [firstId, endId],
  )
  return rows.length > 0
}
