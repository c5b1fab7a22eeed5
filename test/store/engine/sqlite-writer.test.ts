/** The thread that writes to SQLite: its faults are told, and it is replaced. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { copyFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { openSqlite } from '../../../src/adapters/store/engine/sqlite.ts'
import { openStore } from '../../../src/adapters/store/open.ts'
import { StoreRefusal, StoreUnavailable, type Store } from '../../../src/app/ports/store.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'

interface Fixture {
  readonly store: Store
  readonly path: string
  readonly insertKey: (keyId: string) => Promise<void>
}

async function withWriter(entry: string, work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const database = await freshDatabase('sqlite')
  const clock = new ManualClock()
  const { store } = await openStore({
    leafHashes,
    databaseUrl: database.url,
    clock,
    onFault: () => {},
    writerEntry: new URL(entry, import.meta.url),
  })
  const insertKey = (keyId: string): Promise<void> =>
    store.keys.insert(
      {
        keyId,
        ownerId: 'own_1',
        principalId: keyId,
        ownerLabel: 'Team',
        type: 'test',
        prefix: 'pk_test_',
        scopes: ['decision:read'],
        verifyLimit: null,
        createdAtMs: clock.nowMs(),
        expiresAtMs: null,
        revokedAtMs: null,
      },
      `hash of ${keyId}`,
    )
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await store.close()
    isOpen = false
  }
  try {
    await work({ store: { ...store, close }, path: database.url.slice('sqlite:'.length), insertKey })
  } finally {
    await close()
    await database.drop()
  }
}

const yes = (): boolean => true

function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof StoreUnavailable)
  return false
}

const keyIdsOf = async (store: Store): Promise<string[]> =>
  (await store.keys.list()).map(({ keyId }) => keyId)

test('what the thread had not answered when it ended is unavailable, and the next change is made by another', async () => {
  await withWriter('../../helpers/database/failing-writer.ts', async ({ store, insertKey }) => {
    await insertKey('key_1')
    const unanswered = await Promise.allSettled([insertKey('key_2'), insertKey('key_3')])
    for (const one of unanswered) {
      assert.equal(one.status, 'rejected')
      assert.ok(one.reason instanceof StoreUnavailable)
    }
    // Another thread takes its place soon; until then there is none.
    while (!(await insertKey('key_4').then(yes, isUnavailable))) await setImmediate()
    assert.deepEqual(await keyIdsOf(store), ['key_1', 'key_4'])
  })
})

test('a change that is refused is told as it was, and spoils nothing after it', async () => {
  await withWriter('../../../src/store-worker.ts', async ({ store, insertKey }) => {
    const [, again, other] = await Promise.allSettled(['key_1', 'key_1', 'key_2'].map(insertKey))
    assert.equal(again?.status, 'rejected')
    assert.match(String(again.reason), /UNIQUE constraint failed: api_keys/)
    assert.ok(!(again.reason instanceof StoreUnavailable))
    assert.equal(other?.status, 'fulfilled')
    assert.deepEqual(await keyIdsOf(store), ['key_1', 'key_2'])
  })
})

test('a change that the schema does not allow is a refusal, and the next one is made when it does', async () => {
  await withWriter('../../../src/store-worker.ts', async ({ store, path, insertKey }) => {
    const stranger = new DatabaseSync(path)
    stranger.exec('ALTER TABLE api_keys RENAME TO gone')
    await assert.rejects(insertKey('key_1'), new StoreRefusal('no such table: api_keys'))
    stranger.exec('ALTER TABLE gone RENAME TO api_keys')
    stranger.close()
    await insertKey('key_1')
    assert.deepEqual(await keyIdsOf(store), ['key_1'])
  })
})

test('a write to a file that is read-only is a refusal', async () => {
  await withWriter('../../../src/store-worker.ts', async ({ path }) => {
    const reader = openSqlite({ path, leafHashes, isReadOnly: true })
    await assert.rejects(
      reader.change('probeWrite', 0),
      new StoreRefusal('attempt to write a readonly database'),
    )
    await reader.close()
  })
})

test('while another process holds the file, reads are answered, and the change is made when it lets go', async () => {
  await withWriter('../../../src/store-worker.ts', async ({ store, path, insertKey }) => {
    const stranger = new DatabaseSync(path)
    stranger.exec('BEGIN IMMEDIATE')
    const inserted = insertKey('key_1')
    assert.deepEqual(await keyIdsOf(store), [])
    stranger.exec('COMMIT')
    stranger.close()
    await inserted
    assert.deepEqual(await keyIdsOf(store), ['key_1'])
  })
})

test('a file that cannot be opened fails the start, with its name', async () => {
  const opening = openStore({
    leafHashes,
    databaseUrl: `sqlite:${import.meta.filename}/fairway.db`,
    clock: new ManualClock(),
    onFault: () => {},
    writerEntry: new URL('../../../src/store-worker.ts', import.meta.url),
  })
  await assert.rejects(opening, /cannot open .*sqlite-writer\.test\.ts\/fairway\.db/)
})

test('a thread that cannot begin fails the start, and nobody goes on trying', async () => {
  const database = await freshDatabase('sqlite')
  const faults: string[] = []
  const opening = openStore({
    leafHashes,
    databaseUrl: database.url,
    clock: new ManualClock(),
    onFault: (message) => faults.push(message),
    writerEntry: new URL('nowhere.ts', pathToFileURL(import.meta.dirname)),
  })
  await assert.rejects(opening, /Cannot find module/)
  assert.equal(faults.length, 1)
  await database.drop()
})

test('what is asked before the end is done, and what is asked after it is refused', async () => {
  await withWriter('../../../src/store-worker.ts', async ({ store, path, insertKey }) => {
    const inserted = insertKey('key_1')
    await store.close()
    await inserted
    await assert.rejects(insertKey('key_2'), StoreUnavailable)
    const stranger = new DatabaseSync(path)
    assert.equal(stranger.prepare('SELECT count(*) AS count FROM api_keys').get()?.['count'], 1)
    stranger.close()
  })
})

test('the log of SQLite is moved into the file when it gets long, and does not grow without end', async () => {
  await withWriter('../../../src/store-worker.ts', async ({ path, insertKey }) => {
    const pageBytes = 4_096
    const keys = Array.from({ length: 1_000 }, (_, number) => `key_${number}`)
    await Promise.all(keys.map(insertKey))
    const { size } = statSync(`${path}-wal`)
    assert.ok(size > 900 * pageBytes && size < 1_200 * pageBytes, `${size} bytes`)
  })
})

test('what a process that was cut off has left in the log is in the file itself after the next start', async () => {
  await withWriter('../../../src/store-worker.ts', async ({ path, insertKey }) => {
    await insertKey('key_1')
    const left = `${path}.left`
    for (const ending of ['', '-wal']) copyFileSync(path + ending, left + ending)
    const { store } = await openStore({
      leafHashes,
      databaseUrl: `sqlite:${left}`,
      clock: new ManualClock(),
      onFault: () => {},
      writerEntry: new URL('../../../src/store-worker.ts', import.meta.url),
    })
    // The file alone, without its log.
    copyFileSync(left, `${path}.alone`)
    await store.close()
    const stranger = new DatabaseSync(`${path}.alone`)
    assert.equal(stranger.prepare('SELECT count(*) AS count FROM api_keys').get()?.['count'], 1)
    stranger.close()
  })
})
