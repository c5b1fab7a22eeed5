/** What every answer has and lacks, whoever asks, and what no body can change in the process. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'

/** Versions, sessions, and doors for other origins: nothing here has them. */
const absent = [
  'server',
  'x-powered-by',
  'via',
  'set-cookie',
  'access-control-allow-origin',
  'access-control-allow-credentials',
]

test('no answer tells what serves it, sets a cookie or opens itself to other origins', async () => {
  await withHarness({ console: true }, async ({ app, send, issue }) => {
    const { key } = await issue()
    const urls = [...new Set(app.servedRoutes.map(({ url }) => url.replaceAll(/:\w+/g, 'x')))]
    assert.ok(urls.length > 20, 'the routes were not found')
    for (const url of [...urls, '/nope', '/api/v1/verify/x']) {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        const headers = { origin: 'https://example.com', authorization: `Bearer ${key}` }
        const answer = await send({ method, url, headers })
        for (const name of absent) assert.equal(answer.headers[name], undefined, `${method} ${url} ${name}`)
        assert.equal(answer.headers['x-content-type-options'], 'nosniff', `${method} ${url}`)
        if (url.startsWith('/api/'))
          assert.equal(answer.headers['cache-control'], 'no-store', `${method} ${url}`)
        if (String(answer.headers['content-type']).startsWith('text/html'))
          assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/, url)
      }
    }
  })
})

test('a name that reaches for a prototype changes nothing, in this request or in the next', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    const bodies = [
      '{"corridor":"GB-NG","__proto__":{"amount":600000}}',
      '{"corridor":"GB-NG","constructor":{"prototype":{"amount":600000}}}',
      '{"corridor":"GB-NG","a":{"__proto__":{"amount":600000}}}',
      '{"corridor":"GB-NG","toString":1,"hasOwnProperty":2,"valueOf":3}',
    ]
    const statuses: number[] = []
    for (const body of bodies) statuses.push((await verify(key, body)).status)
    assert.deepEqual(statuses, [400, 200, 400, 200])
    assert.equal(({} as { amount?: unknown }).amount, undefined)
    assert.equal((await verify(key, { corridor: 'GB-NG' })).body.decision, 'GO')
  })
})

test('what a caller sends cannot begin a line of the log, nor stand in it as a key', async () => {
  await withHarness({}, async ({ send, issue, log }) => {
    const { key } = await issue()
    const forged = '\r\n{"level":"error","msg":"forged"}\n'
    const url = `/api/v1/audit/${encodeURIComponent(forged + key)}?x=${encodeURIComponent(forged + key)}`
    await send({ method: 'GET', url, headers: { 'x-api-key': key, 'user-agent': key } })
    await send({
      method: 'POST',
      url: '/api/v1/verify',
      headers: { 'x-api-key': key },
      payload: forged,
    })
    assert.ok(log.length >= 2, 'nothing was logged')
    for (const line of log) {
      assert.equal(line.indexOf('\n'), line.length - 1, 'one line')
      assert.notEqual((JSON.parse(line) as { msg: string }).msg, 'forged')
      assert.ok(!line.includes(key), 'the key is in the log')
    }
  })
})

test('a failed authentication is logged with the address of the client, and never with the key', async () => {
  await withHarness({ settings: { FAIRWAY_TRUST_PROXY: '1' } }, async (harness) => {
    const { key } = await harness.issue()
    const before = harness.log.length
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    for (const presented of [wrong, 'a-secret-of-somebody', `${key} ${key}`]) {
      const { status } = await harness.send({
        method: 'GET',
        url: '/api/verifications',
        headers: { authorization: `Bearer ${presented}`, 'x-forwarded-for': '203.0.113.7' },
      })
      assert.equal(status, 401)
    }
    const lines = harness.log.slice(before)
    assert.equal(lines.filter((line) => line.includes('"client_address":"203.0.113.7"')).length, 3)
    for (const hidden of [wrong, 'a-secret-of-somebody', key]) assert.ok(!lines.join('').includes(hidden))
    await harness.get(key, '/api/verifications')
    assert.doesNotMatch(
      harness.log.slice(before + 3).join(''),
      /client_address/,
      'of others no address is logged',
    )
  })
})
