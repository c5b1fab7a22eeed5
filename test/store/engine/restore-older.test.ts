/** A backup that an older version made is restored by today's: brought up to date, and what was recorded before the log is sealed in it. */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { endLine, lastLine, Sum } from '../../../src/adapters/backup/format.ts'
import { openBackups } from '../../../src/adapters/backup/open.ts'
import { migrations } from '../../../src/adapters/store/engine/migrations.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import type { VerifiedLog } from '../../../src/app/log/verify-log.ts'
import type { CheckedCopy } from '../../../src/app/ports/backup.ts'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { assemble, withHarness } from '../../helpers/harness.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { degraded, override } from '../../helpers/webhooks.ts'

/** The schema before the log. */
const olderSchema = 6
const laterSchemas = new Set(migrations.map(({ number }) => number).filter((number) => number > olderSchema))

/** As the version of that schema would have written it: without the log, and without the step that made it. */
function makeOlder(path: string): void {
  const out: string[] = []
  let table = ''
  let sum = new Sum()
  let tables = 0
  for (const line of gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')) {
    const value = JSON.parse(line) as
      { form?: string; table?: string; sum?: object; whole?: true } | unknown[]
    if (Array.isArray(value)) {
      const isLater = table === 'schema_migrations' && value.some((cell) => laterSchemas.has(Number(cell)))
      if (!isLater && !table.startsWith('log_')) out.push(sum.add(value as string[]))
    } else if (value.form !== undefined) {
      out.push(`${JSON.stringify({ ...value, schema: olderSchema })}\n`)
    } else if (value.whole === true) {
      out.push(lastLine(tables))
    } else if (value.sum === undefined) {
      table = value.table ?? ''
      sum = new Sum()
      if (!table.startsWith('log_')) out.push(`${line}\n`)
    } else if (!table.startsWith('log_')) {
      tables += 1
      out.push(endLine(sum.of(table)))
    }
  }
  writeFileSync(path, gzipSync(out.join('')))
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
        const { key } = await harness.issue()
        const id = await degraded(harness, key)
        await override(harness, key, id)
        for (let one = 0; one < 5; one += 1) await harness.verify(key, { corridor: 'GB-NG', amount: one })
        const path = join(folder, 'copy.gz')
        const deps = { clock: harness.clock, random: systemRandom }
        await openBackups(harness.databaseUrl, deps).write(path, options)
        makeOlder(path)
        const target = await freshDatabase(engine)
        const restored = await openBackups(target.url, deps).restore(path, options)
        assert.equal(restored.schema, olderSchema)
        assert.equal(restored.found.waiting, 7, 'all of it waits to be sealed')
        const again = await assemble(target.url, harness.clock, {})
        const { schema, schemaKnown, isWriteOnce } = await again.store.selfCheck(harness.clock.nowMs())
        assert.deepEqual([schema, isWriteOnce], [schemaKnown, true])
        assert.equal(await again.seal(), 7)
        const { findings, waiting, records, overrides } = await checkedLog(again.store)
        assert.deepEqual([findings, waiting, records, overrides], [[], 0, 6, 1])
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
