/** GET /api/verifications: pages and filters. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

/** Walks all pages and says how many there were. */
async function walk(harness: Harness, key: string, url: string): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  let next: string | null = url
  let pages = 0
  while (next !== null) {
    const answer = await harness.get(key, next)
    assert.equal(answer.status, 200, answer.text)
    ids.push(...answer.body.map((item: { request_id: string }) => item.request_id))
    pages += 1
    next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1] ?? null
  }
  return { ids, pages }
}

for (const engine of engines) {
  test(`pages follow each other without a gap or a repeat, newest first, also while records are added (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const made: string[] = []
      for (let index = 0; index < 25; index += 1) {
        if (index % 3 === 0) harness.clock.advance(1)
        made.push((await harness.verify(key, { corridor: 'GB-NG', amount: index })).body.request_id)
      }
      const expected = made.toReversed()
      assert.deepEqual(await walk(harness, key, '/api/verifications?limit=10'), { ids: expected, pages: 3 })
      assert.deepEqual(await walk(harness, key, '/api/verifications?limit=25'), { ids: expected, pages: 1 })
      assert.deepEqual(await walk(harness, key, '/api/verifications'), { ids: expected, pages: 1 })

      const first = await harness.get(key, '/api/verifications?limit=10')
      await harness.verify(key, { corridor: 'GB-NG' })
      const link = /^<([^>]+)>/.exec(String(first.headers['link']))?.[1] ?? ''
      assert.deepEqual((await walk(harness, key, link)).ids, expected.slice(10))
    })
  })

  test(`every combination of filters gives what a plain filter over all records gives (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
      const { key } = await harness.issue()
      const all: { id: string; decision: string; corridor: string; at: number }[] = []
      const amounts = [10, 60_000, 600_000]
      for (let index = 0; index < 24; index += 1) {
        harness.clock.advance(1_000)
        const corridor = ['GB-NG', 'NG-GB', 'US-MX'][index % 3] ?? ''
        const amount = amounts[Math.floor(index / 3) % 3] ?? 0
        const { body } = await harness.verify(key, { corridor, amount })
        all.push({ id: body.request_id, decision: body.decision, corridor, at: harness.clock.nowMs() })
      }
      const times = [null, all[5]?.at ?? 0, all[17]?.at ?? 0]
      for (const decision of [null, 'GO', 'DEGRADED', 'NO-GO']) {
        for (const corridor of [null, 'GB-NG', 'US-MX', 'FR-DE']) {
          for (const from of times) {
            for (const to of times.filter((time) => from === null || time === null || time >= from)) {
              const query = new URLSearchParams({ limit: '4' })
              if (decision !== null) query.set('decision', decision)
              if (corridor !== null) query.set('corridor', corridor)
              if (from !== null) query.set('from', new Date(from).toISOString())
              if (to !== null) query.set('to', new Date(to).toISOString())
              const expected = all
                .filter((one) => decision === null || one.decision === decision)
                .filter((one) => corridor === null || one.corridor === corridor)
                .filter((one) => (from === null || one.at >= from) && (to === null || one.at < to))
                .map((one) => one.id)
                .toReversed()
              const { ids } = await walk(harness, key, `/api/verifications?${query.toString()}`)
              assert.deepEqual(ids, expected, query.toString())
            }
          }
        }
      }
    })
  })
}

test('an item holds what the contract asks for, with the amount and currency of the request', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    const { body } = await verify(key, { corridor: 'GB-NG', amount: 12.5, currency: 'NGN' })
    const [item] = (await get(key, '/api/verifications')).body
    assert.deepEqual(item, {
      request_id: body.request_id,
      corridor: 'GB-NG',
      decision: 'GO',
      score: body.score,
      confidence: body.confidence,
      amount: 12.5,
      currency: 'NGN',
      request_currency: 'NGN',
      settlement_currency: 'NGN',
      mode: 'shadow',
      evaluated_at: '2026-03-01T12:00:00.000Z',
      recorded_at: '2026-03-01T12:00:00.000Z',
      correlation_id: null,
      reason_codes: ['HEALTHY_PARTNER'],
      recommended_action: 'PROCEED',
      human_override: null,
      outcome: null,
      cooldown_source_request_id: null,
    })
  })
})

test('400: a query that cannot be meant is refused with its path', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['limit=-1', '/limit'],
    ['limit=ten', '/limit'],
    ['limit=1.5', '/limit'],
    ['decision=MAYBE', '/decision'],
    ['decision=go', '/decision'],
    ['corridor=GB', '/corridor'],
    ['corridor=', '/corridor'],
    ['correlation_id=', '/correlation_id'],
    ['correlation_id=%00', '/correlation_id'],
    ['correlation_id=a%0ab', '/correlation_id'],
    [`correlation_id=${'x'.repeat(256)}`, '/correlation_id'],
    ['format=xml', '/format'],
    ['cursor=nonsense', '/cursor'],
    ['cursor=%00', '/cursor'],
    ['from=yesterday', '/from'],
    ['from=2026-02-30T00:00', '/from'],
    ['from=2026-02-30', '/from'],
    ['to=2026-02-30T00:00:00Z', '/to'],
    ['to=2026-13-01', '/to'],
    ['to=99999-01-01', '/to'],
    ['from=1969-12-31', '/from'],
    ['from=2026-03-02&to=2026-03-01', '/from'],
    ['page=2', '/page'],
    ['Decision=GO', '/Decision'],
    ['offset=', '/offset'],
    ['mode=LIVE', '/mode'],
  ]
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const [query, path] of cases) {
      const answer = await get(key, `/api/verifications?${query}`)
      assert.equal(answer.status, 400, query)
      assert.equal(answer.body.errors[0].path, path, query)
    }
  })
})
