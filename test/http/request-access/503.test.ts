/** POST /api/v1/request-access while the captcha service cannot answer: held, never let through. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askFor, form } from '../../helpers/access.ts'
import { accepted, withCaptchaService } from '../../helpers/peers/captcha.ts'
import { withHarness } from '../../helpers/harness.ts'
import { rowCounts } from '../../helpers/post.ts'
import type { Reaction } from '../../helpers/peers/receiver.ts'

const secret = 'the-secret-of-the-site'

test('a captcha service that hangs, fails or blames our secret holds the request, and nothing is kept', async () => {
  let reaction: Reaction = 500
  await withCaptchaService(
    () => reaction,
    async ({ url }) => {
      const settings = { FAIRWAY_RECAPTCHA_SECRET: secret, FAIRWAY_RECAPTCHA_URL: url }
      await withHarness({ settings, captchaTimeoutMs: 200 }, async (harness) => {
        const before = rowCounts(harness)
        const outages: readonly Reaction[] = [
          500,
          'hang',
          { status: 302, headers: { location: url } },
          { status: 200, body: '{"success":false,"error-codes":["invalid-input-secret"]}' },
        ]
        for (const outage of outages) {
          reaction = outage
          const { status, body, headers } = await askFor(harness)
          assert.equal(status, 503)
          assert.equal(body.code, 'CAPTCHA_UNAVAILABLE')
          assert.deepEqual(body.unavailable_signals, [])
          assert.equal(headers['retry-after'], '30')
        }
        assert.deepEqual(rowCounts(harness), before)
        const log = harness.log.join('')
        assert.match(log, /captcha: service unavailable/)
        for (const word of [secret, form.recaptcha_token, form.email]) assert.ok(!log.includes(word), word)
        reaction = accepted
        assert.equal((await askFor(harness)).status, 200, 'it is asked anew each time')
      })
    },
  )
})
