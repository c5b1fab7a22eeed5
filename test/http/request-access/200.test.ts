/** POST /api/v1/request-access, taken: recorded, with a sandbox key that works at once and is nobody else's. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWellFormedKey } from '../../../src/core/identity/api-key.ts'
import { askFor, form, received, unlimited } from '../../helpers/access.ts'
import { accepted, withCaptchaService } from '../../helpers/peers/captcha.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

for (const engine of engines) {
  test(`a request is recorded as it was sent, and its sandbox key works at once on every instance (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { status, body, headers } = await askFor(harness, {
        name: '  Payments team ',
        more: 'is ignored',
        Extra: 'too',
      })
      assert.equal(status, 200)
      const { warnings, ...rest } = body
      assert.deepEqual(Object.keys(rest), ['access_request_id', 'status', 'message', 'sandbox_key'])
      assert.deepEqual(
        warnings.map(({ code, path }: { code: string; path: string }) => [code, path]),
        [
          ['UNKNOWN_MEMBER', '/more'],
          ['UNKNOWN_MEMBER', '/Extra'],
        ],
      )
      assert.match(body.access_request_id, /^acr_[0-9a-z]+$/)
      assert.equal(body.status, 'received')
      assert.match(body.sandbox_key, /^svc-sandbox-/)
      assert.ok(isWellFormedKey(body.sandbox_key))
      assert.equal(headers['ratelimit-policy'], '"request-access";q=5;w=900')
      assert.equal(headers['cache-control'], 'no-store')

      const request = await harness.store.access.find(body.access_request_id)
      assert.ok(request !== null)
      const { ownerId, sandboxKeyId, ...recorded } = request
      assert.deepEqual(recorded, {
        accessRequestId: body.access_request_id,
        name: form.name,
        email: form.email,
        reason: form.reason,
        captcha: 'not_checked',
        createdAtMs: harness.clock.nowMs(),
        status: 'received',
        decision: null,
      })
      const key = await harness.store.keys.find(sandboxKeyId)
      assert.equal(key?.ownerId, ownerId)
      assert.equal(key?.type, 'sandbox')
      assert.equal(key?.expiresAtMs, null)
      assert.deepEqual(key?.scopes, [])
      assert.equal(key?.ownerLabel, 'payments@example.com (Payments team)')

      const verified = await harness.verify(body.sandbox_key, { corridor: 'GB-NG', amount: 100 })
      assert.equal(verified.status, 200)
      assert.equal(verified.body.mode, 'shadow')
      const sibling = await harness.sibling()
      const seen = await sibling.get(body.sandbox_key, `/api/v1/audit/${verified.body.request_id}`)
      await sibling.close()
      assert.equal(seen.status, 200)
      assert.equal(
        (await harness.verify(body.sandbox_key, { corridor: 'GB-NG' }, { mode: 'live' })).status,
        403,
      )
    })
  })

  test(`each request is a new owner: two of one address do not see each other's records, and end nothing (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const first = await received(harness)
      const { body } = await harness.verify(first.key, { corridor: 'GB-NG' })
      const second = await received(harness)
      assert.notEqual(second.id, first.id)
      assert.ok(second.id > first.id, 'ids are in order')
      assert.equal((await harness.get(second.key, `/api/v1/audit/${body.request_id}`)).status, 404)
      assert.deepEqual((await harness.get(second.key, '/api/verifications')).body, [])
      assert.equal((await harness.get(first.key, `/api/v1/audit/${body.request_id}`)).status, 200)
      const keys = await harness.store.keys.list()
      assert.ok(keys.every(({ revokedAtMs, expiresAtMs }) => revokedAtMs === null && expiresAtMs === null))
    })
  })
}

test('with a captcha every token is checked, with the address that the request came from', async () => {
  await withCaptchaService(
    () => accepted,
    async ({ url, forms }) => {
      const settings = {
        FAIRWAY_RECAPTCHA_SECRET: 'the-secret',
        FAIRWAY_RECAPTCHA_URL: url,
        FAIRWAY_TRUST_PROXY: '1',
      }
      await withHarness({ settings }, async (harness) => {
        const headers = { 'x-forwarded-for': '[2001:db8::7]:443' }
        const { status, body } = await askFor(harness, { recaptcha_token: 'from a person' }, { headers })
        assert.equal(status, 200)
        assert.equal((await harness.store.access.find(body.access_request_id))?.captcha, 'verified')
        assert.deepEqual(forms(), [
          { secret: 'the-secret', response: 'from a person', remoteip: '2001:db8::7' },
        ])
      })
    },
  )
})

test('neither the key nor what the visitor wrote is logged', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { key } = await received(harness)
    await askFor(harness, { email: 'ada' })
    await harness.verify(key, { corridor: 'GB-NG' })
    const log = harness.log.join('')
    assert.match(log, /request-access/, 'the route is')
    for (const word of [form.name, form.email, form.reason, form.recaptcha_token, key.slice(12)]) {
      assert.ok(!log.includes(word), word)
    }
  })
})

test('letters of any script, quotes and lines are kept as they are', async () => {
  await withHarness({}, async (harness) => {
    const name = 'Ọmọ́táyọ̀ “Táyọ̀” O’Neil 李'
    const reason = 'First line\n\tsecond; DROP TABLE access_requests --\r\n"third"'
    const email = "O'Neil+Fairway@Example.com"
    const { id } = await received(harness, { name, reason, email })
    const request = await harness.store.access.find(id)
    assert.deepEqual([request?.name, request?.reason, request?.email], [name, reason, email])
  })
})
