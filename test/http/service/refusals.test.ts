/**
 * A server error never looks like the caller's fault: a statement that the database refuses is 503, and any other failure
 * behind a request that has arrived is 500. Both are in the log with their cause, and a refusal is counted.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { repeat } from '../../../src/adapters/system.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines, freshDatabase, onServer } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { samplesIn } from '../../helpers/samples.ts'

const calm = { corridor: 'GB-NG', amount: 20 }
const blocked = { corridor: 'GB-NG', amount: 1000.08 }

interface Sent {
  readonly status: number
  readonly retryAfter: string | null
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  readonly body: any
}

/** Sends over a socket: only there does a request end when its body has been read. */
async function opened({ app, issue }: Harness) {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { key } = await issue()
  return async (payment: object = calm): Promise<Sent> => {
    const response = await checkedFetch(`${url}/api/v1/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(payment),
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    }
  }
}

function assertHold({ status, retryAfter, body }: Sent): void {
  assert.deepEqual([status, body.code, retryAfter], [503, 'STORE_UNAVAILABLE', '5'], JSON.stringify(body))
  assert.deepEqual(body.unavailable_signals, [])
  assert.match(body.message, /The database refuses .* operator must mend\. Hold the payment and retry/)
  assert.doesNotMatch(JSON.stringify(body), /verifications|idempotency_keys|denied|no such|exist/)
}

const refusalsOf = async ({ get }: Harness): Promise<number> =>
  samplesIn((await get(null, '/metrics')).text)['fairway_store_refusals_total'] ?? assert.fail('no metric')

const linesOf = ({ log }: Harness, message: RegExp): string[] => log.filter((line) => message.test(line))

const refused = /"level":"error".*"msg":"store: the database refuses a statement/

/** The service as a role that owns its schema and is no superuser, whose rights PostgreSQL checks. */
async function asOwner(
  work: (harness: Harness, role: string, admin: (sql: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const database = await freshDatabase('postgres')
  const url = new URL(database.url)
  const role = `owner_of_${url.pathname.slice(1)}`
  const admin = (sql: string) => rowsOf(database.url, sql)
  await admin(`CREATE ROLE ${role} LOGIN`)
  await admin(`GRANT ALL ON SCHEMA public TO ${role}`)
  url.username = role
  const harness = await assemble(url.href, new ManualClock(), {})
  try {
    await work(harness, role, admin)
  } finally {
    await harness.close()
    await database.drop()
    await onServer(process.env['TEST_DATABASE_URL'] ?? '', `DROP ROLE ${role}`)
  }
}

test('a revoked right is 503, logged and counted, not the caller’s fault, and ends when it is granted', () =>
  asOwner(async (harness, role, admin) => {
    const verify = await opened(harness)
    assert.equal((await verify()).status, 200)
    for (const right of [
      'INSERT ON verifications',
      'INSERT ON idempotency_keys',
      'INSERT ON journal_queue',
      'SELECT ON cooldowns',
      'UPDATE ON limit_buckets',
      'SELECT ON api_keys',
    ]) {
      const [, table = ''] = / ON (.*)$/.exec(right) ?? []
      const before = await refusalsOf(harness)
      await admin(`REVOKE ${right} FROM ${role}`)
      // A key is believed for half a second, which must not hide that it cannot be read.
      harness.clock.advance(1_000)
      assertHold(await verify({ ...calm, idempotency_key: right }))
      assert.ok((await refusalsOf(harness)) > before, right)
      const line = linesOf(harness, refused).find((one) => one.includes(table)) ?? ''
      assert.match(line, /permission denied for /, right)
      assert.match(line, /"stack":/)
      await harness.get(null, '/api/v1/readiness')
      await admin(`GRANT ${right} TO ${role}`)
      assert.equal((await verify({ ...calm, idempotency_key: right })).status, 200, right)
    }
    assert.deepEqual(linesOf(harness, /caller disconnected|unexpected error/), [])
    assert.match(
      linesOf(harness, /"msg":"metrics: .* cannot be read/).join(),
      /permission denied for table cooldowns/,
    )
    assert.match(linesOf(harness, /"msg":"readiness: /).join(), /permission denied for table api_keys/)
  }))

test('a bug behind a caller who is at its limit is in the log, although the answer is 429', () =>
  withHarness({ engine: 'postgres' }, async ({ issue, verify, databaseUrl, clock, log }) => {
    const { key } = await issue({ limit: { count: 1, windowMs: 60_000 } })
    assert.equal((await verify(key, calm)).status, 200)
    await rowsOf(databaseUrl, 'ALTER TABLE policy_head RENAME TO gone')
    await rowsOf(databaseUrl, 'CREATE VIEW policy_head AS SELECT * FROM gone WHERE 1 / 0 = 1')
    clock.advance(1_000)
    assert.equal((await verify(key, calm)).status, 429)
    assert.match(log.join('\n'), /"level":"error".*division by zero.*"msg":"http: unexpected error"/)
  }))

test('a decision that is made in another way all the same reports the refusal', () =>
  asOwner(async (harness, role, admin) => {
    const verify = await opened(harness)
    await admin(`REVOKE EXECUTE ON FUNCTION fairway_proceed FROM ${role}, public`)
    assert.equal((await verify()).status, 200)
    assert.match(linesOf(harness, refused).join(), /permission denied for function fairway_proceed/)
  }))

test('a right that one decision of a batch needs holds that one alone', () =>
  asOwner(async (harness, role, admin) => {
    const verify = await opened(harness)
    await admin(`REVOKE INSERT ON cooldowns FROM ${role}`)
    const [stopped, ...others] = await Promise.all([
      verify(blocked),
      ...Array.from({ length: 8 }, () => verify()),
    ])
    assertHold(stopped)
    assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]))
    await admin(`GRANT INSERT ON cooldowns TO ${role}`)
    assert.equal((await verify(blocked)).body.decision, 'NO-GO')
  }))

test('an instance without a right that decisions need is not ready and does not start, and says why', () =>
  asOwner(async (harness, role, admin) => {
    for (const right of ['INSERT ON verifications', 'UPDATE ON cooldowns', 'INSERT ON journal_queue']) {
      assert.equal((await harness.get(null, '/readyz')).status, 200)
      await admin(`REVOKE ${right} FROM ${role}`)
      harness.clock.advance(1_000)
      const { status, body } = await harness.get(null, '/readyz')
      assert.deepEqual([status, body.code], [503, 'STORE_UNAVAILABLE'])
      assert.match(body.message, /the database refuses what a decision needs/)
      await admin(`GRANT ${right} TO ${role}`)
      harness.clock.advance(1_000)
    }
  }))

test('a lease that the role may not write is in the log and in the metric, although followers only try again', () =>
  asOwner(async (harness, role, admin) => {
    await admin(`REVOKE UPDATE ON journal_lease FROM ${role}`)
    const stop = harness.journal.start(repeat)
    while (linesOf(harness, /followers: the lease failed, will retry/).length === 0) await nextTurn()
    assert.match(linesOf(harness, refused).join(), /permission denied for table journal_lease/)
    assert.ok((await refusalsOf(harness)) > 0)
    await stop()
  }))

const gone = {
  'a missing table': [
    'ALTER TABLE idempotency_keys RENAME TO gone',
    'ALTER TABLE gone RENAME TO idempotency_keys',
  ],
  'a missing column': [
    'ALTER TABLE verifications RENAME COLUMN evidence TO gone',
    'ALTER TABLE verifications RENAME COLUMN gone TO evidence',
  ],
} as const

for (const engine of engines) {
  for (const [name, [breaking, mending]] of Object.entries(gone)) {
    test(`${name} is 503, logged and counted once a minute, and ends when it is back (${engine})`, () =>
      withHarness({ engine }, async (harness) => {
        const verify = await opened(harness)
        const payment = { ...calm, idempotency_key: 'payment-1' }
        await rowsOf(harness.databaseUrl, breaking)
        assertHold(await verify(payment))
        const lines = linesOf(harness, refused)
        assert.match(lines.join(), engine === 'sqlite' ? /no such table|no column named/ : /does not exist/)
        const refusals = await refusalsOf(harness)
        assertHold(await verify(payment))
        assert.ok((await refusalsOf(harness)) > refusals)
        assert.equal(linesOf(harness, refused).length, lines.length)
        harness.clock.advance(60_000)
        assertHold(await verify(payment))
        assert.ok(linesOf(harness, refused).length > lines.length)
        assert.equal((await harness.get(null, '/readyz')).status, 503)
        await rowsOf(harness.databaseUrl, mending)
        harness.clock.advance(1_000)
        assert.equal((await verify(payment)).status, 200)
        assert.equal((await harness.get(null, '/readyz')).status, 200)
      }))
  }

  test(`a follower without its table reports it while nobody reads, and readers get 503 (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      const verify = await opened(harness)
      const { key } = await harness.issue()
      await rowsOf(harness.databaseUrl, 'ALTER TABLE rollups RENAME TO gone')
      const stop = harness.journal.start(repeat)
      assert.equal((await verify()).status, 200)
      while (linesOf(harness, /followers: totals failed, will retry/).length === 0) await nextTurn()
      assert.match(linesOf(harness, refused).join(), /rollups/)
      const { status, body } = await harness.get(key, '/api/v1/verifications/summary')
      assert.deepEqual([status, body.code], [503, 'STORE_UNAVAILABLE'])
      await rowsOf(harness.databaseUrl, 'ALTER TABLE gone RENAME TO rollups')
      await stop()
    }))

  test(`a long read that the database refuses is 503, logged and counted (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      for (const [path, table] of [
        ['/api/verifications', 'verifications'],
        ['/api/v1/reviews', 'reviews'],
      ] as const) {
        const before = await refusalsOf(harness)
        await rowsOf(harness.databaseUrl, `ALTER TABLE ${table} RENAME TO gone`)
        const { status, headers, body } = await harness.get(key, path)
        await rowsOf(harness.databaseUrl, `ALTER TABLE gone RENAME TO ${table}`)
        assertHold({ status, retryAfter: String(headers['retry-after']), body })
        assert.ok((await refusalsOf(harness)) > before, path)
        assert.match(linesOf(harness, refused).join(), new RegExp(table))
      }
    }))

  test(`a bug behind a request that has arrived is 500 and in the log with its stack (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      const verify = await opened(harness)
      await withBrokenTable(harness.databaseUrl, 'INSERT ON verifications', async () => {
        const { status, body } = await verify()
        assert.deepEqual([status, body.code], [500, 'INTERNAL_ERROR'])
        const [line = ''] = linesOf(harness, /"msg":"http: unexpected error"/)
        assert.match(line, /"level":"error".*broken.*"stack":"[^"]*\\n +at /)
        assert.ok(line.includes(body.request_id))
      })
      assert.equal(await refusalsOf(harness), 0)
      assert.equal((await verify()).status, 200)
    }))
}
