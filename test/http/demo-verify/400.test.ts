/** POST /api/v1/demo-verify: bad input gets 400 with the path of the field, and nothing else breaks. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { errorsOf, post } from '../../helpers/post.ts'

const url = '/api/v1/demo-verify'
const settings = { FAIRWAY_LIMIT_DEMO: '1000000/60' }

/** The body as it is sent, and the paths of the fields at fault. */
const cases: readonly (readonly [body: string | Buffer, ...paths: string[]])[] = [
  ['  ', ''],
  ['{', ''],
  ['null', ''],
  ['[]', ''],
  ['"GB-NG"', ''],
  ['7', ''],
  [Buffer.of(0x22, 0xff, 0x22), ''],
  ['{"__proto__":{}}', '/__proto__'],
  ['{"corridor":""}', '/corridor'],
  ['{"Corridor":"GB-NG"}', '/Corridor'],
  ['{"correlationId":"a"}', '/correlationId'],
  ['{"corridor":"GB-NG","corridor":"NG-GB"}', '/corridor'],
  ['{"corridor":"GB"}', '/corridor'],
  ['{"corridor":"nowhere-NG"}', '/corridor'],
  ['{"amount":-1}', '/amount'],
  ['{"amount":"1000"}', '/amount'],
  ['{"amount":null}', '/amount'],
  ['{"amount":1e400}', '/amount'],
  ['{"amount":1000000000000001}', '/amount'],
  ['{"currency":"ZZZ"}', '/currency'],
  ['{"currency":"zzz"}', '/currency'],
  ['{"sender_account_type":"charity"}', '/sender_account_type'],
  ['{"sender_account_type":"Business"}', '/sender_account_type'],
  ['{"sender-account-type":"business"}', '/sender-account-type'],
  ['{"purpose":""}', '/purpose'],
  ['{"purpose":7}', '/purpose'],
  ['{"purpose":"a\\u0007"}', '/purpose'],
  [`{"purpose":"${'x'.repeat(65)}"}`, '/purpose'],
  ['{"correlation_id":""}', '/correlation_id'],
  ['{"sender_country":"GB"}', '/destination_country'],
  ['{"destination_country":"NG"}', '/sender_country'],
  ['{"sender_country":"GBR","destination_country":"NG"}', '/sender_country'],
  ['{"sender_country":"G1","destination_country":""}', '/destination_country'],
  ['{"sender_country":"G1","destination_country":"N"}', '/sender_country', '/destination_country'],
  ['{"corridor":"GB-NG","sender_country":"NG"}', '/sender_country'],
  [
    '{"corridor":"GB-NG","sender_country":"NG","destination_country":"GB"}',
    '/sender_country',
    '/destination_country',
  ],
  ['{"corridor":"GB-NG","sender_country":"GB","destination_country":"GB"}', '/destination_country'],
  ['{"corridor":"x","currency":"ZZZ"}', '/corridor', '/currency'],
]

test('every field wrong in every way is 400 with its path', async () => {
  await withHarness({ settings }, async (harness) => {
    for (const [body, ...paths] of cases) {
      const answer = await post(harness, url, body)
      assert.equal(answer.status, 400, `${String(body)}: ${answer.text}`)
      assert.equal(answer.body.code, 'INVALID_REQUEST')
      assert.deepEqual(
        errorsOf(answer).map(([path]) => path),
        paths,
        String(body),
      )
    }
    assert.equal((await post(harness, url, {})).status, 200, 'the service is as it was')
  })
})

test('an unknown account type is told which there are, and a corridor that differs is named', async () => {
  await withHarness({}, async (harness) => {
    const type = await post(harness, url, { sender_account_type: 'charity' })
    assert.deepEqual(errorsOf(type), [['/sender_account_type', 'must be one of business, personal']])
    const route = await post(harness, url, { corridor: 'GB-NG', sender_country: 'US' })
    assert.deepEqual(errorsOf(route), [['/sender_country', 'must match the corridor GB-NG']])
  })
})

test('413 above 64 KiB and 415 for anything but JSON', async () => {
  await withHarness({}, async (harness) => {
    const large = await post(harness, url, { purpose: 'x'.repeat(65_536) })
    assert.equal(large.status, 413)
    for (const type of ['text/plain', 'text/csv', 'application/json; charset=utf-16']) {
      const answer = await post(harness, url, '{}', { headers: { 'content-type': type } })
      assert.equal(answer.status, 415, type)
    }
  })
})
