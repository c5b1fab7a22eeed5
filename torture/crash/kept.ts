/** Holds what is kept, as a stranger finds it in the database, against the book of the caller. */

import { eventIdOf } from '../../src/core/events/event.ts'
import { run } from '../../test/helpers/process/process.ts'
import { asStranger, type Stranger } from '../../test/helpers/database/sql.ts'
import type { Book } from './book.ts'

export interface Kept {
  readonly records: number
  readonly eventIds: ReadonlySet<string>
  readonly violations: readonly string[]
}

/** For an owner whose one webhook was there from the first decision on. */
export async function compareKept(databaseUrl: string, book: Book): Promise<Kept> {
  const violations: string[] = []
  const kept = await asStranger(databaseUrl, async (stranger) => {
    violations.push(...(await integrity(databaseUrl, stranger)))
    const column = async (sql: string): Promise<string[]> =>
      (await stranger.run(sql)).map((row) => String(row['id']))
    const keys = await stranger.run('SELECT idempotency_key AS name, request_id AS id FROM idempotency_keys')
    return {
      records: await column('SELECT request_id AS id FROM verifications'),
      events: await column('SELECT event_id AS id FROM webhook_deliveries'),
      keys: new Map(keys.map((row) => [String(row['name']), String(row['id'])])),
    }
  })
  const records = new Set(kept.records)
  const events = new Set(kept.events)
  if (records.size !== kept.records.length) violations.push('an id is there twice')
  for (const [name, requestId] of book.expected()) {
    if (!records.has(requestId)) violations.push(`${name} was answered, and its record ${requestId} is lost`)
    if (kept.keys.get(name) !== requestId) violations.push(`${name} does not lead to its record any more`)
  }
  // Each payment has a key of its own: more records than keys means that one was decided twice.
  if (kept.keys.size !== records.size)
    violations.push(`${records.size} records of ${kept.keys.size} payments`)
  const spare = records.size - book.answered.size
  if (spare > book.unsure.size) violations.push(`${spare} records that nobody asked for`)
  for (const requestId of records) {
    if (!events.delete(eventIdOf(requestId))) violations.push(`the event of ${requestId} is lost`)
  }
  for (const eventId of events) violations.push(`${eventId} is an event of nothing`)
  violations.push(...(await logFindings(databaseUrl)))
  return { records: records.size, eventIds: new Set([...records].map(eventIdOf)), violations }
}

/** What the engine itself says of its files. */
async function integrity(databaseUrl: string, { run: ask }: Stranger): Promise<string[]> {
  if (!databaseUrl.startsWith('sqlite:')) return amcheck(ask)
  const rows = await ask('PRAGMA integrity_check')
  const said = rows.map((row) => String(row['integrity_check']))
  return said.length === 1 && said[0] === 'ok' ? [] : said.map((line) => `integrity check: ${line}`)
}

const btrees = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam
  WHERE c.relkind = 'i' AND a.amname = 'btree' AND c.relnamespace = 'public'::regnamespace`
const heaps = `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`

/** PostgreSQL's own amcheck: every index against its table, and every page of every table. */
async function amcheck(ask: Stranger['run']): Promise<string[]> {
  await ask('CREATE EXTENSION IF NOT EXISTS amcheck')
  const found: string[] = []
  for (const { name } of await ask(btrees)) {
    await ask(`SELECT bt_index_check('${String(name)}'::regclass, true)`).catch((error: Error) =>
      found.push(`integrity check: ${error.message}`),
    )
  }
  for (const { name } of await ask(heaps)) {
    const rows = await ask(`SELECT msg FROM verify_heapam('${String(name)}'::regclass)`)
    found.push(...rows.map(({ msg }) => `integrity check: ${String(name)}: ${String(msg)}`))
  }
  return found
}

/** By the command that auditors have. */
async function logFindings(databaseUrl: string): Promise<string[]> {
  const { code, stdout, stderr } = await run(['audit', 'verify-log', '--json'], { DATABASE_URL: databaseUrl })
  if (code === 0) return []
  const findings =
    stdout === '' ? [] : (JSON.parse(stdout) as { findings: { place: string; message: string }[] }).findings
  return findings.length === 0
    ? [`audit verify-log ended with ${code}: ${stderr}`]
    : findings.map(({ place, message }) => `audit verify-log: ${place} ${message}`)
}
