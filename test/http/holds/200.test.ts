/** GET /api/v1/holds: requests to verify that were answered with 503, counted although no decision is stored. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { person, read, unlimited } from '../../helpers/people.ts'
import { errorsOf } from '../../helpers/post.ts'
import { readReviews, clerkOf } from '../../helpers/reviews.ts'

const holdsUrl = '/api/v1/holds'
const unread = 'SIGNALS_UNAVAILABLE'
/** Two providers of the simulation cannot be reached. */
const unreachable = { corridor: 'GB-NG', amount: 1000.09 }

const iso = (ms: number): string => new Date(ms).toISOString()
const minuteOf = (ms: number): string => iso(ms - (ms % 60_000))

async function heldOn({ get }: Harness, key: string, query = ''): Promise<Answer['body']> {
  const { status, body, text } = await get(key, `${holdsUrl}${query}`)
  assert.equal(status, 200, text)
  return body
}

async function hold({ verify }: Harness, key: string, payment: object = unreachable): Promise<void> {
  const { status, body } = await verify(key, payment)
  assert.deepEqual([status, body.code], [503, unread])
}

for (const engine of engines) {
  test(`${engine}: holds are counted by reason, signals, corridor and mode, the latest first`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { clock } = harness
      const { key, record } = await harness.issue()
      const { key: live } = await harness.issue({ prefix: 'pk_live_', ownerId: record.ownerId })
      clock.advance(12_345)
      const startMs = clock.nowMs()
      assert.deepEqual(await heldOn(harness, key), {
        from: iso(startMs - 86_400_000),
        requests: 0,
        held_now: 0,
        holds: [],
      })
      await hold(harness, key)
      await hold(harness, key, { ...unreachable, amount: 7.09 })
      clock.advance(90_000)
      const secondMs = clock.nowMs()
      await hold(harness, key, { ...unreachable, corridor: 'united kingdom-nigeria' })
      clock.advance(1_000)
      await hold(harness, key, { ...unreachable, corridor: 'NG-GB' })
      clock.advance(1_000)
      const lastMs = clock.nowMs()
      await hold(harness, live, { corridor: 'GB-NG', amount: 5 })
      const two = ['fx_volatility', 'network_healthy']
      const common = { reason: unread, held_now: true }
      const timesOf = (firstMs: number, atMs: number) => ({ first_at: minuteOf(firstMs), last_at: iso(atMs) })
      const inShadow = { ...common, mode: 'shadow', unavailable_signals: two }
      assert.deepEqual(await heldOn(harness, key), {
        from: iso(lastMs - 86_400_000),
        requests: 5,
        held_now: 5,
        holds: [
          {
            ...common,
            corridor: 'GB-NG',
            mode: 'live',
            unavailable_signals: [...signalNames].toSorted(),
            requests: 1,
            ...timesOf(lastMs, lastMs),
          },
          { ...inShadow, corridor: 'NG-GB', requests: 1, ...timesOf(lastMs - 1_000, lastMs - 1_000) },
          { ...inShadow, corridor: 'GB-NG', requests: 3, ...timesOf(startMs, secondMs) },
        ],
      })
      const shadow = await heldOn(harness, key, '?mode=shadow')
      assert.deepEqual([shadow.requests, shadow.held_now, shadow.holds.length], [4, 4, 2])
      const ofLive = await heldOn(harness, live, '?mode=live')
      assert.deepEqual([ofLive.requests, ofLive.holds[0].mode], [1, 'live'])
    })
  })

  test(`${engine}: a hold stores no decision, opens no review and counts for nothing else`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const issued = await harness.issue()
      const { key } = issued
      const headers = { 'idempotency-key': 'one' }
      for (let turn = 0; turn < 3; turn += 1) await harness.verify(key, unreachable, { headers })
      assert.equal((await heldOn(harness, key)).requests, 3)
      for (const table of ['verifications', 'reviews', 'review_changes', 'idempotency_keys'])
        assert.deepEqual(await rowsOf(harness.databaseUrl, `SELECT 1 FROM ${table}`), [], table)
      assert.deepEqual((await harness.get(key, '/api/verifications')).body, [])
      assert.equal((await harness.get(key, '/api/v1/verifications/summary')).body.total, 0)
      assert.equal((await readReviews(harness, clerkOf(issued), '/summary')).waiting, 0)
    })
  })

  test(`${engine}: counts outlive a restart, and another instance has them, too`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { key } = await harness.issue()
      const other = await harness.sibling()
      for (const one of [harness, other, other]) await hold(one, key)
      const before = [await heldOn(harness, key), await heldOn(other, key)]
      assert.equal(before[1].requests, 3)
      await other.close()
      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine, settings: unlimited })
      try {
        assert.deepEqual(await heldOn(restarted, key), before[1])
        await hold(restarted, key)
        assert.equal((await heldOn(harness, key)).requests, 3, 'those of another within a second')
        assert.equal((await heldOn(restarted, key)).requests, 4)
        assert.equal((await heldOn(harness, key)).requests, 4)
      } finally {
        await restarted.close()
      }
    })
  })

  test(`${engine}: another owner does not see them, and a person sees those of its owner`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const [own, other] = [await harness.issue(), await harness.issue()]
      await hold(harness, own.key)
      assert.deepEqual((await heldOn(harness, other.key)).holds, [])
      const viewer = await person(harness, 'viewer', own.record.ownerId)
      const stranger = await person(harness, 'viewer', other.record.ownerId)
      assert.equal((await read(harness, viewer, holdsUrl)).body.requests, 1)
      assert.equal((await read(harness, stranger, holdsUrl)).body.requests, 0)
    })
  })

  test(`${engine}: so many hours back and no more; held now are those of the last five minutes`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const { key } = await harness.issue()
      await hold(harness, key)
      const figures = async (query = ''): Promise<unknown[]> => {
        const { requests, held_now: now, holds } = await heldOn(harness, key, query)
        return [requests, now, holds.map((one: { held_now: boolean }) => one.held_now)]
      }
      harness.clock.advance(300_000)
      assert.deepEqual(await figures(), [1, 1, [true]], 'to the very moment')
      harness.clock.advance(60_000)
      assert.deepEqual(await figures(), [1, 0, [false]])
      harness.clock.advance(3_600_000 - 360_000)
      assert.deepEqual(await figures('?hours=1'), [1, 0, [false]])
      harness.clock.advance(60_000)
      assert.deepEqual(await figures('?hours=1'), [0, 0, []])
      assert.deepEqual(await figures(), [1, 0, [false]])
      await hold(harness, key)
      assert.deepEqual(await figures(), [2, 1, [true]])
      harness.clock.advance(86_400_000 + 60_000)
      assert.deepEqual(await figures(), [0, 0, []], 'a day, unless asked otherwise')
      assert.deepEqual(await figures('?hours=168'), [2, 0, [false]])
    })
  })
}

