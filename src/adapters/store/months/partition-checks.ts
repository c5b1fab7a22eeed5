/** What is looked at in the table of a month before it comes back: that it is what went, to the last byte. */

import type pg from 'pg'
import type { AwayMonth } from '../../../app/ports/partitions.ts'
import type { Month } from '../../../core/time/month.ts'
import { boundsOf } from './months.ts'

/** Of the table while it is away, since the one from the table above goes with the detaching. */
export const awayGuard = 'detached_no_change'

interface Figures {
  readonly records: number
  readonly fingerprint: string
}

/** Written out, so that the order of columns in a table that was restored does not matter. */
const columns =
  'request_id, owner_id, key_id, mode, corridor, decision, score_hundredths, confidence_hundredths, amount, currency, correlation_id, evaluated_at_ms, recorded_at_ms, cooldown_source_id, answer, evidence'

/** 'SVC-2026-' and seven digits of the time: half a minute, so that no digest is made of more than the memory holds. */
const slotLength = 16

/** A digest of each row, of each half minute of them in the order of their ids, and of these. */
export async function figuresOf(client: pg.ClientBase, table: string): Promise<Figures> {
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

/** A line for each difference to what was detached; what the rows say is looked at where the rest is right. */
export async function findingsOf(
  client: pg.ClientBase,
  table: string,
  month: Month,
  away: AwayMonth,
): Promise<string[]> {
  const findings = [...(await columnFindings(client, table)), ...(await guardFindings(client, table))]
  if (findings.length > 0) return findings
  const { records, fingerprint } = await figuresOf(client, table)
  if (records !== away.records) findings.push(`it has ${records} records, and had ${away.records}`)
  else if (fingerprint !== away.fingerprint) findings.push('the contents of its records were changed')
  if (await hasStrangers(client, table, month)) findings.push('it has records of other months')
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
  return names.map((name) => `its column ${name} is not that of verifications`)
}

/** As the check of the guards in place: a trigger is as good as its kind, its condition and its function. */
async function guardFindings(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT guards.name FROM (VALUES ('${awayGuard}', 27), ('verifications_no_truncate', 34)) AS guards (name, kind)
      WHERE NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = $1::regclass AND t.tgname = guards.name
        AND t.tgenabled = 'A' AND t.tgtype = guards.kind AND t.tgqual IS NULL
        AND t.tgfoid = 'fairway_refuse_change'::regproc)`,
    [table],
  )
  return rows.map(({ name }) => `its guard ${name} is gone, or is not as it was`)
}

async function hasStrangers(client: pg.ClientBase, table: string, month: Month): Promise<boolean> {
  const { firstId, endId } = boundsOf(month)
  const { rows } = await client.query(
    `SELECT 1 FROM ${table} WHERE request_id < $1 OR request_id >= $2 LIMIT 1`,
    [firstId, endId],
  )
  return rows.length > 0
}
