/** An archive holds every sealed decision of its time, complete and in leaf order, and verifies without the database. */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ArchiveRefused } from '../../../src/app/archive/resume.ts'
import { decideSome, exported, interrupted, verified } from '../../helpers/archives.ts'
import { engines } from '../../helpers/database/databases.ts'
import { unguarded, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'

// eslint-disable-next-line typescript/no-explicit-any -- tests look into lines freely
type Line = any

const linesOf = (path: string, file = 'records-000001.jsonl'): Line[] =>
  readFileSync(join(path, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))

const refused = (pattern: RegExp) => (error: unknown) =>
  error instanceof ArchiveRefused && pattern.test(error.message)

for (const engine of engines) {
  test(`${engine}: every decision is in the archive, with its override and outcome, and its leaf is computed again`, async () => {
    await withHarness({ engine }, async (harness) => {
      await withFolder(async (path) => {
        const { ids, ownerId, key } = await decideSome(harness, 5)
        const { records, decisions, parts } = await exported(harness, path)
        assert.deepEqual([records, parts, decisions.GO, decisions.DEGRADED], [5, 1, 4, 1])
        const lines = linesOf(path)
        assert.deepEqual(
          lines.map((line) => line.request_id),
          ids,
        )
        const { body } = await harness.get(key, `/api/v1/audit/export/${ids[1]}`)
        const { reason_codes: _codes, signal_contributions: _signals, ...record } = body.record
        const [, line] = lines
        const {
          leaf_index: index,
          leaf_hash: hash,
          owner_id: owner,
          human_override: overridden,
          outcome,
        } = line
        for (const [name, value] of Object.entries(record)) assert.deepEqual(line[name], value, name)
        assert.deepEqual([index, hash], [body.proof.record.leaf_index, body.proof.record.leaf_hash])
        assert.equal(owner, ownerId)
        const { leaf_index: _index, leaf_hash: _hash, ...plain } = overridden
        assert.deepEqual(plain, body.human_override)
        assert.equal(outcome.outcome_id, body.outcome.outcome_id)
        const checked = await verified(path)
        assert.deepEqual(checked.findings, [])
        const { overrides, outcomes, outside } = checked
        assert.deepEqual([checked.records, overrides, outcomes, outside], [5, 1, 1, 0])
      })
    })
  })

  test(`${engine}: parts and leaves join to one tree, whatever the size of a part`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { ids } = await decideSome(harness, 7)
      for (const partRecords of [1, 2, 3, 7]) {
        await withFolder(async (path) => {
          const { records, parts } = await exported(harness, path, { partRecords })
          assert.deepEqual([records, parts], [7, Math.ceil(7 / partRecords)])
          const { findings, manifest } = await verified(path)
          assert.deepEqual(findings, [])
          const all = manifest.parts.flatMap(({ file }) => linesOf(path, file))
          assert.deepEqual(
            all.map((line) => line.request_id),
            ids,
          )
        })
      }
    })
  })

  test(`${engine}: the time is that of recording, and an empty archive verifies, too`, async () => {
    await withHarness({ engine }, async (harness) => {
      const startMs = harness.clock.nowMs()
      const { ids } = await decideSome(harness, 4)
      const between = { fromMs: startMs + 1_000, toMs: startMs + 3_000 }
      await withFolder(async (path) => {
        await exported(harness, path, between)
        assert.deepEqual(
          linesOf(path).map((line) => line.request_id),
          ids.slice(1, 3),
        )
        assert.deepEqual((await verified(path)).findings, [])
      })
      await withFolder(async (path) => {
        const { records } = await exported(harness, path, { fromMs: 0, toMs: startMs - 86_400_000 })
        assert.equal(records, 0)
        assert.deepEqual((await verified(path)).findings, [])
      })
    })
  })

  test(`${engine}: an archive of one owner has the records of no other, and verifies against the same log`, async () => {
    await withHarness({ engine }, async (harness) => {
      await withFolder(async (path) => {
        await decideSome(harness, 3)
        const { ownerId, ids } = await decideSome(harness, 2)
        await exported(harness, path, { ownerId })
        const lines = linesOf(path)
        assert.deepEqual(
          lines.map((line) => line.request_id),
          ids,
        )
        const { findings, leaves } = await verified(path)
        assert.deepEqual(findings, [])
        assert.ok(leaves > 5, 'the leaves of others are there as hashes')
      })
    })
  })

  test(`${engine}: an erased personal text is shown as erased, and the archive verifies`, async () => {
    await withHarness({ engine }, async (harness) => {
      await withFolder(async (path) => {
        await decideSome(harness, 2)
        await withDirectDatabase(harness.databaseUrl, ({ run }) => run('DELETE FROM personal_texts'))
        await exported(harness, join(path, 'lines'))
        const [, line] = linesOf(join(path, 'lines'))
        assert.deepEqual([line.correlation_id, line.personal_text.salt], [null, null])
        assert.equal(line.human_override.justification, '(erased)')
        const { findings, erased } = await verified(join(path, 'lines'))
        assert.deepEqual([findings, erased], [[], 2])
        await exported(harness, join(path, 'table'), { format: 'csv' })
        assert.match(readFileSync(join(path, 'table', 'records-000001.csv'), 'utf8'), /,\(erased\),/)
      })
    })
  })

  test(`${engine}: a record that was changed after it was sealed is in no table, and its line does not verify`, async () => {
    await withHarness({ engine }, async (harness) => {
      await withFolder(async (path) => {
        const { ids } = await decideSome(harness, 2)
        await unguarded(harness.databaseUrl, ({ run }) =>
          run('UPDATE verifications SET amount = 1 WHERE request_id = $1', [ids[0] ?? '']),
        )
        const table = exported(harness, join(path, 'table'), { format: 'csv' })
        await assert.rejects(table, refused(/was changed after it was sealed/))
        await exported(harness, join(path, 'lines'))
        const { findings } = await verified(join(path, 'lines'))
        assert.deepEqual(
          findings.map(({ place, message }) => [place, message]),
          [['records-000001.jsonl, line 1', 'the record does not match its leaf hash']],
        )
      })
    })
  })
}

test('an outcome beyond the checkpoint of an export that resumes is left out', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      const { ids, key } = await decideSome(harness, 4)
      await exported(harness, join(path, 'whole'), { partRecords: 2 })
      const resumed = join(path, 'resumed')
      await interrupted(harness, resumed, { before: 'records-000001', partRecords: 2 })
      assert.equal((await report(harness, key, ids[3] ?? '', { outcome: 'FAILED' })).status, 200)
      await harness.seal()
      await exported(harness, resumed, { partRecords: 2 })
      for (const file of ['records-000001.jsonl', 'records-000002.jsonl', 'leaves-000002.bin'])
        assert.ok(readFileSync(join(resumed, file)).equals(readFileSync(join(path, 'whole', file))), file)
    })
  })
})

test('a folder with a finished archive, another export or other files is refused', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      await decideSome(harness, 2)
      await exported(harness, join(path, 'done'))
      await assert.rejects(exported(harness, join(path, 'done')), refused(/holds a finished archive/))
      writeFileSync(join(path, 'note.txt'), 'mine')
      await assert.rejects(exported(harness, path), refused(/holds "done", which this export did not write/))
      const other = join(path, 'other')
      await interrupted(harness, other, { before: 'records-000001' })
      await assert.rejects(
        exported(harness, other, { format: 'csv' }),
        refused(/holds another export, of jsonl/),
      )
    })
  })
})
