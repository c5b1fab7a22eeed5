/** Overrides and outcomes from before principals are read, exported and verified as they were written. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBackups } from '../../../src/adapters/backup/open.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import type { LeafHashes } from '../../../src/app/ports/log.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'
import { person, read } from '../../helpers/people.ts'
import { degraded, override, trial } from '../../helpers/webhooks.ts'

/** The version before: a leaf names the key alone. */
const nobody = { personId: null, principalId: null }
const earlierHashes: LeafHashes = {
  ...leafHashes,
  override: (made) => leafHashes.override({ ...made, ...nobody }),
  outcome: (made) => leafHashes.outcome({ ...made, ...nobody }),
}

/** The columns of the principal are empty in rows of before. */
async function forgetPrincipals(databaseUrl: string, engine: Engine): Promise<void> {
  await withDirectDatabase(databaseUrl, async ({ run }) => {
    for (const table of ['overrides', 'outcomes']) {
      const guards =
        engine === 'sqlite'
          ? await run(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '${table}'`)
          : []
      for (const { name } of guards) await run(`DROP TRIGGER ${String(name)}`)
      if (engine === 'postgres') await run(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
      await run(`UPDATE ${table} SET principal_id = NULL`)
      for (const { sql } of guards) await run(String(sql))
      if (engine === 'postgres') await run(`ALTER TABLE ${table} ENABLE TRIGGER ALL`)
    }
  })
}

interface Key {
  readonly key: string
  readonly keyId: string
}

/** Holds the audit and the export of a decision of before against its key, and gives back the bundle. */
async function checkBundle(
  harness: Harness,
  { key, keyId }: Key,
  requestId: string,
): Promise<Answer['body']> {
  const { body: audit } = await harness.get(key, `/api/v1/audit/${requestId}`)
  const json = await harness.get(key, `/api/v1/audit/export/${requestId}`)
  const csv = await harness.get(key, `/api/v1/audit/export/${requestId}?format=csv`)
  assert.equal(json.body.export_version, 8)
  for (const [member, shown] of [
    ['human_override', 'created_by'],
    ['outcome', 'reported_by'],
  ] as const) {
    if (json.body[member] === null) continue
    const { key_id: by, person_id: someone, principal_id: principal } = json.body[member]
    assert.deepEqual([by, someone, principal], [keyId, null, null])
    assert.deepEqual([audit[member][shown].kind, audit[member][shown].id], ['key', keyId])
  }
  for (const { text } of [json, csv]) {
    const { findings, seal } = verifyBundle(text)
    assert.deepEqual(findings, [])
    assert.notEqual(seal, null)
  }
  return json.body
}

for (const engine of engines) {
  test(`${engine}: an override and outcomes of the version before are shown with their key, and their leaves stay valid`, async () => {
    await withHarness({ engine, leafHashes: earlierHashes, settings: trial }, async (earlier) => {
      const { key, record } = await earlier.issue()
      const known = { key, keyId: record.keyId }
      const [plain, partnered] = [await degraded(earlier, key), await degraded(earlier, key)]
      await override(earlier, key, plain)
      await report(earlier, key, plain, { outcome: 'COMPLETED' })
      await report(earlier, key, partnered, { outcome: 'FAILED', partner: 'Beta' })
      await earlier.seal()
      await forgetPrincipals(earlier.databaseUrl, engine)
      const harness = await assemble(earlier.databaseUrl, earlier.clock, { engine, settings: trial })
      try {
        const first = await checkBundle(harness, known, plain)
        assert.match(first.proof.override.leaf, /^\["fairway\/override\/2",/)
        assert.match(first.proof.outcome.leaf, /^\["fairway\/outcome\/1",/)
        const second = await checkBundle(harness, known, partnered)
        assert.match(second.proof.outcome.leaf, /^\["fairway\/outcome\/2",/)
        const viewer = await person(harness, 'viewer', record.ownerId)
        const seen = await read(harness, viewer, `/api/v1/audit/${plain}`)
        assert.equal(seen.body.human_override.created_by.id, record.keyId)
        await override(harness, key, partnered)
        await harness.seal()
        assert.deepEqual((await checkedLog(harness.store)).findings, [], 'old and new in one log')
      } finally {
        await harness.close()
      }
    })
  })

  test(`${engine}: what the version with schema 8 wrote is read, exported and verified with its key alone`, async () => {
    const clock = new ManualClock('2026-11-18T12:00:00.000Z')
    const database = await freshDatabase(engine)
    const file = fileURLToPath(new URL('../../fixtures/schema-8/fairway.backup', import.meta.url))
    await openBackups(database.url, { clock }).restore(file, {
      check: async () => 0,
      isIntact: () => true,
      onProgress: () => undefined,
    })
    const harness = await assemble(database.url, clock, { engine, settings: trial })
    try {
      const [row] = await rowsOf(database.url, 'SELECT request_id, owner_id, key_id FROM overrides')
      const { key } = await harness.issue({ ownerId: String(row?.['owner_id']) })
      const known = { key, keyId: String(row?.['key_id']) }
      await harness.seal()
      const bundle = await checkBundle(harness, known, String(row?.['request_id']))
      assert.match(bundle.proof.override.leaf, /^\["fairway\/override\/1",/)
      const reports = await rowsOf(database.url, 'SELECT request_id FROM outcomes')
      assert.equal(reports.length, 3)
      for (const { request_id: id } of reports) {
        const { outcome } = await checkBundle(harness, known, String(id))
        assert.equal(outcome.outcome_id, null, 'it has no entry in the log')
      }
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    } finally {
      await harness.close()
      await database.drop()
    }
  })
}
