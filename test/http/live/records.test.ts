/** What a live decision tells of itself: its volatility, its partner, how far it is trusted, and where each signal came from. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { volatilityOf } from '../../../src/core/decision/score.ts'
import { engines } from '../../helpers/database/databases.ts'
import type { Answer, Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import {
  calm,
  feedsAt,
  httpFeed,
  startMs,
  text,
  providerBody,
  withLive,
  type Answering,
  type FeedSpec,
  type FeedsSpec,
} from '../../helpers/peers/provider.ts'

const liveKey = async ({ issue }: Harness): Promise<string> => (await issue({ prefix: 'pk_live_' })).key
const hundredths = ({ body }: Answer): number => Math.round(body.score * 100)

/** The larger the amount, the worse the network, up to 100; above, everything is at its worst. */
const byAmount: Answering = ({ signal, amount }) => {
  const size = amount ?? 0
  if (signal === 'historical_failure_rate') return text(providerBody(0))
  if (size > 100) return text(providerBody(signal === 'fraud_flags' ? 5 : 0))
  return text(providerBody(signal === 'network_healthy' ? 1 - size / 100 : signal === 'fraud_flags' ? 0 : 1))
}

for (const engine of engines) {
  test(`live volatility is that of the owner's own last 50 live scores of the corridor (${engine})`, async () => {
    const feeds_file = (origin: string): FeedsSpec => feedsAt(origin, {}, { max_age_s: 3_600 })
    await withLive({ engine, answer: byAmount, feeds_file }, async ({ harness }) => {
      const [mine, another] = [await liveKey(harness), await liveKey(harness)]
      const scores: number[] = []
      const ask = async (amount: number): Promise<void> => {
        const answer = await harness.verify(mine, { corridor: 'GB-NG', amount })
        assert.equal(answer.body.volatility, volatilityOf(scores.slice(-50)))
        scores.push(hundredths(answer))
      }
      const noise = async (): Promise<void> => {
        await harness.verify(another, { corridor: 'GB-NG', amount: 90 })
        await harness.verify(mine, { corridor: 'GB-NG', amount: 400_000 }, { mode: 'shadow' })
        await harness.verify(mine, { corridor: 'NG-GB', amount: 90 })
        assert.equal((await harness.verify(mine, { corridor: 'US-JP' })).status, 200)
      }
      for (let amount = 0; amount < 4; amount += 1) {
        await ask(amount * 7)
        await noise()
      }
      // A cooldown repeats a score, and has none of its own.
      await ask(200)
      const repeated = await harness.verify(mine, { corridor: 'GB-NG', amount: 1 })
      assert.equal(repeated.body.decision, 'NO-GO')
      assert.equal(typeof repeated.body.cooldown, 'object')
      harness.clock.advance(90_000)
      for (let amount = 0; amount < 50; amount += 1) await ask((amount * 13) % 50)
      assert.ok(volatilityOf(scores) !== volatilityOf(scores.slice(-50)), 'the oldest would not show')
      await ask(5)
    })
  })
}

test('the partner of a live decision is the one that the file names for the corridor, else none', async () => {
  const feeds_file = (origin: string): FeedsSpec => ({
    ...feedsAt(origin),
    recommended_partner: { 'GB-NG': 'a partner of ours' },
  })
  await withLive({ answer: byAmount, feeds_file }, async ({ harness, provider, rewrite }) => {
    const key = await liveKey(harness)
    const partner = async (corridor: string, amount = 1): Promise<string | null> =>
      (await harness.verify(key, { corridor, amount })).body.recommended_partner
    assert.equal(await partner('GB-NG'), 'a partner of ours')
    assert.equal(await partner('NG-GB'), null)
    assert.equal(await partner('US-JP'), null)
    assert.equal(await partner('GB-NG', 200), null, 'a NO-GO recommends nobody')
    harness.clock.advance(90_000)
    rewrite(feedsAt(provider.origin))
    assert.deepEqual(harness.feeds?.reload(), [])
    assert.equal(await partner('GB-NG'), null)
  })
})

test('a live decision is trusted less the older its signals are, by the rule, down to the oldest that pass', async () => {
  const rows: [ageMs: number, confidence: number][] = [
    [0, 0.97],
    [60_000, 0.94],
    [150_000, 0.89],
    [299_999, 0.82],
    [300_000, 0.82],
  ]
  let ageMs = 0
  const answer: Answering = ({ signal }) =>
    text(providerBody(calm[signal as keyof typeof calm], startMs - ageMs))
  await withLive({ answer }, async ({ harness }) => {
    const key = await liveKey(harness)
    const ask = (): Promise<Answer> => harness.verify(key, { corridor: 'GB-NG', amount: 1 })
    for (const [age, confidence] of rows) {
      ageMs = age
      assert.equal((await ask()).body.confidence, confidence, String(age))
    }
    ageMs = 300_001
    assert.equal((await ask()).status, 503)
  })
})

