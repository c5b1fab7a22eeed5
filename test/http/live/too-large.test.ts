/** An amount that no declared partner takes is never GO, and everything that shows the decision says why. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import type { Answer, Harness } from '../../helpers/harness.ts'
import { feedsAt, providerBody, text, withLive, type FeedsSpec } from '../../helpers/peers/provider.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'
import { backtested, idle, reviewAll, stopAll, teamOn } from '../../helpers/policies.ts'
import { post } from '../../helpers/post.ts'

const liveKey = async ({ issue }: Harness): Promise<string> => (await issue({ prefix: 'pk_live_' })).key

/** Beta takes at most 30,000, and alpha 20,000. */
const boundedWorldAt = (origin: string): FeedsSpec => {
  const { partners, ...world } = worldAt(origin)
  return {
    ...world,
    partners: { ...partners, beta: { ...partners?.['beta'], amount_max: { 'GB-KE': 30_000 } } },
  }
}

/** Verifies an amount that no partner takes, and shows the answer to `work`. */
async function withTooLarge(
  engine: Engine,
  work: (shown: { body: Answer['body']; get: (url: string) => Promise<Answer> }) => Promise<void>,
): Promise<void> {
  await withLive({ engine, answer: networks(), feeds_file: boundedWorldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 30_001 })
    await work({ body, get: (url) => harness.get(key, url) })
  })
}

for (const engine of engines) {
  test(`an amount too large for every partner is DEGRADED, names no partner, and is counted (${engine})`, async () => {
    await withTooLarge(engine, async ({ body, get }) => {
      assert.deepEqual(
        [body.decision, body.score, body.recommended_partner, body.recommended_action],
        ['DEGRADED', 0.85, null, 'REROUTE'],
      )
      assert.equal(body.signals.balance_sufficient, false)
      assert.deepEqual(body.reasons, [
        {
          code: 'INSUFFICIENT_BALANCE',
          message: 'Partner liquidity counts as none, because no declared partner takes this amount.',
        },
        {
          code: 'NO_PARTNER_AVAILABLE',
          message:
            'No declared partner takes more than 30,000 GBP: split the payment, or send it another way.',
        },
      ])
      const { body: found } = await get('/api/verifications?reason=NO_PARTNER_AVAILABLE&decision=DEGRADED')
      assert.deepEqual(
        found.map((one: { request_id: string }) => one.request_id),
        [body.request_id],
      )
      const { body: summary } = await get('/api/v1/verifications/summary')
      const counted = summary.reasons.find((one: { code: string }) => one.code === 'NO_PARTNER_AVAILABLE')
      assert.equal(counted?.count, 1)
      const { body: reviews } = await get('/api/v1/reviews?decision=DEGRADED')
      assert.deepEqual(
        reviews.reviews.map((one: { recommended_action: string; reason_codes: string[] }) => [
          one.recommended_action,
          one.reason_codes,
        ]),
        [['REROUTE', ['INSUFFICIENT_BALANCE', 'NO_PARTNER_AVAILABLE']]],
      )
    })
  })

  test(`its explanation, impact, timeline and export agree, and the export verifies (${engine})`, async () => {
    await withTooLarge(engine, async ({ body, get }) => {
      const at = `/api/v1/decision/${body.request_id}`
      const { body: why } = await get(`${at}/explanation`)
      assert.match(why.summary, /^DEGRADED: a payment of 30,001 GBP on GB-KE, with a score of 0\.85\. /)
      assert.match(
        why.summary,
        /No declared partner takes more than 30,000 GBP, and without a partner no payment is GO\./,
      )
      assert.match(why.summary, /The largest whole amount that would have been GO is 30,000 GBP\./)
      assert.doesNotMatch(why.summary, /single signal/)
      const { composite, penalty, rounding, policy_gate: gate } = why
      assert.deepEqual([composite, penalty.amount, rounding, why.score], [0.85, 0, 0, 0.85])
      assert.deepEqual([gate.applied, gate.changed_decision], [false, false])
      assert.deepEqual(
        why.partners.map((one: { available: boolean; comparison: string }) => [
          one.available,
          one.comparison,
        ]),
        [
          [false, 'Not available: beta (takes at most 30,000).'],
          [false, 'Not available: alpha (takes at most 20,000).'],
        ],
      )
      // A smaller amount has the liquidity of its partner; no healthier signal and no profile makes this one GO.
      assert.equal(why.largest_go_amount, 30_000)
      assert.deepEqual(
        why.counterfactuals.map((one: { kind: string; decision: string; score: number }) => [
          one.kind,
          one.decision,
          one.score,
        ]),
        [
          ['partner', 'DEGRADED', 0.85],
          ['amount', 'GO', 1],
          ['profile', 'DEGRADED', 0.85],
          ['profile', 'DEGRADED', 0.85],
        ],
      )
      const { body: impact } = await get(`${at}/impact`)
      assert.equal(impact.intervention_type, 'CONDITIONAL_HOLD')
      assert.match(impact.calculation_basis, /^The payment was held: no declared partner takes its amount\./)
      const { body: timeline } = await get(`${at}/timeline`)
      assert.equal(timeline.events.length, 10)
      const { text: exported } = await get(`/api/v1/audit/export/${body.request_id}`)
      const { findings, notices, notRecomputed } = verifyBundle(exported)
      assert.deepEqual([findings, notices, notRecomputed], [[], [], null])
    })
  })
}

