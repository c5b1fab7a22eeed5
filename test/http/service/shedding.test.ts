/** While the event loop is late requests are refused before anything is done for them, and what tells of the service answers. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beatEveryMs } from '../../../src/core/operate/shedding.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

function beat({ clock, shedder }: Harness, lagMs: number, times: number): void {
  for (let one = 0; one < times; one += 1) {
    clock.advance(beatEveryMs + lagMs)
    shedder.beat()
  }
}

const body = { corridor: 'GB-NG', amount: 250, currency: 'GBP' }

test('a request that is refused is a hold with Retry-After, is not decided, and takes no place of the limit', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue({ limit: { count: 1, windowMs: 60_000 } })
    beat(harness, 1_000, 5)
    const refused = await harness.verify(key, body)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers['retry-after'], '2')
    assert.equal(refused.body.code, 'OVERLOADED')
    assert.match(refused.body.message, /overloaded/)
    assert.deepEqual(refused.body.unavailable_signals, [])
    assert.equal(await harness.store.countVerifications(), 0)
    beat(harness, 0, 20)
    assert.equal((await harness.verify(key, body)).status, 200)
  })
})

test('health, probes, readiness, methodology and figures answer while everything else is refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    beat(harness, 1_000, 5)
    for (const url of ['/api/health', '/livez', '/readyz', '/api/v1/readiness', '/api/v1/methodology']) {
      assert.equal((await harness.get(null, url)).status, 200, url)
    }
    for (const url of ['/api/verifications', '/api/v1/webhooks', '/', '/docs/', '/openapi.json']) {
      assert.equal((await harness.get(key, url)).status, 503, url)
    }
    const { text } = await harness.get(null, '/metrics')
    assert.match(text, /^fairway_requests_shed_total 5$/m)
    assert.match(text, /^fairway_shedding_share 1$/m)
  })
})

test('long reads are refused before any other request', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    // Two late beats are the least that sheds: a quarter of the requests.
    beat(harness, 1_000, 2)
    const isOpen = async (url: string): Promise<boolean> => (await harness.get(key, url)).status === 200
    for (const url of [
      '/api/verifications',
      '/api/v1/verifications/totals',
      '/api/v1/verifications/summary',
      '/api/v1/calibration',
      '/api/v1/reviews',
      '/api/v1/reviews/summary',
      '/api/v1/holds',
      '/api/v1/events',
    ])
      assert.equal(await isOpen(url), false, url)
    assert.equal((await harness.verify(key, body)).status, 200)
  })
})

test('of long reads beyond those that may wait each is refused as overload, and the others are answered', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    const { key } = await harness.issue()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => harness.get(key, '/api/v1/verifications/totals')),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    assert.ok(refused.length > 0 && refused.length < 100, `${refused.length}`)
    for (const { status, headers, body: problem } of refused) {
      assert.equal(status, 503)
      assert.equal(problem.code, 'OVERLOADED')
      assert.equal(headers['retry-after'], '2')
    }
    assert.equal((await harness.get(key, '/api/v1/verifications/totals')).status, 200)
  })
})

test('the log has a line when it begins and one when it ends, and none for each refusal', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = harness.log.length
    beat(harness, 2_000, 5)
    for (let one = 0; one < 20; one += 1) await harness.verify(key, body)
    beat(harness, 0, 30)
    const lines = harness.log.slice(before).join('')
    assert.equal(lines.match(/overloaded, shedding requests/g)?.length, 1)
    assert.equal(lines.match(/overload ended, accepting all requests/g)?.length, 1)
    assert.doesNotMatch(lines, /"status":503/)
  })
})

test('FAIRWAY_SHED_LAG_MS says how late is late, and 0 refuses nobody', async () => {
  for (const [setting, status] of [
    ['0', 200],
    ['5000', 200],
    ['500', 503],
  ] as const) {
    await withHarness({ settings: { FAIRWAY_SHED_LAG_MS: setting } }, async (harness) => {
      const { key } = await harness.issue()
      beat(harness, 900, 10)
      assert.equal((await harness.verify(key, body)).status, status, setting)
    })
  }
})
