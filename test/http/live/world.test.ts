/** The operator's own world: declared corridors and partners decide live, and nothing else does. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bundle } from '../../../src/app/audit/bundle.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { engines } from '../../helpers/database/databases.ts'
import type { Harness } from '../../helpers/harness.ts'
import { feedsAt, httpFeed, text, withLive, type FeedsSpec } from '../../helpers/peers/provider.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'
import { errorsOf, post } from '../../helpers/post.ts'

const liveKey = async ({ issue }: Harness): Promise<string> => (await issue({ prefix: 'pk_live_' })).key
const compareUrl = '/api/v1/decision/compare'

test('a declared corridor is supported for live keys alone, with its own currencies', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const { key: testKey } = await harness.issue()
    const live = await harness.verify(key, { corridor: 'GB-KE', amount: 10 })
    assert.deepEqual(
      [live.body.corridor_supported, live.body.currency, live.body.mode, live.body.decision],
      [true, 'KES', 'live', 'GO'],
    )
    const shadow = await harness.verify(testKey, { corridor: 'GB-KE', amount: 10 })
    assert.deepEqual([shadow.body.corridor_supported, shadow.body.decision], [false, 'DEGRADED'])
    // Mexico's own currency is not among those that the file accepts for US-MX.
    const pesos = await harness.verify(key, { corridor: 'US-MX', amount: 10, currency: 'MXN' })
    assert.deepEqual([pesos.body.currency, pesos.body.reason_codes], ['USD', ['OPERATION_INVALID']])
    const dollars = await harness.verify(key, { corridor: 'US-MX', amount: 10, currency: 'USD' })
    assert.deepEqual(dollars.body.reason_codes, ['HEALTHY_PARTNER'])
  })
})

test('a corridor that the file does not declare has no data in live mode, the contract two included', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness, provider }) => {
    const { body } = await harness.verify(await liveKey(harness), { corridor: 'NG-GB', amount: 10 })
    assert.deepEqual(
      [body.decision, body.score, body.confidence, body.corridor_supported],
      ['DEGRADED', 0, 0, false],
    )
    assert.deepEqual([...new Set(Object.values(body.signals))], [null])
    const labels = Object.values(body.probe_details as Record<string, { signal: string }>)
    assert.deepEqual([...new Set(labels.map(({ signal }) => signal))], ['NO_DATA'])
    assert.equal(provider.questions.length, 0)
  })
})

test('the corridors of a key are those of its mode', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
    const names = async (key: string): Promise<string[]> => {
      const { body } = await harness.get(key, '/api/v1/corridors')
      return body.corridors.map(({ corridor }: { corridor: string }) => corridor)
    }
    const key = await liveKey(harness)
    assert.deepEqual(await names(key), ['GB-KE', 'GB-NG', 'US-MX'])
    assert.deepEqual(await names((await harness.issue()).key), ['GB-NG', 'NG-GB'])
    const { body } = await harness.get(key, '/api/v1/corridors')
    assert.deepEqual(body.corridors[0], {
      corridor: 'GB-KE',
      settlement_currency: 'KES',
      currencies: ['GBP', 'KES'],
      partners: [
        { partner: 'alpha', name: 'Alpha Remit' },
        { partner: 'beta', name: 'beta' },
      ],
      has_calendar: false,
    })
  })
})

test('a verify reads the feeds of its own corridor alone, and each shared one once', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness, provider }) => {
    const key = await liveKey(harness)
    await harness.verify(key, { corridor: 'GB-KE', amount: 10 })
    const paths = provider.questions.map(({ path }) => path).toSorted()
    assert.deepEqual(paths, [
      '/balance_sufficient?corridor=GB-KE&amount=10',
      '/cop_overridden?corridor=GB-KE&amount=10',
      '/fraud_flags?corridor=GB-KE&amount=10',
      '/fx_volatility?corridor=GB-KE&amount=10',
      '/historical_failure_rate?corridor=GB-KE&amount=10',
      '/network_healthy/alpha?corridor=GB-KE&amount=10',
      '/network_healthy/beta?corridor=GB-KE&amount=10',
      '/operation_valid?corridor=GB-KE&amount=10',
    ])
  })
})

test('a signal is read from the partner, else from the corridor, else from the file, else it is missing', async () => {
  const feeds_file = (origin: string): FeedsSpec => {
    const { fraud_flags: _none, ...rest } = feedsAt(origin).signals
    const at = (place: string) => ({
      network_healthy: httpFeed(origin, 'network_healthy', { url: `${origin}/network_healthy/${place}` }),
    })
    return {
      signals: rest,
      corridors: {
        'GB-KE': { signals: at('corridor'), partners: ['alpha', 'beta'] },
        'GB-GH': { partners: ['beta'] },
      },
      partners: { alpha: { signals: at('partner') }, beta: {} },
    }
  }
  await withLive({ answer: networks(), feeds_file }, async ({ harness, provider }) => {
    const key = await liveKey(harness)
    const held = await harness.verify(key, { corridor: 'GB-KE' })
    assert.deepEqual(
      [held.status, held.body.unavailable_signals, held.body.signals_without_feed],
      [503, ['fraud_flags'], ['fraud_flags']],
    )
    await harness.verify(key, { corridor: 'GB-GH' })
    const network = provider.questions.filter(({ signal }) => signal === 'network_healthy')
    assert.deepEqual(network.map(({ partner }) => String(partner)).toSorted(), [
      'corridor',
      'null',
      'partner',
    ])
  })
})

for (const engine of engines) {
  test(`the best partner is recommended, and the record shows why (${engine})`, async () => {
    await withLive({ engine, answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
      const key = await liveKey(harness)
      const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 1_000 })
      assert.equal(body.recommended_partner, 'beta')
      const explained = await harness.get(key, `/api/v1/decision/${body.request_id}/explanation`)
      assert.match(
        explained.body.summary,
        /beta is recommended: same score, 1\.20 GBP cheaper compared with alpha\./,
      )
      const { partners } = explained.body
      assert.deepEqual(
        partners.map((one: { partner: string; score: number; fee: number; comparison: string }) => [
          one.partner,
          one.score,
          one.fee,
          one.comparison,
        ]),
        [
          ['beta', 1, 4.3, null],
          ['alpha', 1, 5.5, 'beta: same score, 1.20 GBP cheaper.'],
        ],
      )
      const others = explained.body.counterfactuals.filter(({ kind }: { kind: string }) => kind === 'partner')
      assert.deepEqual(others, [{ kind: 'partner', change: 'Through alpha.', decision: 'GO', score: 1 }])
    })
  })
}

test('a better score wins, unless the tolerance lets the cheaper one win', async () => {
  const answer = networks({ alpha: 1, beta: 0.95 })
  const ranked = async (more: Partial<FeedsSpec>) => {
    let found: unknown = null
    await withLive({ answer, feeds_file: (origin) => worldAt(origin, more) }, async ({ harness }) => {
      const key = await liveKey(harness)
      const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 1_000 })
      const { body: explained } = await harness.get(key, `/api/v1/decision/${body.request_id}/explanation`)
      found = [body.recommended_partner, body.score, explained.partners[1].comparison]
    })
    return found
  }
  assert.deepEqual(await ranked({}), ['alpha', 1, 'alpha: 0.02 better.'])
  assert.deepEqual(await ranked({ ranking: { cost_tolerance: 0.02 } }), [
    'beta',
    0.98,
    'beta: 0.02 lower, 1.20 GBP cheaper.',
  ])
})

/** As `worldAt`, but beta takes at most 30,000, and alpha 20,000. */
const boundedWorldAt = (origin: string): FeedsSpec => {
  const { partners, ...world } = worldAt(origin)
  return {
    ...world,
    partners: { ...partners, beta: { ...partners?.['beta'], amount_max: { 'GB-KE': 30_000 } } },
  }
}

