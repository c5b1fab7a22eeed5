/** Errors: one shape for everything, and nothing of the inside. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { HTTPMethods } from 'fastify'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { withHarness } from '../../helpers/harness.ts'

test('404 for unknown routes, with or without a key, in one body', async () => {
  await withHarness({}, async ({ issue, send }) => {
    const { key } = await issue()
    const paths = [
      '/nope',
      '/api',
      '/api/v1',
      '/api/v1/verify/',
      '/api/v1/verify/x',
      '/api/v2/verify',
      '/%',
      '/%00',
      '//',
      '/api/health/..',
    ]
    const bodies = new Set<string>()
    for (const url of paths) {
      for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
        for (const method of ['GET', 'POST', 'DELETE'] as const) {
          const answer = await send({ method, url, headers })
          assert.equal(answer.status, 404, `${method} ${url}`)
          assert.equal(answer.headers['x-svc-version'], 'v1')
          bodies.add(JSON.stringify({ ...answer.body, request_id: '' }))
        }
      }
    }
    assert.equal(bodies.size, 1)
  })
})

test('405 for a path that exists, with the methods that it has', async () => {
  await withHarness({}, async ({ send }) => {
    const cases = [
      ['GET', '/api/v1/verify', 'POST'],
      ['PUT', '/api/v1/verify', 'POST'],
      ['OPTIONS', '/api/v1/verify', 'POST'],
      ['GET', '/api/v1/demo-verify', 'POST'],
      ['GET', '/api/v1/demo-compare', 'POST'],
      ['PUT', '/api/v1/decision/compare', 'POST'],
      ['GET', '/api/v1/batch-assess', 'POST'],
      ['GET', '/api/v1/override', 'POST'],
      ['PUT', '/api/v1/webhooks', 'GET, HEAD, POST'],
      ['POST', '/metrics', 'GET, HEAD'],
      ['POST', '/api/health', 'GET, HEAD'],
      ['DELETE', '/api/v1/audit/SVC-1', 'GET, HEAD'],
      ['PATCH', '/api/verifications', 'GET, HEAD'],
      ['POST', '/', 'GET, HEAD'],
    ] as const
    for (const [method, url, allow] of cases) {
      const answer = await send({
        method,
        url,
        headers: { 'content-type': 'text/plain' },
        payload: 'anything',
      })
      assert.equal(answer.status, 405, `${method} ${url}`)
      assert.equal(answer.body.code, 'METHOD_NOT_ALLOWED')
      assert.equal(answer.headers['allow'], allow)
    }
  })
})

test('every path refuses every method that it does not have, also where another path with that method would match', async () => {
  await withHarness({}, async ({ app, send }) => {
    const unserved = ['PUT', 'OPTIONS', 'QUERY']
    const methods = [...new Set([...app.servedRoutes.map(({ method }) => method), ...unserved])]
    for (const [pattern, routes] of Map.groupBy(app.servedRoutes, ({ url }) => url)) {
      const own = new Set(routes.map(({ method }) => method))
      const url = pattern.replaceAll(/:\w+|\*/g, 'x')
      for (const method of methods.filter((one) => !own.has(one)) as HTTPMethods[]) {
        const { status, headers } = await send({ method, url })
        assert.deepEqual(
          [status, headers['allow']],
          [405, [...own].toSorted().join(', ')],
          `${method} ${url}`,
        )
      }
    }
  })
})

test('500: an unexpected error has an id that is in the log, and no internals', async () => {
  await withHarness({}, async ({ issue, verify, databaseUrl, log, store }) => {
    const { key } = await issue()
    await withBrokenTable(databaseUrl, 'INSERT ON verifications', async () => {
      const answer = await verify(key, { corridor: 'GB-NG', correlation_id: `my key is ${key}` })
      assert.equal(answer.status, 500)
      assert.equal(answer.body.code, 'INTERNAL_ERROR')
      assert.doesNotMatch(answer.text, /broken|SELECT|sqlite|\.ts/i)
      const line = log.find(
        (entry) => entry.includes('unexpected error') && entry.includes(answer.body.request_id),
      )
      assert.match(line ?? '', /"message":"broken"/)
    })
    assert.equal((await verify(key, { corridor: 'GB-NG' })).status, 200, 'the service goes on')
    assert.equal(await store.countVerifications(), 1)
  })
})

test('no log line ever holds a key, wherever the caller puts it', async () => {
  await withHarness({}, async ({ app, issue, verify, send, log, databaseUrl }) => {
    const { key } = await issue()
    await verify(key, { corridor: key, correlation_id: key })
    await verify(key, `{"${key}`)
    await send({ method: 'GET', url: `/${key}?key=${key}`, headers: { 'x-api-key': key, referer: key } })
    const saboteur = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    saboteur.exec('ALTER TABLE cooldowns RENAME TO gone')
    saboteur.close()
    await verify(key, { corridor: 'GB-NG' }, { headers: { 'idempotency-key': key } })
    app.log.error({ err: new Error(`fault near ${key}`), note: { deep: [key] } }, `saw ${key}`)
    assert.ok(log.length > 3)
    assert.ok(
      log.every((line) => !line.includes(key.slice(8))),
      log.find((line) => line.includes(key.slice(8))),
    )
    assert.ok(log.some((line) => line.includes('[key]')))
  })
})
