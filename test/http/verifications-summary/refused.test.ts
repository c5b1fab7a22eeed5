/** GET /api/v1/verifications/summary: 400, 401, 403, 405 and 429. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { errorsOf } from '../../helpers/post.ts'

const path = '/api/v1/verifications/summary'
const time = 'must be a time in ISO 8601, like 2026-01-31T12:00:00Z'
const years = 'must be in the years 1970 to 9999, in UTC'
const afterFirst = 'must be after 1970-01-01T00:00:00Z'
const wholeHours = 'must be at most 9999-12-31T23:00:00Z'
const beforeTo = 'must be before to, which defaults to now'
const unknown = 'is not a parameter of this list; see the API reference'
const tooLong = 'must be at most 366 days before to'

/** The clock stands at noon of 1 March 2026. */
const cases: readonly (readonly [query: string, path: string, message?: string])[] = [
  ['from=yesterday', '/from', time],
  ['from=2026-02-30', '/from', time],
  ['to=2026-03-01T12:00', '/to', time],
  ['to=99999-01-01', '/to', time],
  ['from=1969-12-31', '/from', years],
  ['from=1970-01-01T00:00:00%2B01:00', '/from', years],
  ['to=9999-12-31T23:30:00-01:00', '/to', years],
  ['to=1970-01-01', '/to', afterFirst],
  ['to=9999-12-31T23:00:00.001Z', '/to', wholeHours],
  ['from=9999-12-31&to=9999-12-31T23:30:00Z', '/to', wholeHours],
  ['from=2026-03-02&to=2026-03-01', '/from', beforeTo],
  ['from=2026-03-01&to=2026-03-01', '/from', beforeTo],
  ['from=2026-03-01T13:00:00Z', '/from', beforeTo],
  ['from=2025-02-28T11:59:59Z', '/from', tooLong],
  ['from=2025-01-01&to=2026-01-02T00:00:01Z', '/from', tooLong],
  ['corridor=GB', '/corridor'],
  ['corridor=', '/corridor'],
  ['mode=test', '/mode'],
  ['mode=', '/mode'],
  ['time_zone=', '/time_zone'],
  ['time_zone=Mars/Olympus', '/time_zone', 'must be an IANA time zone, like Africa/Nairobi'],
  ['time_zone=%2B01:00', '/time_zone', 'must be an IANA time zone, like Africa/Nairobi'],
  ['step=day', '/step', unknown],
  ['page=2', '/page', unknown],
  ['Mode=live', '/Mode', unknown],
]

test('400: a query that cannot be meant is refused with its path', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const [query, member, message] of cases) {
      const answer = await get(key, `${path}?${query}`)
      assert.equal(answer.status, 400, query)
      const [found] = errorsOf(answer)
      assert.equal(found?.[0], member, query)
      if (message !== undefined) assert.equal(found?.[1], message, query)
    }
    const all = await get(key, `${path}?from=x&to=y&corridor=z`)
    assert.deepEqual(
      errorsOf(all).map(([member]) => member),
      ['/from', '/to', '/corridor'],
    )
  })
})

test('the longest range that may be asked for, and what lies ahead, are answered', async () => {
  await withHarness({}, async ({ issue, get }) => {
    const { key } = await issue()
    for (const [query, steps] of [
      ['from=2025-02-28T12:00:00Z', 367],
      ['from=2025-01-01&to=2026-01-02', 366],
      ['from=2026-03-01T12:59:00Z', 1],
      ['from=2027-01-01&to=2027-01-02', 24],
      ['from=1970-01-01&to=1970-01-01T00:00:01Z', 1],
      ['to=1970-01-01T01:00:00Z', 1],
      ['from=9999-12-31&to=9999-12-31T23:00:00Z', 23],
    ] as const) {
      const answer = await get(key, `${path}?${query}`)
      assert.equal(answer.status, 200, `${query}: ${answer.text}`)
      assert.equal(answer.body.series.length, steps, query)
    }
  })
})

test('401 without a key, 403 without the scope, 405 for another method, 429 beyond the limit', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '2/60' } }, async ({ issue, get, send }) => {
    assert.equal((await get(null, path)).status, 401)
    assert.equal((await get('pk_test_nobody', path)).status, 401)
    const auditor = await issue({ scopes: ['audit:read'] })
    assert.equal((await get(auditor.key, path)).status, 403)
    const { key } = await issue({ scopes: ['decision:read'] })
    const statuses = [
      (await get(key, path)).status,
      (await get(key, path)).status,
      (await get(key, path)).status,
    ]
    assert.deepEqual(statuses, [200, 200, 429])
    const posted = await send({ method: 'POST', url: path, headers: { authorization: `Bearer ${key}` } })
    assert.deepEqual([posted.status, posted.headers['allow']], [405, 'GET, HEAD'])
  })
})
