/** GET /api/verifications and its totals, by filters that no index answers. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchMax } from '../../../src/app/inspect/history.ts'
import type { HistorySearch, RecordMatch } from '../../../src/app/ports/records.ts'
import type { RequestId } from '../../../src/core/identity/request-id.ts'
import { monthAt, monthStartMs } from '../../../src/core/time/month.ts'
import { engines } from '../../helpers/database/databases.ts'
import { firstMonth, withPast } from '../../helpers/database/months.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { override } from '../../helpers/webhooks.ts'

interface Item {
  readonly request_id: string
  readonly decision: 'GO' | 'DEGRADED' | 'NO-GO'
  readonly corridor: string
  readonly amount: number | null
  readonly currency: string
  readonly mode: string
  readonly reason_codes: readonly string[]
  readonly human_override: object | null
  readonly outcome: { readonly outcome: string } | null
}

/** In every way to decide, some overridden, some with an outcome, one pending and then ended. */
async function makeMany(harness: Harness, key: string): Promise<void> {
  const amounts = [10.1, 60_000, 600_000, undefined]
  for (let index = 0; index < 24; index += 1) {
    harness.clock.advance(1_000)
    const corridor = ['GB-NG', 'NG-GB', 'FR-JP'][index % 3] ?? ''
    const amount = amounts[Math.floor(index / 3) % 4]
    const currency = ['GBP', 'NGN', 'JPY'][index % 5] ?? 'GBP'
    const { body } = await harness.verify(key, {
      corridor,
      currency,
      ...(amount === undefined ? {} : { amount }),
    })
    const report = (outcome: string) =>
      post(harness, `/api/v1/decision/${body.request_id}/outcome`, { outcome }, { key })
    if (index % 4 === 1 && body.decision !== 'GO') await override(harness, key, body.request_id)
    if (index % 6 === 0) await report('PENDING')
    if (index % 12 === 0) await report('FAILED')
    if (index % 6 === 2) await report('COMPLETED')
  }
}

async function walk(harness: Harness, key: string, query: string): Promise<Item[]> {
  const items: Item[] = []
  let next: string | undefined = `/api/verifications?${query}`
  while (next !== undefined) {
    const answer = await harness.get(key, next)
    assert.equal(answer.status, 200, answer.text)
    items.push(...answer.body)
    next = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
  }
  return items
}

type Keeps = (item: Item) => boolean

const single: readonly (readonly [query: string, keeps: Keeps])[] = [
  ['', () => true],
  ['reason=POLICY_CAP_APPLIED', (item) => item.reason_codes.includes('POLICY_CAP_APPLIED')],
  ['reason=CORRIDOR_UNSUPPORTED', (item) => item.reason_codes.includes('CORRIDOR_UNSUPPORTED')],
  ['amount_min=10.1', ({ amount }) => amount !== null && amount >= 10.1],
  ['amount_min=10.2&amount_max=60000', ({ amount }) => amount !== null && amount >= 10.2 && amount <= 60_000],
  ['currency=ngn', ({ currency }) => currency === 'NGN'],
  ['override=true', (item) => item.human_override !== null],
  ['override=false', (item) => item.human_override === null],
  ['outcome=COMPLETED', ({ outcome }) => outcome?.outcome === 'COMPLETED'],
  ['outcome=FAILED', ({ outcome }) => outcome?.outcome === 'FAILED'],
  ['outcome=PENDING', ({ outcome }) => outcome?.outcome === 'PENDING'],
  ['outcome=none', ({ outcome }) => outcome === null],
  ['mode=shadow', ({ mode }) => mode === 'shadow'],
  ['mode=live', ({ mode }) => mode === 'live'],
]

const indexed: readonly (readonly [query: string, keeps: Keeps])[] = [
  ['', () => true],
  ['decision=NO-GO', ({ decision }) => decision === 'NO-GO'],
  ['corridor=GB-NG', ({ corridor }) => corridor === 'GB-NG'],
]

function expectedTotals(items: readonly Item[]) {
  const groups = Map.groupBy(items, ({ currency }) => currency)
  return {
    records: items.length,
    complete: true,
    by_currency: [...groups]
      .map(([currency, own]) => ({
        currency,
        records: own.length,
        // Tenths, as integers, so that this sum is exact, too.
        amount: own.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 10), 0) / 10,
        decisions: Object.fromEntries(
          (['GO', 'DEGRADED', 'NO-GO'] as const).map((one) => [
            one,
            own.filter(({ decision }) => decision === one).length,
          ]),
        ),
      }))
      .toSorted((one, other) => other.records - one.records || (one.currency < other.currency ? -1 : 1)),
  }
}