test('the ranking and the verify of every amount agree, and one that is too large blocks no other', async () => {
  const answer = networks({ alpha: 0.9 })
  await withLive({ answer, feeds_file: boundedWorldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    for (const amount of [20_000, 30_001, 20_001, 60_000, 30_000, 600_000]) {
      const { body } = await harness.verify(key, { corridor: 'GB-KE', amount })
      const ranking = await post(
        harness,
        '/api/v1/decision/compare',
        { corridor: 'GB-KE', amount, partners: ['alpha', 'beta'] },
        { key },
      )
      const [best] = ranking.body.ranked_partners
      assert.deepEqual(
        [best.decision, best.score, best.recommended_action, ranking.body.recommended_partner],
        [body.decision, body.score, body.recommended_action, body.recommended_partner],
        String(amount),
      )
      assert.equal(best.available, amount <= 30_000, String(amount))
      assert.ok(body.decision !== 'GO' || body.recommended_partner !== null, String(amount))
    }
  })
})

test('a NO-GO by score or by cap stays NO-GO, and above the review cap the way out is not an approval', async () => {
  const poor = networks({ alpha: 0, beta: 0 })
  const answer: typeof poor = (question) =>
    question.signal === 'fx_volatility' ? text(providerBody(0)) : poor(question)
  await withLive({ answer, feeds_file: boundedWorldAt }, async ({ harness }) => {
    const { body } = await harness.verify(await liveKey(harness), { corridor: 'GB-KE', amount: 30_001 })
    assert.deepEqual([body.decision, body.recommended_action], ['NO-GO', 'BLOCK'])
    assert.ok(body.reason_codes.includes('NO_PARTNER_AVAILABLE'))
  })
  await withLive({ answer: networks(), feeds_file: boundedWorldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const review = await harness.verify(key, { corridor: 'GB-KE', amount: 50_001 })
    assert.deepEqual(
      [review.body.decision, review.body.recommended_action, review.body.reason_codes],
      ['DEGRADED', 'REROUTE', ['INSUFFICIENT_BALANCE', 'NO_PARTNER_AVAILABLE', 'POLICY_CAP_APPLIED']],
    )
    const { body: why } = await harness.get(key, `/api/v1/decision/${review.body.request_id}/explanation`)
    assert.doesNotMatch(why.summary, /needs manual approval/)
    const block = await harness.verify(key, { corridor: 'GB-KE', amount: 500_001 })
    assert.deepEqual([block.body.decision, block.body.recommended_action], ['NO-GO', 'BLOCK'])
  })
})

