/** POST /api/v1/decision/compare: 400, 401, 403, 413, 415 and 429. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { errorsOf, post } from '../../helpers/post.ts'

const url = '/api/v1/decision/compare'
const good = { corridor: 'GB-NG', partners: ['a', 'b'] }
const names = (count: number): string[] => Array.from({ length: count }, (_, place) => `partner-${place}`)

/** The members at fault, beside a good rest; the paths of what is told. */
const cases: readonly (readonly [given: object, ...paths: string[]])[] = [
  [{ corridor: undefined }, '/corridor'],
  [{ corridor: 'GB' }, '/corridor'],
  [{ corridor: 7 }, '/corridor'],
  [{ amount: -1 }, '/amount'],
  [{ amount: '1' }, '/amount'],
  [{ amount: null }, '/amount'],
  [{ amount: 1e15 + 1 }, '/amount'],
  [{ currency: 'ZZZ' }, '/currency'],
  [{ currency: 'zzz' }, '/currency'],
  [{ Currency: 'GBP' }, '/Currency'],
  [{ Partners: ['a', 'b'] }, '/Partners'],
  [{ partners: undefined }, '/partners'],
  [{ partners: null }, '/partners'],
  [{ partners: 'a' }, '/partners'],
  [{ partners: [] }, '/partners'],
  [{ partners: ['a'] }, '/partners'],
  [{ partners: names(51) }, '/partners'],
  [{ partners: ['a', 'a'] }, '/partners/1'],
  [{ partners: ['a', 'b', 'a', 'b'] }, '/partners/2', '/partners/3'],
  [{ partners: ['a', ' a '] }, '/partners/1'],
  [{ partners: ['a', 'a\u00a0'] }, '/partners/1'],
  [{ partners: ['a', ''] }, '/partners/1'],
  [{ partners: ['a', '   '] }, '/partners/1'],
  [{ partners: ['  ', '   '] }, '/partners/0', '/partners/1'],
  [{ partners: ['a', 7] }, '/partners/1'],
  [{ partners: ['a', null] }, '/partners/1'],
  [{ partners: ['a', 'b\u0007'] }, '/partners/1'],
  [{ partners: ['a', 'x'.repeat(101)] }, '/partners/1'],
  [{ corridor: 'x', currency: 'ZZZ', partners: ['a', 'a'] }, '/corridor', '/currency', '/partners/1'],
]

test('400: every field wrong in every way is told with its path', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [given, ...paths] of cases) {
      const answer = await post(harness, url, { ...good, ...given }, { key })
      assert.equal(answer.status, 400, `${JSON.stringify(given)}: ${answer.text}`)
      assert.deepEqual(
        errorsOf(answer).map(([path]) => path),
        paths,
        JSON.stringify(given),
      )
    }
    for (const body of ['', 'null', '[]', '{']) {
      assert.equal((await post(harness, url, body, { key })).status, 400, body)
    }
    assert.equal((await post(harness, url, good, { key })).status, 200, 'the service is as it was')
  })
})

test('400: a repeated partner is told which it repeats', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const answer = await post(harness, url, { ...good, partners: ['a', 'b', ' b'] }, { key })
    assert.deepEqual(errorsOf(answer), [['/partners/2', 'repeats the name at /partners/1']])
  })
})

test('401 without a key, 403 without the scope decision:read', async () => {
  await withHarness({}, async (harness) => {
    assert.equal((await post(harness, url, good)).status, 401)
    const auditor = await harness.issue({ scopes: ['audit:read'] })
    const refused = await post(harness, url, good, { key: auditor.key })
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /decision:read/)
    const reader = await harness.issue({ scopes: ['decision:read'] })
    assert.equal((await post(harness, url, good, { key: reader.key })).status, 200)
  })
})

test('400 with a live key: only declared partners are ranked, with feeds or without', async () => {
  for (const feeds of [undefined, simulatedFeeds]) {
    await withHarness(feeds === undefined ? {} : { feeds }, async (harness) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      const refused = await post(harness, url, good, { key })
      const undeclared = 'is not a declared partner: no partner is declared for this corridor'
      assert.equal(refused.status, 400)
      assert.deepEqual(
        errorsOf(refused),
        good.partners.map((_, place) => [`/partners/${place}`, undeclared]),
      )
      assert.equal(refused.headers['x-svc-environment'], 'production')
      const bad = await post(harness, url, {}, { key })
      assert.equal(bad.status, 400)
      assert.equal(bad.headers['x-svc-environment'], 'production')
    })
  }
})

test('413 above 64 KiB, 415 for anything but JSON', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    assert.equal((await post(harness, url, { ...good, x: 'y'.repeat(65_536) }, { key })).status, 413)
    const csv = await post(harness, url, 'x', { key, headers: { 'content-type': 'text/csv' } })
    assert.equal(csv.status, 415)
  })
})

test('429: counted with the other keyed routes, by default 300 a minute', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const answer = await post(harness, url, good, { key })
    assert.equal(answer.headers['ratelimit-policy'], '"keyed";q=300;w=60')
  })
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '1/60' } }, async (harness) => {
    const { key } = await harness.issue()
    assert.equal((await post(harness, url, good, { key })).status, 200)
    const refused = await post(harness, url, good, { key })
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '60')
    harness.clock.advance(60_000)
    assert.equal((await post(harness, url, good, { key })).status, 200)
  })
})
