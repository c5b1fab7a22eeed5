/** GET /api/v1/verifications/summary: what was recorded is what is told, on both engines, to its owner alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonCodes } from '../../../src/core/decision/reasons.ts'
import { readingsWith } from '../../helpers/check.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { installInForce, reviewAll } from '../../helpers/policies.ts'
import { feedsOf, simulatedFeeds } from '../../helpers/live.ts'

const path = '/api/v1/verifications/summary'
const hourMs = 60 * 60 * 1000

interface Step {
  readonly starts_at: string
  readonly GO: number
  readonly DEGRADED: number
  readonly 'NO-GO': number
  readonly average_score: number | null
}

const counted = ({ GO, DEGRADED, 'NO-GO': noGo }: Step): number => GO + DEGRADED + noGo

/** Two GO and a DEGRADED; a NO-GO and, in its cooldown, a hit; and one on another corridor. */
async function record(harness: Harness, key: string): Promise<void> {
  for (const amount of [10, 20, 60_000, 600_000, 5]) await harness.verify(key, { corridor: 'GB-NG', amount })
  await harness.verify(key, { corridor: 'NG-GB', amount: 3 })
}

async function summaryOf(harness: Harness, key: string, query = '') {
  const { status, body, text } = await harness.get(key, path + query)
  assert.equal(status, 200, text)
  return body
}

