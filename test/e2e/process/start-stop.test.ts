/** How the process starts, refuses to start, and stops. */

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { fileOf } from '../../helpers/doctor.ts'
import { withFolder } from '../../helpers/folder.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { ask, issueByCli, run, serve, serveInto, start } from '../../helpers/process/process.ts'
import { openTcpProxy } from '../../helpers/process/tcp-proxy.ts'

test('a start that fails is one clear line, and its exit code says whether another one may help', async () => {
  const database = await freshDatabase('sqlite')
  const server = await serve({ DATABASE_URL: database.url })
  const busy = new URL(server.url).port
  const closed = await freePort()
  const nowhere = `${database.url}-folder/fairway.db`
  const cases: readonly (readonly [Record<string, string>, RegExp, number])[] = [
    [{ PORT: 'eighty' }, /PORT must be a port/, 78],
    [{ PORT: '65536' }, /PORT must be a port/, 78],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/, 78],
    [{ DATABASE_URL: 'sqlite://host/x.db' }, /DATABASE_URL must be sqlite:PATH/, 78],
    [{ DATABASE_URL: 'sqlite::memory:' }, /DATABASE_URL must be sqlite:PATH/, 78],
    [{ DATABASE_URL: 'mysql://user:hunter2@host/db' }, /DATABASE_URL must be sqlite:PATH or postgres:/, 78],
    [{ FAIRWAY_COOLDOWN_S: '-1' }, /FAIRWAY_COOLDOWN_S must be/, 78],
    [{ FAIRWAY_COOLDOWN_S: '1.5' }, /FAIRWAY_COOLDOWN_S must be/, 78],
    [{ FAIRWAY_LIMIT_VERIFY: '100' }, /FAIRWAY_LIMIT_VERIFY must be COUNT\/SECONDS/, 78],
    [{ FAIRWAY_LIMIT_KEYED: '0/60' }, /FAIRWAY_LIMIT_KEYED must be/, 78],
    [{ FAIRWAY_LIMIT_KEYED: '1/86401' }, /FAIRWAY_LIMIT_KEYED must be/, 78],
    [{ FAIRWAY_POLICY_CAPS: 'NGN=60000/600000' }, /FAIRWAY_POLICY_CAPS must be/, 78],
    [{ FAIRWAY_POLICY_CAPS: 'ZZZ=1/2' }, /FAIRWAY_POLICY_CAPS must be/, 78],
    [
      { FAIRWAY_OVERRIDE_REQUIRE_REVIEW: 'true' },
      /OVERRIDE_REQUIRE_REVIEW is not a setting: correct it to FAIRWAY_OVERRIDE_REQUIRES_REVIEW,/,
      78,
    ],
    [{ FAIRWAY_COOLDOWN: '90' }, /FAIRWAY_COOLDOWN is not a setting: correct it to FAIRWAY_COOLDOWN_S,/, 78],
    [{ FAIRWAY_RECAPTCHA_SECRET_FILE: '/no/such/file' }, /SECRET_FILE: cannot read \/no\/such\/file/, 78],
    [
      { DATABASE_URL: nowhere },
      /folder of the database, .*-folder, does not exist: create it, or correct/,
      78,
    ],
    [{ DATABASE_URL: `${database.url}/fairway.db` }, /folder of the database, .* is not a folder/, 78],
    [{ PORT: busy }, new RegExp(`the address 127\\.0\\.0\\.1:${busy} is in use`), 1],
    [{ HOST: 'no.such.host.invalid', PORT: busy }, /cannot listen/, 1],
    [
      { DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${closed}/x`, FAIRWAY_DATABASE_WAIT_S: '0' },
      /the database cannot be reached: .*ECONNREFUSED/,
      69,
    ],
  ]
  for (const [environment, message, exitCode] of cases) {
    // Not the file of the server that runs: only one owns a file.
    const other = { DATABASE_URL: `${database.url}-other`, PORT: '0' }
    const { code, stderr } = await runInProcess(['serve'], { ...other, ...environment })
    const name = JSON.stringify(environment)
    assert.equal(code, exitCode, name)
    assert.match(stderr, message, name)
    assert.equal(stderr.trim().split('\n').length, 1, `one line: ${stderr}`)
    assert.doesNotMatch(stderr, /hunter2/, 'no password')
  }
  const made = readdirSync(dirname(fileOf(database))).filter((name) => /other|folder/.test(name))
  assert.deepEqual(made, [], 'nothing is made by a start that fails so early')
  assert.equal(await server.stop(), 0)
  await database.drop()
})

test('without DATABASE_URL the default folder is made', () =>
  withFolder(async (folder) => {
    const server = await serve({}, { cwd: folder })
    assert.equal(await server.stop(), 0)
    assert.ok(existsSync(join(folder, 'data', 'fairway.db')))
  }))

/** Text of both outputs, and a promise of a pattern in it. */
function listenTo(child: ChildProcess) {
  let output = ''
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.once('close', resolve)
  return {
    ended,
    output: () => output,
    said: async (pattern: RegExp): Promise<void> => {
      while (!pattern.test(output)) {
        if (child.exitCode !== null) throw new Error(output)
        await Promise.race([once(child.stdout ?? assert.fail(), 'data'), ended])
      }
    },
  }
}

for (const workers of ['1', '2']) {
  test(`a PostgreSQL that is down at the start is waited for (${workers} processes)`, async () => {
    const database = await freshDatabase('postgres')
    const url = new URL(database.url)
    const target = { host: url.hostname, port: Number(url.port) }
    const port = await freePort()
    url.host = `127.0.0.1:${port}`
    const child = start(['serve'], { PORT: '0', DATABASE_URL: url.href, FAIRWAY_WORKERS: workers })
    const { said, ended, output } = listenTo(child)
    await said(/the database cannot be reached: .*ECONNREFUSED.* Waiting for it for up to 60 s/)
    assert.doesNotMatch(output(), /listening at/)
    const proxy = await openTcpProxy(target, port)
    await said(/database: reached after/)
    await said(/server: listening at/)
    child.kill('SIGTERM')
    assert.equal(await ended, 0, output())
    await proxy.close()
    await database.drop()
  })
}

test('a database that refuses is not waited for, by one process or by several', async () => {
  const server = new URL(process.env['TEST_DATABASE_URL'] ?? assert.fail())
  server.pathname = '/no_such_database'
  for (const FAIRWAY_WORKERS of ['1', '2']) {
    const settings = { PORT: '0', DATABASE_URL: server.href, FAIRWAY_WORKERS }
    const { code, stdout, stderr } = await run(['serve'], settings)
    assert.deepEqual([code, stdout], [69, ''])
    assert.match(
      stderr,
      /^fairway: the database cannot be reached: database "no_such_database" does not exist/,
    )
  }
})

test('a name that is no setting is a warning of the start', async () => {
  const database = await freshDatabase('sqlite')
  const server = await serve({
    DATABASE_URL: database.url,
    FAIRWAY_SERVICE_HOST: '10.0.0.1',
    FAIRWAY_URL: 'x',
  })
  assert.match(server.output(), /"config: not settings of this version, and ignored: FAIRWAY_SERVICE_HOST;/)
  assert.equal(await server.stop(), 0)
  await database.drop()
})

const withoutGuard = {
  sqlite: 'DROP TRIGGER verifications_no_update',
  postgres: 'ALTER TABLE verifications DISABLE TRIGGER verifications_no_change',
}

for (const engine of engines) {
  test(`a database whose records can be changed is not served: one clear line and exit code 1 (${engine})`, async () => {
    const database = await freshDatabase(engine)
    await issueByCli(database.url)
    await rowsOf(database.url, withoutGuard[engine])
    const { code, stderr } = await run(['serve'], { DATABASE_URL: database.url, PORT: '0' })
    assert.equal(code, 1)
    assert.match(stderr, /the database lacks a trigger that keeps records from being changed/)
    assert.equal(stderr.trim().split('\n').length, 1)
    await database.drop()
  })

  test(`a database that takes no writes is not served: one clear line and exit code 1 (${engine})`, async () => {
    const database = await freshDatabase(engine)
    await issueByCli(database.url)
    await rowsOf(database.url, 'ALTER TABLE write_probe RENAME TO gone')
    const { code, stderr } = await run(['serve'], { DATABASE_URL: database.url, PORT: '0' })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^[^\n]*the database refuses what a decision needs: [^\n]* cannot be written: [^\n]*write_probe[^\n]*\n$/,
    )
    await database.drop()
  })
}

for (const engine of engines) {
  test(`SIGTERM: running requests are answered, new ones are not taken, exit code 0 (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const { key } = await issueByCli(database.url, '--limit-verify', '100000/60')
    const server = await serve({ DATABASE_URL: database.url })
    const body = JSON.stringify({ corridor: 'GB-NG' })
    const { port } = new URL(server.url)
    // A request whose body is still on its way when the signal comes.
    const slow = connect(Number(port), '127.0.0.1')
    await once(slow, 'connect')
    slow.write(
      `POST /api/v1/verify HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    let received = ''
    slow.on('data', (chunk: Buffer) => (received += chunk.toString()))
    const closed = once(slow, 'close')
    const running = Array.from({ length: 50 }, () => ask(server.url, key, { corridor: 'GB-NG' }))
    assert.deepEqual(new Set((await Promise.all(running)).map(({ status }) => status)), new Set([200]))
    const stopped = server.stop('SIGTERM')
    await server.said(/stopping/)
    await assert.rejects(ask(server.url, key, { corridor: 'GB-NG' }), 'no new connections')
    // The rest of it, and one more request at once: the first is answered, the second is not taken.
    slow.write(`${body.slice(5)}GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n`)
    await closed
    assert.match(received, /^HTTP\/1\.1 200/)
    assert.equal(await stopped, 0)
    await database.drop()
  })
}

test('the server has bounds on headers, requests and idle connections', async () => {
  const { withHarness } = await import('../../helpers/harness.ts')
  await withHarness({}, ({ app }) => {
    assert.equal(app.server.headersTimeout, 10_000)
    assert.equal(app.server.requestTimeout, 30_000)
    assert.equal(app.server.keepAliveTimeout, 65_000)
    return Promise.resolve()
  })
})

test('SIGHUP ends a service that has no feeds to read again as gracefully as SIGTERM does', async () => {
  const database = await freshDatabase('sqlite')
  const server = await serve({ DATABASE_URL: database.url })
  assert.equal(await server.stop('SIGHUP'), 0)
  assert.match(server.output(), /"msg":"server: stopped"/)
  await database.drop()
})

for (const workers of ['1', '2']) {
  test(
    `a log that cannot be written does not end the server (${workers} workers)`,
    {
      skip: !existsSync('/dev/full'),
    },
    async () => {
      const database = await freshDatabase('postgres')
      const { key } = await issueByCli(database.url)
      const server = await serveInto('/dev/full', { DATABASE_URL: database.url, FAIRWAY_WORKERS: workers })
      for (let times = 0; times < 4; times += 1) {
        // A refusal is a line of the log.
        assert.equal((await ask(server.url, 'pk_test_unknown', { corridor: 'GB-NG' })).status, 401)
        assert.equal((await ask(server.url, key, { corridor: 'GB-NG' })).status, 200)
      }
      const { code, stderr } = await server.stop()
      assert.equal(code, 0)
      assert.match(stderr, /^fairway: cannot write the log, lines are lost: ENOSPC[^\n]*\n/)
      await database.drop()
    },
  )
}
