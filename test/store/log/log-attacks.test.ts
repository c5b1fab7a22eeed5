/** What somebody with the database in hand might try against the log, beyond single changes: each is found, or nothing more is signed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNote, signedNote, signerOf, verifiersOf } from '../../../src/app/log/checkpoint.ts'
import { recordHash } from '../../../src/app/log/leaf.ts'
import { Sealer } from '../../../src/app/log/sealer.ts'
import { verifyLog } from '../../../src/app/log/verify-log.ts'
import type { LogStore } from '../../../src/app/ports/log.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { unguarded, type DirectDatabase } from '../../helpers/database/sql.ts'
import { degraded } from '../../helpers/webhooks.ts'
import { keyOf } from '../../helpers/installation-key.ts'

interface Scene {
  readonly harness: Harness
  readonly ids: readonly string[]
  /** As a stranger for whom there are no guards. */
  readonly run: DirectDatabase['run']
  readonly decide: () => Promise<string>
  readonly findings: () => Promise<string[]>
}

/** Three sealings of two decisions each. */
async function withLog(
  engine: (typeof engines)[number],
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue()
    const ids: string[] = []
    const decide = async (): Promise<string> => {
      const id = await degraded(harness, key)
      ids.push(id)
      return id
    }
    for (let sealing = 0; sealing < 3; sealing += 1) {
      await decide()
      await decide()
      await harness.seal()
    }
    const findings = async (): Promise<string[]> =>
      (await checkedLog(harness.store)).findings.map(({ place, message }) => `${place}: ${message}`)
    await unguarded(harness.databaseUrl, ({ run }) => work({ harness, ids, run, decide, findings }))
  })
}

async function sealerOf({ store, clock }: Harness, through: Store = store): Promise<Sealer> {
  const { signing } = await keyOf(store, clock)()
  return new Sealer({ store: through, clock, signing })
}

/** Gives the leaves after the sixth their numbers again, in the opposite order. */
async function numberAgain({ store }: Harness, run: DirectDatabase['run']): Promise<void> {
  const lost = await store.log.leaves(6, 100)
  await run('DELETE FROM log_blocks WHERE first_leaf >= 6')
  await run('UPDATE log_head SET sequenced = 6')
  for (const { subjectId, leafHash } of lost.toReversed()) {
    await run('INSERT INTO journal_queue (entries) VALUES ($1)', [`${subjectId} ${leafHash}`])
  }
  await store.journal.sequence()
}

type Log = LogStore
const withLogOf = (store: Store, change: Partial<Log>): Store => ({
  ...store,
  log: { ...store.log, ...change },
})

