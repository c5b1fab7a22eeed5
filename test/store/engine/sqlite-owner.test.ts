/** One server at a time owns a SQLite file; commands work beside it. */

import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { openStore } from '../../../src/adapters/store/open.ts'
import { ownFile } from '../../../src/adapters/store/engine/sqlite-owner.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { scratchFolder } from '../../helpers/scratch.ts'

const writerEntry = new URL('../../../src/store-worker.ts', import.meta.url)
const newFile = (): string => join(scratchFolder('fairway-owner-'), 'fairway.db')
const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

async function open(path: string, server: boolean): Promise<Store> {
  const { store } = await openStore({
    databaseUrl: `sqlite:${path}`,
    clock: new ManualClock(),
    leafHashes,
    onFault: (message) => assert.fail(message),
    ownerWaitMs: 0,
    ...(server ? { writerEntry } : {}),
  })
  closes.push(() => store.close().catch(() => undefined))
  return store
}

test('a second server on the same file is refused with one clear line', async () => {
  const path = newFile()
  await open(path, true)
  await assert.rejects(open(path, true), {
    message: `another server is using ${path}: stop it, or give this server another DATABASE_URL`,
  })
})

test('a server that starts while its predecessor ends waits for it, and then owns the file', async () => {
  const path = newFile()
  const giveUp = await ownFile(path)
  const next = ownFile(path)
  giveUp()
  const giveUpNext = await next
  await assert.rejects(ownFile(path, 0), /another server is using/)
  giveUpNext()
})

test('the file is given up when the server closes its store', async () => {
  const path = newFile()
  const first = await open(path, true)
  await first.close()
  const second = await open(path, true)
  await second.close()
})

test('a command opens, reads and writes the file beside the server that owns it', async () => {
  const path = newFile()
  const server = await open(path, true)
  const command = await open(path, false)
  const record = {
    keyId: 'key_1',
    ownerId: 'own_1',
    principalId: 'key_1',
    ownerLabel: 'Payments',
    type: 'sandbox',
    prefix: 'pk_test_',
    scopes: [],
    verifyLimit: null,
    createdAtMs: 1,
    expiresAtMs: null,
    revokedAtMs: null,
  } as const
  await command.keys.insert(record, 'hash')
  assert.equal((await server.keys.find('key_1'))?.ownerLabel, 'Payments')
})

test('a file is owned by whichever path it is reached', async () => {
  const path = newFile()
  await open(path, true)
  symlinkSync(path, `${path}-link`)
  await assert.rejects(open(`${path}-link`, true), /another server is using/)
})

test('a server that cannot open its database gives the file up', async () => {
  const path = newFile()
  const { DatabaseSync } = await import('node:sqlite')
  const other = new DatabaseSync(path)
  other.exec(
    'CREATE TABLE schema_migrations (number integer NOT NULL PRIMARY KEY, name text, applied_at_ms bigint)',
  )
  other.exec("INSERT INTO schema_migrations VALUES (9999, 'later', 0)")
  other.close()
  await assert.rejects(open(path, true), /newer than this program/)
  const giveUp = await ownFile(path, 0)
  giveUp()
})
