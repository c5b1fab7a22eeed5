/** When keys were last used: noted for each that was let in, written down together, and never set back. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyUses, startKeyUses } from '../../src/app/key-use.ts'
import type { KeyStore, KeyUse } from '../../src/app/ports.ts'
import { engines } from '../helpers/databases.ts'
import { withHarness, type Harness } from '../helpers/harness.ts'

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
          (round % 2 === 0 ? harness : other).store.keys.noteUses(
            round % 3 === 0 ? uses(round).toReversed() : uses(round),
          ),
        ),
      )
      await other.close()
    })
  })
}

/** A store that keeps what it is given, or is down. */
function recorder() {
  const written: (readonly KeyUse[])[] = []
  const state = { isDown: false }
  const log: string[] = []
  const keys = {
    noteUses: async (uses: readonly KeyUse[]) => {
      if (state.isDown) throw new Error('down')
      written.push(uses)
    },
  } as unknown as KeyStore
  const notes = {
    warn: (_fields: object, message: string) => void log.push(message),
    info: (message: string) => void log.push(message),
  }
  return { written, state, log, deps: { keys, log: notes } }
}

test('where nothing was used nothing is written, and what was written is not written again', async () => {
  const { written, deps } = recorder()
  const uses = createKeyUses(deps)
  await uses.write()
  assert.equal(written.length, 0)
  uses.note('key_a', 1)
  uses.note('key_a', 2)
  await uses.write()
  await uses.write()
  assert.deepEqual(written, [[{ keyId: 'key_a', usedAtMs: 2 }]])
})

test('what could not be written is written with the next, later uses before earlier ones, and is told once', async () => {
  const { written, state, log, deps } = recorder()
  const uses = createKeyUses(deps)
  state.isDown = true
  uses.note('key_a', 1)
  uses.note('key_b', 1)
  const failing = uses.write()
  uses.note('key_a', 2)
  await failing
  await uses.write()
  assert.equal(log.length, 1)
  assert.match(log[0] ?? '', /could not be written/)
  state.isDown = false
  await uses.write()
  assert.deepEqual(
    written.map((batch) => batch.toSorted((left, right) => (left.keyId < right.keyId ? -1 : 1))),
    [
      [
        { keyId: 'key_a', usedAtMs: 2 },
        { keyId: 'key_b', usedAtMs: 1 },
      ],
    ],
  )
  assert.match(log[1] ?? '', /again/)
})

test('however many keys there are, and however long the store is down, memory is bounded', async () => {
  const { written, state, deps } = recorder()
  const uses = createKeyUses(deps)
  state.isDown = true
  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 9_000; index += 1) uses.note(`key_${round}_${index}`, round)
    await uses.write()
  }
  uses.note('key_0_0', 7)
  state.isDown = false
  await uses.write()
  assert.equal(written[0]?.length, 10_000)
  assert.equal(
    written[0]?.find(({ keyId }) => keyId === 'key_0_0')?.usedAtMs,
    7,
    'a known one is still noted',
  )
})

test('uses are written again and again, and once more at the stop', async () => {
  const { written, deps } = recorder()
  const turns: (() => Promise<void>)[] = []
  let isStopped = false
  const running = startKeyUses({
    ...deps,
    repeat: (work) => {
      turns.push(work)
      return () => (isStopped = true)
    },
  })
  running.note('key_a', 1)
  await turns[0]?.()
  running.note('key_a', 2)
  await running.stop()
  assert.ok(isStopped)
  assert.deepEqual(written, [[{ keyId: 'key_a', usedAtMs: 1 }], [{ keyId: 'key_a', usedAtMs: 2 }]])
})
