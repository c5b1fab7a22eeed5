/** GET /livez and GET /readyz: what orchestrators ask, without a key and outside of the published contract. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { samplesIn } from '../../helpers/samples.ts'

test('an instance whose store answers is alive and ready, and says so to anybody', async () => {
  await withHarness({}, async ({ get }) => {
    const alive = await get(null, '/livez')
    assert.deepEqual([alive.status, alive.body], [200, { status: 'alive' }])
    const ready = await get(null, '/readyz')
    const followers = ['calibration', 'events', 'log', 'policies', 'reviews', 'totals', 'webhooks'].map(
      (name) => ({
        name,
        lag_entries: 0,
        lag_seconds: 0,
        failing: false,
      }),
    )
    assert.deepEqual([ready.status, ready.body], [200, { status: 'ready', followers }])
  })
})

test('the probes are read with GET alone, and are no part of the published contract', async () => {
  await withHarness({}, async ({ send, get }) => {
    const { paths } = (await get(null, '/openapi.json')).body
    for (const url of ['/livez', '/readyz']) {
      const answer = await send({ method: 'POST', url })
      assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET, HEAD'])
      assert.equal(paths[url], undefined)
    }
  })
})

test('an instance that is stopping is alive, and not ready: 503 STOPPING', async () => {
  await withHarness({}, async ({ app }) => {
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text: string) => {
      received += text
    })
    // The head of the second request is not complete: its connection stays open during the stop.
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n')
    while (!received.includes('alive')) await once(socket, 'data')
    const closed = app.close()
    while (app.server.listening) await nextTurn()
    socket.write('\r\n')
    await once(socket, 'end')
    await closed
    assert.match(received, /HTTP\/1\.1 503 [^]*Retry-After: \d+[^]*"code":"STOPPING"/i)
  })
})

const withoutGuard = {
  sqlite: 'DROP TRIGGER overrides_no_delete',
  postgres: 'ALTER TABLE overrides DISABLE TRIGGER overrides_no_change',
}

const guardSql = "SELECT sql FROM sqlite_schema WHERE name = 'overrides_no_delete'"
const withGuardAgain = 'ALTER TABLE overrides ENABLE ALWAYS TRIGGER overrides_no_change'

/** A trial of the write probe alone would not find these: they are in the way of a decision. */
const noRoom = {
  sqlite: {
    breaking: ['ALTER TABLE personal_texts RENAME TO gone'],
    mending: ['ALTER TABLE gone RENAME TO personal_texts'],
    shown: /the database refuses what a decision needs/,
  },
  postgres: {
    breaking: [
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
      'CREATE TRIGGER no_room BEFORE INSERT ON verifications FOR EACH ROW EXECUTE FUNCTION no_room()',
    ],
    mending: ['DROP TRIGGER no_room ON verifications'],
    shown: /the database does not accept writes: its disk may be full/,
  },
} as const

for (const engine of engines) {
  test(`an instance whose database has no room for a decision is not ready until one fits (${engine})`, () =>
    withHarness({ engine }, async ({ get, verify, issue, clock, databaseUrl }) => {
      const { breaking, mending, shown } = noRoom[engine]
      const { key } = await issue()
      const payment = {
        corridor: 'GB-NG',
        amount: 20,
        idempotency_key: 'payment-1',
        correlation_id: 'order-1',
      }
      for (const sql of breaking) await rowsOf(databaseUrl, sql)
      assert.equal((await verify(key, payment)).body.code, 'STORE_UNAVAILABLE')
      for (const second of [1, 2]) {
        clock.advance(1_000)
        const answer = await get(null, '/readyz')
        assert.equal(answer.status, 503, `second ${second}`)
        assert.match(answer.body.message, shown)
      }
      for (const sql of mending) await rowsOf(databaseUrl, sql)
      clock.advance(1_000)
      // No caller retries meanwhile: balancers route around an instance that is not ready.
      assert.equal((await get(null, '/readyz')).status, 200)
      const traces = await rowsOf(
        databaseUrl,
        'SELECT request_id FROM verifications UNION ALL SELECT owner_id FROM idempotency_keys',
      )
      assert.deepEqual(traces, [])
      assert.equal((await verify(key, payment)).body.idempotency_hit, false)
    }))

  test(`an instance whose records can be changed is not ready and decides nothing, and says why (${engine})`, async () => {
    await withHarness({ engine }, async ({ get, verify, issue, clock, databaseUrl, log }) => {
      const { key } = await issue()
      const payment = { corridor: 'GB-NG', amount: 20, idempotency_key: 'payment-1' }
      const isWriteOnce = async () =>
        samplesIn((await get(null, '/metrics')).text)['fairway_records_write_once']
      assert.equal((await get(null, '/readyz')).status, 200)
      assert.equal((await verify(key, payment)).status, 200)
      assert.equal(await isWriteOnce(), 1)
      const [guard] = engine === 'sqlite' ? await rowsOf(databaseUrl, guardSql) : []
      await rowsOf(databaseUrl, withoutGuard[engine])
      clock.advance(1_000)
      const answer = await get(null, '/readyz')
      assert.equal(answer.status, 503)
      assert.equal(answer.body.code, 'STORE_UNAVAILABLE')
      assert.match(answer.body.message, /lacks a trigger that keeps records from being changed/)
      assert.match(log.join(''), /lacks a trigger/)
      assert.equal((await get(null, '/livez')).status, 200)
      assert.equal(await isWriteOnce(), 0)
      // A repeat, too: the record that it returns could have been changed.
      for (const one of [payment, { corridor: 'GB-NG', amount: 30 }]) {
        const held = await verify(key, one)
        assert.deepEqual([held.status, held.body.code], [503, 'STORE_UNAVAILABLE'])
        assert.match(held.body.message, /lacks a trigger that keeps records from being changed/)
      }
      await rowsOf(databaseUrl, typeof guard?.['sql'] === 'string' ? guard['sql'] : withGuardAgain)
      clock.advance(1_000)
      assert.equal((await get(null, '/readyz')).status, 200)
      assert.equal(await isWriteOnce(), 1)
      assert.equal((await verify(key, payment)).body.idempotency_hit, true)
    })
  })

  test(`an instance that cannot write is not ready, and is again when it can (${engine})`, async () => {
    await withHarness({ engine }, async ({ get, clock, databaseUrl }) => {
      await rowsOf(databaseUrl, 'ALTER TABLE write_probe RENAME TO gone')
      const answer = await get(null, '/readyz')
      assert.equal(answer.status, 503)
      assert.match(answer.body.message, /the database refuses what a decision needs/)
      await rowsOf(databaseUrl, 'ALTER TABLE gone RENAME TO write_probe')
      clock.advance(1_000)
      assert.equal((await get(null, '/readyz')).status, 200)
    })
  })

  test(`however often it is asked, readiness writes once a second (${engine})`, async () => {
    await withHarness({ engine }, async ({ get, clock, databaseUrl }) => {
      const writtenAt = async () =>
        Number((await rowsOf(databaseUrl, 'SELECT at_ms FROM write_probe'))[0]?.['at_ms'])
      await Promise.all(Array.from({ length: 20 }, () => get(null, '/readyz')))
      const first = await writtenAt()
      clock.advance(999)
      await get(null, '/readyz')
      assert.equal(await writtenAt(), first)
      clock.advance(1)
      await get(null, '/readyz')
      assert.equal(await writtenAt(), first + 1_000)
    })
  })
}
