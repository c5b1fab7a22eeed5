/** Of several PostgreSQL servers only the newest primary is used, and only its confirmed commits count. */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { StoreUnavailable } from '../../../src/app/ports/store.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { openPostgres, type PostgresDriver } from '../../../src/adapters/store/engine/postgres/postgres.ts'
import { last, query, type Script } from '../../../src/adapters/store/engine/script.ts'
import { startPostgres, type RunningPostgres } from '../../helpers/database/postgres.ts'
import { rowsOf, withDirectDatabase, type DirectDatabase } from '../../helpers/database/sql.ts'
import { openTcpProxy } from '../../helpers/process/tcp-proxy.ts'
import { until } from '../../helpers/process/streaming.ts'

function open(context: TestContext, url: string): PostgresDriver {
  const driver = openPostgres({
    leafHashes,
    url,
    onIdleError: () => {},
    onMissingPartition: () => Promise.resolve(),
  })
  context.after(() => driver.close())
  return driver
}

/** A server, and a copy of it that starts as a standby. */
async function startPair(context: TestContext) {
  const first = await startPostgres()
  context.after(() => first.stop())
  await first.halt()
  const second = await startPostgres({ standbyOf: first })
  context.after(() => second.stop())
  await first.resume()
  return { first, second }
}

const port = () => query(`SELECT CAST(current_setting('port') AS integer) AS port`)

const unavailable = (pattern: RegExp) => (error: unknown) =>
  error instanceof StoreUnavailable && pattern.test(error.message)

test('a standby is neither read nor written', async (context) => {
  const { second } = await startPair(context)
  const driver = open(context, second.url)
  await assert.rejects(driver.read(port), unavailable(/is a standby/))
  await assert.rejects(driver.transact(port), unavailable(/is a standby/))
  await rowsOf(second.url, 'SELECT pg_promote()')
  assert.deepEqual(await driver.read(port), [{ port: second.port }])
})

test('once a later primary was seen, nothing is read from an earlier one, although it answers', async (context) => {
  const { first, second } = await startPair(context)
  await rowsOf(second.url, 'SELECT pg_promote()')
  const target = { host: '127.0.0.1', port: first.port }
  const line = await openTcpProxy(target)
  context.after(() => line.close())
  const driver = open(context, `postgres://fairway@127.0.0.1:${line.port}/postgres`)
  // Two at once need two connections; both stay open to the first server.
  const two = () => Promise.all([driver.read(port), driver.transact(port)])
  assert.deepEqual(await two(), [[{ port: first.port }], [{ port: first.port }]])
  target.port = second.port
  const three = await Promise.all([two(), driver.read(port)])
  assert.deepEqual(three[1], [{ port: second.port }])
  assert.deepEqual(await two(), [[{ port: second.port }], [{ port: second.port }]])
  target.port = first.port
  line.cut('reset')
  line.heal()
  // The connections that were cut fail first; every one that is made anew is refused.
  for (const use of [() => driver.read(port), () => driver.transact(port)]) {
    await until(async () => {
      const failure = await use().then(
        () => assert.fail('the earlier primary was used'),
        (error: unknown) => error,
      )
      return unavailable(/was the primary before/)(failure)
    })
  }
})

test('a server that was promoted by mistake, and confirms nothing, does not count as a primary', async (context) => {
  const { first, second } = await startPair(context)
  const target = { host: '127.0.0.1', port: first.port }
  const line = await openTcpProxy(target)
  context.after(() => line.close())
  const driver = open(context, `postgres://fairway@127.0.0.1:${line.port}/postgres`)
  assert.deepEqual(await driver.read(port), [{ port: first.port }])
  await withDirectDatabase(second.url, async ({ run }) => {
    await waitForNobody(run)
    await run('SELECT pg_promote()')
  })
  const moveTo = (server: typeof first): void => {
    target.port = server.port
    line.cut('reset')
    line.heal()
  }
  moveTo(second)
  await until(() =>
    driver.read(port).then(
      () => assert.fail('a server without a standby was read'),
      (error: unknown) => unavailable(/timeout/i)(error),
    ),
  )
  moveTo(first)
  await until(() =>
    driver.transact(port).then(
      (rows) => isDeepStrictEqual(rows, [{ port: first.port }]),
      () => false,
    ),
  )
})

function* insertInBlock(): Script<void> {
  yield* query('SELECT 1')
  yield* query('INSERT INTO facts VALUES (1)')
}

