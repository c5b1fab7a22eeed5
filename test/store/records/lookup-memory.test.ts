/** Guarantees of what is known without a read: never a block or a used key too few, if the process is alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CommitCommand, Lookup, LookupCommand } from '../../../src/app/ports/records.ts'
import { LookupMemory } from '../../../src/adapters/store/records/lookup-memory.ts'

const shadow = { ownerId: 'own_a', mode: 'shadow', corridor: 'GB-NG', idempotency: null } as LookupCommand
const keyed = (key: string): LookupCommand => ({ ...shadow, idempotency: { key, fingerprint: 'f' } })
const block = { blockedAtMs: 1, record: { requestId: 'SVC-1' } } as Extract<Lookup, { kind: 'open' }>['block']

/** A commit of a decision under the key; one that blocks is a NO-GO. */
const committed = (key: string | null, blocks = false): CommitCommand =>
  ({
    record: shadow,
    idempotency: key === null ? null : { key, fingerprint: 'f' },
    block: blocks ? { blockedAtMs: 1, windowMs: 90_000 } : null,
  }) as unknown as CommitCommand

const done = (): Promise<void> => Promise.resolve()

/** A memory in front of a store that finds `found` and counts its lookups. */
function memoryOver(isAlone: boolean) {
  const memory = new LookupMemory(isAlone)
  const store = { found: { kind: 'open', block: null } as Lookup, asked: 0 }
  const look = memory.around(async () => {
    store.asked += 1
    const { found } = store
    await nextTurn()
    return found
  })
  return { memory, store, look }
}

test('alone, a corridor is looked up once, whatever new keys are used on it', async () => {
  const { store, look } = memoryOver(true)
  for (const command of [shadow, keyed('a'), keyed('b')]) {
    assert.deepEqual(await look(command), { kind: 'open', block: null })
  }
  assert.equal(store.asked, 1)
})

test('a corridor is looked up again after a NO-GO, and a key after its use', async () => {
  const { memory, store, look } = memoryOver(true)
  await look(shadow)
  store.found = { kind: 'open', block }
  await memory.during([committed('a', true)], done)
  assert.deepEqual(await look(shadow), { kind: 'open', block })
  assert.deepEqual(await look(keyed('b')), { kind: 'open', block })
  assert.equal(store.asked, 2)
  store.found = { kind: 'conflict' }
  assert.deepEqual(await look(keyed('a')), { kind: 'conflict' })
})

test('while a NO-GO is being committed, memory says nothing of its corridor: it may be in the store already', async () => {
  const { memory, store, look } = memoryOver(true)
  await look(shadow)
  await memory.during([committed(null, true)], async () => {
    store.found = { kind: 'open', block }
    assert.deepEqual(await look(shadow), { kind: 'open', block })
    store.found = { kind: 'open', block: null }
    await look(shadow)
  })
  store.found = { kind: 'open', block }
  assert.deepEqual(await look(shadow), { kind: 'open', block }, 'nothing of meanwhile was remembered')
})

test('a NO-GO whose commit failed may be in the store, and is looked up', async () => {
  const { memory, store, look } = memoryOver(true)
  await look(shadow)
  const failed = memory.during([committed('a', true)], () => Promise.reject(new Error('lost')))
  await assert.rejects(failed, /lost/)
  store.found = { kind: 'open', block }
  assert.deepEqual(await look(shadow), { kind: 'open', block })
  store.found = { kind: 'conflict' }
  assert.deepEqual(await look(keyed('a')), { kind: 'conflict' })
})

test('a lookup that began before a NO-GO was committed is not remembered', async () => {
  const { memory, store, look } = memoryOver(true)
  const early = look(shadow)
  await memory.during([committed(null, true)], done)
  assert.deepEqual(await early, { kind: 'open', block: null })
  store.found = { kind: 'open', block }
  assert.deepEqual(await look(shadow), { kind: 'open', block })
})

test('a live decision with a key always asks: it must not read feeds for a replay', async () => {
  const { store, look } = memoryOver(true)
  for (let turn = 1; turn <= 3; turn += 1) {
    await look({ ...keyed('a'), mode: 'live' })
    assert.equal(store.asked, turn)
  }
})

test('among others every lookup asks; a block that was found is expected, its absence is not', async () => {
  const { memory, store, look } = memoryOver(false)
  await look(shadow)
  await look(shadow)
  assert.equal(store.asked, 2)
  assert.deepEqual(memory.expect(shadow), { block: null })
  store.found = { kind: 'open', block }
  await look(shadow)
  assert.deepEqual(memory.expect(keyed('a')), { block })
  await memory.during([committed('a')], done)
  assert.equal(memory.expect(keyed('a')), null, 'a used key is looked up first')
})
