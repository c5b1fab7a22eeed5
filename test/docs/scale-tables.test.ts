/** docs/scale.md speaks of every table that there is. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../src/adapters/store/engine/migrations.ts'
import { readPage } from '../helpers/docs/pages.ts'

test('the page on scale says of every table whether it can be spread by owner', () => {
  const statements = migrations.flatMap(({ shared, postgres }) => [...shared, ...postgres])
  const named = (pattern: RegExp): string[] => statements.flatMap((sql) => pattern.exec(sql)?.[1] ?? [])
  const gone = named(/^DROP TABLE (\w+)/)
  const tables = named(/^CREATE (?:UNLOGGED )?TABLE (\w+)/).filter((name) => !gone.includes(name))
  assert.ok(tables.includes('verifications') && tables.includes('limit_buckets'))
  const page = readPage('docs/scale.md')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  assert.deepEqual(
    tables.filter((name) => !rows.some((row) => (row.split('|')[1] ?? '').includes(`\`${name}\``))),
    [],
  )
})