test('the total of now and the rows agree on whether something is held, at every second', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { key } = await harness.issue()
    harness.clock.advance(10_000)
    await hold(harness, key)
    harness.clock.advance(280_000)
    for (let second = 280; second <= 380; second += 5) {
      const { held_now: total, holds } = await heldOn(harness, key)
      const isNow = Boolean(holds[0].held_now)
      assert.equal(total > 0, isNow, `after ${second} seconds`)
      // Holds are counted by minute: in between either is right.
      if (second <= 300 || second >= 360) assert.equal(isNow, second <= 300, `after ${second} seconds`)
      harness.clock.advance(5_000)
    }
  })
})

test('only a request to verify that is answered with 503 is a hold', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { key } = await harness.issue({ limit: { count: 3, windowMs: 60_000 } })
    const statuses = [
      await harness.verify(key, { corridor: 'GB-NG', amount: 5 }),
      await harness.verify(key, { corridor: 'nowhere', amount: 1000.09 }),
      await harness.verify(key, '{'),
      await harness.verify(key, unreachable),
      await harness.verify('pk_test_x', unreachable),
      await harness.verify(key, unreachable, { mode: 'live' }),
    ].map(({ status }) => status)
    assert.deepEqual(statuses.slice(0, 3), [200, 400, 400])
    assert.ok(!statuses.includes(503), String(statuses))
    assert.deepEqual((await heldOn(harness, key)).holds, [])
  })
})

test('400 for hours and modes that there are not, 403 without decision:read, 401 without a key', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { key } = await harness.issue()
    for (const [query, path] of [
      ['hours=0', '/hours'],
      ['hours=169', '/hours'],
      ['hours=-1', '/hours'],
      ['hours=1.5', '/hours'],
      ['hours=x', '/hours'],
      ['mode=both', '/mode'],
    ]) {
      const answer = await harness.get(key, `${holdsUrl}?${query}`)
      assert.equal(answer.status, 400, query)
      assert.equal(errorsOf(answer)[0]?.[0], path)
    }
    assert.equal((await harness.get(key, `${holdsUrl}?corridor=GB-NG`)).status, 400)
    const { key: other } = await harness.issue({ scopes: ['audit:read', 'review:read'] })
    assert.equal((await harness.get(other, holdsUrl)).status, 403)
    assert.equal((await harness.get(null, holdsUrl)).status, 401)
  })
})
