/** POST /api/v1/override: 401, 403, 404, 405, 409, 413, 415, 422, 429 and 503. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { assemble, withHarness } from '../../helpers/harness.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { post } from '../../helpers/post.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { anonymous, degraded, goodOverride, override, overrideUrl, trial } from '../../helpers/webhooks.ts'

test('401 without a key, before anything is said of the body', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const requestId = await degraded(harness, key)
    for (const body of [{ request_id: requestId, ...goodOverride }, '{', 'x'.repeat(70_000)]) {
      const answer = await post(harness, overrideUrl, body)
      assert.equal(answer.status, 401)
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="fairway"')
    }
    assert.equal((await harness.get(key, `/api/v1/audit/${requestId}`)).body.human_override, null)
  })
})

test('403 without the scope override:create, which the other scopes do not bring', async () => {
  await withHarness({}, async (harness) => {
    const payer = await harness.issue({ scopes: ['decision:read', 'audit:read', 'webhook:manage'] })
    const requestId = await degraded(harness, payer.key)
    const refused = await override(harness, payer.key, requestId)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.code, 'FORBIDDEN')
    assert.match(refused.body.message, /override:create/)
    assert.equal((await harness.get(payer.key, `/api/v1/audit/${requestId}`)).body.human_override, null)
    const officer = await harness.issue({ scopes: ['decision:read', 'override:create'] })
    const own = await degraded(harness, officer.key)
    assert.equal((await override(harness, officer.key, own)).status, 200)
  })
})

for (const engine of engines) {
  test(`404: a foreign id, an unknown id, a demo id and any malformed one get one and the same body (${engine})`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      const foreign = await degraded(harness, stranger.key)
      const overridden = await degraded(harness, stranger.key)
      await override(harness, stranger.key, overridden)
      const go = await harness.verify(stranger.key, { corridor: 'GB-NG', amount: 5 })
      const demo = await post(harness, '/api/v1/demo-verify', { corridor: 'GB-NG', amount: 600_000 })
      const own = await degraded(harness, key)
      const ids = [
        foreign,
        overridden,
        String(go.body.request_id),
        String(demo.body.request_id),
        'SVC-2026-01M7EK86879492MKK2679NV0E3',
        own.toLowerCase(),
        `${own}x`,
        ` ${own}`,
        own.replace('2026', '2025'),
        'SVC-2026-',
        '',
        ' ',
        '\u0000',
        `${own}\u0000`,
        '../',
        "' OR 1=1 --",
        'x'.repeat(5_000),
        '\u{1f980}',
      ]
      const seen = new Set<string>()
      for (const id of ids) {
        const answer = await override(harness, key, id)
        assert.equal(answer.status, 404, `${id}: ${answer.text}`)
        seen.add(anonymous(answer))
      }
      assert.equal(seen.size, 1, [...seen].join('\n'))
      const audit = await harness.get(key, '/api/v1/audit/SVC-2026-01M7EK86879492MKK2679NV0E3')
      assert.deepEqual(seen, new Set([anonymous(audit)]), 'nor can it be told from an audit')
      const kept = await harness.get(stranger.key, `/api/v1/audit/${foreign}`)
      assert.equal(kept.body.human_override, null)
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT * FROM overrides')).length, 1)
    })
  })

  test(`409: another override is refused, the same again gets the first answer, and that one stands (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const requestId = await degraded(harness, key)
      const first = await override(harness, key, requestId)
      harness.clock.advance(86_400_000)
      const others = [
        { action: 'REJECT' },
        { justification: 'Another.' },
        { reason_code: 'OTHER' },
        { justification: 'Another.', reason_code: 'OTHER' },
      ]
      for (const more of others) {
        const other = await override(harness, key, requestId, more)
        assert.equal(other.status, 409)
        assert.equal(other.body.code, 'OVERRIDE_EXISTS')
        assert.equal(
          other.body.message,
          'This decision already has another override, and an override cannot be changed. Its audit record shows it.',
        )
      }
      const again = await override(harness, key, requestId)
      assert.deepEqual([again.status, again.body], [200, first.body])
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT * FROM overrides')).length, 1)
      const audit = await harness.get(key, `/api/v1/audit/${requestId}`)
      assert.deepEqual(audit.body.human_override, first.body)
    })
  })
}

test('422: a GO needs no override, and gets none', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    for (const action of ['EXECUTE', 'HOLD', 'REJECT']) {
      const answer = await override(harness, key, body.request_id, { action })
      assert.equal(answer.status, 422)
      assert.equal(answer.body.code, 'UNPROCESSABLE')
      assert.match(answer.body.message, /GO/)
    }
    assert.equal((await harness.get(key, `/api/v1/audit/${body.request_id}`)).body.human_override, null)
  })
})

test('405 for any other method, with the one that it has', async () => {
  await withHarness({}, async ({ send }) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      const answer = await send({ method, url: overrideUrl })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers['allow'], 'POST')
    }
  })
})

test('413 above 64 KiB, 415 for anything but JSON', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const requestId = await degraded(harness, key)
    assert.equal((await override(harness, key, requestId, { x: 'y'.repeat(65_536) })).status, 413)
    for (const type of ['text/csv', 'text/plain', 'application/json; charset=utf-16']) {
      const answer = await post(
        harness,
        overrideUrl,
        { request_id: requestId, ...goodOverride },
        { key, headers: { 'content-type': type } },
      )
      assert.equal(answer.status, 415, type)
    }
    assert.equal((await override(harness, key, requestId)).status, 200)
  })
})

test('429: counted with the other keyed routes, and nothing is recorded by what is refused', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '1/60' } }, async (harness) => {
    const { key } = await harness.issue()
    const [first, second] = [await degraded(harness, key), await degraded(harness, key)]
    assert.equal((await override(harness, key, first)).status, 200)
    const refused = await override(harness, key, second)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '60')
    harness.clock.advance(60_000)
    assert.equal((await override(harness, key, second)).status, 200)
  })
})

test('503 while the store does not answer, and never a word that it was recorded', async () => {
  const database = await freshDatabase('postgres')
  const harness = await assemble(database.url, new ManualClock(), {})
  try {
    const { key } = await harness.issue()
    const requestId = await degraded(harness, key)
    await database.drop()
    const answer = await override(harness, key, requestId)
    assert.equal(answer.status, 503)
    assert.equal(answer.body.code, 'STORE_UNAVAILABLE')
    assert.deepEqual(answer.body.unavailable_signals, [])
    assert.equal(answer.headers['retry-after'], '5')
  } finally {
    await harness.close()
  }
})
