/** What callers see of a month that an operator takes away and brings back, on servers that run all the while. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Harness } from '../../helpers/harness.ts'
import { withPast, type Past } from '../../helpers/database/months.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { reviewOf } from '../../helpers/reviews.ts'
import { override, register } from '../../helpers/webhooks.ts'

const payment = { corridor: 'GB-NG', amount: 77, idempotency_key: 'in March' }
const views = (id: string): string[] => [
  `/api/v1/audit/${id}`,
  `/api/v1/audit/export/${id}`,
  `/api/v1/signals/${id}`,
  ...['explanation', 'impact', 'timeline'].map((view) => `/api/v1/decision/${id}/${view}`),
]

/** More often than it takes the database to settle on a plan that it keeps. */
const oftenEnough = 7

async function idsIn({ get }: Harness, key: string): Promise<string[]> {
  const { status, body } = await get(key, '/api/verifications?limit=100')
  assert.equal(status, 200)
  return (body as { request_id: string }[]).map(({ request_id: id }) => id)
}

async function totalOf({ get }: Harness, key: string): Promise<number> {
  const { status, body } = await get(key, '/api/v1/verifications/summary?from=2020-03-01&to=2020-06-01')
  assert.equal(status, 200)
  return Number(body.total)
}

/** Of both servers, as often as it takes for plans to be kept. */
async function checkSeen(servers: readonly Harness[], past: Past, seen: Seen): Promise<void> {
  const { march, may, isAway } = seen
  for (const server of servers) {
    for (let turn = 0; turn < oftenEnough; turn += 1) {
      assert.deepEqual(await idsIn(server, past.key), isAway ? [may] : [may, march])
      const { status } = await server.get(past.key, `/api/v1/audit/${march}`)
      assert.equal(status, isAway ? 404 : 200)
      assert.equal((await server.get(past.key, `/api/v1/audit/${may}`)).status, 200)
    }
    for (const path of views(march)) {
      assert.equal((await server.get(past.key, path)).status, isAway ? 404 : 200, path)
    }
    assert.equal(await totalOf(server, past.key), 2, 'a summary counts what is away')
  }
}

interface Seen {
  readonly march: string
  readonly may: string
  readonly isAway: boolean
}

test('a month that is away is unknown, its keys stay taken, and all of it is there again afterwards', async () => {
  await withPast(async (past) => {
    const other = await past.sibling()
    try {
      const servers = [past, other]
      const first = await past.verify(past.key, payment)
      const march = String(first.body.request_id)
      const [may = ''] = await past.record('2020-05', 1)
      await checkSeen(servers, past, { march, may, isAway: false })
      const before = await Promise.all(views(march).map((path) => past.get(past.key, path)))

      assert.equal((await past.detach('2020-03')).kind, 'detached')
      await checkSeen(servers, past, { march, may, isAway: true })
      for (const server of servers) {
        for (const body of [payment, { ...payment, amount: 78 }]) {
          const refused = await server.verify(past.key, body)
          assert.deepEqual([refused.status, refused.body.code], [409, 'IDEMPOTENCY_CONFLICT'])
        }
        assert.equal((await override(server, past.key, march)).status, 404)
        assert.equal((await server.get(null, '/api/health')).body.total_verifications, 2)
      }

      assert.equal((await past.attach('2020-03')).kind, 'attached')
      await checkSeen(servers, past, { march, may, isAway: false })
      for (const [place, path] of views(march).entries()) {
        const { exported_at: _, ...body } = (await other.get(past.key, path)).body
        const { exported_at: __, ...old } = before[place]?.body ?? {}
        assert.deepEqual(body, old, path)
      }
      const replay = await other.verify(past.key, payment)
      assert.deepEqual([replay.body.request_id, replay.body.idempotency_hit], [march, true])
    } finally {
      await other.close()
    }
  })
})

