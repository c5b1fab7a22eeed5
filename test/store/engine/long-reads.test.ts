/** Long reads: on SQLite they are made by a thread, everywhere few at a time, and those of each owner in turn. */

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { createFairQueue } from '../../../src/adapters/store/engine/reads/fair-queue.ts'
import { openPostgres } from '../../../src/adapters/store/engine/postgres/postgres.ts'
import { openStore } from '../../../src/adapters/store/open.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import type { HistoryQuery } from '../../../src/app/ports/records.ts'
import { ReadsBusy, StoreRefusal, StoreUnavailable, type Store } from '../../../src/app/ports/store.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'

const page: HistoryQuery = {
  limit: 500,
  before: null,
  verdict: null,
  corridor: null,
  correlationId: null,
  fromMs: null,
  toMs: null,
}

async function withReader(
  entry: string,
  work: (store: Store, url: string) => Promise<void>,
  onRefusal: (refusal: StoreRefusal) => void = () => {},
): Promise<void> {
  const database = await freshDatabase('sqlite')
  const { store } = await openStore({
    leafHashes,
    databaseUrl: database.url,
    clock: new ManualClock(),
    onFault: () => {},
    onRefusal,
    writerEntry: new URL('../../../src/store-worker.ts', import.meta.url),
    readerEntry: new URL(entry, import.meta.url),
  })
  try {
    await work(store, database.url)
  } finally {
    await store.close()
    await database.drop()
  }
}

const list = (store: Store) => store.forOwner('own_1').list(page)

test('long reads of SQLite are made by a thread, which the first of them starts', async () => {
  let threads = 0
  const count = (): void => void (threads += 1)
  process.on('worker', count)
  try {
    await withReader('../../../src/read-worker.ts', async (store) => {
      const before = threads
      await store.keys.list()
      assert.equal(threads, before, 'a short read needs none')
      assert.deepEqual(await list(store), [])
      assert.deepEqual(await list(store), [])
      assert.equal(threads, before + 1)
    })
  } finally {
    process.off('worker', count)
  }
})

test('a read whose thread ends is unavailable, and the next one is made by another', async () => {
  await withReader('../../helpers/database/failing-reader.ts', async (store) => {
    assert.deepEqual(await list(store), [])
    await assert.rejects(list(store), StoreUnavailable)
    assert.deepEqual(await list(store), [])
  })
})

test('the thread that reads cannot write', async () => {
  await withReader('../../helpers/database/writing-reader.ts', async (store) => {
    await assert.rejects(list(store), /attempt to write a readonly database/)
  })
})

test('a refusal comes out of the thread as one, and is reported', async () => {
  const reported: string[] = []
  const work = async (store: Store, url: string): Promise<void> => {
    await rowsOf(url, 'ALTER TABLE verifications RENAME TO gone')
    await assert.rejects(list(store), StoreRefusal)
  }
  await withReader('../../../src/read-worker.ts', work, ({ message }) => void reported.push(message))
  assert.deepEqual(reported, ['no such table: verifications'])
})

test('on PostgreSQL long reads leave more than half of the connections to decisions', async () => {
  const driver = openPostgres({
    url: 'postgres://nobody@127.0.0.1:1/none',
    leafHashes,
    onIdleError: () => {},
    onMissingPartition: () => Promise.resolve(),
  })
  assert.ok(driver.longReadsMax < driver.pool.options.max / 2)
  await driver.close()
})

/** Reads that a test ends, in the order in which they began. */
function heldReads() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    read: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    },
    endNext: async (): Promise<void> => {
      ends.shift()?.()
      await setImmediate()
    },
  }
}

const bounds = { atOnceMax: 1, waitingMax: 8, waitingPerOwnerMax: 4 }

test('an owner with many long reads delays those of another by one', async () => {
  const { begun, read, endNext } = heldReads()
  const inTurn = createFairQueue(bounds)
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => inTurn(name.slice(0, 1), read(name)))
  for (const _ of all) {
    await setImmediate()
    await endNext()
  }
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
})

test('so many long reads run at a time, and a failure makes room like a success', async () => {
  const { begun, read, endNext } = heldReads()
  const inTurn = createFairQueue({ ...bounds, atOnceMax: 2 })
  const failed = inTurn('a', () => Promise.reject(new Error('no')))
  const others = ['a', 'b', 'c'].map((owner) => inTurn(owner, read(owner)))
  await assert.rejects(failed, /no/)
  await setImmediate()
  assert.deepEqual(begun, ['a', 'b'])
  await endNext()
  assert.deepEqual(begun, ['a', 'b', 'c'])
  await endNext()
  await endNext()
  await Promise.all(others)
})

test('more than so many that wait are refused, of one owner and in all', async () => {
  const { read, endNext } = heldReads()
  const inTurn = createFairQueue(bounds)
  const accepted = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'].map((owner) => inTurn(owner, read(owner)))
  await assert.rejects(inTurn('a', read('a')), ReadsBusy)
  await assert.rejects(inTurn('c', read('c')), ReadsBusy)
  for (const _ of accepted) {
    await setImmediate()
    await endNext()
  }
  await Promise.all(accepted)
  const again = inTurn('a', read('a'))
  await setImmediate()
  await endNext()
  assert.equal(await again, 'a')
})
