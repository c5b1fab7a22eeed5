/** Adds historical rollups to a seeded store by copying its latest hour and day into the past. */

import { DatabaseSync } from 'node:sqlite'
import { measureNames } from '../../src/core/time/rollup.ts'
import { onPostgres, type Database } from '../harness/service.ts'
import { dayMs, hourMs } from '../../src/core/time/durations.ts'

const days = 30

/** Only rollups are copied, which are all that a summary reads: past months have no partitions for records. */
function copySql(span: 'hour' | 'day', copies: number, unitMs: number): string {
  const cells = columns.map((name) => (name === 'starts_at_ms' ? `starts_at_ms - n * ${unitMs}` : name))
  return `WITH RECURSIVE back (n) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT n + 1 FROM back WHERE n < ${copies})
    INSERT INTO rollups (${columns.join(', ')})
    SELECT ${cells.join(', ')} FROM rollups CROSS JOIN back
      WHERE owner_id IN (SELECT owner_id FROM api_keys) AND span = '${span}' AND starts_at_ms = (SELECT MAX(starts_at_ms) FROM rollups WHERE span = '${span}')
      ON CONFLICT DO NOTHING`
}

const columns = ['owner_id', 'span', 'starts_at_ms', 'mode', 'corridor', ...measureNames]

export async function addHistoricalRollups({ engine, url }: Database): Promise<void> {
  const statements = [copySql('hour', days * 24, hourMs), copySql('day', days, dayMs)]
  if (engine === 'postgres') return onPostgres(url, statements)
  const database = new DatabaseSync(url.slice('sqlite:'.length))
  try {
    for (const sql of statements) database.exec(sql)
  } finally {
    database.close()
  }
}
