/** Live decisions: the same scorer on what the feeds say, and never a GO that they did not give. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { probeDetailsOf } from '../../../src/app/verify/answer.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import { decide } from '../../../src/core/decision/decide.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import {
  failureRiskThousandths,
  fraudRiskThousandths,
  signalNames,
  signalValues,
  type Readings,
  type SignalName,
} from '../../../src/core/decision/signals.ts'
import {
  anyAmount,
  anySupported,
  anyUnsupported,
  corridorOf,
  currencyOf,
  readingsWith,
} from '../../helpers/check.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { rowCounts } from '../../helpers/post.ts'
import { calm, feedsAt, startMs, text, providerBody, values, withLive } from '../../helpers/peers/provider.ts'

/** Whoever decides for real reads the payment's own data; no ending of an amount stands for anything. */
const testAmounts = Array.from({ length: 9 }, (_, ending) => 1_000 + (ending + 1) / 100)
const amounts = [undefined, 0, 1_000, ...testAmounts, 15_000, 50_000, 50_000.01, 500_000, 500_000.01, 1e15]
const anyPayment = fc.oneof(anyAmount, fc.constantFrom(...testAmounts))

/** What a provider may say of each signal, in thousandths, or in flags. */
const thousandths = fc.oneof(
  fc.integer({ min: 0, max: 1_000 }),
  fc.constantFrom(0, 249, 499, 500, 501, 1_000),
)
const anyScaled = fc.record(
  Object.fromEntries(
    signalNames.map((signal) => [
      signal,
      signal === 'fraud_flags' ? fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000 })) : thousandths,
    ]),
  ) as Record<SignalName, fc.Arbitrary<number>>,
)

type Scaled = Readonly<Record<SignalName, number>>

/** The readings that follow; `lostPercent` is how much trust each signal has lost with age. */
function readingsOf(scaled: Scaled, lostPercent: number): Readings {
  const risks = {
    ...scaled,
    fraud_flags: fraudRiskThousandths(scaled.fraud_flags, 1_000),
    historical_failure_rate: failureRiskThousandths(scaled.historical_failure_rate),
  }
  return {
    ...readingsWith(risks, scaled.fraud_flags, 97 - lostPercent),
    failureRatePermille: scaled.historical_failure_rate,
  }
}

const noCooldown = { FAIRWAY_COOLDOWN_S: '0' }
const liveKey = async ({ issue }: Harness): Promise<string> => (await issue({ prefix: 'pk_live_' })).key

test('what the feeds say is decided as the scorer decides it, for any amount, test amounts too', async () => {
  let now: { scaled: Scaled; ageMs: number } = { scaled: calm, ageMs: 0 }
  const answer = ({ signal }: { signal: string }) => {
    const scaled = now.scaled[signal as SignalName]
    return text(providerBody(signal === 'fraud_flags' ? scaled : scaled / 1_000, startMs - now.ageMs))
  }
  await withLive({ answer, settings: noCooldown }, async ({ harness }) => {
    const key = await liveKey(harness)
    const age = fc.constantFrom([0, 0], [1, 1], [20_000, 1], [20_001, 2], [150_000, 8], [300_000, 15])
    await fc.assert(
      fc.asyncProperty(anyScaled, anyPayment, anySupported, age, async (scaled, amount, corridor, aged) => {
        const [ageMs = 0, lostPercent = 0] = aged
        now = { scaled, ageMs }
        const readings = readingsOf(scaled, lostPercent)
        const input = {
          corridor,
          supported: true,
          amount,
          currency: currencyOf('GBP'),
          readings,
          policy: standardPolicy,
        }
        const { verdict, scoreHundredths, confidenceHundredths, reasons, evidence } = decide(input)
        const flagged = evidence.factors.filter((factor) => factor.flagged).map(({ signal }) => signal)
        const { status, body } = await harness.verify(
          key,
          amount === null ? { corridor } : { corridor, amount },
        )
        assert.equal(status, 200)
        assert.deepEqual([body.mode, body.environment], ['live', 'production'])
        assert.deepEqual(
          [body.decision, body.score, body.confidence],
          [verdict, scoreHundredths / 100, confidenceHundredths / 100],
        )
        assert.deepEqual(body.reasons, reasons)
        assert.deepEqual(body.signals, signalValues(readings, new Set(flagged), 'live'))
        assert.deepEqual(body.probe_details, probeDetailsOf(evidence.factors, 'live'))
      }),
      { numRuns: 150 },
    )
  })
})

