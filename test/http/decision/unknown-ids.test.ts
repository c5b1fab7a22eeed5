/** Unknown, foreign and demo ids: one and the same 404 on every route that takes one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'

const routes: readonly ((id: string) => string)[] = [
  (id) => `/api/v1/decision/${id}/file`,
  (id) => `/api/v1/decision/${id}/explanation`,
  (id) => `/api/v1/decision/${id}/impact`,
  (id) => `/api/v1/decision/${id}/timeline`,
  (id) => `/api/v1/signals/${id}`,
  (id) => `/api/v1/audit/export/${id}`,
  (id) => `/api/v1/audit/export/${id}?format=csv`,
  (id) => `/api/v1/audit/${id}`,
]

for (const engine of engines) {
  test(`every route with an id answers an unknown one as it answers another's (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_LIMIT_KEYED: '1000000/60' } }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      const { body } = await harness.verify(stranger.key, { corridor: 'GB-NG' })
      const hit = { corridor: 'NG-GB', amount: 1.08 }
      await harness.verify(stranger.key, hit)
      const repeated = await harness.verify(stranger.key, hit)
      assert.ok('cooldown' in repeated.body)
      const demo = await post(harness, '/api/v1/demo-verify', {})
      const own = String(body.request_id)
      const ids = [
        own,
        String(repeated.body.request_id),
        String(demo.body.request_id),
        'SVC-2026-01M7EK86879492MKK2679NV0E3',
        own.toLowerCase(),
        `${own}x`,
        '%00',
        '%ff%fe',
        '..%2f',
        'compare',
        encodeURIComponent("' OR 1=1 --"),
        'x'.repeat(5_000),
      ]
      const seen = new Set<string>()
      for (const route of routes) {
        for (const id of ids) {
          const answer = await harness.get(key, route(id))
          assert.equal(answer.status, 404, route(id))
          const { date: _date, ...headers } = answer.headers
          headers['x-request-id'] = ''
          headers['ratelimit'] = ''
          seen.add(JSON.stringify({ headers, body: { ...answer.body, request_id: '' } }))
        }
        assert.equal((await harness.get(stranger.key, route(own))).status, 200, route(own))
      }
      assert.equal(seen.size, 1, [...seen].join('\n'))
    })
  })
}

test('each of these routes needs a key and the scope for it', async () => {
  await withHarness({}, async (harness) => {
    const reader = await harness.issue({ scopes: ['decision:read'] })
    const auditor = await harness.issue({ scopes: ['audit:read'] })
    for (const route of routes) {
      const url = route('SVC-2026-01M7EK86879492MKK2679NV0E3')
      assert.equal((await harness.get(null, url)).status, 401)
      const isAudit = url.includes('/audit/')
      assert.equal((await harness.get(reader.key, url)).status, isAudit ? 403 : 404, url)
      assert.equal((await harness.get(auditor.key, url)).status, isAudit ? 404 : 403, url)
    }
  })
})
