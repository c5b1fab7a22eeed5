/** The public endpoints and the pages: health, methodology, contract, reference. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weightPercent } from '../../../src/core/decision/signals.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'

for (const engine of engines) {
  test(`health is never limited and counts every record, across instances and restarts (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const before = await harness.get(null, '/api/health')
      assert.equal(before.status, 200)
      assert.equal(before.body.status, 'healthy')
      assert.equal(before.body.version, '1.3.0')
      assert.equal(before.body.mode, 'shadow')
      assert.equal(before.body.total_verifications, 0)
      await Promise.all(Array.from({ length: 50 }, () => harness.verify(key, { corridor: 'GB-NG' })))
      const other = await harness.sibling()
      await other.verify(key, { corridor: 'GB-NG' })
      assert.equal((await other.get(null, '/api/health')).body.total_verifications, 51)
      await other.close()
      const answers = await Promise.all(Array.from({ length: 400 }, () => harness.get(null, '/api/health')))
      assert.ok(answers.every(({ status, body }) => status === 200 && body.total_verifications === 51))
    })
  })
}

test('the time in RateLimit is never longer than the window, even after a clock was set back (postgres)', async () => {
  const settings = { FAIRWAY_LIMIT_KEYED: '20/60' }
  await withHarness({ engine: 'postgres', settings }, async ({ issue, get, databaseUrl }) => {
    const { key } = await issue()
    const seen = async (): Promise<[status: number, left: number, seconds: number]> => {
      const { status, headers } = await get(key, '/api/verifications')
      const [, left, seconds] = /^"keyed";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? []
      return [status, Number(left), Number(seconds)]
    }
    const together = await Promise.all(Array.from({ length: 10 }, seen))
    assert.ok(
      together.every(([status, , seconds]) => status === 200 && seconds >= 1 && seconds <= 60),
      JSON.stringify(together),
    )
    // To the database it is now 30 seconds earlier than at the requests so far.
    await withDirectDatabase(databaseUrl, async ({ run }) => {
      await run('UPDATE limit_admissions SET at_us = at_us + 30000000')
      await run('UPDATE limit_buckets SET last_at_us = last_at_us + 30000000')
    })
    assert.deepEqual(await seen(), [200, 9, 60])
    for (let more = 0; more < 9; more += 1) await seen()
    assert.deepEqual(await seen(), [429, 0, 60])
  })
})

test('the methodology tells the rules that the scorer uses', async () => {
  await withHarness({ settings: { FAIRWAY_POLICY_CAPS: 'NGN=100/200' } }, async ({ get }) => {
    const { status, body } = await get(null, '/api/v1/methodology')
    assert.equal(status, 200)
    for (const { signal, weight } of body.signals) {
      assert.equal(weight * 100, weightPercent[signal as keyof typeof weightPercent], signal)
    }
    assert.deepEqual(
      body.bands.map((band: { score_from: number }) => band.score_from),
      [0.8, 0.48, 0],
    )
    assert.deepEqual(body.policy_gate.stricter, [{ currency: 'NGN', degraded_above: 100, no_go_above: 200 }])
    assert.deepEqual(
      body.profiles.map((profile: { go_threshold: number }) => profile.go_threshold),
      [0.85, 0.8, 0.7],
    )
  })
})

const paths = [
  '/api/health',
  '/api/v1/admin/access-requests',
  '/api/v1/admin/access-requests/{access_request_id}/approve',
  '/api/v1/admin/access-requests/{access_request_id}/reject',
  '/api/v1/admin/activity',
  '/api/v1/admin/cip',
  '/api/v1/admin/cip/transitions',
  '/api/v1/admin/erasures/preview',
  '/api/v1/admin/feeds',
  '/api/v1/admin/feeds/check',
  '/api/v1/admin/jobs',
  '/api/v1/admin/jobs/{job_id}',
  '/api/v1/admin/keys',
  '/api/v1/admin/keys/{key_id}/revoke',
  '/api/v1/admin/keys/{key_id}/rotate',
  '/api/v1/admin/months',
  '/api/v1/admin/months/{month}/check',
  '/api/v1/admin/people',
  '/api/v1/admin/people/{person_id}/end-sessions',
  '/api/v1/admin/people/{person_id}/remove',
  '/api/v1/admin/people/{person_id}/reset',
  '/api/v1/admin/people/{person_id}/restore',
  '/api/v1/admin/people/{person_id}/roles',
  '/api/v1/admin/retention',
  '/api/v1/admin/webhooks',
  '/api/v1/audit/checkpoint',
  '/api/v1/audit/export/{id}',
  '/api/v1/audit/{id}/proof',
  '/api/v1/audit/{request_id}',
  '/api/v1/batch-assess',
  '/api/v1/batch-reports',
  '/api/v1/batch-reports/{report_id}',
  '/api/v1/calibration',
  '/api/v1/cip/status',
  '/api/v1/corridors',
  '/api/v1/corridors/{corridor}',
  '/api/v1/corridors/{corridor}/calendar',
  '/api/v1/decision/compare',
  '/api/v1/decision/{id}/explanation',
  '/api/v1/decision/{id}/file',
  '/api/v1/decision/{id}/impact',
  '/api/v1/decision/{id}/outcome',
  '/api/v1/decision/{id}/timeline',
  '/api/v1/demo-compare',
  '/api/v1/demo-verify',
  '/api/v1/events',
  '/api/v1/feeds',
  '/api/v1/holds',
  '/api/v1/me',
  '/api/v1/me/sessions',
  '/api/v1/me/sessions/{session_id}',
  '/api/v1/methodology',
  '/api/v1/organisation/settings',
  '/api/v1/outcomes',
  '/api/v1/override',
  '/api/v1/owners',
  '/api/v1/policies',
  '/api/v1/policies/check',
  '/api/v1/policies/rollback',
  '/api/v1/policies/variables',
  '/api/v1/policies/{policy_id}',
  '/api/v1/policies/{policy_id}/backtest',
  '/api/v1/policies/{policy_id}/backtests',
  '/api/v1/policies/{policy_id}/backtests/{backtest_id}',
  '/api/v1/policies/{policy_id}/candidate',
  '/api/v1/policies/{policy_id}/promote',
  '/api/v1/policies/{policy_id}/report',
  '/api/v1/readiness',
  '/api/v1/replay',
  '/api/v1/request-access',
  '/api/v1/reviews',
  '/api/v1/reviews/summary',
  '/api/v1/reviews/{review_id}',
  '/api/v1/reviews/{review_id}/approve',
  '/api/v1/reviews/{review_id}/claim',
  '/api/v1/reviews/{review_id}/comment',
  '/api/v1/reviews/{review_id}/propose',
  '/api/v1/reviews/{review_id}/reject',
  '/api/v1/reviews/{review_id}/release',
  '/api/v1/search',
  '/api/v1/signals/{decision_id}',
  '/api/v1/status/signals',
  '/api/v1/verifications/summary',
  '/api/v1/verifications/totals',
  '/api/v1/verify',
  '/api/v1/webhooks',
  '/api/v1/webhooks/{webhook_id}',
  '/api/v1/webhooks/{webhook_id}/deliveries',
  '/api/v1/webhooks/{webhook_id}/deliveries/{event_id}',
  '/api/v1/webhooks/{webhook_id}/deliveries/{event_id}/resend',
  '/api/v1/webhooks/{webhook_id}/resend',
  '/api/v1/webhooks/{webhook_id}/rotate-secret',
  '/api/v1/webhooks/{webhook_id}/test',
  '/api/verifications',
  '/auth/invitation',
  '/auth/login',
  '/auth/logout',
  '/auth/password',
  '/auth/session',
]

test('the OpenAPI document describes every route with its answers and errors', async () => {
  await withHarness({}, async ({ get, app }) => {
    const { status, body } = await get(null, '/openapi.json')
    assert.equal(status, 200)
    assert.equal(body.openapi, '3.1.0')
    assert.deepEqual(Object.keys(body.paths).toSorted(), paths)
    const verify = body.paths['/api/v1/verify'].post
    assert.deepEqual(Object.keys(verify.responses), [
      '200',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ])
    const batch = body.paths['/api/v1/batch-assess'].post
    for (const content of [batch.requestBody.content, batch.responses['200'].content]) {
      assert.deepEqual(Object.keys(content), ['application/json', 'text/csv'])
    }
    assert.equal(body.paths['/api/v1/demo-verify'].post.requestBody.required, false)
    assert.equal(body.paths['/api/v1/demo-compare'].post.requestBody.required, true)
    const declared = new Set((body.tags as { name: string }[]).map(({ name }) => name))
    for (const [path, operations] of Object.entries<
      Record<string, { security?: unknown[]; responses: object; tags: string[] }>
    >(body.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        assert.ok('500' in operation.responses, method)
        for (const tag of operation.tags) assert.ok(declared.has(tag), `${tag} is not declared`)
        // A sign-in needs no key, and a wrong password is 401.
        const isSignIn = path.startsWith('/auth/')
        assert.equal(operation.security?.length === 0, isSignIn || !('401' in operation.responses))
      }
    }
    assert.ok(app.hasRoute({ method: 'POST', url: '/api/v1/verify' }))
  })
})

test('the reference loads nothing from another host and admits only scripts of this one', async () => {
  await withHarness({ console: true }, async ({ get }) => {
    assert.equal((await get(null, '/docs')).status, 301)
    const page = await get(null, '/docs/')
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /script-src[^;]*'unsafe/)
    assert.doesNotMatch(page.text, /(?:src|href)="https?:/)
    assert.doesNotMatch(page.text, /<script(?![^>]*src=)/, 'no script is in the page')
    assert.match(String((await get(null, '/reference.js')).headers['content-type']), /javascript/)
  })
})