/** Every amount, on every supported corridor: held, each time for these signals, and nothing is kept. */
async function expectHeld(harness: Harness, key: string, signals: readonly SignalName[]): Promise<void> {
  const before = rowCounts(harness)
  const payments = ['GB-NG', 'NG-GB'].flatMap((corridor) => amounts.map((amount) => ({ corridor, amount })))
  const answers = await Promise.all(payments.map((payment) => harness.verify(key, payment)))
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.unavailable_signals], [503, signals.toSorted()])
  }
  assert.deepEqual(rowCounts(harness), before)
}

/** Nothing is known, and nothing is said as if it were. */
function expectNoData({ status, body }: Answer): void {
  assert.deepEqual([status, body.mode, body.corridor_supported], [200, 'live', false])
  assert.deepEqual([body.decision, body.score, body.confidence], ['DEGRADED', 0, 0])
  assert.deepEqual(
    [body.reason_codes, body.recommended_action],
    [['CORRIDOR_UNSUPPORTED'], 'TREAT_AS_NO_DATA'],
  )
  assert.deepEqual([body.volatility, body.recommended_partner], [0, null])
  for (const signal of signalNames) {
    assert.equal(body.signals[signal], null, signal)
    assert.deepEqual(body.probe_details[signal], { signal: 'NO_DATA', risk_value: null }, signal)
  }
}

test('without feeds a live key is held on every amount, and never gets an answer of the shadow world', async () => {
  await withHarness({}, async (harness) => {
    const key = await liveKey(harness)
    await expectHeld(harness, key, signalNames)
    expectNoData(await harness.verify(key, { corridor: 'US-JP' }))
    assert.equal((await harness.verify(key, { corridor: 'GB-NG' }, { mode: 'live' })).status, 503)
  })
})

test('with feeds for some signals a live key is held on every amount, for the others', async () => {
  await withLive({}, async ({ harness, provider, rewrite }) => {
    const key = await liveKey(harness)
    const { signals } = feedsAt(provider.origin)
    const without = signalNames.map((lacking) => signalNames.filter((signal) => signal !== lacking))
    const alone = signalNames.map((signal) => [signal])
    for (const present of [[], ...alone, ...without]) {
      const some = Object.fromEntries(present.map((signal) => [signal, signals[signal]]))
      rewrite({ deadline_ms: 30_000, signals: some })
      assert.deepEqual(harness.feeds?.reload(), [])
      await expectHeld(
        harness,
        key,
        signalNames.filter((signal) => !present.includes(signal)),
      )
      expectNoData(await harness.verify(key, { corridor: 'US-JP' }))
    }
  })
})

test('with feeds that fail a live key is held on every amount, and so is whoever asks again', async () => {
  await withLive({ answer: () => text('', 500) }, async ({ harness }) => {
    const key = await liveKey(harness)
    await expectHeld(harness, key, signalNames)
    await expectHeld(harness, key, signalNames)
  })
})

test('what is no live feed is asked of nobody: an unsupported corridor is never a GO', async () => {
  await withLive({ settings: noCooldown }, async ({ harness, provider }) => {
    const key = await liveKey(harness)
    const ask = async (corridor: Corridor, amount: number | null): Promise<void> => {
      const { status, body } = await harness.verify(key, { corridor, ...(amount === null ? {} : { amount }) })
      assert.deepEqual([status, body.mode, body.corridor_supported], [200, 'live', false])
      assert.equal(body.decision, (amount ?? 0) > 500_000 ? 'NO-GO' : 'DEGRADED')
      assert.deepEqual([body.score, body.confidence], [0, 0])
      assert.equal(body.recommended_partner, null)
      assert.ok(Object.values(body.signals).every((value) => value === null))
    }
    await fc.assert(fc.asyncProperty(anyUnsupported, anyPayment, ask), { numRuns: 50 })
    for (const amount of amounts) await ask(corridorOf('US-JP'), amount ?? null)
    assert.equal(provider.questions.length, 0)
  })
})