test('a partner whose maximum is exceeded is left out', async () => {
  await withLive({ answer: networks(), feeds_file: boundedWorldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const asked = async (amount: number) => (await harness.verify(key, { corridor: 'GB-KE', amount })).body
    assert.equal((await asked(20_000)).recommended_partner, 'beta')
    const one = await asked(20_001)
    assert.equal(one.recommended_partner, 'beta')
    const { body } = await harness.get(key, `/api/v1/decision/${one.request_id}/explanation`)
    assert.deepEqual(body.partners[1], {
      partner: 'alpha',
      decision: null,
      score: null,
      fee: null,
      fee_currency: null,
      available: false,
      unavailable_signals: [],
      comparison: 'Left out: alpha (takes at most 20,000).',
    })
    // No larger amount would have been taken.
    const { body: explained } = await harness.get(key, `/api/v1/decision/${one.request_id}/explanation`)
    assert.equal(explained.largest_go_amount, 30_000)
  })
})

test('a partner that may be fit but cannot be read is not outdone by ones that are too small: hold', async () => {
  const answer = networks()
  const broken = ({ partner, ...question }: Parameters<typeof answer>[0]) =>
    partner === 'beta' ? text('', 500) : answer({ partner, ...question })
  await withLive({ answer: broken, feeds_file: worldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    assert.equal(
      (await harness.verify(key, { corridor: 'GB-KE', amount: 10 })).body.recommended_partner,
      'alpha',
    )
    const held = await harness.verify(key, { corridor: 'GB-KE', amount: 20_001 })
    assert.deepEqual([held.status, held.body.unavailable_signals], [503, ['network_healthy']])
  })
})

