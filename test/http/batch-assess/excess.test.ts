/** POST /api/v1/batch-assess: what is too much is refused before it is parsed. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { csvExcess, jsonExcess } from '../../../src/app/assess/batch-bounds.ts'
import { withHarness } from '../../helpers/harness.ts'
import { post, postCsv } from '../../helpers/post.ts'

const url = '/api/v1/batch-assess'
const rows = (count: number, row = '{"corridor":"GB-NG"}'): string =>
  Array.from({ length: count }, () => row).join(',')

test('the rest is not parsed after row 501: nobody notices that it is no JSON', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const rest of ['', ',,,]]]', '{"', ' not JSON at all']) {
      const body = `{"report_name":"x", "transactions" : [${rows(501)}${rest}`
      const answer = await post(harness, url, body, { key })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body.errors, [
        { path: '/transactions', message: 'has more than 500 rows; at most 500 are allowed' },
      ])
    }
    const whole = await post(harness, url, `{"transactions":[${rows(500)}]}`, { key })
    assert.equal(whole.status, 200)
  })
})

test('a megabyte of empty lists, or of commas as CSV, is refused for its values, wherever they stand', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const lists = rows(300_000, '[]')
    for (const body of [
      `[${lists}]`,
      `{"x":[${lists}],"transactions":[]}`,
      `{"\\u0074ransactions":[${lists}]}`,
      `{${rows(200, '"a":1')},"transactions":[]}`,
      `{"transactions":[${rows(499, `{${rows(150, '"a":1')}}`)}]}`,
    ]) {
      const answer = await post(harness, url, body, { key })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].message, 'has too many values for 500 rows')
    }
    const commas = ','.repeat(1_000_000)
    for (const csv of [commas, `corridor\n${commas}`, `corridor${'\n'.repeat(1_000_000)}`]) {
      const answer = await postCsv(harness, url, csv, { key })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].message, 'has too many values for 500 rows')
    }
  })
})

describe('what is in texts, in other lists or in rows does not count as a row', () => {
  const bytes = (text: string): Buffer => Buffer.from(text)
  for (const [name, json] of Object.entries({
    'commas and brackets in a text': `{"transactions":["${'[,{'.repeat(600)}"]}`,
    'an escaped quote': `{"transactions":["\\"${','.repeat(600)}\\\\"]}`,
    'another list': `{"other":[${rows(600, '1')}],"transactions":[1]}`,
    'a list of the same name within another object': `{"a":{"transactions":[${rows(600, '1')}]}}`,
    'members of a row': `{"transactions":[{${rows(600, '"a":1')}}]}`,
    '100 members of each of 490 rows': `{"transactions":[${rows(490, `{${rows(100, '"a":1')}}`)}]}`,
    '500 rows': `{"transactions":[${rows(500, '1')}]}`,
  })) {
    test(name, () => assert.equal(jsonExcess(bytes(json), 'transactions'), null))
  }

  test('a text that never ends is left to the parser', () => {
    assert.equal(jsonExcess(bytes('{"transactions":["\\'), 'transactions'), null)
    assert.equal(csvExcess(bytes('corridor\nGB-NG\n')), null)
  })
})
