/** An instance that is cut off from PostgreSQL in the middle of its work: what that means for the others. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { openPostgres } from '../../../src/adapters/store/engine/postgres/postgres.ts'
import { query, type Script } from '../../../src/adapters/store/engine/script.ts'
import { StoreUnavailable } from '../../../src/app/ports/store.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { openTcpProxy } from '../../helpers/process/tcp-proxy.ts'

const open = (url: string) =>
  openPostgres({ leafHashes, url, onIdleError: () => undefined, onMissingPartition: () => Promise.resolve() })

const lock = 'SELECT pg_advisory_xact_lock(4711)'

test('what it had locked is free for the others soon, and its own transaction never happened', async () => {
  const database = await freshDatabase('postgres')
  const { port } = new URL(database.url)
  const line = await openTcpProxy({ host: '127.0.0.1', port: Number(port) })
  const behindLine = new URL(database.url)
  behindLine.host = `127.0.0.1:${line.port}`
  const [cutOff, healthy] = [open(behindLine.href), open(database.url)]
  try {
    await healthy.pool.query('CREATE TABLE marks (mark text)')
    function* cutInTheMiddle(): Script<void> {
      yield* query(`INSERT INTO marks VALUES ('lost')`, [])
      yield* query(lock, [])
      line.cut('swallow')
      yield* query('SELECT 1', [])
    }
    function* waitForIt(): Script<void> {
      yield* query(lock, [])
      yield* query(`INSERT INTO marks VALUES ('kept')`, [])
    }
    const lost = cutOff.transact(cutInTheMiddle)
    await assert.rejects(lost, StoreUnavailable)
    await healthy.transact(waitForIt)
    const { rows } = await healthy.pool.query('SELECT mark FROM marks')
    assert.deepEqual(rows, [{ mark: 'kept' }])
  } finally {
    await Promise.all([cutOff.close(), healthy.close()])
    await line.close()
    await database.drop()
  }
})

test('also where it was cut off in the middle of a message: the server does not wait for the rest of it', async () => {
  const database = await freshDatabase('postgres')
  const [cutOff, healthy] = [open(database.url), open(database.url)]
  const client = await cutOff.pool.connect()
  try {
    const held = new Promise<void>((resolve) => {
      client.query({
        submit(connection: pg.Connection) {
          connection.parse({ name: '', text: lock, types: [] }, true)
          connection.bind({ statement: '', values: [] }, true)
          connection.execute(null, true)
          // All but the end of it: there is no Sync.
          connection.flush()
        },
        handleDataRow: () => resolve(),
        handleCommandComplete: () => undefined,
        handleError: () => undefined,
        handleReadyForQuery: () => undefined,
      } as pg.Submittable)
    })
    await held
    // The one that waits began a moment later; without a limit of its own it cannot reach its end in that moment.
    const waiting = await healthy.pool.connect()
    await waiting.query('SET transaction_timeout = 0')
    await waiting.query(lock)
    waiting.release(true)
  } finally {
    client.release(true)
    await Promise.all([cutOff.close(), healthy.close()])
    await database.drop()
  }
})
