/** The leaves of the log in their blocks: found by id and by place wherever a block ends, and brought over from the rows that an earlier schema had. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { logBlocks } from '../../../src/adapters/store/engine/schema/log/log-blocks.ts'
import { formatRequestId } from '../../../src/core/identity/request-id.ts'
import type { LogEntry, LogLeaf } from '../../../src/app/ports/log.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { engines, type Engine, type FreshDatabase } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { testKeySetting } from '../../helpers/installation-key.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withDirectDatabase, rowsOf, unguarded } from '../../helpers/database/sql.ts'
import { degraded, override } from '../../helpers/webhooks.ts'
import { copyRows, earlierHashes, insertRow, olderDatabase } from '../engine/older-schema.ts'

/** Made up: what the store keeps is not looked at by it. */
function entry(atMs: number, place: number): LogEntry {
  const bytes = Uint8Array.from({ length: 10 }, (_, at) =>
    at === 9 ? place % 256 : at === 8 ? place >> 8 : at,
  )
  return {
    subjectId: formatRequestId(atMs, bytes),
    leafHash: hash('sha256', `${atMs} ${place}`, 'base64'),
  }
}

const startMs = Date.UTC(2026, 10, 16)

/** Many in one moment, then one each 100 ms, then some whose time goes back and forth. */
const leaves = [
  ...Array.from({ length: 250 }, (_, place) => entry(startMs, place)),
  ...Array.from({ length: 40 }, (_, place) => entry(startMs + 100 * (place + 1), place)),
  ...Array.from({ length: 30 }, (_, place) => entry(startMs + 10_000 * (place % 2), 1_000 + place)),
]

/** Numbers these entries, as if they had been recorded before the log existed. */
async function append({ log }: Store, from: number, added: readonly LogEntry[]): Promise<void> {
  assert.equal(await log.sequenceBacklog(from, added, { kind: 'record', upTo: '' }), true)
}

for (const engine of engines) {
  test(`${engine}: every leaf is found by its id and by its place, whichever block it is in`, async () => {
    await withHarness({ engine }, async ({ store, databaseUrl }) => {
      await append(store, 0, leaves.slice(0, 200))
      await append(store, 200, leaves.slice(200))
      const rows = await rowsOf(
        databaseUrl,
        'SELECT first_leaf, slot, entries FROM log_blocks ORDER BY first_leaf',
      )
      const counts = rows.map(({ entries }) => String(entries).split('\n').length)
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        leaves.length,
      )
      assert.ok(Math.max(...counts) > 1 && Math.max(...counts) <= 96, String(counts))
      const found = await store.log.find(leaves.map(({ subjectId }) => subjectId))
      assert.deepEqual(
        found,
        leaves.map((leaf, index) => ({ index, ...leaf })),
      )
      assert.deepEqual(await store.log.find(['SVC-2026-0', entry(startMs, 7_777).subjectId]), [null, null])
      const hashes = leaves.map(({ leafHash }) => leafHash)
      for (const [from, to] of [
        [0, 256],
        [95, 97],
        [249, 251],
        [0, leaves.length],
        [319, 400],
      ] as const) {
        assert.deepEqual(
          await store.log.hashes([{ level: 0, from, to }]),
          [hashes.slice(from, to)],
          `${from} to ${to}`,
        )
      }
      for (const from of [0, 1, 96, 199, 200, 290, 319]) {
        const page = await store.log.leaves(from, 50)
        const wanted = leaves.slice(from, from + 50).map((leaf, at) => ({ index: from + at, ...leaf }))
        assert.deepEqual(
          page.map(({ index, subjectId, leafHash }) => ({ index, subjectId, leafHash })),
          wanted,
        )
      }
      assert.deepEqual(await store.log.leaves(leaves.length, 1), [])
    })
  })

  test(`${engine}: the same leaf a second time, and a leaf that two blocks have, are named`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'NG-GB', amount: 5 })
      await harness.seal()
      const [kept] = await harness.store.log.find([String(body.request_id)])
      const again = { subjectId: kept?.subjectId ?? '', leafHash: kept?.leafHash ?? '' }
      // As if it had waited twice: sealed and signed like anything else.
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run('INSERT INTO journal_queue (entries) VALUES ($1)', [`${again.subjectId} ${again.leafHash}`]),
      )
      await harness.seal()
      const doubled = await checkedLog(harness.store)
      assert.deepEqual(doubled.findings, [
        { place: 'records', message: '1 are sealed, but 2 leaves refer to them' },
      ])
      await unguarded(harness.databaseUrl, ({ run }) =>
        run("UPDATE log_blocks SET entries = entries || '\nx y' WHERE first_leaf = 0"),
      )
      const { findings } = await checkedLog(harness.store)
      assert.ok(
        findings.some(
          ({ place, message }) =>
            place === 'leaves' && message.startsWith('there are 3, but the journal has 2'),
        ),
        JSON.stringify(findings),
      )
      assert.ok(
        findings.some(({ message }) => message === 'has no valid hash'),
        JSON.stringify(findings),
      )
    })
  })
}

/** The schema before the blocks: a row a leaf. */
const olderSchema = logBlocks.number - 1
const keptTables = [
  'api_keys',
  'verifications',
  'overrides',
  'log_head',
  'log_keys',
  'log_nodes',
  'log_checkpoints',
]

/** Each leaf without its subject, whose form differs between versions. */
async function leavesOf({ store }: Harness): Promise<LogLeaf[]> {
  const found = await store.log.leaves(0, 1_000)
  return found.map(({ subjects: _subjects, ...leaf }) => leaf)
}

/** The same log, as the earlier version would have left it. */
async function makeOlder(engine: Engine, { databaseUrl, store, clock }: Harness): Promise<FreshDatabase> {
  const kept = await store.log.leaves(0, 1_000)
  const database = await olderDatabase(engine, olderSchema, clock.nowMs())
  await withDirectDatabase(database.url, ({ run }) => run('DELETE FROM log_head'))
  for (const table of keptTables) await copyRows(databaseUrl, database.url, table)
  await withDirectDatabase(database.url, async (stranger) => {
    for (const { index, subjectId, leafHash } of kept)
      await insertRow(stranger, 'log_leaves', {
        leaf_index: index,
        subject_id: subjectId,
        leaf_hash: leafHash,
      })
  })
  return database
}

for (const engine of engines) {
  test(`${engine}: a log whose leaves were rows of their own is whole after the upgrade, and grows on`, async () => {
    await withHarness({ engine, leafHashes: earlierHashes }, async (before) => {
      const { clock } = before
      const { key } = await before.issue()
      for (let place = 0; place < 150; place += 1) {
        if (place % 40 === 0) clock.advance(50)
        await before.verify(key, { corridor: 'NG-GB', amount: place })
      }
      assert.equal((await override(before, key, await degraded(before, key))).status, 200)
      await before.seal()
      const kept = await leavesOf(before)
      const database = await makeOlder(engine, before)
      const after = await assemble(database.url, clock, { engine, settings: testKeySetting })
      try {
        assert.deepEqual(await leavesOf(after), kept)
        const { findings, records, overrides, size } = await checkedLog(after.store)
        assert.deepEqual([findings, records, overrides, size], [[], 151, 1, 152])
        assert.equal((await after.store.selfCheck(clock.nowMs())).isWriteOnce, true)
        await after.verify(key, { corridor: 'NG-GB', amount: 7 })
        assert.equal(await after.seal(), 1)
        assert.deepEqual((await checkedLog(after.store)).findings, [])
      } finally {
        await after.close()
        await database.drop()
      }
    })
  })
}