test("a cooldown's repeat is kept in its own month, and shows the evidence of its source when that is back", async () => {
  await withPast(async (past) => {
    past.clock.setWall(Date.UTC(2020, 3, 1) - 10_000)
    const blocked = await past.verify(past.key, { corridor: 'GB-NG', amount: 600_000 })
    past.clock.advance(20_000)
    const { body } = await past.verify(past.key, { corridor: 'GB-NG', amount: 5 })
    assert.equal(body.cooldown.source_request_id, blocked.body.request_id)
    past.clock.setWall(Date.UTC(2020, 5, 1))
    const seen = async (): Promise<number[]> => [
      (await past.get(past.key, `/api/v1/audit/${body.request_id}`)).status,
      (await past.get(past.key, `/api/v1/decision/${body.request_id}/explanation`)).status,
    ]
    assert.deepEqual(await seen(), [200, 200])
    assert.equal((await past.detach('2020-03')).kind, 'detached')
    assert.deepEqual(await seen(), [200, 404])
    assert.equal((await past.attach('2020-03')).kind, 'attached')
    assert.deepEqual(await seen(), [200, 200])
  })
})

test('a review stays when its month is away, without the settlement currency until it is back', async () => {
  await withPast(async (past) => {
    const { body } = await past.verify(past.key, { corridor: 'GB-NG', amount: 60_000, currency: 'USD' })
    await past.record('2020-05', 1)
    const currencies = async (): Promise<unknown[]> => {
      const { body: review } = await past.get(past.key, `/api/v1/reviews/${reviewOf(body.request_id)}`)
      return [review.currency, review.request_currency, review.settlement_currency]
    }
    assert.equal((await past.detach('2020-03')).kind, 'detached')
    assert.deepEqual(await currencies(), ['USD', 'USD', null])
    assert.equal((await past.attach('2020-03')).kind, 'attached')
    assert.deepEqual(await currencies(), ['USD', 'USD', 'NGN'])
  })
})

test('while a detach waits for somebody who is reading, servers answer and record', async () => {
  await withPast(async (past) => {
    const [march = ''] = await past.record('2020-03', 1)
    const [may = ''] = await past.record('2020-05', 1)
    const reader = new pg.Client({ connectionString: past.databaseUrl })
    await reader.connect()
    await reader.query('BEGIN; SELECT count(*) FROM verifications')
    const detaching = past.detach('2020-03')
    const pendingSql = 'SELECT 1 FROM pg_inherits WHERE inhdetachpending'
    while ((await rowsOf(past.databaseUrl, pendingSql)).length === 0);

    await checkSeen([past], past, { march, may, isAway: true })
    const [newest = ''] = await past.record('2020-06', 1)
    assert.deepEqual(await idsIn(past, past.key), [newest, may])
    const readiness = (await past.get(null, '/api/v1/readiness')).body
    assert.ok(
      readiness.checklist.some(
        (one: { item: string; status: string }) =>
          one.item === 'records_write_once' && one.status === 'ready',
      ),
    )
    const busy = await past.detach('2020-03')
    assert.equal(busy.kind, 'busy', 'a second command waits for nobody')

    await reader.query('COMMIT')
    await reader.end()
    assert.equal((await detaching).kind, 'detached')
  })
})

test('a month goes only after everything in it was counted and announced', async () => {
  // Deliveries begin by themselves: none has ended before the month was asked for.
  const refused = Promise.withResolvers<number>()
  await withReceiver(
    (receiver) =>
      withPast(async (past) => {
        await register(past, past.key, receiver.url)
        await past.record('2020-03', 2)
        await past.record('2020-05', 1)
        const waiting = await past.detach('2020-03')
        assert.deepEqual(waiting.kind === 'needed' && waiting.needs.pendingDeliveries, 2)
        refused.resolve(200)
        await past.deliver()
        assert.equal(receiver.requests.length, 3)
        assert.equal((await past.detach('2020-03')).kind, 'detached')
        const { body } = await past.get(past.key, '/api/v1/organisation/settings')
        assert.equal(body.usage.verifications_this_key, 3)
      }),
    () => refused.promise,
  )
})
