/** /api/v1/webhooks: 401, 403, 405, 413, 415 and 429 on every route. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'
import { anonymous, ask, publicUrl, register, webhooksUrl } from '../../helpers/webhooks.ts'

const routesOf = (id: string) =>
  [
    ['POST', webhooksUrl],
    ['GET', webhooksUrl],
    ['GET', `${webhooksUrl}/${id}`],
    ['DELETE', `${webhooksUrl}/${id}`],
    ['GET', `${webhooksUrl}/${id}/deliveries`],
    ['POST', `${webhooksUrl}/${id}/rotate-secret`],
    ['POST', `${webhooksUrl}/${id}/test`],
  ] as const

test('401 without a key on every route, whether there is such an endpoint or not', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { webhook_id: id } = await register(harness, key, publicUrl)
    const seen = new Set<string>()
    for (const [method, url] of [...routesOf(id), ...routesOf('whk_0123456789abcdef')]) {
      const answer = await ask(harness, null, method, url)
      assert.equal(answer.status, 401, `${method} ${url}`)
      seen.add(anonymous(answer))
    }
    assert.equal(seen.size, 1, [...seen].join('\n'))
    assert.equal((await harness.get(key, `${webhooksUrl}/${id}`)).status, 200)
  })
})

test('403 without the scope webhook:manage on every route, which the other scopes do not bring', async () => {
  await withHarness({}, async (harness) => {
    const officer = await harness.issue({ scopes: ['decision:read', 'audit:read', 'override:create'] })
    for (const [method, url] of routesOf('whk_0123456789abcdef')) {
      const answer = await ask(harness, officer.key, method, url)
      assert.equal(answer.status, 403, `${method} ${url}`)
      assert.match(answer.body.message, /webhook:manage/)
    }
    const manager = await harness.issue({ scopes: ['webhook:manage'] })
    await register(harness, manager.key, publicUrl)
    assert.equal((await harness.get(manager.key, webhooksUrl)).body.length, 1)
    assert.equal((await harness.verify(manager.key, { corridor: 'GB-NG' })).status, 403)
  })
})

test('405 for any other method, with those that the path has', async () => {
  await withHarness({}, async ({ send }) => {
    const cases = [
      ['PUT', '', 'GET, HEAD, POST'],
      ['DELETE', '', 'GET, HEAD, POST'],
      ['POST', '/whk_x', 'DELETE, GET, HEAD'],
      ['PATCH', '/whk_x', 'DELETE, GET, HEAD'],
      ['POST', '/whk_x/deliveries', 'GET, HEAD'],
      ['GET', '/whk_x/test', 'POST'],
      ['DELETE', '/whk_x/rotate-secret', 'POST'],
    ] as const
    for (const [method, path, allow] of cases) {
      const answer = await send({ method, url: `${webhooksUrl}${path}` })
      assert.equal(answer.status, 405, `${method} ${path}`)
      assert.equal(answer.headers['allow'], allow, path)
    }
  })
})

test('413 above 64 KiB, 415 for anything but JSON', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { webhook_id: id } = await register(harness, key, publicUrl)
    const taking = routesOf(id).filter(([method]) => method !== 'GET')
    for (const [method, url] of taking) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const payload = JSON.stringify({ url: publicUrl, x: 'y'.repeat(65_536) })
      assert.equal((await harness.send({ method, url, headers, payload })).status, 413, url)
      const plain = { ...headers, 'content-type': 'text/plain' }
      assert.equal((await harness.send({ method, url, headers: plain, payload: 'x' })).status, 415, url)
      assert.equal((await harness.send({ method, url, headers, payload: '{' })).status, 400, url)
    }
    assert.equal((await harness.get(key, webhooksUrl)).body.length, 1)
  })
})

test('429: all routes share the window of the other keyed ones, and say so in their headers', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '4/60' } }, async (harness) => {
    const { key } = await harness.issue()
    const first = await post(harness, webhooksUrl, { url: publicUrl }, { key })
    assert.equal(first.headers['ratelimit-policy'], '"keyed";q=4;w=60')
    assert.equal(first.headers['ratelimit'], '"keyed";r=3;t=60')
    const url = `${webhooksUrl}/${first.body.webhook_id}`
    assert.equal((await harness.get(key, url)).headers['ratelimit'], '"keyed";r=2;t=60')
    const rotated = await ask(harness, key, 'POST', `${url}/rotate-secret`)
    assert.equal(rotated.headers['ratelimit'], '"keyed";r=1;t=60')
    assert.equal((await harness.get(key, `${url}/deliveries`)).headers['ratelimit'], '"keyed";r=0;t=60')
    for (const [method, path] of routesOf(first.body.webhook_id)) {
      const answer = await ask(harness, key, method, path)
      assert.equal(answer.status, 429, path)
      assert.equal(answer.headers['retry-after'], '60')
    }
    harness.clock.advance(60_000)
    assert.equal((await harness.get(key, webhooksUrl)).body.length, 1)
  })
})