/** A payment that was decided and has ended. */
async function end(harness: Harness, key: string, outcome: string, mode = 'live'): Promise<void> {
  const { body } = await harness.verify(key, payment, { mode })
  const reported = await post(harness, `/api/v1/decision/${body.request_id}/outcome`, { outcome }, { key })
  assert.equal(reported.status, 200)
}

const payment = { corridor: 'GB-NG', amount: 1 }
const withFailures =
  (historical_failure_rate: FeedSpec) =>
  (origin: string): FeedsSpec =>
    feedsAt(origin, { historical_failure_rate }, { max_age_s: 10 * 86_400 })

test('without its whole history a failure rate is trusted less, and an assumption least of all', async () => {
  const outcomes = { source: 'outcomes', least: 4, assumed_rate: 0.1, cache_ms: 0 }
  await withLive({ feeds_file: withFailures(outcomes) }, async ({ harness }) => {
    const key = await liveKey(harness)
    const confidence = async (): Promise<number> => (await harness.verify(key, payment)).body.confidence
    // The signal weighs a twentieth: of its 97 percent it loses 27 as an assumption, 9 with a quarter of its history.
    assert.equal(await confidence(), 0.95)
    await end(harness, key, 'COMPLETED')
    assert.equal(await confidence(), 0.96)
    for (let times = 0; times < 3; times += 1) await end(harness, key, 'COMPLETED')
    assert.equal(await confidence(), 0.97)
  })
})

test('the failure rate of an outcomes feed is that of the live payments which this owner has reported', async () => {
  const outcomes = { source: 'outcomes', least: 4, assumed_rate: 0.1, window_days: 1, cache_ms: 0 }
  await withLive({ feeds_file: withFailures(outcomes) }, async ({ harness }) => {
    const [mine, another] = [await liveKey(harness), await liveKey(harness)]
    const rate = async (key: string): Promise<number> =>
      (await harness.verify(key, payment)).body.signals.historical_failure_rate
    assert.equal(await rate(mine), 0.1)
    for (const outcome of ['COMPLETED', 'DELAYED', 'FAILED', 'PENDING']) await end(harness, mine, outcome)
    for (const outcome of ['FAILED', 'REJECTED', 'FAILED', 'FAILED']) await end(harness, another, outcome)
    await end(harness, mine, 'FAILED', 'shadow')
    // One of three, and a tenth of the one that is missing.
    assert.equal(await rate(mine), 0.275)
    await end(harness, mine, 'COMPLETED')
    assert.equal(await rate(mine), 0.25)
    assert.equal(await rate(another), 1)
    harness.clock.advance(86_400_001)
    assert.equal(await rate(mine), 0.1, 'what ended before the window is no history')
  })
})

test('each signal of a live decision tells its feed, what that gave, when it was observed and how old it was', async () => {
  const answer: Answering = ({ signal }) =>
    signal === 'operation_valid'
      ? text(JSON.stringify({ value: 'allowed', as_of: new Date(startMs - 2_500).toISOString() }))
      : text(providerBody(calm[signal as keyof typeof calm], startMs - 1_000))
  const feeds_file = (origin: string): FeedsSpec =>
    feedsAt(origin, {
      operation_valid: httpFeed(origin, 'operation_valid', { map: { cases: [['allowed', 0.9]] } }),
      cop_overridden: { source: 'constant', value: 0.4 },
      historical_failure_rate: { source: 'outcomes', least: 4, assumed_rate: 0.02 },
    })
  await withLive({ answer, feeds_file }, async ({ harness }) => {
    const key = await liveKey(harness)
    const { body: made } = await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
    harness.clock.advance(1_000_000)
    const { body } = await harness.get(key, `/api/v1/signals/${made.request_id}`)
    assert.deepEqual(
      body.signals.map((one: { source: string }) => one.source),
      signalNames.map(() => 'live'),
    )
    const feedOf = (name: string) =>
      body.signals.find((one: { signal: string }) => one.signal === name) as Record<string, unknown>
    assert.deepEqual(feedOf('fraud_flags')['feed'], {
      kind: 'http',
      value: 0,
      observed_at: '2026-03-01T11:59:59.000Z',
      age_ms: 1_000,
      history: null,
    })
    assert.deepEqual(feedOf('operation_valid')['feed'], {
      kind: 'http',
      value: 'allowed',
      observed_at: '2026-03-01T11:59:57.500Z',
      age_ms: 2_500,
      history: null,
    })
    assert.deepEqual(feedOf('cop_overridden')['feed'], {
      kind: 'constant',
      value: 0.4,
      observed_at: null,
      age_ms: null,
      history: null,
    })
    assert.deepEqual(feedOf('historical_failure_rate')['feed'], {
      kind: 'outcomes',
      value: 0.02,
      observed_at: null,
      age_ms: null,
      history: { have: 0, need: 4 },
    })
    const { risk_value: risk, confidence, reason_code: reason } = feedOf('cop_overridden')
    assert.deepEqual([risk, confidence, reason], [0.4, 0.7, 'COP_OVERRIDE_ACTIVE'])
    assert.deepEqual(
      [feedOf('operation_valid')['risk_value'], feedOf('operation_valid')['confidence']],
      [0.9, 0.96],
    )
  })
})