for (const engine of engines) {
  test(`each filter, with every other, gives what a plain filter over all records gives, and so do its totals (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
      const { key } = await harness.issue()
      await makeMany(harness, (await harness.issue()).key)
      await makeMany(harness, key)
      const all = await walk(harness, key, 'limit=500')
      assert.equal(all.length, 24)
      for (const [query, keeps] of single.slice(1, -1))
        assert.ok(all.some(keeps), `${query} matches something`)
      for (const [one, keepsOne] of single) {
        for (const [other, keepsOther] of [...indexed, ...single.slice(6, 8)]) {
          const query = [one, other].filter((part) => part !== '').join('&')
          if (one !== '' && other.split('=')[0] === one.split('=')[0]) continue
          const expected = all.filter((item) => keepsOne(item) && keepsOther(item))
          const found = await walk(harness, key, `limit=3&${query}`)
          assert.deepEqual(found, expected, query)
          const totals = await harness.get(key, `/api/v1/verifications/totals?${query}`)
          assert.deepEqual(totals.body, expectedTotals(expected), query)
        }
      }
    })
  })
}

const noMatch: RecordMatch = {
  mode: null,
  reason: null,
  currency: null,
  amountMin: null,
  amountMax: null,
  isOverridden: null,
  outcome: null,
}

const everything: Omit<HistorySearch, 'before'> = {
  limit: 100,
  verdict: null,
  corridor: null,
  correlationId: null,
  fromMs: null,
  toMs: null,
  match: noMatch,
  searchMax: 4,
}

test('postgres and its months: a search looks at so many records for a page, and its pages lead through all of them', async () => {
  await withPast(async (past) => {
    const ids: string[] = []
    for (let place = 0; place < 5; place += 1)
      ids.push(...(await past.record(monthAt(monthStartMs(firstMonth, place)), 3)))
    const [key] = await past.store.keys.list()
    const owner = past.store.forOwner(key?.ownerId ?? assert.fail())
    const whole = await owner.list({ ...everything, limit: 50, before: null })
    for (const match of [noMatch, { ...noMatch, amountMin: 1e9 }, { ...noMatch, isOverridden: false }]) {
      const found: string[] = []
      let before: RequestId | null = null
      let pages = 0
      do {
        const page = await owner.search({ ...everything, before, match })
        assert.ok(page.found.length <= 4)
        found.push(...page.found.map(({ requestId }) => requestId))
        before = page.searchedTo
        pages += 1
      } while (before !== null)
      assert.equal(pages, 4, 'fifteen records, four a page')
      const expected = match.amountMin === null ? whole.map(({ requestId }) => requestId) : []
      assert.deepEqual(found, expected)
    }
    assert.equal(ids.length, 15)
  })
})

test('a filter that matches nothing looks at a bounded number of records, and the next page goes on from there', async () => {
  await withHarness({}, async ({ issue, verify, store, clock }) => {
    const {
      key,
      record: { ownerId },
    } = await issue()
    for (let index = 0; index < 9; index += 1) {
      clock.advance(100_000)
      await verify(key, { corridor: 'GB-NG', amount: index })
    }
    const owner = store.forOwner(ownerId)
    const match = { ...noMatch, amountMin: 1e9 }
    const first = await owner.search({ ...everything, before: null, match })
    assert.deepEqual(first.found, [])
    const whole = await owner.list({ ...everything, before: null })
    assert.equal(first.searchedTo, whole[3]?.requestId)
    const rest = await owner.search({ ...everything, before: first.searchedTo, match, searchMax: 6 })
    assert.deepEqual(rest, { found: [], searchedTo: null })
    assert.ok(searchMax <= 2_000, 'as the document says')
  })
})

test('400: a filter that cannot be meant is refused with its path, in the list and in the totals', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['reason=NONE', '/reason'],
    ['amount_min=-1', '/amount_min'],
    ['amount_min=1,000', '/amount_min'],
    ['amount_max=1e16', '/amount_max'],
    ['amount_min=2&amount_max=1', '/amount_min'],
    ['currency=POUND', '/currency'],
    ['currency=XQX', '/currency'],
    ['override=yes', '/override'],
    ['outcome=completed', '/outcome'],
    ['mode=LIVE', '/mode'],
  ]
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const [query, path] of cases) {
      for (const url of ['/api/verifications', '/api/v1/verifications/totals']) {
        const answer = await get(key, `${url}?${query}`)
        assert.equal(answer.status, 400, query)
        assert.deepEqual(
          answer.body.errors.map((error: { path: string }) => error.path),
          [path],
          query,
        )
      }
    }
    assert.equal((await get(key, '/api/v1/verifications/totals?limit=5')).status, 400)
  })
})