test('a currency that the corridor does not take makes the operation invalid, whatever the feed says', async () => {
  const rows: [currency: string, said: number, risk: number][] = [
    ['GBP', 1, 1],
    ['ngn', 0.05, 0.05],
    ['USD', 1, 0.1],
    ['USD', 0.1, 0.1],
    ['jpy', 0.05, 0.05],
  ]
  for (const [currency, said, risk] of rows) {
    const answer = values({ operation_valid: said })
    await withLive({ answer, settings: noCooldown }, async ({ harness }) => {
      const key = await liveKey(harness)
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1, currency })
      const isFlagged = risk < 0.5
      const name = `${currency} ${said}`
      assert.equal(body.request_currency, currency.toUpperCase())
      assert.equal(body.probe_details.operation_valid.risk_value, risk, name)
      assert.equal(body.signals.operation_valid, !isFlagged, name)
      assert.equal(body.reason_codes.includes('OPERATION_INVALID'), isFlagged, name)
      const bundle = await harness.get(key, `/api/v1/audit/export/${body.request_id}`)
      assert.deepEqual(verifyBundle(bundle.text).findings, [], name)
    })
  }
})

test('a live key that asks for shadow is told that it is shadow, and no provider is asked', async () => {
  await withLive({ answer: values({ fraud_flags: 1 }) }, async ({ harness, provider }) => {
    const key = await liveKey(harness)
    const { status, body } = await harness.verify(key, { corridor: 'GB-NG', amount: 20 }, { mode: 'shadow' })
    assert.deepEqual([status, body.decision, body.mode, body.environment], [200, 'GO', 'shadow', 'sandbox'])
    assert.equal(provider.questions.length, 0)
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 20 })).body.decision, 'DEGRADED')
  })
})

test('a test key or a sandbox key that asks for live is refused, and no provider is asked', async () => {
  await withLive({}, async ({ harness, provider }) => {
    for (const prefix of ['pk_test_', 'svc-sandbox-'] as const) {
      const { key } = await harness.issue({ prefix })
      const refused = await harness.verify(key, { corridor: 'GB-NG', amount: 20 }, { mode: 'live' })
      assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN'])
    }
    assert.equal(provider.questions.length, 0)
  })
})

test('a live NO-GO holds for its cooldown without a question, and not beyond it or for shadow', async () => {
  let flags = 3
  const answer = ({ signal }: { signal: string }) =>
    text(
      providerBody(
        signal === 'fraud_flags' ? flags : signal === 'historical_failure_rate' ? 0 : flags > 0 ? 0.3 : 1,
      ),
    )
  const feeds_file = (origin: string) => feedsAt(origin, {}, { max_age_s: 3_600 })
  await withLive({ answer, feeds_file }, async ({ harness, provider }) => {
    const key = await liveKey(harness)
    const payment = { corridor: 'GB-NG', amount: 20 }
    const first = await harness.verify(key, payment)
    assert.equal(first.body.decision, 'NO-GO')
    flags = 0
    const asked = provider.questions.length
    harness.clock.advance(89_999)
    const hit = await harness.verify(key, payment)
    assert.deepEqual([hit.body.decision, hit.body.score], ['NO-GO', first.body.score])
    assert.equal(hit.body.cooldown.source_request_id, first.body.request_id)
    assert.equal(provider.questions.length, asked)
    assert.equal((await harness.verify(key, payment, { mode: 'shadow' })).body.decision, 'GO')
    assert.equal((await harness.verify(key, { ...payment, corridor: 'NG-GB' })).body.decision, 'GO')
    harness.clock.advance(1)
    assert.equal((await harness.verify(key, payment)).body.decision, 'GO')
  })
})

test('a replay is answered from what is kept, whatever has become of the feeds', async () => {
  let isUp = true
  const healthy = values()
  await withLive(
    { answer: (question) => (isUp ? healthy(question) : text('', 500)) },
    async ({ harness, provider }) => {
      const key = await liveKey(harness)
      const headers = { 'idempotency-key': 'once' }
      const ask = (amount: number) => harness.verify(key, { corridor: 'GB-NG', amount }, { headers })
      const first = await ask(20)
      isUp = false
      const again = await ask(20)
      assert.deepEqual(
        [again.status, again.body.request_id, again.body.idempotency_hit],
        [200, first.body.request_id, true],
      )
      assert.equal(provider.questions.length, signalNames.length)
      assert.equal((await ask(21)).status, 409)
    },
  )
})