/** The views of a decision that exist, and what is wrong with its bundle. */
async function lookInto(harness: Harness, key: string, id: string) {
  const paths = ['explanation', 'impact', 'timeline'].map((view) => `/api/v1/decision/${id}/${view}`)
  for (const path of [...paths, `/api/v1/audit/${id}`, `/api/v1/signals/${id}`]) {
    assert.equal((await harness.get(key, path)).status, 200, path)
  }
  const bundle = await harness.get(key, `/api/v1/audit/export/${id}`)
  return { findings: verifyBundle(bundle.text).findings, bundle: bundle.body }
}

test('a live decision explains itself, and its audit bundle verifies: plain, repeated, and of no supported corridor', async () => {
  await withLive({ answer: byAmount }, async ({ harness }) => {
    const key = await liveKey(harness)
    const payments = [
      { corridor: 'GB-NG', amount: 1 },
      { corridor: 'GB-NG', amount: 50.01 },
      { corridor: 'US-JP', amount: 1_000.01 },
      { corridor: 'GB-NG', amount: 200 },
      { corridor: 'GB-NG', amount: 1 },
    ]
    const verdicts: string[] = []
    for (const one of payments) {
      const { body } = await harness.verify(key, one)
      verdicts.push(body.decision)
      const { findings, bundle } = await lookInto(harness, key, body.request_id)
      assert.deepEqual(findings, [])
      assert.equal(bundle.record.mode, 'live')
    }
    assert.deepEqual(verdicts, ['GO', 'GO', 'DEGRADED', 'NO-GO', 'NO-GO'])
  })
})

test('the record of a live corridor without data says so wherever its signals are shown', async () => {
  await withLive({ answer: byAmount }, async ({ harness, provider }) => {
    const key = await liveKey(harness)
    const { body } = await harness.verify(key, { corridor: 'US-JP', amount: 1_000 })
    assert.equal(provider.questions.length, 0)
    const path = (view: string): string => `/api/v1/decision/${body.request_id}/${view}`
    const provenance = (await harness.get(key, `/api/v1/signals/${body.request_id}`)).body
    for (const one of provenance.signals) {
      const { label, risk_value: risk, source, confidence, reason_code: code, feed } = one
      assert.deepEqual(
        [label, risk, source, confidence, code, feed],
        ['NO_DATA', null, 'none', 0, null, null],
      )
    }
    const audit = (await harness.get(key, `/api/v1/audit/${body.request_id}`)).body
    for (const one of audit.signal_contributions) {
      assert.deepEqual([one.status, one.risk_value], ['NO_DATA', null])
    }
    const explained = (await harness.get(key, path('explanation'))).body
    assert.equal(explained.composite, 0)
    for (const one of explained.factors) {
      assert.deepEqual(
        [one.status, one.risk_value, one.contribution, one.flagged],
        ['NO_DATA', null, 0, false],
      )
      assert.match(one.message, /^There is no data on the /)
    }
    const impact = (await harness.get(key, path('impact'))).body
    assert.match(impact.calculation_basis, /no data for this corridor/)
  })
})

test('the explanation of a live decision is of what the feeds said, and changes one thing at a time', async () => {
  await withLive({ answer: byAmount }, async ({ harness }) => {
    const key = await liveKey(harness)
    const { body: made } = await harness.verify(key, { corridor: 'GB-NG', amount: 100 })
    assert.deepEqual([made.decision, made.score], ['DEGRADED', 0.75])
    const { body } = await harness.get(key, `/api/v1/decision/${made.request_id}/explanation`)
    const network = body.factors.find((one: { signal: string }) => one.signal === 'network_healthy')
    assert.deepEqual([network.risk_value, network.contribution, network.flagged], [0, 0, true])
    assert.match(JSON.stringify(body), /recorded signals were used unchanged/)
    assert.ok(body.counterfactuals.length > 0)
  })
})