test('an export with partners is recomputed, and every changed result of a partner is found', async () => {
  await withLive({ answer: networks({ beta: 0.95 }), feeds_file: worldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 1_000 })
    const { text: exported } = await harness.get(key, `/api/v1/audit/export/${body.request_id}`)
    const verified = verifyBundle(exported)
    assert.deepEqual([verified.findings, verified.notices, verified.notRecomputed], [[], [], null])
    const changes: [string, string][] = [
      ['"score_hundredths":98', '"score_hundredths":99'],
      ['"fixed":1.5', '"fixed":0.4'],
      ['"tolerance_hundredths":0', '"tolerance_hundredths":10'],
      ['"settlement_currency":"KES"', '"settlement_currency":"GBP"'],
      ['"valid_s":600', '"valid_s":6000'],
    ]
    for (const [before, after] of changes) {
      assert.ok(exported.includes(before), before)
      // Even where the hashes are mended and signed anew, it does not follow from the evidence.
      const changed = JSON.parse(exported.replace(before, after)) as Bundle
      const forged = JSON.stringify({ ...changed, proof: undefined, integrity: forgedIntegrity(changed) })
      const rules = verifyBundle(forged).findings.filter(({ message }) =>
        /follow from the evidence/.test(message),
      )
      assert.notEqual(rules.length, 0, before)
    }
  })
})

test('an export whose evidence has a form that no decision has is invalid, and nothing breaks', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 1_000 })
    const { text: exported } = await harness.get(key, `/api/v1/audit/export/${body.request_id}`)
    const forms: ((record: { answer: object; evidence: object }) => void)[] = [
      ({ evidence }) => Object.assign(evidence, { valid_s: 'x' }),
      ({ evidence }) => Object.assign(evidence, { valid_s: 1e300 }),
      ({ evidence }) => Object.assign(evidence, { partners: { ranked: [], left_out: [] } }),
      ({ evidence }) => Object.assign(evidence, { partners: 7 }),
      ({ answer }) => Object.assign(answer, { settlement_window: { open: true, cut_off_at: null } }),
    ]
    for (const change of forms) {
      const bundle = JSON.parse(exported) as Bundle
      change(bundle.record as unknown as { answer: object; evidence: object })
      const forged = JSON.stringify({ ...bundle, integrity: forgedIntegrity(bundle) })
      assert.notEqual(verifyBundle(forged).findings.length, 0)
    }
  })
})