function* insertAlone(): Script<void> {
  yield last([{ sql: 'INSERT INTO facts VALUES (2)', values: [] }])
}

/** From now on each commit waits, and nobody ever confirms it. */
async function waitForNobody(run: DirectDatabase['run']): Promise<void> {
  await run(`ALTER SYSTEM SET synchronous_standby_names TO 'nobody'`)
  await run('SELECT pg_reload_conf()')
  const setting = async () => (await run('SHOW synchronous_standby_names'))[0]?.['synchronous_standby_names']
  await until(async () => (await setting()) === 'nobody')
}

test('nothing is read from a server before its standby has confirmed what it shows', async (context) => {
  const server = await startPostgres()
  context.after(() => server.stop())
  await withDirectDatabase(server.url, async ({ run }) => {
    await waitForNobody(run)
    const driver = open(context, server.url)
    await assert.rejects(driver.read(port), StoreUnavailable)
    await run('ALTER SYSTEM RESET synchronous_standby_names')
    await run('SELECT pg_reload_conf()')
    await until(() =>
      driver.read(port).then(
        () => true,
        () => false,
      ),
    )
  })
})

const cancelWaits = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`

test('a server confirms nothing if the wait of a new connection for its standby is cancelled', async (context) => {
  const server = await startPostgres()
  context.after(() => server.stop())
  await withDirectDatabase(server.url, async ({ run }) => {
    await waitForNobody(run)
    const driver = open(context, server.url)
    for (const use of [() => driver.read(port), () => driver.transact(port)]) {
      const refused = assert.rejects(use(), unavailable(/did not confirm/))
      await until(async () => (await run(cancelWaits)).length > 0)
      await refused
    }
  })
})

const waitingSql = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`

/** Each ends all connections, and the server comes back with what is on its own disk: the timeline is the same. */
const crashes: Readonly<Record<string, (server: RunningPostgres) => Promise<void>>> = {
  'the server': async (server) => {
    await server.halt()
    await server.resume()
  },
  'one of its processes': async ({ url }) => {
    const [row] = await rowsOf(url, waitingSql)
    process.kill(Number(row?.['pid']), 'SIGKILL')
  },
}

for (const [what, crash] of Object.entries(crashes)) {
  test(`a commit that no standby has is not read after a crash of ${what}, also by a process that knew the server`, async (context) => {
    const server = await startPostgres()
    context.after(() => server.stop())
    const driver = open(context, server.url)
    const facts = () => query('SELECT fact FROM facts')
    const run = (sql: string) => rowsOf(server.url, sql)
    await run('CREATE TABLE facts (fact integer)')
    assert.deepEqual(await driver.read(facts), [])
    await waitForNobody(run)
    const refused = assert.rejects(driver.transact(insertAlone), StoreUnavailable)
    await until(async () => (await run(waitingSql)).length > 0)
    assert.deepEqual(await driver.read(facts), [], 'nobody sees it while it waits')
    await crash(server)
    await refused
    await until(() =>
      run('SELECT fact FROM facts').then(
        (rows) => isDeepStrictEqual(rows, [{ fact: 2 }]),
        () => false,
      ),
    )
    await until(() =>
      driver.read(facts).then(
        (rows) => assert.fail(`it was read: ${JSON.stringify(rows)}`),
        (error: unknown) => unavailable(/timeout/i)(error),
      ),
    )
    await run('ALTER SYSTEM RESET synchronous_standby_names')
    await run('SELECT pg_reload_conf()')
    await until(() =>
      driver.read(facts).then(
        (rows) => isDeepStrictEqual(rows, [{ fact: 2 }]),
        () => false,
      ),
    )
  })
}

test('a commit is not confirmed if the wait for its standby is cancelled', async (context) => {
  const server = await startPostgres()
  context.after(() => server.stop())
  await withDirectDatabase(server.url, async ({ run }) => {
    await run('CREATE TABLE facts (fact integer)')
    const driver = open(context, server.url)
    await driver.read(port)
    await waitForNobody(run)
    for (const script of [insertInBlock, insertAlone]) {
      const refused = assert.rejects(driver.transact(script), unavailable(/did not confirm/))
      await until(async () => (await run(cancelWaits)).length > 0)
      await refused
    }
    assert.deepEqual(await run('SELECT fact FROM facts ORDER BY fact'), [{ fact: 1 }, { fact: 2 }])
  })
})
