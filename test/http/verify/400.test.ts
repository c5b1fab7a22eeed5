/** POST /api/v1/verify: bad input gets 400 with the path of the field, and loses nothing. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** The body as it is sent, and the path of the field at fault. */
const cases: readonly (readonly [name: string, body: string | Buffer, path: string])[] = [
  ['no body', '', ''],
  ['white space', '  ', ''],
  ['not JSON', '{corridor: GB-NG}', ''],
  ['cut off', '{"corridor":"GB-NG"', ''],
  ['a trailing comma', '{"corridor":"GB-NG",}', ''],
  ['an array', '[]', ''],
  ['null', 'null', ''],
  ['a string', '"GB-NG"', ''],
  ['a number', '7', ''],
  [
    'invalid UTF-8',
    Buffer.concat([Buffer.from('{"corridor":"GB-NG","x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    '',
  ],
  ['__proto__', '{"corridor":"GB-NG","__proto__":{"amount":1}}', '/__proto__'],
  ['__proto__ deep down', '{"corridor":"GB-NG","a":[{"__proto__":1}]}', '/a/0/__proto__'],
  ['deep nesting in an unknown field', `{"corridor":"GB-NG","x":${nested(10_000)}}`, `/x${'/0'.repeat(31)}`],
  ['deep nesting as the corridor', `{"corridor":${nested(10_000)}}`, `/corridor${'/0'.repeat(31)}`],
  ['an infinite number in an unknown field', '{"corridor":"GB-NG","x":{"y":1e999}}', '/x/y'],
  ['half a surrogate', '{"corridor":"GB-NG","correlation_id":"\\ud800"}', '/correlation_id'],

  ['corridor missing', '{}', '/corridor'],
  ['corridor null', '{"corridor":null}', '/corridor'],
  ['corridor empty', '{"corridor":""}', '/corridor'],
  ['corridor blank', '{"corridor":"   "}', '/corridor'],
  ['corridor a number', '{"corridor":12}', '/corridor'],
  ['corridor true', '{"corridor":true}', '/corridor'],
  ['corridor an object', '{"corridor":{"from":"GB"}}', '/corridor'],
  ['corridor an array', '{"corridor":["GB","NG"]}', '/corridor'],
  ['corridor of one country', '{"corridor":"GB"}', '/corridor'],
  ['corridor of three countries', '{"corridor":"GB-NG-GB"}', '/corridor'],
  ['corridor without a hyphen', '{"corridor":"GBNG"}', '/corridor'],
  ['corridor with a digit', '{"corridor":"G1-NG"}', '/corridor'],
  ['corridor with another dash', '{"corridor":"GB\u2013NG"}', '/corridor'],
  ['corridor with an unknown name', '{"corridor":"Atlantis-Nigeria"}', '/corridor'],
  ['corridor with an unknown three-letter code', '{"corridor":"QQQ-NGA"}', '/corridor'],
  ['corridor with a control character', '{"corridor":"GB-NG\\u0000"}', '/corridor'],
  ['corridor with a line break', '{"corridor":"GB-NG\\n"}', '/corridor'],
  ['corridor too long', `{"corridor":"${'G'.repeat(129)}"}`, '/corridor'],

  ['amount null', '{"corridor":"GB-NG","amount":null}', '/amount'],
  ['amount a string', '{"corridor":"GB-NG","amount":"1000"}', '/amount'],
  ['amount empty', '{"corridor":"GB-NG","amount":""}', '/amount'],
  ['amount true', '{"corridor":"GB-NG","amount":true}', '/amount'],
  ['amount an array', '{"corridor":"GB-NG","amount":[1]}', '/amount'],
  ['amount negative', '{"corridor":"GB-NG","amount":-0.01}', '/amount'],
  ['amount 1e400', '{"corridor":"GB-NG","amount":1e400}', '/amount'],
  ['amount -1e400', '{"corridor":"GB-NG","amount":-1e400}', '/amount'],
  ['amount above 1e15', '{"corridor":"GB-NG","amount":1000000000000001}', '/amount'],
  ['amount NaN', '{"corridor":"GB-NG","amount":NaN}', ''],
  ['amount Infinity', '{"corridor":"GB-NG","amount":Infinity}', ''],

  ['currency twice', '{"corridor":"GB-NG","currency":"GBP","currency":"GBP"}', '/currency'],
  ['currency empty', '{"corridor":"GB-NG","currency":""}', '/currency'],
  ['currency a number', '{"corridor":"GB-NG","currency":826}', '/currency'],
  ['currency unknown', '{"corridor":"GB-NG","currency":"ZZZ"}', '/currency'],
  ['currency unknown, in lower case', '{"corridor":"GB-NG","currency":"zzz"}', '/currency'],
  ['currency misspelt', '{"corridor":"GB-NG","Currency":"GBP"}', '/Currency'],
  ['currency too long', '{"corridor":"GB-NG","currency":"POUNDS"}', '/currency'],
  ['currency with a control character', '{"corridor":"GB-NG","currency":"GB\\t"}', '/currency'],

  ['idempotency_key misspelt', '{"corridor":"GB-NG","idempotencyKey":"k"}', '/idempotencyKey'],
  ['idempotency_key empty', '{"corridor":"GB-NG","idempotency_key":""}', '/idempotency_key'],
  ['idempotency_key a number', '{"corridor":"GB-NG","idempotency_key":7}', '/idempotency_key'],
  [
    'idempotency_key too long',
    `{"corridor":"GB-NG","idempotency_key":"${'k'.repeat(256)}"}`,
    '/idempotency_key',
  ],
  ['idempotency_key unprintable', '{"corridor":"GB-NG","idempotency_key":"a\\u0007b"}', '/idempotency_key'],

  ['correlation_id misspelt', '{"corridor":"GB-NG","correlation-id":"c"}', '/correlation-id'],
  ['correlation_id empty', '{"corridor":"GB-NG","correlation_id":""}', '/correlation_id'],
  ['correlation_id a number', '{"corridor":"GB-NG","correlation_id":7}', '/correlation_id'],
  [
    'correlation_id too long',
    `{"corridor":"GB-NG","correlation_id":"${'c'.repeat(256)}"}`,
    '/correlation_id',
  ],
  ['correlation_id with a NUL', '{"corridor":"GB-NG","correlation_id":"a\\u0000"}', '/correlation_id'],
  ['correlation_id with an escape', '{"corridor":"GB-NG","correlation_id":"\\u001b[31m"}', '/correlation_id'],
]

test('every field wrong in every way is 400 with the path of the field, and nothing is stored', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    for (const [name, body, path] of cases) {
      const answer = await verify(key, body)
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      assert.equal(answer.body.code, 'INVALID_REQUEST', name)
      assert.deepEqual(
        answer.body.errors.map((error: { path: string }) => error.path),
        [path],
        name,
      )
      assert.equal(answer.body.request_id, answer.headers['x-request-id'], name)
      assert.ok(answer.text.length < 2_000, `${name}: the answer stays small`)
    }
    assert.equal((await get(null, '/api/health')).body.total_verifications, 0)
    assert.deepEqual((await get(key, '/api/verifications')).body, [])
    assert.equal((await verify(key, { corridor: 'GB-NG' })).status, 200, 'the service is as it was')
  })
})

