/** POST /api/v1/demo-compare: bad input gets 400 with the path of the field. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { errorsOf, post } from '../../helpers/post.ts'

const url = '/api/v1/demo-compare'
const settings = { FAIRWAY_LIMIT_DEMO: '1000000/60' }
const known = 'conservative, balanced, optimise_speed'

/** The body as it is sent, and the paths of the fields at fault. */
const cases: readonly (readonly [body: string, ...paths: string[]])[] = [
  ['', ''],
  ['null', ''],
  ['[]', ''],
  ['{', ''],
  ['{}', '/payment'],
  ['{"profiles":["balanced"]}', '/payment'],
  ['{"corridor":"GB-NG"}', '/payment'],
  ['{"payment":null}', '/payment'],
  ['{"payment":[]}', '/payment'],
  ['{"payment":"GB-NG"}', '/payment'],
  ['{"payment":{"corridor":"x"}}', '/payment/corridor'],
  ['{"payment":{"Corridor":"GB-NG"}}', '/payment/Corridor'],
  ['{"payment":{"senderCountry":"GB"}}', '/payment/senderCountry'],
  ['{"payment":{"amount":null}}', '/payment/amount'],
  ['{"payment":{"amount":1,"amount":2}}', '/payment/amount'],
  ['{"Payment":{},"payment":{}}', '/Payment'],
  ['{"payment":{"amount":-1}}', '/payment/amount'],
  ['{"payment":{"amount":"1"}}', '/payment/amount'],
  ['{"payment":{"amount":1e400}}', '/payment/amount'],
  ['{"payment":{"currency":"ZZZ"}}', '/payment/currency'],
  ['{"payment":{"corridor":"x","currency":"ZZZ"}}', '/payment/corridor', '/payment/currency'],
  ['{"payment":{"sender_country":"GB"}}', '/payment/destination_country'],
  ['{"payment":{"destination_country":"NG"}}', '/payment/sender_country'],
  ['{"payment":{"sender_country":"G1","destination_country":"NG"}}', '/payment/sender_country'],
  ['{"payment":{"corridor":"GB-NG","sender_country":"NG"}}', '/payment/sender_country'],
  [
    '{"payment":{"corridor":"GB-NG","sender_country":"NG","destination_country":"GB"}}',
    '/payment/sender_country',
    '/payment/destination_country',
  ],
  ['{"payment":{},"profiles":"balanced"}', '/profiles'],
  ['{"payment":{},"profiles":[]}', '/profiles'],
  ['{"payment":{},"profiles":["balanced","balanced"]}', '/profiles'],
  ['{"payment":{},"profiles":["bold"]}', '/profiles/0'],
  ['{"payment":{},"profiles":["balanced","Conservative"]}', '/profiles/1'],
  ['{"payment":{},"profiles":[7]}', '/profiles/0'],
]

test('every field wrong in every way is 400 with its path', async () => {
  await withHarness({ settings }, async (harness) => {
    for (const [body, ...paths] of cases) {
      const answer = await post(harness, url, body)
      assert.equal(answer.status, 400, `${body}: ${answer.text}`)
      assert.equal(answer.body.code, 'INVALID_REQUEST')
      assert.deepEqual(
        errorsOf(answer).map(([path]) => path),
        paths,
        body,
      )
    }
    const bare = await harness.send({ method: 'POST', url })
    assert.equal(bare.status, 400, 'without a body there is no payment')
    assert.equal((await post(harness, url, { payment: {} })).status, 200, 'the service is as it was')
  })
})

test('a null member is an absent one, also in the payment', async () => {
  await withHarness({}, async (harness) => {
    const bare = await post(harness, url, { payment: {} })
    const payment = { corridor: null, currency: null, sender_country: null, destination_country: null }
    const answer = await post(harness, url, { payment, profiles: null })
    assert.deepEqual([answer.status, answer.body], [200, bare.body])
  })
})

test('an unknown profile is told which there are', async () => {
  await withHarness({}, async (harness) => {
    const answer = await post(harness, url, { payment: {}, profiles: ['balanced', 'bold', 'brave'] })
    assert.equal(answer.status, 400)
    assert.deepEqual(errorsOf(answer), [
      ['/profiles/1', `must be one of ${known}`],
      ['/profiles/2', `must be one of ${known}`],
    ])
    assert.ok(answer.body.message.includes(known))
  })
})

test('413 above 64 KiB and 415 for anything but JSON', async () => {
  await withHarness({}, async (harness) => {
    assert.equal((await post(harness, url, { payment: { x: 'y'.repeat(65_536) } })).status, 413)
    const csv = await post(harness, url, 'corridor\nGB-NG', { headers: { 'content-type': 'text/csv' } })
    assert.equal(csv.status, 415)
  })
})
