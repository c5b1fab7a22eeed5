/** Archives with masked members: no format shows them, and each still verifies. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { decideSome, exported, interrupted, verified } from '../../helpers/archives.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'
import { goodOverride } from '../../helpers/webhooks.ts'

const masked = ['correlation_id', 'justification', 'amount', 'owner_id', 'leaf_index', 'route']
/** In the order of the columns. */
const tableNames = ['leaf_index', 'owner_id', 'amount', 'correlation_id']

for (const format of ['jsonl', 'csv', 'parquet'] as const) {
  test(`${format}: a masked text is in no file of the archive, which verifies`, async () => {
    await withHarness({}, async (harness) => {
      await withFolder(async (path) => {
        await decideSome(harness, 3)
        await exported({ ...harness, masked }, path, { format })
        for (const name of readdirSync(path)) {
          const text = readFileSync(join(path, name), 'latin1')
          for (const secret of ['of a person', goodOverride.justification])
            assert.ok(!text.includes(secret), `${name} has ${secret}`)
        }
        const { findings, manifest } = await verified(path)
        const named = format === 'jsonl' ? ['correlation_id', 'justification'] : tableNames
        assert.deepEqual([findings, manifest.masked], [[], named])
      })
    })
  })
}

test('an export that resumes must mask the same members', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      await decideSome(harness, 3)
      await interrupted(harness, path, { format: 'csv', before: 'records-000002', partRecords: 2 })
      await assert.rejects(
        exported({ ...harness, masked }, path, { format: 'csv' }),
        /holds another export, of csv from .* of all owners: choose another folder/,
      )
      const { resumed } = await exported(harness, path, { format: 'csv' })
      assert.equal(resumed, 2)
    })
  })
})

test('in a table a masked value is a keyed hash, the same for equal values', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      const { ownerId } = await decideSome(harness, 3)
      await exported({ ...harness, masked }, path, { format: 'csv' })
      const rows: Record<string, string>[] = parse(readFileSync(join(path, 'records-000001.csv')), {
        columns: true,
      })
      const owners = new Set(rows.map((row) => row['owner_id']))
      assert.equal(owners.size, 1)
      assert.ok(!owners.has(ownerId))
      for (const name of ['leaf_index', 'owner_id', 'amount'])
        assert.match(rows[1]?.[name] ?? '', /^masked:[0-9a-f]{16}$/)
      assert.equal(new Set(rows.map((row) => row['amount'])).size, 3)
    })
  })
})
