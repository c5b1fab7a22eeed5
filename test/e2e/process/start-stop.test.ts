/** How the process starts, refuses to start, and stops. */

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { ask, issueByCli, run, serve } from '../../helpers/process/process.ts'

test('a bad setting, a busy port or an unreachable database is one clear line and exit code 1', async () => {
  const database = await freshDatabase('sqlite')
  const server = await serve({ DATABASE_URL: database.url })
  const busy = new URL(server.url).port
  const closed = await freePort()
  const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ PORT: 'eighty' }, /PORT must be a port/],
    [{ PORT: '65536' }, /PORT must be a port/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [{ DATABASE_URL: 'sqlite://host/x.db' }, /DATABASE_URL must be sqlite:PATH/],
    [{ DATABASE_URL: 'sqlite::memory:' }, /DATABASE_URL must be sqlite:PATH/],
    [{ DATABASE_URL: 'mysql://user:hunter2@host/db' }, /DATABASE_URL must be sqlite:PATH or postgres:/],
    [{ FAIRWAY_COOLDOWN_S: '-1' }, /FAIRWAY_COOLDOWN_S must be/],
    [{ FAIRWAY_COOLDOWN_S: '1.5' }, /FAIRWAY_COOLDOWN_S must be/],
    [{ FAIRWAY_LIMIT_VERIFY: '100' }, /FAIRWAY_LIMIT_VERIFY must be COUNT\/SECONDS/],
    [{ FAIRWAY_LIMIT_KEYED: '0/60' }, /FAIRWAY_LIMIT_KEYED must be/],
    [{ FAIRWAY_LIMIT_KEYED: '1/86401' }, /FAIRWAY_LIMIT_KEYED must be/],
    [{ FAIRWAY_POLICY_CAPS: 'NGN=60000/600000' }, /FAIRWAY_POLICY_CAPS must be/],
    [{ FAIRWAY_POLICY_CAPS: 'ZZZ=1/2' }, /FAIRWAY_POLICY_CAPS must be/],
    [{ PORT: busy }, /the address is in use/],
    [{ HOST: 'no.such.host.invalid' }, /cannot listen/],
    [{ DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${closed}/x` }, /the database cannot be reached/],
    [{ DATABASE_URL: `${database.url}/fairway.db` }, /the database cannot be reached/],
  ]
  for (const [environment, message] of cases) {
    // Not the file of the server that runs: only one owns a file.
    const other = { DATABASE_URL: `${database.url}-other`, PORT: '0' }
    const { code, stderr } = await run(['serve'], { ...other, ...environment })
    const name = JSON.stringify(environment)
    assert.equal(code, 1, name)
    assert.match(stderr, message, name)
    assert.equal(stderr.trim().split('\n').length, 1, `one line: ${stderr}`)
    assert.doesNotMatch(stderr, /hunter2/, 'no password')
  }
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
