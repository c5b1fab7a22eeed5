/** A backup that an older version made is restored by today's: brought up to date, and what was recorded before the log is sealed in it. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { formName, lastLine } from '../../../src/adapters/backup/format.ts'
import { openBackups } from '../../../src/adapters/backup/open.ts'
import { readingSqlite } from '../../../src/adapters/backup/sqlite-session.ts'
import { sumTables } from '../../../src/adapters/backup/write.ts'
import type { VerifiedLog } from '../../../src/app/log/verify-log.ts'
import type { CheckedCopy } from '../../../src/app/ports/operate/backup.ts'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { degraded, override } from '../../helpers/webhooks.ts'
import { copyRows, insertRow, olderDatabase } from './older-schema.ts'

/** The schema before the log. */
const olderSchema = 6

/** A backup of these records, as the version of that schema would have written it. */
async function writeOlder({ databaseUrl, clock }: Harness, keyId: string, path: string): Promise<void> {
  const older = await olderDatabase('sqlite', olderSchema, clock.nowMs())
  for (const table of ['api_keys', 'verifications', 'overrides'])
    await copyRows(databaseUrl, older.url, table)
  await withDirectDatabase(older.url, async (stranger) => {
    await insertRow(stranger, 'key_usage', { key_id: keyId, shard: 0, verifications: 4 })
    await insertRow(stranger, 'key_usage', { key_id: keyId, shard: 3, verifications: 2 })
    await stranger.run('UPDATE verification_counts SET total = 3 WHERE shard IN (1, 30)')
  })
  const lines = [
    `${JSON.stringify({ form: formName, schema: olderSchema, engine: 'sqlite', made_at: '2026-03-01T12:00:00.000Z' })}\n`,
  ]
  const write = async (text: string): Promise<void> => void lines.push(text)
  const tables = await readingSqlite(older.url.slice('sqlite:'.length), (session) =>
    sumTables(session, write, () => undefined),
  )
  writeFileSync(path, gzipSync([...lines, lastLine(tables.length)].join('')))
  await older.drop()
}

const options = {
  check: ({ store }: CheckedCopy) => checkedLog(store),
  isIntact: ({ findings }: VerifiedLog) => findings.length === 0,
  onProgress: () => undefined,
}

for (const engine of engines) {
  test(`a backup from before the log has all its records sealed after its restore (${engine})`, async () => {
    await withFolder((folder) =>
      withHarness({}, async (harness) => {
        const { key, record } = await harness.issue()
        const id = await degraded(harness, key)
        await override(harness, key, id)
        for (let one = 0; one < 5; one += 1) await harness.verify(key, { corridor: 'GB-NG', amount: one })
        const path = join(folder, 'copy.gz')
        await writeOlder(harness, record.keyId, path)
        const target = await freshDatabase(engine)
        const restored = await openBackups(target.url, { clock: harness.clock }).restore(path, options)
        assert.equal(restored.schema, olderSchema)
        assert.equal(restored.found.waiting, 7, 'all of it waits to be sealed')
        const again = await assemble(target.url, harness.clock, {})
        const { schema, schemaKnown, isWriteOnce } = await again.store.selfCheck(harness.clock.nowMs())
        assert.deepEqual([schema, isWriteOnce], [schemaKnown, true])
        assert.equal(await again.seal(), 7)
        const { findings, waiting, records, overrides } = await checkedLog(again.store)
        assert.deepEqual([findings, waiting, records, overrides], [[], 0, 6, 1])
        assert.equal(await again.store.keys.usage(record.keyId), 6, 'what was counted is not counted again')
        assert.equal(await again.store.countVerifications(), 6)
        await again.close()
        const sql = 'SELECT request_id, answer, evidence FROM verifications ORDER BY request_id'
        const plain = async (url: string): Promise<unknown> =>
          (await rowsOf(url, sql)).map((row) => ({ ...row }))
        assert.deepEqual(await plain(target.url), await plain(harness.databaseUrl))
        await target.drop()
      }),
    )
  })
}
