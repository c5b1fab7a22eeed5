/** POST /api/v1/verify on PostgreSQL: decided before anything is looked up, and recorded as if it had been. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'

const calm = { corridor: 'GB-NG', amount: 20 }
const blocked = { corridor: 'GB-NG', amount: 1000.08 }
const engine = 'postgres'

/** How often the store was asked, by operation. */
async function asked({ send }: Harness, operation: string): Promise<number> {
  const { text } = await send({ method: 'GET', url: '/metrics' })
  const pattern = new RegExp(
    `^fairway_store_duration_seconds_count\\{[^}]*operation="${operation}"[^}]*\\} (\\d+)`,
    'm',
  )
  return Number(pattern.exec(text)?.[1] ?? 0)
}

const remaining = (answer: Answer): number =>
  Number(/;r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1])
const total = async ({ get }: Harness): Promise<number> =>
  (await get(null, '/api/health')).body.total_verifications

test('a new decision is one commit, without a lookup', async () => {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue()
    for (const idempotency_key of ['a', 'b', 'c']) {
      const answer = await harness.verify(key, {
        ...calm,
        idempotency_key,
        correlation_id: `c-${idempotency_key}`,
      })
      assert.equal(answer.status, 200)
      assert.equal(answer.body.correlation_id, `c-${idempotency_key}`)
    }
    assert.equal(await asked(harness, 'look'), 0)
    assert.equal(await asked(harness, 'commit'), 3)
  })
})

test('of many at once exactly the limit is recorded, and the others are refused', async () => {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue({ limit: { count: 12, windowMs: 60_000 } })
    const other = await harness.issue()
    const answers = await Promise.all(Array.from({ length: 40 }, () => harness.verify(key, calm)))
    const unlimited = await Promise.all(Array.from({ length: 10 }, () => harness.verify(other.key, calm)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 12)
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(refused.length, 28)
    for (const { body, headers } of refused) {
      assert.equal(body.code, 'RATE_LIMITED')
      assert.ok(Number(headers['retry-after']) > 0)
    }
    assert.deepEqual(new Set(unlimited.map(({ status }) => status)), new Set([200]))
    assert.equal(await total(harness), 22)
  })
})

test('a caller at its limit does not make others look first', async () => {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue({ limit: { count: 1, windowMs: 60_000 } })
    const other = await harness.issue()
    await harness.verify(key, calm)
    assert.equal((await harness.verify(key, calm)).status, 429)
    const looks = await asked(harness, 'look')
    const mixed = [key, other.key, key, other.key].map((one) => harness.verify(one, calm))
    assert.deepEqual(
      (await Promise.all(mixed)).map(({ status }) => status),
      [429, 200, 429, 200],
    )
    assert.equal(await asked(harness, 'look'), looks)
  })
})

test('a request with an error counts, and beyond the limit the answer is 429 whatever the error', async () => {
  await withHarness({ engine }, async ({ issue, verify, send }) => {
    const { key } = await issue({ limit: { count: 4, windowMs: 60_000 } })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = '/api/v1/verify'
    const answers = [
      await verify(key, { corridor: 'nowhere' }),
      await verify(key, { ...calm, amount: 'many' }),
      await send({ method: 'POST', url, headers, payload: '{' }),
      await verify(key, calm, { mode: 'live' }),
      await verify(key, { corridor: 'nowhere' }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 400, 403, 429],
    )
    assert.deepEqual(answers.slice(0, 4).map(remaining), [3, 2, 1, 0])
  })
})

test('a key that another instance used gets its answer again, and counts once', async () => {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue({ limit: { count: 10, windowMs: 60_000 } })
    const other = await harness.sibling()
    try {
      const body = { ...calm, idempotency_key: 'shared' }
      const first = await other.verify(key, body)
      const again = await harness.verify(key, body)
      assert.equal(again.body.request_id, first.body.request_id)
      assert.equal(again.body.idempotency_hit, true)
      assert.deepEqual([remaining(first), remaining(again)], [9, 8])
      const conflict = await harness.verify(key, { ...body, amount: 21 })
      assert.equal(conflict.status, 409)
      assert.equal(remaining(conflict), 7)
      assert.equal(await total(harness), 1)
    } finally {
      await other.close()
    }
  })
})

test('a commit that fails for want of a partition is admitted once', async () => {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue({ limit: { count: 10, windowMs: 60_000 } })
    assert.equal(remaining(await harness.verify(key, calm)), 9)
    // Long after the months that were made ahead.
    harness.clock.advance(400 * 86_400_000)
    const fresh = await harness.issue({ limit: { count: 10, windowMs: 60_000 } })
    const answer = await harness.verify(fresh.key, calm)
    assert.equal(answer.status, 200)
    assert.equal(remaining(answer), 9)
    assert.equal(await total(harness), 2)
  })
})

test('one key for many requests at once is one record', async () => {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue()
    const body = { ...calm, idempotency_key: 'one' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => harness.verify(key, body)))
    assert.equal(new Set(answers.map((answer) => answer.body.request_id)).size, 1)
    assert.equal(answers.filter((answer) => answer.body.idempotency_hit === false).length, 1)
    assert.equal(await total(harness), 1)
  })
})

test('a block that another instance recorded holds here from its answer on, and until its end', async () => {
  await withHarness({ engine }, async (harness) => {
    const { key } = await harness.issue()
    const other = await harness.sibling()
    try {
      assert.equal((await harness.verify(key, calm)).body.decision, 'GO')
      const source = await other.verify(key, blocked)
      const hits = await Promise.all(Array.from({ length: 5 }, () => harness.verify(key, calm)))
      hits.push(await harness.verify(key, calm))
      for (const { body } of hits) assert.equal(body.cooldown.source_request_id, source.body.request_id)
      const [first] = hits
      const { body: timeline } = await harness.get(key, `/api/v1/decision/${first?.body.request_id}/timeline`)
      const names = timeline.cooldown.own_events.map(({ event }: { event: string }) => event)
      assert.ok(
        !names.includes('signals_evaluated'),
        'what was decided ahead is no part of the repeated decision',
      )
      for (const { duration_ms: ms } of timeline.cooldown.own_events) assert.ok(ms >= 0)
      harness.clock.advance(90_000)
      assert.equal((await harness.verify(key, calm)).body.decision, 'GO')
    } finally {
      await other.close()
    }
  })
})