test('the largest GO amount is that of a partner that is GO for it, with its own liquidity', async () => {
  // Beta takes more, but its network is down. Alpha would not reach GO without liquidity.
  const found = async (risks: Record<string, number>, fx: number) => {
    const own = networks(risks)
    const answer: typeof own = (question) =>
      question.signal === 'fx_volatility' ? text(providerBody(fx)) : own(question)
    let result: unknown = null
    await withLive({ answer, feeds_file: boundedWorldAt }, async ({ harness }) => {
      const key = await liveKey(harness)
      const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 40_000 })
      const { body: why } = await harness.get(key, `/api/v1/decision/${body.request_id}/explanation`)
      result = [
        body.decision,
        why.largest_go_amount,
        why.counterfactuals.find(({ kind }: { kind: string }) => kind === 'amount')?.change ?? null,
      ]
    })
    return result
  }
  assert.deepEqual(await found({ alpha: 0.9, beta: 0 }, 0.5), [
    'DEGRADED',
    20_000,
    'With 20,000 GBP through alpha, the largest whole amount that would have been GO.',
  ])
  assert.deepEqual(await found({ alpha: 0.1, beta: 0.1 }, 0.5), ['DEGRADED', null, null])
})

test('a corridor without declared partners is as it was, whatever the amount', async () => {
  await withLive({ answer: networks(), feeds_file: feedsAt }, async ({ harness }) => {
    const { body } = await harness.verify(await liveKey(harness), { corridor: 'GB-NG', amount: 50_000 })
    assert.deepEqual([body.decision, body.reason_codes], ['GO', ['HEALTHY_PARTNER']])
  })
})

test('a record that hides that no partner takes its amount, with its hashes made again, is found', async () => {
  await withLive({ answer: networks(), feeds_file: boundedWorldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 30_001 })
    const { text: exported } = await harness.get(key, `/api/v1/audit/export/${body.request_id}`)
    const changes: readonly (readonly [string, string])[] = [
      ['"too_large":true', '"too_large":false'],
      ['"liquidity_thousandths":1000', '"liquidity_thousandths":200'],
      ['"amount_max":30000', '"amount_max":31000'],
      ['"revision":6', '"revision":5'],
    ]
    for (const [before, after] of changes) {
      assert.ok(exported.includes(before), before)
      const { integrity: _old, proof: _proof, ...evidence } = JSON.parse(exported.replaceAll(before, after))
      const { findings } = verifyBundle(
        JSON.stringify({ ...evidence, proof: null, integrity: forgedIntegrity(evidence) }),
      )
      assert.ok(
        findings.some(({ path }) => /^\/(?:record|explanation)\//.test(path)),
        `${before}: ${JSON.stringify(findings)}`,
      )
    }
  })
})

test('a policy acts on it as on any other payment, and a backtest decides it as verify did', async () => {
  await withLive({ answer: networks(), feeds_file: boundedWorldAt }, async ({ harness }) => {
    const team = await teamOn(harness)
    const { key } = await harness.issue({ prefix: 'pk_live_', ownerId: team.ownerId })
    const decided = async (amount: number) => (await harness.verify(key, { corridor: 'GB-KE', amount })).body
    await decided(30_000)
    assert.equal((await decided(30_001)).decision, 'DEGRADED')
    const idleId = await team.create(idle)
    const unchanged = await backtested(harness, team.author.key, idleId)
    assert.deepEqual([unchanged.records, unchanged.unchanged], [2, 2])
    const stopId = await team.create(stopAll)
    const { flips } = await backtested(harness, team.author.key, stopId)
    assert.deepEqual(flips, { 'GO>NO-GO': 1, 'DEGRADED>NO-GO': 1 })
    await team.putInForce(reviewAll)
    const reviewed = await decided(30_001)
    assert.deepEqual(
      [reviewed.decision, reviewed.recommended_action, reviewed.reason_codes],
      ['DEGRADED', 'REROUTE', ['INSUFFICIENT_BALANCE', 'NO_PARTNER_AVAILABLE', 'POLICY_RULE_APPLIED']],
    )
    const { body: why } = await harness.get(key, `/api/v1/decision/${reviewed.request_id}/explanation`)
    assert.match(why.summary, /Without rules of policies it is DEGRADED, too\./)
    // What a rule does with another amount was not searched.
    assert.equal(why.largest_go_amount, null)
    await team.putInForce(stopAll)
    assert.equal((await decided(30_001)).decision, 'NO-GO')
  })
})
