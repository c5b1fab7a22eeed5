/** Compares the contents of the database, read directly, with the caller's book. */

import { eventIdOf } from '../../src/core/events/event.ts'
import { run } from '../../test/helpers/process/process.ts'
import { withDirectDatabase, type DirectDatabase } from '../../test/helpers/database/sql.ts'
import { compareProjections, untilFollowed } from './compare-projections.ts'

export interface StoreContents {
  readonly records: number
  readonly eventIds: ReadonlySet<string>
  readonly violations: readonly string[]
}

/** The knowledge of callers, as a `Book` has it. */
export interface Expected {
  /** The request id that each idempotency key must have. */
  expected(): ReadonlyMap<string, string>
  readonly answered: { readonly size: number }
  readonly unsure: { readonly size: number }
}

/** The time that the followers of the running service have to catch up. */
const followMsMax = 120_000

/** Requires a running service, and an owner with one webhook that was registered before the first decision. */
export async function compareStore(databaseUrl: string, book: Expected): Promise<StoreContents> {
  const violations = await untilFollowed(databaseUrl, followMsMax)
  const stored = await withDirectDatabase(databaseUrl, async (stranger) => {
    violations.push(...(await integrity(databaseUrl, stranger)), ...(await compareProjections(stranger.run)))
    const column = async (sql: string): Promise<string[]> =>
      (await stranger.run(sql)).map((row) => String(row['id']))
    const keys = await stranger.run('SELECT idempotency_key AS name, request_id AS id FROM idempotency_keys')
    return {
      records: await column('SELECT request_id AS id FROM verifications'),
      overrides: await column('SELECT override_id AS id FROM overrides'),
      events: await column('SELECT event_id AS id FROM webhook_deliveries'),
      keys: new Map(keys.map((row) => [String(row['name']), String(row['id'])])),
    }
  })
  const records = new Set(stored.records)
  const events = new Set(stored.events)
  if (events.size !== stored.events.length) violations.push('an event was written twice')
  if (records.size !== stored.records.length) violations.push('an id occurs twice')
  for (const [name, requestId] of book.expected()) {
    if (!records.has(requestId)) violations.push(`${name} was answered, but its record ${requestId} is lost`)
    if (stored.keys.get(name) !== requestId) violations.push(`the key ${name} no longer refers to its record`)
  }
  // Each payment has its own key: more records than keys means that one was decided twice.
  if (stored.keys.size !== records.size)
    violations.push(`${records.size} records for ${stored.keys.size} payments`)
  const spare = records.size - book.answered.size
  if (spare > book.unsure.size) violations.push(`${spare} records without a request`)
  const subjects = [...records, ...stored.overrides]
  for (const id of subjects) if (!events.delete(eventIdOf(id))) violations.push(`the event of ${id} is lost`)
  for (const eventId of events) violations.push(`${eventId} is an event without a record or an override`)
  violations.push(...(await logFindings(databaseUrl)))
  return { records: records.size, eventIds: new Set(subjects.map(eventIdOf)), violations }
}

/** The engine's own integrity check. */
async function integrity(databaseUrl: string, { run: query }: DirectDatabase): Promise<string[]> {
  if (!databaseUrl.startsWith('sqlite:')) return amcheck(query)
  const rows = await query('PRAGMA integrity_check')
  const lines = rows.map((row) => String(row['integrity_check']))
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines.map((line) => `integrity check: ${line}`)
}

const btrees = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam
  WHERE c.relkind = 'i' AND a.amname = 'btree' AND c.relnamespace = 'public'::regnamespace`
const heaps = `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`

/** PostgreSQL's own amcheck: every index against its table, and every page of every table. */
async function amcheck(query: DirectDatabase['run']): Promise<string[]> {
  await query('CREATE EXTENSION IF NOT EXISTS amcheck')
  const faults: string[] = []
  for (const { name } of await query(btrees)) {
    await query(`SELECT bt_index_check('${String(name)}'::regclass, true)`).catch((error: Error) =>
      faults.push(`integrity check: ${error.message}`),
    )
  }
  for (const { name } of await query(heaps)) {
    const rows = await query(`SELECT msg FROM verify_heapam('${String(name)}'::regclass)`)
    faults.push(...rows.map(({ msg }) => `integrity check: ${String(name)}: ${String(msg)}`))
  }
  return faults
}

/** Runs the auditors' command. */
async function logFindings(databaseUrl: string): Promise<string[]> {
  const { code, stdout, stderr } = await run(['audit', 'verify-log', '--json'], { DATABASE_URL: databaseUrl })
  if (code === 0) return []
  const findings =
    stdout === '' ? [] : (JSON.parse(stdout) as { findings: { place: string; message: string }[] }).findings
  return findings.length === 0
    ? [`audit verify-log ended with ${code}: ${stderr}`]
    : findings.map(({ place, message }) => `audit verify-log: ${place} ${message}`)
}
