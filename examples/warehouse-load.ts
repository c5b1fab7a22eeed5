/**
 * Loads your decisions into PostgreSQL, from the event stream: `node warehouse-load.ts` loads what is new and ends,
 * `--follow` goes on. Rows and cursor are one transaction, so it may be killed at any moment and run again.
 */

import { FairwayClient, type EventsPage } from '@fairway/client'
import pg from 'pg'

const follow = process.argv.includes('--follow')

function setting(name: string, meaning: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name} to ${meaning}`)
  return value
}

// `amount` is null for a decision without an amount; all but the first three are once an operator has taken the month
// of the decision away.
const tables = `
  CREATE TABLE IF NOT EXISTS fairway_decisions (
    event_id text PRIMARY KEY,
    request_id text NOT NULL,
    recorded_at timestamptz NOT NULL,
    decision text,
    score numeric,
    confidence numeric,
    corridor text,
    amount numeric,
    currency text,
    reason_codes text[],
    recommended_action text,
    evaluated_at timestamptz,
    mode text,
    environment text,
    correlation_id text,
    cooldown_source_request_id text
  );
  CREATE TABLE IF NOT EXISTS fairway_cursor (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), next text);
  INSERT INTO fairway_cursor DEFAULT VALUES ON CONFLICT DO NOTHING`

// Columns are found by their names. A number of JSON becomes a numeric without rounding.
const insert = `
  INSERT INTO fairway_decisions
  SELECT * FROM jsonb_populate_recordset(NULL::fairway_decisions, $1)
  ON CONFLICT (event_id) DO NOTHING`

const advance = 'UPDATE fairway_cursor SET next = $2 WHERE next IS NOT DISTINCT FROM $1'

function rowsOf({ events }: EventsPage): object[] {
  return events.flatMap(({ id, type, subject, time, data }) =>
    type === 'payment.decision.created'
      ? [{ ...data, event_id: id, request_id: subject, recorded_at: time }]
      : [],
  )
}

/** All or nothing: the rows of a page, and the cursor behind them. */
async function load(warehouse: pg.Client, after: string | null, page: EventsPage): Promise<void> {
  const rows = rowsOf(page)
  await warehouse.query('BEGIN')
  await warehouse.query(insert, [JSON.stringify(rows)])
  const { rowCount } = await warehouse.query(advance, [after, page.next])
  // Ends the connection, and the transaction with it.
  if (rowCount !== 1) throw new Error('another load has moved the cursor: run only one at a time')
  await warehouse.query('COMMIT')
  console.log(`${rows.length} decisions, up to ${page.next}`)
}

async function run(): Promise<void> {
  const client = new FairwayClient({
    baseUrl: process.env['FAIRWAY_URL'] ?? 'http://127.0.0.1:8080',
    apiKey: setting('FAIRWAY_API_KEY', 'a key with the scope audit:read'),
  })
  const warehouse = new pg.Client({
    connectionString: setting('WAREHOUSE_URL', 'postgres://user:password@host/database'),
    application_name: 'fairway-load',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
  })
  const lost = new AbortController()
  warehouse.on('error', (error) => lost.abort(error))
  await warehouse.connect()
  try {
    await warehouse.query(tables)
    const cursor = await warehouse.query<{ next: string | null }>('SELECT next FROM fairway_cursor')
    let after = cursor.rows[0]?.next ?? null
    const stream = client.events({ follow, ...(after !== null && { after }) }, { signal: lost.signal })
    for await (const page of stream.pages()) {
      await load(warehouse, after, page)
      after = page.next
    }
  } finally {
    await warehouse.end()
  }
}

try {
  await run()
} catch (error) {
  // No more than that: an error of the driver may hold what belongs in no log.
  const { message, code } = error as Error & { code?: string | null }
  console.error(`warehouse-load: ${message || 'failed'}${code ? ` (${code})` : ''}`)
  process.exitCode = 1
}
