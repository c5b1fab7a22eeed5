/** docs/scale.md speaks of every table that there is. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../src/adapters/store/engine/migrations.ts'
import { readPage } from '../helpers/docs/pages.ts'

test('the page on scale says of every table whether it can be spread by owner', () => {
  const statements = migrations.flatMap(({ shared, postgres }) => [...shared, ...postgres])
  let tables: string[] = []
  for (const sql of statements) {
    const [, created] = /^CREATE (?:UNLOGGED )?TABLE (\w+)/.exec(sql) ?? []
    const [, dropped] = /^DROP TABLE (\w+)/.exec(sql) ?? []
    const [, renamed, name = ''] = /^ALTER TABLE (\w+) RENAME TO (\w+)/.exec(sql) ?? []
    if (created !== undefined) tables.push(created)
    if (dropped !== undefined) tables = tables.filter((table) => table !== dropped)
    if (renamed !== undefined) tables = tables.map((table) => (table === renamed ? name : table))
  }
  for (const name of ['verifications', 'limit_buckets', 'journal_queue', 'rollups'])
    assert.ok(tables.includes(name))
  const page = readPage('docs/scale.md')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  assert.deepEqual(
    tables.filter((name) => !rows.some((row) => (row.split('|')[1] ?? '').includes(`\`${name}\``))),
    [],
  )
})