for (const engine of engines) {
  test(`the last 24 hours: every figure is that of the records (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      await record(harness, key)
      const records = (await harness.get(key, '/api/verifications')).body as {
        score: number
        confidence: number
        decision: string
        corridor: string
      }[]
      const mean = (values: readonly number[]): number =>
        Math.round(values.reduce((sum, value) => sum + Math.round(value * 100), 0) / values.length) / 100
      const body = await summaryOf(harness, key)
      const { series, scores, latency_ms: latency, ...rest } = body
      assert.deepEqual(rest, {
        from: '2026-02-28T12:00:00.000Z',
        to: '2026-03-01T13:00:00.000Z',
        step: 'hour',
        time_zone: 'UTC',
        generated_at: '2026-03-01T12:00:00.000Z',
        total: 6,
        decisions: { GO: 3, DEGRADED: 1, 'NO-GO': 2 },
        average_score: mean(records.map(({ score }) => score)),
        average_confidence: mean(records.map(({ confidence }) => confidence)),
        cooldown_hits: 1,
        reasons: rest.reasons,
        corridors: ['GB-NG', 'NG-GB'].map((corridor) => {
          const those = records.filter((one) => one.corridor === corridor)
          const share = (decision: string): number => those.filter((one) => one.decision === decision).length
          return {
            corridor,
            total: those.length,
            GO: share('GO'),
            DEGRADED: share('DEGRADED'),
            'NO-GO': share('NO-GO'),
            average_score: mean(those.map(({ score }) => score)),
          }
        }),
        corridors_total: 2,
      })
      assert.equal(series.length, 25)
      assert.deepEqual(series.at(-1), {
        starts_at: '2026-03-01T12:00:00.000Z',
        ...body.decisions,
        average_score: body.average_score,
      })
      for (const { from, to, count } of scores) {
        assert.equal(count, records.filter(({ score }) => score >= from && (score < to || to === 1)).length)
      }
      assert.equal(scores.length, 25)
      assert.equal(
        latency.buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
        6,
      )
      assert.ok(latency.p50 <= latency.p95 && latency.p95 <= latency.p99)
    })
  })

  test(`reasons are counted as the records tell them, most frequent first (${engine})`, async () => {
    // 0.79 without a flag.
    const feeds = feedsOf(() =>
      readingsWith({
        network_healthy: 500,
        balance_sufficient: 500,
        operation_valid: 900,
      }),
    )
    await withHarness({ engine, feeds, settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      const expected = new Map<string, number>()
      const amounts = [1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 60_000, 2, 3]
      for (const amount of amounts) {
        const { body } = await harness.verify(key, { corridor: 'GB-NG', amount }, { mode: 'shadow' })
        for (const code of body.reason_codes) expected.set(code, (expected.get(code) ?? 0) + 1)
      }
      await harness.verify(key, { corridor: 'FR-JP', amount: 1 })
      expected.set('CORRIDOR_UNSUPPORTED', 1)
      await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
      expected.set('BELOW_GO_THRESHOLD', 1)
      await installInForce(harness, reviewAll)
      await harness.verify(key, { corridor: 'NG-GB', amount: 1 }, { mode: 'shadow' })
      expected.set('POLICY_RULE_APPLIED', 1)
      const reasons = (await summaryOf(harness, key)).reasons as { code: string; count: number }[]
      assert.deepEqual(new Map(reasons.map(({ code, count }) => [code, count])), expected)
      // The one that needs declared partners is counted in test/http/live/too-large.test.ts.
      const missing = reasonCodes.filter((code) => !expected.has(code))
      assert.deepEqual(missing, ['NO_PARTNER_AVAILABLE'], 'every other code has come up')
      const counts = reasons.map(({ count }) => count)
      assert.deepEqual(
        counts,
        counts.toSorted((left, right) => right - left),
      )
    })
  })

  test(`a range is covered in whole hours, whole days are days, and nothing is counted twice (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      // One an hour, from noon of the first to noon of the sixth.
      for (let hour = 0; hour <= 120; hour += 1) {
        await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
        harness.clock.advance(hourMs)
      }
      const cases = [
        ['from=2026-03-01&to=2026-03-07', 'day', 121, [12, 24, 24, 24, 24, 13]],
        ['from=2026-03-01T20:30:00Z&to=2026-03-05T02:10:00Z', 'day', 79, [4, 24, 24, 24, 3]],
        ['from=2026-03-02T00:00:00Z&to=2026-03-05T00:00:00Z', 'hour', 72, Array<number>(72).fill(1)],
        ['from=2026-03-06T11:59:59Z&to=2026-03-06T12:00:01Z', 'hour', 2, [1, 1]],
        ['from=2026-03-06T13:00:00Z&to=2026-03-06T15:00:00Z', 'hour', 0, [0, 0]],
      ] as const
      for (const [query, step, total, steps] of cases) {
        const body = await summaryOf(harness, key, `?${query}`)
        assert.deepEqual([body.step, body.total], [step, total], query)
        assert.deepEqual(body.series.map(counted), steps, query)
        assert.equal(body.series[0].starts_at, body.from)
      }
      const ragged = await summaryOf(harness, key, `?${cases[1][0]}`)
      assert.deepEqual([ragged.from, ragged.to], ['2026-03-01T20:00:00.000Z', '2026-03-05T03:00:00.000Z'])
      const starts = ragged.series.map((one: Step) => one.starts_at.slice(0, 16))
      assert.deepEqual(starts.slice(0, 2), ['2026-03-01T20:00', '2026-03-02T00:00'])
    })
  })

  test(`days are those of the time zone that is named, and none is lost between them (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      for (let hour = 0; hour <= 120; hour += 1) {
        await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
        harness.clock.advance(hourMs)
      }
      const range = 'from=2026-03-01T12:00:00Z&to=2026-03-06T13:00:00Z'
      const cases = [
        ['UTC', [12, 24, 24, 24, 24, 13], '2026-03-02T00:00:00.000Z'],
        ['Africa/Lagos', [11, 24, 24, 24, 24, 14], '2026-03-01T23:00:00.000Z'],
        ['America/New_York', [17, 24, 24, 24, 24, 8], '2026-03-02T05:00:00.000Z'],
        // A day that starts at 18:30 UTC counts from 19:00.
        ['Asia/Kolkata', [7, 24, 24, 24, 24, 18], '2026-03-01T19:00:00.000Z'],
      ] as const
      for (const [zone, steps, second] of cases) {
        const body = await summaryOf(harness, key, `?${range}&time_zone=${zone}`)
        assert.deepEqual([body.step, body.time_zone, body.total], ['day', zone, 121])
        assert.deepEqual(body.series.map(counted), steps, zone)
        assert.equal(body.series[1].starts_at, second, zone)
        assert.deepEqual(
          body.series.map((one: Step) => one.average_score),
          steps.map(() => body.average_score),
        )
      }
      const long = await summaryOf(harness, key, '?from=2025-11-01&to=2026-03-07&time_zone=Africa/Lagos')
      assert.deepEqual([long.step, long.time_zone, long.total], ['day', 'UTC', 121])
    })
  })

  test(`another owner's decisions are never in it, and two keys of one owner see the same (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const [mine, others] = [await harness.issue(), await harness.issue()]
      await record(harness, others.key)
      const nothing = await summaryOf(harness, mine.key)
      assert.deepEqual(
        [nothing.total, nothing.average_score, nothing.average_confidence, nothing.corridors_total],
        [0, null, null, 0],
      )
      assert.deepEqual([nothing.reasons, nothing.corridors], [[], []])
      const { p50, p95, p99 } = nothing.latency_ms
      assert.deepEqual([p50, p95, p99], [null, null, null])
      assert.equal(nothing.series.length, 25, 'every step is there, though nothing was recorded')
      await record(harness, mine.key)
      assert.equal((await summaryOf(harness, mine.key)).total, 6)
    })
  })
}

