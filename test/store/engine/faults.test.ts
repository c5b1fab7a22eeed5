/** What a store does when the world around it misbehaves. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { readingPostgres } from '../../../src/adapters/backup/postgres-session.ts'
import { createBatcher } from '../../../src/adapters/store/engine/batcher.ts'
import { openPostgres } from '../../../src/adapters/store/engine/postgres/postgres.ts'
import { query } from '../../../src/adapters/store/engine/script.ts'
import { ensurePartitions } from '../../../src/adapters/store/months/partitions.ts'
import { StoreUnavailable } from '../../../src/app/ports/store.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { startPostgres } from '../../helpers/database/postgres.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'

test('sqlite: while another process writes, reads go on, and the write is made when it ends', async () => {
  await withHarness({}, async ({ issue, verify, get, databaseUrl }) => {
    const { key } = await issue()
    const other = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    other.exec('BEGIN IMMEDIATE')
    const waiting = verify(key, { corridor: 'GB-NG' })
    for (let read = 0; read < 5; read += 1) {
      assert.equal((await get(key, '/api/verifications')).status, 200)
      assert.equal((await get(null, '/api/health')).body.total_verifications, 0)
    }
    other.exec('COMMIT')
    other.close()
    assert.equal((await waiting).status, 200)
    assert.equal((await get(null, '/api/health')).body.total_verifications, 1)
  })
})

/** A server that asks the role `locked` for a password, and who ended the newest connection to it first. */
async function startLocked(context: TestContext) {
  const server = await startPostgres()
  context.after(() => server.stop())
  await rowsOf(server.url, `CREATE ROLE locked LOGIN PASSWORD 'x'`)
  await server.halt()
  const local = (who: string, how: string) => `host all ${who} 127.0.0.1/32 ${how}\n`
  writeFileSync(join(server.data, 'pg_hba.conf'), local('locked', 'scram-sha-256') + local('all', 'trust'))
  await server.resume()
  let ended = Promise.withResolvers<'client' | 'server'>()
  const line = createServer((near) => {
    const { resolve } = (ended = Promise.withResolvers())
    const far = connect(server.port, '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.pipe(far).pipe(near)
    near.once('close', () => resolve('client'))
    far.once('end', () => resolve('server'))
  })
  context.after(() => line.close())
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  const { port } = line.address() as AddressInfo
  return { url: `postgres://locked@127.0.0.1:${port}/postgres`, endedBy: () => ended.promise }
}

test('postgres: a password that is missing is named, and the connection that needs it is not left open', async (context) => {
  const { url, endedBy } = await startLocked(context)
  const driver = openPostgres({
    leafHashes,
    url,
    onIdleError: () => {},
    onMissingPartition: () => Promise.resolve(),
  })
  context.after(() => driver.close())
  const one = () => query('SELECT 1 AS one')
  for (const use of [() => driver.read(one), () => readingPostgres(url, () => Promise.resolve())]) {
    await assert.rejects(use(), new StoreUnavailable('the server asks for a password, and none is set'))
    assert.equal(await endedBy(), 'client')
  }
})

test('postgres: a partition is made while a reader holds the table open, and no writer waits for it', async () => {
  await withHarness({ engine: 'postgres' }, async ({ issue, verify, databaseUrl, clock }) => {
    const { key } = await issue()
    await verify(key, { corridor: 'GB-NG' })
    const reader = new pg.Client({ connectionString: databaseUrl })
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM verifications')
    const pool = new pg.Pool({ connectionString: databaseUrl })
    const [, answer] = await Promise.all([
      ensurePartitions(pool, clock.nowMs() + 365 * 86_400_000),
      verify(key, { corridor: 'GB-NG' }),
    ])
    assert.equal(answer.status, 200)
    await pool.end()
    await reader.query('COMMIT')
    await reader.end()
  })
})

test('postgres: a key whose record was taken away is refused alone, and harms nobody in its batch', async () => {
  await withHarness({ engine: 'postgres' }, async ({ issue, verify, databaseUrl, clock }) => {
    const { key } = await issue()
    await verify(key, { corridor: 'GB-NG', idempotency_key: 'old' })
    clock.advance(40 * 86_400_000)
    const operator = new pg.Client({ connectionString: databaseUrl })
    await operator.connect()
    await operator.query('ALTER TABLE verifications DETACH PARTITION verifications_2026_03')
    await operator.end()
    const answers = await Promise.all(
      ['old', 'a', 'b', 'c'].map((idempotency_key) => verify(key, { corridor: 'GB-NG', idempotency_key })),
    )
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [409, 200, 200, 200],
    )
  })
})

test('a batch that was spoilt, and then loses its store, tells all who wait at once', async () => {
  let runs = 0
  const commit = createBatcher<number, string>({
    run(commands) {
      runs += 1
      if (commands.length > 1) return Promise.reject(new Error('spoilt'))
      return commands[0] === 0 ? Promise.resolve(['done']) : Promise.reject(new StoreUnavailable('gone'))
    },
    sizeMax: 64,
    inFlightMax: 1,
    failsWholeBatch: (error) => error instanceof StoreUnavailable,
  })
  const outcomes = await Promise.allSettled(Array.from({ length: 64 }, (_, command) => commit(command)))
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1)
  assert.equal(runs, 3, 'the batch, the first alone, and the one that found the store gone')
})
