/** The shared rolling window: exact across instances, by the database's clock. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import pg from 'pg'
import { withHarness } from '../../helpers/harness.ts'

const minuteMs = 60_000

/** Lets time pass in the windows without waiting for it: all that was admitted moves into the past. */
async function age(client: pg.Client, ms: number): Promise<void> {
  await client.query('UPDATE limit_admissions SET at_us = at_us - $1::bigint', [ms * 1000])
  await client.query('UPDATE limit_buckets SET last_at_us = last_at_us - $1::bigint', [ms * 1000])
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

test('two instances together admit exactly the limit', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    const other = await harness.sibling()
    const limit = { count: 30, windowMs: minuteMs }
    const admissions = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? harness : other).limiter.admit('b', limit),
      ),
    )
    assert.equal(admissions.filter((admission) => admission.admitted).length, 30)
    for (const admission of admissions) {
      if (!admission.admitted)
        assert.ok(admission.retryAfterMs > 50_000 && admission.retryAfterMs <= minuteMs)
    }
    const remaining = admissions.flatMap((admission) => (admission.admitted ? [admission.remaining] : []))
    assert.deepEqual(
      remaining.toSorted((left, right) => left - right),
      Array.from({ length: 30 }, (_, left) => left),
    )
    assert.equal((await other.limiter.admit('another', limit)).admitted, true)
    await other.close()
  })
})

test('the shared window agrees with a brute-force oracle on random sequences', async () => {
  await withHarness({ engine: 'postgres' }, async ({ limiter, databaseUrl }) => {
    const client = await connect(databaseUrl)
    let run = 0
    // Steps are far longer than the test takes, so the real time that passes only decides ties, and always one way.
    const stepMs = 100_000
    const step = fc.record({ steps: fc.integer({ min: 0, max: 6 }), burst: fc.integer({ min: 1, max: 6 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 10 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (count, windowSteps, sequence) => {
          run += 1
          const admittedAt: number[] = []
          let now = 0
          for (const { steps, burst } of sequence) {
            if (steps > 0) await age(client, steps * stepMs)
            now += steps
            const expected = Array.from({ length: burst }, () => {
              const inside = admittedAt.filter((at) => now - at < windowSteps).length
              if (inside < count) admittedAt.push(now)
              return inside < count
            })
            const bucket = `oracle ${run}`
            const got = await Promise.all(
              expected.map(() => limiter.admit(bucket, { count, windowMs: windowSteps * stepMs })),
            )
            assert.equal(got.filter((one) => one.admitted).length, expected.filter(Boolean).length)
          }
        },
      ),
      { numRuns: 40 },
    )
    await client.end()
  })
})

test('waiting the time that was named is enough, and a lowered limit is named rightly too', async () => {
  await withHarness({ engine: 'postgres' }, async ({ limiter, databaseUrl }) => {
    const client = await connect(databaseUrl)
    const windowMs = 1_000_000
    const admit = (count: number) => limiter.admit('b', { count, windowMs })
    for (let index = 0; index < 4; index += 1) {
      assert.equal((await admit(4)).admitted, true)
      await age(client, 100_000)
    }
    const refused = await admit(2)
    assert.equal(refused.admitted, false)
    if (!refused.admitted) {
      assert.ok(
        refused.retryAfterMs > 790_000 && refused.retryAfterMs <= 800_000,
        String(refused.retryAfterMs),
      )
      await age(client, Math.ceil(refused.retryAfterMs))
    }
    assert.equal((await admit(2)).admitted, true)
    await client.end()
  })
})

test('a database clock that is set back locks nobody out beyond the window, and admits nobody too many', async () => {
  await withHarness({ engine: 'postgres' }, async ({ limiter, databaseUrl }) => {
    const client = await connect(databaseUrl)
    const limit = { count: 2, windowMs: minuteMs }
    await limiter.admit('b', limit)
    await limiter.admit('b', limit)
    await age(client, -3_600_000)
    const refused = await limiter.admit('b', limit)
    assert.equal(refused.admitted, false)
    if (!refused.admitted) assert.ok(refused.retryAfterMs <= minuteMs)
    await age(client, minuteMs)
    assert.equal((await limiter.admit('b', limit)).admitted, true)
    await client.end()
  })
})

test('what has left the window is forgotten: the table does not grow with the traffic', async () => {
  await withHarness({ engine: 'postgres' }, async ({ limiter, databaseUrl }) => {
    const client = await connect(databaseUrl)
    for (let index = 0; index < 200; index += 1) {
      await limiter.admit('b', { count: 5, windowMs: 1_000_000 })
      await age(client, 400_000)
    }
    const { rows } = await client.query<{ kept: number }>(
      'SELECT count(*)::int AS kept FROM limit_admissions',
    )
    assert.ok((rows[0]?.kept ?? 999) <= 3 + 64, JSON.stringify(rows))
    await client.end()
  })
})
