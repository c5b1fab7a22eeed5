/** POST /api/v1/verify: 401, 403, 413, 415, 429 and 503. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { revokeKey, rotateKey } from '../../../src/app/access/keys.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { assemble, withHarness } from '../../helpers/harness.ts'
import { ManualClock } from '../../helpers/clock.ts'

const body = { corridor: 'GB-NG', amount: 5 }

test('401: one body for every cause, and never a hint which', async () => {
  await withHarness({}, async ({ issue, send, store, clock }) => {
    const good = await issue()
    const revoked = await issue()
    await revokeKey({ keys: store.keys, clock }, revoked.record.keyId)
    const expired = await issue({ prefix: 'pk_live_' })
    clock.advance(90 * 86_400_000)
    const mistyped = good.key.slice(0, -1) + (good.key.endsWith('0') ? '1' : '0')
    const attempts: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Basic ${good.key}` },
      { authorization: good.key },
      { authorization: `Bearer ${mistyped}` },
      { authorization: `Bearer ${good.key} ${good.key}` },
      { authorization: `Bearer ${revoked.key}` },
      { authorization: `Bearer ${expired.key}` },
      { 'x-api-key': 'pk_test_' },
      { 'x-api-key': `${good.key},${good.key}` },
      { 'x-api-key': good.key, authorization: `Bearer ${(await issue()).key}` },
      { 'x-api-key': good.key, authorization: 'Basic abc' },
    ]
    const bodies = new Set<string>()
    for (const headers of attempts) {
      const answer = await send({
        method: 'POST',
        url: '/api/v1/verify',
        headers: { 'content-type': 'application/json', ...headers },
        payload: body,
      })
      assert.equal(answer.status, 401, JSON.stringify(headers))
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="fairway"')
      bodies.add(JSON.stringify({ ...answer.body, request_id: '' }))
    }
    assert.equal(bodies.size, 1)
  })
})

test('401: a key in the query string is no key', async () => {
  await withHarness({}, async ({ issue, send }) => {
    const { key } = await issue()
    for (const name of ['api_key', 'key', 'access_token']) {
      const answer = await send({ method: 'POST', url: `/api/v1/verify?${name}=${key}`, payload: body })
      assert.equal(answer.status, 401)
    }
  })
})

test('401 comes before every other complaint: strangers learn nothing', async () => {
  await withHarness({}, async ({ send }) => {
    for (const payload of ['{', 'x'.repeat(70_000), '']) {
      const answer = await send({
        method: 'POST',
        url: '/api/v1/verify?mode=nonsense',
        headers: { 'content-type': 'text/plain' },
        payload,
      })
      assert.equal(answer.status, 401)
    }
  })
})

for (const engine of engines) {
  test(`a revoked key is refused within a second, and a rotated one after its overlap (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, store, clock }) => {
      const deps = { keys: store.keys, clock, random: systemRandom }
      const first = await issue()
      const record = await verify(first.key, body)
      const rotated = await rotateKey(deps, first.record.keyId, 60_000)
      assert.equal(rotated.kind, 'rotated')
      const next = rotated.kind === 'rotated' ? rotated.issued : first
      clock.advance(59_000)
      assert.equal((await verify(first.key, body)).status, 200)
      assert.equal((await verify(next.key, { ...body, correlation_id: 'new key' })).status, 200)
      clock.advance(1_000)
      assert.equal((await verify(first.key, body)).status, 401)
      assert.ok(record.body.request_id)
      assert.equal((await verify(next.key, body)).status, 200)
      await revokeKey(deps, next.record.keyId)
      clock.advance(499)
      assert.equal((await verify(next.key, body)).status, 200, 'a key is believed for half a second')
      clock.advance(1)
      assert.equal((await verify(next.key, body)).status, 401)
      assert.equal((await rotateKey(deps, next.record.keyId, 0)).kind, 'ended')
    })
  })
}

test('a revoked key stays revoked whatever any clock says', async () => {
  await withHarness({}, async ({ issue, verify, store, clock }) => {
    const { key, record } = await issue()
    await store.keys.revoke(record.keyId, clock.nowMs() + 120_000) // By an operator whose clock is ahead.
    assert.equal((await verify(key, body)).status, 401)
    clock.setWall(clock.nowMs() - 3_600_000)
    assert.equal((await verify(key, body)).status, 401)
  })
})

test('403: a test key cannot ask for live, and nothing is stored', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    const answer = await verify(key, body, { mode: 'live' })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.code, 'FORBIDDEN')
    assert.deepEqual((await get(key, '/api/verifications')).body, [])
  })
})

test('403: a key without the scope is told which one it lacks', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const auditor = await issue({ scopes: ['audit:read'] })
    const refused = await verify(auditor.key, body)
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /decision:read/)
    const payer = await issue({ scopes: ['decision:read'] })
    const { body: made } = await verify(payer.key, body)
    assert.equal((await get(payer.key, `/api/v1/audit/${made.request_id}`)).status, 403)
  })
})

test('413 above 64 KiB, 415 for anything but JSON in UTF-8', async () => {
  await withHarness({}, async ({ issue, verify, send }) => {
    const { key } = await issue()
    const filler = (bytes: number): string => `{"corridor":"GB-NG","x":"${'y'.repeat(bytes - 27)}"}`
    assert.equal((await verify(key, filler(65_536))).status, 200)
    const large = await verify(key, filler(65_537))
    assert.equal(large.status, 413)
    assert.equal(large.body.code, 'PAYLOAD_TOO_LARGE')
    for (const type of [
      'text/plain',
      'application/xml',
      'text/csv',
      'application/json; charset=utf-16',
      'nonsense',
    ]) {
      const answer = await verify(key, body, { headers: { 'content-type': type } })
      assert.equal(answer.status, 415, type)
      assert.equal(answer.body.code, 'UNSUPPORTED_MEDIA_TYPE')
    }
    const packed = await verify(key, gzipSync(JSON.stringify(body)), {
      headers: { 'content-encoding': 'gzip' },
    })
    assert.equal(packed.status, 415)
    const headers = { authorization: `Bearer ${key}` }
    assert.equal((await send({ method: 'POST', url: '/api/v1/verify', headers, payload: 'x' })).status, 415)
    const utf8 = await verify(key, body, { headers: { 'content-type': 'application/json; charset="UTF-8"' } })
    assert.equal(utf8.status, 200)
  })
})

test('429: the limit is exact, says when to come back, and is right about it', async () => {
  await withHarness(
    { settings: { FAIRWAY_LIMIT_VERIFY: '3/60' } },
    async ({ issue, verify, clock, store, get }) => {
      const { key } = await issue({ limit: { count: 3, windowMs: 60_000 } })
      for (const left of [2, 1, 0]) {
        const answer = await verify(key, body)
        assert.equal(answer.headers['ratelimit-policy'], '"verify";q=3;w=60')
        assert.match(String(answer.headers['ratelimit']), new RegExp(`^"verify";r=${left};t=\\d+$`))
        clock.advance(10_000)
      }
      const refused = await verify(key, body)
      assert.equal(refused.status, 429)
      assert.equal(refused.headers['retry-after'], '30')
      assert.match(refused.body.message, /30 seconds/)
      clock.advance(29_999)
      assert.equal((await verify(key, body)).status, 429)
      clock.advance(1)
      assert.equal((await verify(key, body)).status, 200)
      assert.equal(await store.countVerifications(), 4)
      assert.equal((await get(key, '/api/verifications')).status, 200, 'reads have a limit of their own')
    },
  )
})

test('429: replays count, refused requests do not, and no other caller is touched', async () => {
  await withHarness({}, async ({ issue, verify, clock }) => {
    const limit = { count: 2, windowMs: 60_000 }
    const mine = await issue({ limit })
    const theirs = await issue({ limit })
    await verify(mine.key, { ...body, idempotency_key: 'k' })
    assert.equal((await verify(mine.key, { ...body, idempotency_key: 'k' })).body.idempotency_hit, true)
    for (let attempt = 0; attempt < 5; attempt += 1)
      assert.equal((await verify(mine.key, '{bad')).status, 429)
    assert.equal((await verify(theirs.key, '{bad')).status, 400)
    assert.equal((await verify(theirs.key, body)).status, 200)
    clock.advance(60_000)
    assert.equal((await verify(mine.key, body)).status, 200)
  })
})

test('503 on the outage test amount: the signals are named, nothing is stored', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    const answer = await verify(key, { corridor: 'GB-NG', amount: 10.09 })
    assert.equal(answer.status, 503)
    assert.equal(answer.body.code, 'SIGNALS_UNAVAILABLE')
    assert.deepEqual(answer.body.unavailable_signals, ['fx_volatility', 'network_healthy'])
    assert.equal(answer.headers['retry-after'], '120')
    assert.deepEqual((await get(key, '/api/verifications')).body, [])
  })
})

test('503 in live mode without feeds: all seven signals are missing, and a live key never gets a shadow GO', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue({ prefix: 'pk_live_' })
    for (const mode of [undefined, 'live']) {
      const answer = await verify(key, body, mode === undefined ? {} : { mode })
      assert.equal(answer.status, 503)
      assert.deepEqual(answer.body.unavailable_signals, [...signalNames].toSorted())
      assert.equal(answer.headers['x-svc-environment'], 'production')
    }
    assert.deepEqual((await get(key, '/api/verifications')).body, [])
  })
})

test('503 when the store is gone: nothing is decided, and the inside stays inside', async () => {
  const database = await freshDatabase('postgres')
  const harness = await assemble(database.url, new ManualClock(), { engine: 'postgres' })
  try {
    const { key } = await harness.issue()
    assert.equal((await harness.verify(key, body)).status, 200)
    await database.drop()
    for (const answer of [await harness.verify(key, body), await harness.get(null, '/api/health')]) {
      assert.equal(answer.status, 503, answer.text)
      assert.equal(answer.body.code, 'STORE_UNAVAILABLE')
      assert.deepEqual(answer.body.unavailable_signals, [])
      assert.ok(Number(answer.headers['retry-after']) > 0)
      assert.doesNotMatch(answer.text, /postgres|database|fairway_[0-9a-f]|ECONN|terminat/i)
    }
  } finally {
    await harness.close()
  }
})
