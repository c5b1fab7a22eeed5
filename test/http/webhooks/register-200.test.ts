/** POST /api/v1/webhooks: what a good registration gets. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { idleHealth, another, ask, publicUrl, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const both = ['payment.decision.created', 'payment.override.created']

for (const engine of engines) {
  test(`an endpoint is registered for all events, and its secret is 32 random bytes (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const answer = await post(harness, webhooksUrl, { url: publicUrl }, { key })
      assert.equal(answer.status, 200, answer.text)
      const { webhook_id: webhookId, secret, ...rest } = answer.body
      assert.match(webhookId, /^whk_[0-9a-hjkmnp-tv-z]{16}$/)
      assert.deepEqual(rest, {
        url: publicUrl,
        events: both,
        description: null,
        status: 'active',
        suspended_at: null,
        failing_since: null,
        created_at: '2026-03-01T12:00:00.000Z',
      })
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
      const shown = await harness.get(key, `${webhooksUrl}/${webhookId}`)
      assert.deepEqual(shown.body, { webhook_id: webhookId, ...rest, health: idleHealth })
    })
  })

  test(`a subset of the events and a description are kept as they were given (${engine})`, async () => {
    const given: readonly [asked: object, events: string[], description: string | null][] = [
      [{ events: [both[1]] }, [both[1] ?? ''], null],
      [{ events: [both[0]], description: 'Desk ☕ <b>' }, [both[0] ?? ''], 'Desk ☕ <b>'],
      [{ events: both.toReversed(), description: '' }, both, ''],
      [{ description: 'x'.repeat(200), colour: 'any' }, both, 'x'.repeat(200)],
      [{ description: null }, both, null],
    ]
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      for (const [asked, events, description] of given) {
        const { body } = await post(harness, webhooksUrl, { url: another(publicUrl), ...asked }, { key })
        assert.deepEqual([body.events, body.description], [events, description])
        const shown = await harness.get(key, `${webhooksUrl}/${body.webhook_id}`)
        assert.deepEqual([shown.body.events, shown.body.description], [events, description])
      }
    })
  })
}

test('the URL is kept in its normal form', async () => {
  const forms: readonly (readonly [given: string, kept: string])[] = [
    ['https://93.184.215.14', 'https://93.184.215.14/'],
    ['HTTPS://93.184.215.14:443/a/../b?x=1', 'https://93.184.215.14/b?x=1'],
    ['https://93.184.215.14:8443/%7Euser/', 'https://93.184.215.14:8443/%7Euser/'],
    ['https://[2606:2800:021f:cb07:0000:6820:80da:af6b]/', 'https://[2606:2800:21f:cb07:0:6820:80da:af6b]/'],
    ['https://0x5db8d70e/c', 'https://93.184.215.14/c'],
  ]
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [given, kept] of forms) {
      assert.equal((await register(harness, key, given)).url, kept)
    }
  })
})

test('a URL of 2,048 characters is taken, and whatever is taken is delivered to', async () => {
  await withReceiver((receiver) =>
    withHarness({ settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const paths = ['x', '"', "q?'", '<>', '{|}^`']
      const urls = paths.map((path) => {
        const base = `${receiver.url}/`
        return base + path.repeat(2_048).slice(0, 2_048 - base.length)
      })
      for (const url of urls) {
        const answer = await post(harness, webhooksUrl, { url }, { key })
        if (answer.status === 400) continue
        const { webhook_id: webhookId } = answer.body
        await ask(harness, key, 'POST', `${webhooksUrl}/${webhookId}/test`)
        await harness.deliver()
        const deliveries = await harness.get(key, `${webhooksUrl}/${webhookId}/deliveries`)
        assert.equal(deliveries.body[0].status, 'delivered', `${url.slice(0, 60)} ${deliveries.text}`)
      }
      assert.equal(receiver.requests[0]?.path.length, 2_048 - new URL(receiver.url).origin.length)
    }),
  )
})

test('two endpoints never share an id or a secret', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const other = await harness.issue()
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        register(harness, place % 2 === 0 ? key : other.key, another(publicUrl)),
      ),
    )
    assert.equal(new Set(made.map(({ webhook_id: id }) => id)).size, 20)
    assert.equal(new Set(made.map(({ secret }) => secret)).size, 20)
  })
})

test('a secret is shown once: no later answer, no delivery and no log line holds any of it', async () => {
  await withReceiver((receiver) =>
    withHarness({ settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      const { webhook_id: id, secret } = await register(harness, key, receiver.url)
      const rotated = await ask(harness, key, 'POST', `${webhooksUrl}/${id}/rotate-secret`)
      const texts = [
        await harness.get(key, webhooksUrl),
        await harness.get(key, `${webhooksUrl}/${id}`),
        await ask(harness, key, 'POST', `${webhooksUrl}/${id}/test`),
        await harness.verify(key, { corridor: 'GB-NG', correlation_id: secret.slice(0, 20) }),
        await post(harness, webhooksUrl, { url: `http://127.0.0.1/${secret}#` }, { key }),
      ].map(({ text }) => text)
      await harness.deliver()
      texts.push((await harness.get(key, `${webhooksUrl}/${id}/deliveries`)).text)
      texts.push((await ask(harness, key, 'DELETE', `${webhooksUrl}/${id}`)).text)
      texts.push((await harness.get(null, '/metrics')).text)
      harness.app.log.error({ err: new Error(`fault near ${secret}`), deep: [{ secret }] }, secret)
      assert.equal(receiver.requests.length, 2)
      texts.push(...receiver.requests.map(({ headers }) => JSON.stringify(headers)), ...harness.log)
      assert.ok(harness.log.length > 5)
      for (const one of [secret, String(rotated.body.secret)]) {
        const leak = texts.find((text) => text.includes(one.slice('whsec_'.length)))
        assert.equal(leak, undefined)
      }
    }),
  )
})