test('everything that is wrong is told at once', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    const types = await verify(key, { corridor: 1, amount: 'x', currency: 7, correlation_id: '' })
    const paths = types.body.errors.map((error: { path: string }) => error.path)
    assert.deepEqual(paths.toSorted(), ['/amount', '/correlation_id', '/corridor', '/currency'])
    const misspelt = await verify(key, { Corridor: 'GB-NG', amount: 'x' })
    assert.deepEqual(
      misspelt.body.errors.map((error: { path: string }) => error.path),
      ['/Corridor', '/corridor', '/amount'],
    )
    const values = await verify(key, { corridor: 'nowhere', currency: 'ZZZ' })
    assert.deepEqual(
      values.body.errors.map((error: { path: string }) => error.path),
      ['/corridor', '/currency'],
    )
  })
})

test('a mode that does not exist is 400', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    for (const mode of ['demo', '', 'SHADOW', 'shadow&mode=live']) {
      const answer = await verify(key, { corridor: 'GB-NG' }, { mode })
      assert.equal(answer.status, 400, mode)
      assert.equal(answer.body.errors[0].path, '/mode')
    }
  })
})

test('an Idempotency-Key header that is empty, too long or unprintable is 400', async () => {
  await withHarness({}, async ({ issue, verify }) => {
    const { key } = await issue()
    for (const value of ['', 'k'.repeat(256), 'caf\u00e9', 'a\tb']) {
      const answer = await verify(key, { corridor: 'GB-NG' }, { headers: { 'idempotency-key': value } })
      assert.equal(answer.status, 400, JSON.stringify(value))
      assert.equal(answer.body.errors[0].path, '/headers/idempotency-key')
    }
  })
})