for (const engine of engines) {
  test(`${engine}: a history that was changed is not gone on with, so that nobody signs it`, async () => {
    await withLog(engine, async ({ harness, ids, run, decide }) => {
      // The record, its leaf and all checkpoints after it: only a signature is missing.
      await run('UPDATE verifications SET amount = 1 WHERE request_id = $1', [ids[3] ?? ''])
      const [edited] = await harness.store.log.leaves(3, 1)
      const [first] = await harness.store.log.leaves(2, 1)
      const subject = edited?.subjects[0]
      if (subject?.kind !== 'record' || edited === undefined || first === undefined) assert.fail('no record')
      const text = `${first.subjectId} ${first.leafHash}\n${edited.subjectId} ${recordHash(subject.value)}`
      await run('UPDATE log_blocks SET entries = $1 WHERE first_leaf = 2', [text])
      await run('DELETE FROM log_checkpoints WHERE tree_size > 2')
      await decide()
      await harness.store.journal.sequence()
      await assert.rejects((await sealerOf(harness)).turn(), /does not match its newest checkpoint/)
      assert.equal((await harness.store.log.head()).size, 6, 'and it does not grow')
      // With the last checkpoint in its place, which signs something else: the same.
      await run(
        'INSERT INTO log_checkpoints (tree_size, note) SELECT 6, note FROM log_checkpoints WHERE tree_size = 2',
      )
      await assert.rejects((await sealerOf(harness)).turn(), /does not match its newest checkpoint/)
    })
  })

  test(`${engine}: a log whose end is signed by a stranger is not gone on with`, async () => {
    await withLog(engine, async ({ harness, run, decide }) => {
      const told = readNote((await harness.store.log.head()).note ?? '') ?? assert.fail('no checkpoint')
      const note = signedNote(told, signerOf(Buffer.alloc(32, 8)))
      await run('UPDATE log_checkpoints SET note = $1 WHERE tree_size = $2', [note, told.size])
      await decide()
      await harness.store.journal.sequence()
      await assert.rejects((await sealerOf(harness)).turn(), /does not match its newest checkpoint/)
    })
  })

  test(`${engine}: a database that has lost a sealing, and got another in its place, is gone on with as it is`, async () => {
    await withLog(engine, async ({ harness, run, decide, findings }) => {
      const { store } = harness
      const first = await sealerOf(harness)
      await decide()
      await decide()
      await store.journal.sequence()
      assert.equal(await first.turn(), 2)
      // As after the end of a server whose last moments no other has.
      await run('DELETE FROM log_checkpoints WHERE tree_size > 6')
      await run('UPDATE log_head SET tree_size = 6')
      await numberAgain(harness, run)
      assert.equal(await (await sealerOf(harness)).turn(), 2)
      await decide()
      await store.journal.sequence()
      assert.equal(await first.turn(), 1)
      assert.deepEqual(await findings(), [])
    })
  })

  test(`${engine}: an override under the id of a sealed record is found`, async () => {
    await withLog(engine, async ({ ids, run, findings }) => {
      const [id = ''] = ids
      await forgeOverride(run, id, 'request_id')
      const found = await findings()
      assert.ok(
        found.includes(`leaf 0, ${id}: the id belongs to both a record and an override`),
        String(found),
      )
    })
  })

  test(`${engine}: a forged record whose forged leaf lies beyond the end is found, also while the log grows`, async () => {
    await withLog(engine, async ({ harness, ids, run, decide }) => {
      const forged = `${ids[0]?.slice(0, -3)}XYZ`
      const columns =
        (await run('SELECT * FROM verifications WHERE request_id = $1', [ids[0] ?? '']))[0] ?? {}
      const row = { ...columns, request_id: forged }
      const names = Object.keys(row)
      await run(
        `INSERT INTO verifications (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      )
      const [leaf] = await harness.store.log.find([ids[0] ?? ''])
      await run('INSERT INTO log_blocks (first_leaf, slot, entries) VALUES ($1, $2, $3)', [
        1_000_000,
        forged.slice(0, -17),
        `${forged} ${leaf?.leafHash}`,
      ])
      const { store } = harness
      const verifiers = verifiersOf((await store.log.head()).origin ?? '', await store.log.keys())
      // A sealing before every look at how much there is.
      const growing = withLogOf(store, {
        async extent() {
          await decide()
          await harness.seal()
          return store.log.extent()
        },
      })
      const { findings } = await verifyLog({
        store: growing,
        verifiers,
        savedCheckpoints: [],
        isDetached: () => false,
        onProgress: () => undefined,
      })
      const places = findings.map(({ place }) => place)
      assert.ok(places.includes('leaf 1000000') && places.includes(`record ${forged}`), String(places))
    })
  })

  test(`${engine}: a sealing whose write failed leaves nothing behind that is signed later`, async () => {
    await withLog(engine, async ({ harness, run, decide, findings }) => {
      const { store } = harness
      let fails = true
      const first = await sealerOf(
        harness,
        withLogOf(store, {
          append: (growth) => (fails ? Promise.reject(new Error('gone')) : store.log.append(growth)),
        }),
      )
      await decide()
      await decide()
      await store.journal.sequence()
      await assert.rejects(first.turn(), /gone/)
      fails = false
      // Another seals as many, in another order: numbers are lost with the server as long as nothing is sealed.
      await numberAgain(harness, run)
      assert.equal(await (await sealerOf(harness)).turn(), 2)
      await decide()
      await store.journal.sequence()
      assert.equal(await first.turn(), 1)
      assert.deepEqual(await findings(), [])
    })
  })

  test(`${engine}: what waits and is no entry is named, and never spoils the tree`, async () => {
    await withLog(engine, async ({ harness, run, decide, findings }) => {
      await run("INSERT INTO journal_queue (entries) VALUES ('')")
      await run("INSERT INTO journal_queue (entries) VALUES ('nobody AAAA')")
      assert.equal(
        (await findings()).filter((one) => /^journal_queue row \d+: has an entry without/.test(one)).length,
        2,
      )
      await decide()
      assert.equal(await harness.seal(), 1)
      assert.deepEqual(await findings(), [])
    })
  })

  test(`${engine}: what stands under an id that no list shows is found, and so is a second head`, async () => {
    await withLog(engine, async ({ ids, run, findings }) => {
      await forgeOverride(run, ids[0] ?? '', "''")
      // SQLite takes bytes for text, and puts them behind all text.
      if (engine === 'sqlite') await forgeOverride(run, ids[1] ?? '', "x'00ff'")
      await run('INSERT INTO log_head (only_one, tree_size) VALUES (2, 6)')
      const found = await findings()
      assert.ok(found.includes('overrides: 1 have an id that Fairway does not generate'), String(found))
      assert.equal(
        found.some((one) => one.startsWith('override 0,255: was never sealed')),
        engine === 'sqlite',
      )
      assert.ok(found.includes('head: there are 2 rows in log_head instead of 1'), String(found))
    })
  })
}

async function forgeOverride(
  run: DirectDatabase['run'],
  requestId: string,
  overrideId: string,
): Promise<void> {
  await run(
    `INSERT INTO overrides (override_id, request_id, owner_id, key_id, action, reason_code, justification, original_decision, created_at_ms)
      SELECT ${overrideId}, request_id, owner_id, key_id, 'EXECUTE', 'X', 'forged', 'DEGRADED', 0
      FROM verifications WHERE request_id = $1`,
    [requestId],
  )
}
