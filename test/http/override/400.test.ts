/** POST /api/v1/override: bad input gets 400 with the path of the member, and records nothing. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { errorsOf, post, rowCounts } from '../../helpers/post.ts'
import { degraded, goodOverride, override, overrideUrl } from '../../helpers/webhooks.ts'

/** The members at fault, beside a good rest; the paths of what is told. */
const cases: readonly (readonly [given: object, ...paths: string[]])[] = [
  [{ request_id: undefined }, '/request_id'],
  [{ request_id: null }, '/request_id'],
  [{ request_id: 7 }, '/request_id'],
  [{ request_id: {} }, '/request_id'],
  [{ request_id: ['SVC-2026-01M7EK86879492MKK2679NV0E3'] }, '/request_id'],
  [{ action: undefined }, '/action'],
  [{ action: null }, '/action'],
  [{ action: '' }, '/action'],
  [{ action: 'execute' }, '/action'],
  [{ action: 'EXECUTE ' }, '/action'],
  [{ action: 'RELEASE' }, '/action'],
  [{ action: ['EXECUTE'] }, '/action'],
  [{ action: 1 }, '/action'],
  [{ reason_code: undefined }, '/reason_code'],
  [{ reason_code: null }, '/reason_code'],
  [{ reason_code: 'compliance_approved' }, '/reason_code'],
  [{ reason_code: 'COMPLIANCE APPROVED' }, '/reason_code'],
  [{ reason_code: 'COMPLIANCE-APPROVED' }, '/reason_code'],
  [{ reason_code: '_APPROVED' }, '/reason_code'],
  [{ reason_code: 'APPROVED_' }, '/reason_code'],
  [{ reason_code: 'A__B' }, '/reason_code'],
  [{ reason_code: '1A' }, '/reason_code'],
  [{ reason_code: 'APPROVED\n' }, '/reason_code'],
  [{ reason_code: '\u00c4RGER' }, '/reason_code'],
  [{ reason_code: 'A'.repeat(65) }, '/reason_code'],
  [{ reason_code: 5 }, '/reason_code'],
  [{ justification: undefined }, '/justification'],
  [{ justification: null }, '/justification'],
  [{ justification: '' }, '/justification'],
  [{ justification: '   ' }, '/justification'],
  [{ justification: '\n\t\u00a0' }, '/justification'],
  [{ justification: 'x'.repeat(2_001) }, '/justification'],
  [{ justification: '\u{1f980}'.repeat(2_001) }, '/justification'],
  [{ justification: `x${'\u0301'.repeat(20_000)}` }, '/justification'],
  [{ justification: 'a\u0000b' }, '/justification'],
  [{ justification: '\u001b[31mred' }, '/justification'],
  [{ justification: 'bell\u0007' }, '/justification'],
  [{ justification: 'c1\u0085' }, '/justification'],
  [{ justification: 12 }, '/justification'],
  [{ justification: ['because'] }, '/justification'],
  [
    { request_id: 1, action: 'x', reason_code: undefined, justification: null },
    '/action',
    '/justification',
    '/reason_code',
    '/request_id',
  ],
]

test('every member wrong in every way is told with its path, and nothing is recorded', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '1000/60' } }, async (harness) => {
    const { key } = await harness.issue()
    const requestId = await degraded(harness, key)
    const before = rowCounts(harness)
    for (const [given, ...paths] of cases) {
      const answer = await override(harness, key, requestId, given)
      const name = JSON.stringify(given).slice(0, 80)
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      assert.equal(answer.body.code, 'INVALID_REQUEST', name)
      const told = errorsOf(answer).map(([path]) => path)
      assert.deepEqual([...new Set(told)].toSorted(), paths, name)
      assert.ok(answer.text.length < 2_000, `${name}: the answer stays small`)
    }
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await override(harness, key, requestId)).status, 200, 'the decision is as it was')
  })
})

test('a body that is no JSON object is told as a whole', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const requestId = await degraded(harness, key)
    const broken = Buffer.from(JSON.stringify({ ...goodOverride, request_id: requestId }))
    broken[broken.length - 4] = 0xff
    for (const body of ['', '  ', 'null', '[]', '"x"', '7', '{', broken]) {
      const answer = await post(harness, overrideUrl, body, { key })
      assert.equal(answer.status, 400, String(body))
      assert.equal(errorsOf(answer)[0]?.[0], '', String(body))
    }
    const poisoned = `{"__proto__":{"action":"EXECUTE"},"request_id":"${requestId}"}`
    const answer = await post(harness, overrideUrl, poisoned, { key })
    assert.deepEqual(errorsOf(answer), [['/__proto__', 'is a forbidden name; remove it']])
    const half = JSON.stringify({ ...goodOverride, request_id: requestId }).replace('Payee', '\\ud800')
    assert.equal(errorsOf(await post(harness, overrideUrl, half, { key }))[0]?.[0], '/justification')
  })
})

test('what is wrong is told in words that a caller can act on', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const requestId = await degraded(harness, key)
    const answer = await override(harness, key, requestId, { action: 'GO', reason_code: 'no' })
    assert.deepEqual(errorsOf(answer), [
      ['/action', 'must be one of EXECUTE, HOLD, REJECT'],
      ['/reason_code', 'must be in upper snake case, like COMPLIANCE_APPROVED'],
    ])
    for (const justification of [' ', '\n\t', '\u200b \u00a0']) {
      const blank = await override(harness, key, requestId, { justification })
      assert.deepEqual(errorsOf(blank), [['/justification', 'must not be blank']])
    }
  })
})
