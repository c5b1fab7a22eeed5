/** When keys were last used: noted for each that was let in, written down together, and never set back. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyUses, startKeyUses } from '../../../src/app/access/key-use.ts'
import type { KeyUse } from '../../../src/app/ports/identity/keys.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'

async function lastUses({ store }: Harness): Promise<Record<string, number | null>> {
  return Object.fromEntries((await store.keys.list()).map((key) => [key.keyId, key.lastUsedAtMs]))
}

for (const engine of engines) {
  test(`a key that was let in is noted, whatever came of the request, and one that was not is not (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { clock, store } = harness
      const used = await harness.issue()
      const narrow = await harness.issue({ scopes: ['audit:read'] })
      const idle = await harness.issue()
      const revoked = await harness.issue()
      await store.keys.revoke(revoked.record.keyId, clock.nowMs())
      clock.advance(5_000)
      const firstMs = clock.nowMs()
      assert.equal((await harness.verify(narrow.key, { corridor: 'GB-NG' })).status, 403)
      assert.equal((await harness.verify(revoked.key, { corridor: 'GB-NG' })).status, 401)
      await harness.verify(used.key, { corridor: 'GB-NG' })
      clock.advance(7)
      await harness.verify(used.key, { corridor: 'nowhere' })
      const nothingYet = Object.values(await lastUses(harness))
      assert.deepEqual(nothingYet, [null, null, null, null], 'nothing is written on the way of a request')
      await harness.noteKeyUses()
      assert.deepEqual(await lastUses(harness), {
        [used.record.keyId]: firstMs + 7,
        [narrow.record.keyId]: firstMs,
        [idle.record.keyId]: null,
        [revoked.record.keyId]: null,
      })
    })
  })

  test(`the latest use counts, whichever instance saw it and whichever writes last (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const other = await harness.sibling()
      const keys = [await harness.issue(), await harness.issue(), await harness.issue()]
      for (const { key } of keys) await harness.get(key, '/api/verifications')
      harness.clock.advance(1_000)
      const laterMs = harness.clock.nowMs()
      for (const { key } of keys.toReversed()) await other.get(key, '/api/verifications')
      await other.noteKeyUses()
      await harness.noteKeyUses()
      const expected = Object.fromEntries(keys.map(({ record }) => [record.keyId, laterMs]))
      assert.deepEqual(await lastUses(harness), expected, 'an earlier time does not take its place')
      harness.clock.setWall(laterMs - 60_000)
      for (const { key } of keys) await harness.get(key, '/api/verifications')
      await Promise.all([harness.noteKeyUses(), other.noteKeyUses()])
      assert.deepEqual(await lastUses(harness), expected, 'nor does a clock that was set back')
      await other.close()
    })
  })

  test(`instances that write many keys at once do not stand in each other's way (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const other = await harness.sibling()
      const keyIds = Array.from({ length: 200 }, (_, index) => `key_${index}`)
      const uses = (usedAtMs: number): KeyUse[] => keyIds.map((keyId) => ({ keyId, usedAtMs }))
      await Promise.all(
        Array.from({ length: 10 }, (_, round) =>
          (round % 2 === 0 ? harness : other).store.keys.recordUses(
            round % 3 === 0 ? uses(round).toReversed() : uses(round),
          ),
        ),
      )
      await other.close()
    })
  })
}

interface Noting {
  readonly deps: { keys: Harness['store']['keys']; log: { warn(): void; info(): void } }
  /** What an operator was told, in order. */
  readonly told: string[]
  /** What is written down. */
  readonly written: () => Promise<Record<string, number>>
  /** Somebody takes the table away, so that writing fails, and brings it back. */
  readonly breakStore: () => Promise<void>
  readonly mendStore: () => Promise<void>
}

async function withNoting(work: (noting: Noting) => Promise<void>): Promise<void> {
  await withHarness({}, async ({ store, databaseUrl }) => {
    const told: string[] = []
    const rename = (from: string, to: string) => async (): Promise<void> => {
      await withDirectDatabase(databaseUrl, ({ run }) => run(`ALTER TABLE ${from} RENAME TO ${to}`))
    }
    await work({
      deps: {
        keys: store.keys,
        log: { warn: () => void told.push('failed'), info: () => void told.push('works again') },
      },
      told,
      async written() {
        const sql = 'SELECT key_id, last_used_at_ms FROM key_uses ORDER BY key_id'
        const rows = await withDirectDatabase(databaseUrl, ({ run }) => run(sql))
        return Object.fromEntries(rows.map((row) => [String(row['key_id']), Number(row['last_used_at_ms'])]))
      },
      breakStore: rename('key_uses', 'taken_away'),
      mendStore: rename('taken_away', 'key_uses'),
    })
  })
}

test('what could not be written is written with the next, later uses before earlier ones, and is told once', async () => {
  await withNoting(async ({ deps, told, written, breakStore, mendStore }) => {
    const uses = createKeyUses(deps)
    await breakStore()
    await uses.write()
    assert.deepEqual(told, [], 'where nothing was used nothing is written')
    uses.record('key_a', 1)
    uses.record('key_b', 1)
    const failing = uses.write()
    uses.record('key_a', 2)
    await failing
    await uses.write()
    assert.deepEqual(told, ['failed'])
    await mendStore()
    await uses.write()
    assert.deepEqual(told, ['failed', 'works again'])
    assert.deepEqual(await written(), { key_a: 2, key_b: 1 })
    await breakStore()
    await uses.write()
    assert.equal(told.length, 2, 'what is written is not written again')
    await mendStore()
  })
})

test('however many keys there are, and however long the store is down, memory is bounded', async () => {
  await withNoting(async ({ deps, written, breakStore, mendStore }) => {
    const uses = createKeyUses(deps)
    await breakStore()
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 9_000; index += 1) uses.record(`key_${round}_${index}`, round)
      await uses.write()
    }
    uses.record('key_0_0', 7)
    await mendStore()
    await uses.write()
    const kept = await written()
    assert.equal(Object.keys(kept).length, 10_000)
    assert.equal(kept['key_0_0'], 7, 'one that is known is still noted')
  })
})

test('uses are written again and again, and once more at the stop', async () => {
  await withNoting(async ({ deps, written }) => {
    const turns: (() => Promise<void>)[] = []
    let isStopped = false
    const repeat = (work: () => Promise<void>) => {
      turns.push(work)
      return () => void (isStopped = true)
    }
    const uses = createKeyUses(deps)
    const running = startKeyUses({ uses, repeat })
    uses.record('key_a', 1)
    await turns[0]?.()
    assert.deepEqual(await written(), { key_a: 1 })
    uses.record('key_a', 2)
    await running.stop()
    assert.ok(isStopped)
    assert.deepEqual(await written(), { key_a: 2 })
  })
})
