/** GET /api/v1/calibration: 400, 401, 403, 405 and 429. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '../../../src/core/identity/api-key.ts'
import { calibrationUrl } from '../../helpers/calibration-books.ts'
import { withHarness } from '../../helpers/harness.ts'
import { errorsOf } from '../../helpers/post.ts'

const time = 'must be a time in ISO 8601, like 2026-01-31T12:00:00Z'
const years = 'must be in the years 1970 to 9999, in UTC'
const beforeTo = 'must be before to, which defaults to now'
const lastDay = 'must be at most 9999-12-31T00:00:00Z'
const unknown = 'is not a parameter of this list; see the API reference'

/** The clock stands at noon of 1 March 2026. */
const cases: readonly (readonly [query: string, path: string, message?: string])[] = [
  ['from=yesterday', '/from', time],
  ['from=2026-02-30', '/from', time],
  ['to=2026-03-01T12:00', '/to', time],
  ['to=99999-01-01', '/to', time],
  ['from=1969-12-31', '/from', years],
  ['to=9999-12-31T23:30:00-01:00', '/to', years],
  ['to=9999-12-31T00:00:00.001Z', '/to', lastDay],
  ['from=2026-03-02&to=2026-03-01', '/from', beforeTo],
  ['from=2026-03-01&to=2026-03-01', '/from', beforeTo],
  ['from=2026-03-01T12:00:00.001Z', '/from', beforeTo],
  ['to=1970-01-01', '/from', beforeTo],
  ['corridor=GB', '/corridor'],
  ['corridor=', '/corridor'],
  ['corridor=GB-NG%22%20%7C%7C%20true', '/corridor'],
  ['mode=test', '/mode'],
  ['mode=', '/mode'],
  ['limit=5', '/limit', unknown],
  ['Corridor=GB-NG', '/Corridor', unknown],
]

test('400: a query that cannot be meant is refused with its path', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const [query, member, message] of cases) {
      const answer = await get(key, `${calibrationUrl}?${query}`)
      assert.equal(answer.status, 400, query)
      const [found] = errorsOf(answer)
      assert.equal(found?.[0], member, query)
      if (message !== undefined) assert.equal(found?.[1], message, query)
    }
    const all = await get(key, `${calibrationUrl}?from=x&to=y&corridor=z`)
    assert.deepEqual(
      errorsOf(all).map(([member]) => member),
      ['/from', '/to', '/corridor'],
    )
  })
})

test('403: the scope is policy:read, and no other stands for it', async () => {
  await withHarness({}, async ({ issue, get }) => {
    for (const scope of scopes) {
      const { key } = await issue({ scopes: [scope] })
      const { status, body } = await get(key, calibrationUrl)
      assert.equal(status, scope === 'policy:read' ? 200 : 403, scope)
      if (status === 403) assert.match(body.message, /policy:read/)
    }
  })
})

test('401 without a key, 405 for another method, 429 beyond the limit', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '2/60' } }, async ({ issue, get, send }) => {
    assert.equal((await get(null, calibrationUrl)).status, 401)
    assert.equal((await get('pk_test_nobody', calibrationUrl)).status, 401)
    const { key } = await issue({ scopes: ['policy:read'] })
    const statuses: number[] = []
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await get(key, calibrationUrl)).status)
    assert.deepEqual(statuses, [200, 200, 429])
    const headers = { authorization: `Bearer ${key}` }
    const posted = await send({ method: 'POST', url: calibrationUrl, headers })
    assert.deepEqual([posted.status, posted.headers['allow']], [405, 'GET, HEAD'])
  })
})
