/** POST /api/v1/request-access, refused for its form or its captcha token: every fault is named, and nothing is kept. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askFor, form, unlimited } from '../../helpers/access.ts'
import { withCaptchaService } from '../../helpers/peers/captcha.ts'
import { withHarness } from '../../helpers/harness.ts'
import { errorsOf, post, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/request-access'
const notAddress = 'must be an email address, like payments@example.com'

const rows: readonly (readonly [
  Readonly<Record<string, unknown>>,
  readonly (readonly [string, string])[],
])[] = [
  [{ name: undefined }, [['/name', 'is required']]],
  [{ name: '' }, [['/name', 'must not be empty']]],
  [{ name: ' \u00a0\u200b' }, [['/name', 'must not be blank']]],
  [{ name: 'a'.repeat(201) }, [['/name', 'must have at most 200 characters']]],
  [{ name: 'Payments\u001b[2J' }, [['/name', 'must not contain control characters']]],
  [{ name: 'Payments\nteam' }, [['/name', 'must not contain control characters']]],
  [{ name: 'Payments\u009b' }, [['/name', 'must not contain control characters']]],
  [{ name: 7 }, [['/name', 'must be a string']]],
  [{ email: undefined }, [['/email', 'is required']]],
  [{ email: '' }, [['/email', 'must not be empty']]],
  [{ email: 'ada' }, [['/email', notAddress]]],
  [{ email: ' payments@example.com' }, [['/email', notAddress]]],
  [{ email: `${'a'.repeat(250)}@example.com` }, [['/email', 'must have at most 254 characters']]],
  [{ reason: undefined }, [['/reason', 'is required']]],
  [{ reason: '\n\t ' }, [['/reason', 'must not be blank']]],
  [{ reason: 'a'.repeat(2_001) }, [['/reason', 'must have at most 2000 characters']]],
  [{ reason: 'a\u0000b' }, [['/reason', 'must not contain control characters']]],
  [{ recaptcha_token: undefined }, [['/recaptcha_token', 'is required']]],
  [{ recaptcha_token: '' }, [['/recaptcha_token', 'must not be empty']]],
  [{ recaptcha_token: 'a'.repeat(4_097) }, [['/recaptcha_token', 'must have at most 4096 characters']]],
  [{ recaptcha_token: null }, [['/recaptcha_token', 'is required']]],
  [{ recaptcha_token: 7 }, [['/recaptcha_token', 'must be a string']]],
  [{ recaptchaToken: 'x' }, [['/recaptchaToken', 'is not a member of the request; use recaptcha_token']]],
  [
    { name: ' ', email: 'payments@', reason: ' ' },
    [
      ['/name', 'must not be blank'],
      ['/email', notAddress],
      ['/reason', 'must not be blank'],
    ],
  ],
]

test('each fault is named by its place, and a refused request leaves nothing behind', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const before = rowCounts(harness)
    for (const [more, errors] of rows) {
      const answer = await askFor(harness, more)
      assert.equal(answer.status, 400, JSON.stringify(more))
      assert.equal(answer.body.code, 'INVALID_REQUEST')
      assert.deepEqual(errorsOf(answer), errors)
    }
    for (const body of ['', '[]', '{"name":']) assert.equal((await post(harness, url, body)).status, 400)
    assert.deepEqual(rowCounts(harness), before)
  })
})

test('what is just within the rules is taken', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const most = { name: 'a'.repeat(200), reason: 'a'.repeat(2_000), recaptcha_token: 'a'.repeat(4_096) }
    assert.equal((await askFor(harness, most)).status, 200)
  })
})

test('a token that the captcha service refuses is a fault of the request, and nothing is kept', async () => {
  await withCaptchaService(
    ({ response }) => ({
      status: 200,
      body: JSON.stringify(
        response === 'low' ? { success: true, score: 0.3 } : { success: false, 'error-codes': [] },
      ),
    }),
    async (service) => {
      const settings = { FAIRWAY_RECAPTCHA_SECRET: 'the-secret', FAIRWAY_RECAPTCHA_URL: service.url }
      await withHarness({ settings }, async (harness) => {
        const before = rowCounts(harness)
        for (const token of ['robot', 'low']) {
          const answer = await askFor(harness, { recaptcha_token: token })
          assert.equal(answer.status, 400)
          assert.equal(answer.body.code, 'INVALID_REQUEST')
          assert.deepEqual(
            errorsOf(answer).map(([path]) => path),
            ['/recaptcha_token'],
          )
        }
        assert.deepEqual(rowCounts(harness), before)
        assert.equal((await askFor(harness, { ...form, email: 'ada' })).status, 400)
        assert.equal(service.requests.length, 2, 'a form with faults is not worth a question')
      })
    },
  )
})
