/** POST /api/v1/decision/compare: partners ranked by the one scorer, always in the shadow world. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { simulatedPartners } from '../../../src/core/shadow/partners.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { rankPartners } from '../../../src/core/decision/ranking.ts'
import { corridorOf, currencyOf } from '../../helpers/check.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { anyPaidAmount } from '../../helpers/payments.ts'
import { post, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/decision/compare'
const partners = [...simulatedPartners]

interface Ranking {
  readonly corridor: string
  readonly amount: number | null
  readonly currency: string
  readonly mode: string
  readonly recommended_partner: string | null
  readonly partner_count: number
  readonly evaluated_at: string
  readonly ranked_partners: readonly {
    readonly rank: number
    readonly partner: string
    readonly decision: string
    readonly score: number
    readonly recommended_action: string
  }[]
}

async function rank(harness: Harness, key: string, body: object): Promise<Ranking> {
  const answer = await post(harness, url, { corridor: 'GB-NG', partners, ...body }, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Ranking
}

test('every partner is ranked with its decision, score and action, best first', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const found = await rank(harness, key, { amount: 1000, currency: 'GBP' })
    const { ranked_partners: ranked, ...rest } = found
    assert.deepEqual(rest, {
      corridor: 'GB-NG',
      amount: 1000,
      currency: 'GBP',
      mode: 'shadow',
      recommended_partner: ranked[0]?.partner,
      partner_count: 3,
      evaluated_at: '2026-03-01T12:00:00.000Z',
    })
    assert.deepEqual(
      ranked.map(({ rank: place }) => place),
      [1, 2, 3],
    )
    assert.deepEqual(ranked.map(({ partner }) => partner).toSorted(), partners)
    for (const { decision, recommended_action } of ranked) {
      assert.deepEqual([decision, recommended_action], ['GO', 'PROCEED'])
    }
  })
})

test('the answer is what the one scorer says of each partner, whatever the payment and the names', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '1000000/60' } }, async (harness) => {
    const { key } = await harness.issue()
    const anyName = fc
      .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
      .map((name) => name.replaceAll(/\p{Cc}/gu, '').trim())
      .filter((name) => name !== '' && name.length <= 100)
    const anyRequest = fc.record({
      corridor: fc.constantFrom('GB-NG', 'NG-GB', 'US-MX'),
      amount: anyPaidAmount,
      currency: fc.constantFrom('GBP', 'NGN', 'USD'),
      partners: fc.uniqueArray(anyName, { minLength: 2, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const corridor = corridorOf(request.corridor)
        const currency = currencyOf(request.currency)
        const expected = rankPartners({ ...request, corridor, currency, policy: standardPolicy })
        const found = await rank(harness, key, request)
        assert.equal(found.recommended_partner, expected.recommended)
        assert.deepEqual(
          found.ranked_partners,
          expected.ranked.map(({ partner, decision }, place) => ({
            rank: place + 1,
            partner,
            decision: decision.verdict,
            score: decision.scoreHundredths / 100,
            recommended_action: decision.recommendedAction,
          })),
        )
        for (const [place, one] of found.ranked_partners.entries()) {
          const next = found.ranked_partners[place + 1]
          if (next === undefined) continue
          assert.ok(one.score > next.score || (one.score === next.score && one.partner < next.partner))
        }
      }),
      { numRuns: 60 },
    )
  })
})

test('the same request gets the same ranking, later and in another order of names', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const other = await harness.issue()
    const first = await rank(harness, key, { amount: 72_000 })
    harness.clock.advance(86_400_000)
    const later = await rank(harness, other.key, { amount: 72_000, partners: partners.toReversed() })
    assert.deepEqual(later.ranked_partners, first.ranked_partners)
    assert.notEqual(later.evaluated_at, first.evaluated_at)
  })
})

test('of our own partners the first is the one that verify recommends', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const corridor of ['GB-NG', 'NG-GB']) {
      for (const amount of [0, 1000, 15_000, 50_000, 120_000, 499_999]) {
        const verified = await harness.verify(key, { corridor, amount })
        const ranked = await rank(harness, key, { corridor, amount })
        assert.equal(ranked.recommended_partner, verified.body.recommended_partner)
        assert.ok((ranked.ranked_partners[0]?.score ?? 2) <= verified.body.score)
      }
    }
  })
})

test('nobody is recommended when the best is a NO-GO or the corridor is unsupported', async () => {
  await withHarness({ settings: { FAIRWAY_POLICY_CAPS: 'NGN=100/200' } }, async (harness) => {
    const { key } = await harness.issue()
    const recommended = async (body: object): Promise<string | null> =>
      (await rank(harness, key, body)).recommended_partner
    const blocked = await rank(harness, key, { amount: 500_001 })
    assert.equal(blocked.recommended_partner, null)
    assert.ok(blocked.ranked_partners.every(({ decision }) => decision === 'NO-GO'))
    const unknown = await rank(harness, key, { corridor: 'US-MX', amount: 10 })
    assert.equal(unknown.recommended_partner, null)
    assert.ok(unknown.ranked_partners.every(({ decision }) => decision === 'DEGRADED'))
    assert.equal(await recommended({ amount: 201, currency: 'NGN' }), null)
    assert.notEqual(await recommended({ amount: 150, currency: 'NGN' }), null)
    assert.notEqual(await recommended({ amount: 500_000 }), null, 'a DEGRADED best is recommended')
  })
})

test('an amount that is not given stays so, the currency is GBP, and names lose the space around them', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const found = await rank(harness, key, {
      corridor: ' uk-nigeria ',
      partners: [' Zenith ', 'Access\u00a0'],
    })
    assert.deepEqual([found.corridor, found.amount, found.currency], ['GB-NG', null, 'GBP'])
    assert.deepEqual(found.ranked_partners.map(({ partner }) => partner).toSorted(), ['Access', 'Zenith'])
  })
})

test('2 and 50 partners are taken', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const count of [2, 50]) {
      const names = Array.from({ length: count }, (_, place) => `partner-${place}`)
      const found = await rank(harness, key, { partners: names })
      assert.equal(found.partner_count, count)
      assert.equal(found.ranked_partners.length, count)
    }
  })
})

test('the test amounts do not act', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const calm = await rank(harness, key, { amount: 1000 })
    for (const ending of ['.01', '.02', '.03', '.08', '.09']) {
      const found = await rank(harness, key, { amount: Number(`1000${ending}`) })
      assert.deepEqual(found.ranked_partners, calm.ranked_partners, ending)
    }
  })
})

test('nothing is stored, and no cooldown is set or read', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    await rank(harness, key, { amount: 500_001 })
    assert.deepEqual(rowCounts(harness), before)
    assert.deepEqual((await harness.get(key, '/api/verifications')).body, [])
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })).body.decision, 'GO')
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 500_001 })).body.decision, 'NO-GO')
    const during = await rank(harness, key, { amount: 1000 })
    assert.equal(during.ranked_partners[0]?.decision, 'GO')
  })
})

test('a test key and a sandbox key are told that the ranking is of the sandbox', async () => {
  await withHarness({}, async (harness) => {
    for (const prefix of ['pk_test_', 'svc-sandbox-'] as const) {
      const { key } = await harness.issue({ prefix })
      const good = await post(harness, url, { corridor: 'GB-NG', partners }, { key })
      assert.deepEqual([good.status, good.body.mode], [200, 'shadow'])
      assert.equal(good.headers['x-svc-environment'], 'sandbox')
    }
  })
})
