/** Archives as tables: CSV that a spreadsheet cannot run, and Parquet with typed columns. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import { decideSome, exported, verified } from '../../helpers/archives.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'

test('CSV has a row for each decision, and a correlation id cannot run as a formula', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      const { ids, ownerId } = await decideSome(harness, 3)
      await exported(harness, path, { format: 'csv' })
      const rows: Record<string, string>[] = parse(readFileSync(join(path, 'records-000001.csv')), {
        columns: true,
      })
      assert.deepEqual(
        rows.map((row) => [row['request_id'], row['owner_id']]),
        ids.map((id) => [id, ownerId]),
      )
      const [, row] = rows
      assert.equal(row?.['correlation_id'], `'=order "7", of a person`)
      assert.deepEqual(
        [row['decision'], row['override_action'], row['override_reason_code'], row['outcome']],
        ['DEGRADED', 'EXECUTE', 'COMPLIANCE_APPROVED', 'COMPLETED'],
      )
      assert.deepEqual(
        [row['currency'], row['request_currency'], row['settlement_currency']],
        ['GBP', 'GBP', 'MXN'],
      )
      assert.deepEqual((await verified(path)).findings, [])
    })
  })
})

test('Parquet is read back with typed columns, texts as they were sent, and the same rows in the same order', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      const { ids } = await decideSome(harness, 5)
      await exported(harness, path, { format: 'parquet', partRecords: 2 })
      const instance = await DuckDBInstance.create(':memory:')
      const connection = await instance.connect()
      const reader = await connection.runAndReadAll(
        `SELECT request_id, typeof(leaf_index) AS leaf_type, typeof(recorded_at) AS time_type, typeof(score) AS score_type,
            correlation_id, outcome, CAST(epoch_ms(recorded_at) AS DOUBLE) AS at_ms
          FROM read_parquet('${path}/records-*.parquet') ORDER BY leaf_index`,
      )
      const rows = reader.getRowObjects()
      connection.closeSync()
      instance.closeSync()
      assert.deepEqual(
        rows.map((row) => row['request_id']),
        ids,
      )
      assert.deepEqual(
        [rows[1]?.['leaf_type'], rows[1]?.['time_type'], rows[1]?.['score_type']],
        ['BIGINT', 'TIMESTAMP', 'DOUBLE'],
      )
      assert.equal(rows[1]?.['correlation_id'], '=order "7", of a person')
      assert.equal(rows[1]['outcome'], 'COMPLETED')
      assert.equal(rows[0]?.['correlation_id'], null)
      assert.equal(rows[0]['at_ms'], harness.clock.nowMs() - 5_000)
      assert.deepEqual((await verified(path)).findings, [])
    })
  })
})