test('corridor and mode choose, and a corridor may be given by its names', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    const { key } = await harness.issue({ prefix: 'svc-live-' })
    for (const mode of ['live', 'live', 'shadow']) {
      await harness.verify(key, { corridor: 'GB-NG', amount: 10 }, { mode })
    }
    await harness.verify(key, { corridor: 'NG-GB', amount: 10 })
    const cases = [
      ['', 4],
      ['?mode=live', 3],
      ['?mode=shadow', 1],
      ['?corridor=GB-NG', 3],
      ['?corridor=GB-NG&mode=live', 2],
      ['?corridor=united%20kingdom-nigeria&mode=live', 2],
      ['?corridor=FR-JP', 0],
    ] as const
    for (const [query, total] of cases)
      assert.equal((await summaryOf(harness, key, query)).total, total, query)
  })
})

test('more corridors than a table holds: those with most traffic, and how many there are', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const corridors = ['A', 'B'].flatMap((first) => letters.map((second) => `Z${first}-Z${second}`))
    for (const corridor of [...corridors, 'ZB-ZZ', 'ZB-ZZ', 'ZB-ZY']) await harness.verify(key, { corridor })
    const body = await summaryOf(harness, key)
    assert.deepEqual([body.corridors.length, body.corridors_total, body.total], [50, 52, 55])
    const named = body.corridors.map(({ corridor, total }: { corridor: string; total: number }) => [
      corridor,
      total,
    ])
    assert.deepEqual(named.slice(0, 3), [
      ['ZB-ZZ', 3],
      ['ZB-ZY', 2],
      ['ZA-ZA', 1],
    ])
  })
})

test('72 hours as they were asked for are told by the hour, however they lie and also up to now; more by the day', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    harness.clock.advance(hourMs / 2)
    for (const [query, step, steps] of [
      ['?from=2026-02-26T12:30:00Z', 'hour', 73],
      ['?from=2026-02-26T12:29:59Z', 'day', 4],
      ['?from=2026-02-20T10:30:00Z&to=2026-02-23T10:30:00Z', 'hour', 73],
      ['?from=2026-02-20T10:00:00Z&to=2026-02-23T10:00:00Z', 'hour', 72],
      ['?from=2026-02-20T10:30:00Z&to=2026-02-23T10:31:00Z', 'day', 4],
    ] as const) {
      const body = await summaryOf(harness, key, query)
      assert.deepEqual([body.step, body.series.length], [step, steps], query)
    }
  })
})