test('a live ranking is that of verify, with fees and what is not available', async () => {
  await withLive({ answer: networks({ alpha: 0.9 }), feeds_file: worldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const body = { corridor: 'GB-KE', amount: 20_001, currency: 'GBP', partners: ['alpha', 'beta'] }
    const ranking = await post(harness, compareUrl, body, { key })
    const { evaluated_at: _at, ...rest } = ranking.body
    assert.deepEqual(rest, {
      corridor: 'GB-KE',
      amount: 20_001,
      currency: 'GBP',
      mode: 'live',
      recommended_partner: 'beta',
      partner_count: 2,
      ranked_partners: [
        {
          rank: 1,
          partner: 'beta',
          decision: 'GO',
          score: 1,
          recommended_action: 'PROCEED',
          fee: 80.3,
          fee_currency: 'GBP',
          available: true,
          unavailable_signals: [],
          unavailable_reason: null,
        },
        {
          rank: 2,
          partner: 'alpha',
          decision: null,
          score: null,
          recommended_action: null,
          fee: 81.5,
          fee_currency: 'GBP',
          available: false,
          unavailable_signals: [],
          unavailable_reason: 'takes at most 20,000',
        },
      ],
    })
    const shillings = await post(harness, compareUrl, { ...body, amount: 10, currency: 'KES' }, { key })
    assert.deepEqual(
      shillings.body.ranked_partners.map((one: { partner: string; fee: null }) => [one.partner, one.fee]),
      [
        ['beta', null],
        ['alpha', null],
      ],
    )
  })
})

test('a partner that is not declared cannot be ranked, and none left is a hold', async () => {
  await withLive({ answer: () => text('', 500), feeds_file: worldAt }, async ({ harness }) => {
    const key = await liveKey(harness)
    const partners = ['alpha', 'nobody']
    const refused = await post(harness, compareUrl, { corridor: 'GB-KE', partners }, { key })
    assert.deepEqual(errorsOf(refused), [
      ['/partners/1', 'is not a declared partner: declared are alpha, beta'],
    ])
    const without = await post(harness, compareUrl, { corridor: 'NG-GB', partners }, { key })
    assert.equal(without.status, 400)
    const held = await post(harness, compareUrl, { corridor: 'GB-KE', partners: ['alpha', 'beta'] }, { key })
    assert.deepEqual(
      [held.status, held.body.code, held.body.unavailable_signals.length],
      [503, 'SIGNALS_UNAVAILABLE', 7],
    )
  })
})

test('a reload replaces the world as a whole, and a broken file changes nothing', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness, provider, rewrite }) => {
    const key = await liveKey(harness)
    const supported = async (corridor: string): Promise<boolean> =>
      (await harness.verify(key, { corridor, amount: 10 })).body.corridor_supported
    rewrite({ ...worldAt(provider.origin), corridors: { 'GB-KE': { partners: ['alpha', 'nobody'] } } })
    assert.deepEqual(
      harness.feeds?.reload().map(({ field, message }) => [field, message]),
      [['/corridors/GB-KE/partners/1', 'is not a declared partner']],
    )
    assert.deepEqual([await supported('GB-KE'), await supported('GB-NG')], [true, true])
    const { partners: _none, ...alone } = worldAt(provider.origin)
    rewrite({ ...alone, corridors: { 'GB-GH': {} } })
    assert.deepEqual(harness.feeds?.reload(), [])
    assert.deepEqual(
      [await supported('GB-KE'), await supported('GB-NG'), await supported('GB-GH')],
      [false, false, true],
    )
  })
})
