/** GET /api/v1/audit/{request_id}: the record, to its owner alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { rotateKey } from '../../../src/app/access/keys.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

for (const engine of engines) {
  test(`200: the record says what was decided, of what, and on which evidence (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, get }) => {
      const { key } = await issue()
      const { body } = await verify(key, {
        corridor: 'GB-NG',
        amount: 1234.5,
        currency: 'NGN',
        correlation_id: 'c',
      })
      const audit = await get(key, `/api/v1/audit/${body.request_id}`)
      assert.equal(audit.status, 200)
      assert.deepEqual(audit.body, {
        request_id: body.request_id,
        corridor: 'GB-NG',
        decision: 'GO',
        score: body.score,
        confidence: body.confidence,
        amount: 1234.5,
        currency: 'NGN',
        request_currency: 'NGN',
        settlement_currency: 'NGN',
        mode: 'shadow',
        evaluated_at: body.evaluated_at,
        correlation_id: 'c',
        reason_codes: body.reason_codes,
        human_override: null,
        outcome: null,
        cooldown_source_request_id: null,
        signal_contributions: signalNames.map((signal) => ({
          signal,
          status: body.probe_details[signal].signal,
          risk_value: body.probe_details[signal].risk_value,
        })),
      })
    })
  })

  test(`a repeat by a cooldown names its source, and the source names none (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, get }) => {
      const { key } = await issue()
      const { body: source } = await verify(key, { corridor: 'GB-NG', amount: 600_000 })
      const { body: repeat } = await verify(key, { corridor: 'GB-NG', amount: 1 })
      assert.equal(repeat.cooldown.source_request_id, source.request_id)
      const sourceOf = async (id: string): Promise<unknown> =>
        (await get(key, `/api/v1/audit/${id}`)).body.cooldown_source_request_id
      assert.equal(await sourceOf(source.request_id), null)
      assert.equal(await sourceOf(repeat.request_id), source.request_id)
      const { body: history } = await get(key, '/api/verifications')
      assert.deepEqual(
        history.map((item: { cooldown_source_request_id: unknown }) => item.cooldown_source_request_id),
        [source.request_id, null],
      )
    })
  })

  test(`404: a foreign id, an unknown id and any malformed one get one and the same body (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, get }) => {
      const { key } = await issue()
      const stranger = await issue()
      const { body } = await verify(stranger.key, { corridor: 'GB-NG' })
      const own = String(body.request_id)
      const ids = [
        own,
        'SVC-2026-01M7EK86879492MKK2679NV0E3',
        own.toLowerCase(),
        `${own}x`,
        own.replace('2026', '2025'),
        'SVC-2026-',
        'req_0123456789abcdef',
        '%00',
        '..%2f',
        '..%2F..%2Fetc%2Fpasswd',
        '%zz',
        '%',
        '%ff%fe',
        '%c3%28',
        '0',
        'null',
        '%20',
        encodeURIComponent("' OR 1=1 --"),
        'SVC-9999-ZZZZZZZZZZZZZZZZZZZZZZZZZZ',
        'x'.repeat(5_000),
        encodeURIComponent('\u{1f980}'),
      ]
      const seen = new Set<string>()
      for (const id of ids) {
        const answer = await get(key, `/api/v1/audit/${id}`)
        assert.equal(answer.status, 404, id)
        const { date: _date, ...headers } = answer.headers
        headers['x-request-id'] = ''
        headers['ratelimit'] = ''
        seen.add(JSON.stringify({ headers, body: { ...answer.body, request_id: '' } }))
      }
      assert.equal(seen.size, 1, [...seen].join('\n'))
      assert.equal((await get(stranger.key, `/api/v1/audit/${own}`)).status, 200)
    })
  })
}

test('the owner keeps its records when its key is rotated', async () => {
  await withHarness({}, async ({ issue, verify, get, store, clock }) => {
    const first = await issue()
    const { body } = await verify(first.key, { corridor: 'GB-NG' })
    const rotated = await rotateKey({ keys: store.keys, clock, random: systemRandom }, first.record.keyId, 0)
    assert.equal(rotated.kind, 'rotated')
    const key = rotated.kind === 'rotated' ? rotated.issued.key : ''
    assert.equal((await get(key, `/api/v1/audit/${body.request_id}`)).status, 200)
    assert.equal((await get(key, '/api/verifications')).body.length, 1)
  })
})

test('two keys with one owner label are still two owners', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { body } = await verify((await issue()).key, { corridor: 'GB-NG' })
    const other = await issue()
    assert.equal((await get(other.key, `/api/v1/audit/${body.request_id}`)).status, 404)
    assert.deepEqual((await get(other.key, '/api/verifications')).body, [])
  })
})

test('401 without a key, 429 above 300 reads a minute, and verify is not touched by it', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '5/60' } }, async ({ issue, get, verify }) => {
    const { key } = await issue()
    assert.equal((await get(null, '/api/v1/audit/x')).status, 401)
    for (let read = 0; read < 5; read += 1) assert.equal((await get(key, '/api/v1/audit/x')).status, 404)
    const refused = await get(key, '/api/verifications')
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['ratelimit-policy'], '"keyed";q=5;w=60')
    assert.equal((await verify(key, { corridor: 'GB-NG' })).status, 200)
  })
})
