/** POST /api/v1/batch-assess: bad JSON gets 400 with every fault of every row, and nothing half done. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { post, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/batch-assess'

interface RowError {
  readonly path: string
  readonly message: string
  readonly row?: number
  readonly column?: string
  readonly line?: number
}

const errorsIn = ({ body }: Answer): RowError[] => body.errors as RowError[]

test('every bad row is reported at once, with its row and its column', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const body = `{"transactions":[
      {"corridor":"GB-NG","amount":1e400},
      {"corridor":"GB-NG"},
      {"corridor":"nowhere","amount":-1},
      {},
      7,
      null,
      [],
      {"corridor":"GB-NG","actual_outcome":"LOST","currency":"pounds"},
      {"corridor":"GB-NG","id":"a\\u0000"},
      {"corridor":"GB-NG","id":"\\ud800"},
      {"corridor":"GB-NG","timestamp":"2026-02-30"},
      {"corridor":"GB-NG","rail":""},
      {"corridor":"GB-NG","amount":"1000"},
      {"corridor":"GB-NG","amount":null},
      {"corridor":"GB-NG","Amount":5},
      {"corridor":"GB-NG","currency":"gbp","rail":null}
    ]}`
    const answer = await post(harness, url, body, { key })
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.code, 'INVALID_REQUEST')
    assert.deepEqual(
      errorsIn(answer).map(({ row, column, path }) => [row, column ?? null, path]),
      [
        [1, 'amount', '/transactions/0/amount'],
        [3, 'corridor', '/transactions/2/corridor'],
        [3, 'amount', '/transactions/2/amount'],
        [4, 'corridor', '/transactions/3/corridor'],
        [5, null, '/transactions/4'],
        [6, null, '/transactions/5'],
        [7, null, '/transactions/6'],
        [8, 'currency', '/transactions/7/currency'],
        [8, 'actual_outcome', '/transactions/7/actual_outcome'],
        [9, 'id', '/transactions/8/id'],
        [10, 'id', '/transactions/9/id'],
        [11, 'timestamp', '/transactions/10/timestamp'],
        [12, 'rail', '/transactions/11/rail'],
        [13, 'amount', '/transactions/12/amount'],
        [14, 'amount', '/transactions/13/amount'],
        [15, 'amount', '/transactions/14/amount'],
      ],
    )
    assert.ok(
      errorsIn(answer).every(({ line }) => line === undefined),
      'JSON has no lines',
    )
    assert.equal(answer.body.message, 'Row 1: amount must be a finite number. See errors for 15 more.')
    assert.equal(errorsIn(answer).at(-1)?.message, 'must be named amount, not Amount')
  })
})

test('500 bad rows are 500 errors', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const transactions = Array.from({ length: 500 }, () => ({ corridor: 'GB-NG', amount: -1 }))
    const answer = await post(harness, url, { transactions }, { key })
    assert.deepEqual(
      errorsIn(answer).map(({ row }) => row),
      Array.from({ length: 500 }, (_, place) => place + 1),
    )
  })
})

test('repeated ids are refused, each with the row that it repeats', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const transactions = ['a', 'b', 'a', 'A', 'b'].map((id) => ({ corridor: 'GB-NG', id }))
    const answer = await post(harness, url, { transactions }, { key })
    assert.equal(answer.status, 400)
    assert.deepEqual(
      errorsIn(answer).map(({ row, column, message }) => [row, column, message]),
      [
        [3, 'id', 'repeats the id of row 1'],
        [5, 'id', 'repeats the id of row 2'],
      ],
    )
  })
})

/** The body as it is sent, and the path and the words of the one thing that is told. */
const wholes: readonly (readonly [body: string | Buffer, path: string, message: RegExp])[] = [
  ['', '', /^has an empty body/],
  ['{', '', /^has a body that is not valid JSON$/],
  ['null', '', /^must have a JSON object/],
  ['[]', '', /^must have a JSON object/],
  [Buffer.of(0x22, 0xff, 0x22), '', /^has a body that is not valid UTF-8$/],
  ['{}', '/transactions', /^is required$/],
  ['{"transactions":null}', '/transactions', /^is required$/],
  ['{"transactions":{}}', '/transactions', /^must be an array$/],
  ['{"transactions":[]}', '/transactions', /^has no rows; 1 to 500 are needed$/],
  [
    JSON.stringify({ transactions: Array.from({ length: 501 }, () => ({ corridor: 'GB-NG' })) }),
    '/transactions',
    /^has more than 500 rows; at most 500 are allowed$/,
  ],
  ['{"transactions":[{"corridor":"GB-NG"}],"report_name":""}', '/report_name', /^must not be empty$/],
  ['{"transactions":[{"corridor":"GB-NG"}],"report_name":7}', '/report_name', /^must be a string$/],
  [
    `{"transactions":[{"corridor":"GB-NG"}],"report_name":"${'x'.repeat(201)}"}`,
    '/report_name',
    /^must have at most 200 characters$/,
  ],
  [
    '{"transactions":[{"corridor":"GB-NG"}],"report_name":"a\\u0000"}',
    '/report_name',
    /^must not contain control characters$/,
  ],
  [
    '{"transactions":[{"corridor":"GB-NG"}],"report_name":"\\ud800"}',
    '/report_name',
    /^must be well-formed Unicode$/,
  ],
  [
    '{"transactions":[{"corridor":"GB-NG"}],"transactions":[{"corridor":"NG-GB"}]}',
    '/transactions',
    /^is given twice; send it once$/,
  ],
  [
    '{"transactions":[{"corridor":"GB-NG"},{"amount":1,"corridor":"GB-NG","amount":2}]}',
    '/transactions/1/amount',
    /^is given twice; send it once$/,
  ],
  [
    '{"transactions":[{"corridor":"GB-NG"}],"reportName":"x"}',
    '/reportName',
    /^is not a member of the request; use report_name$/,
  ],
  ['{"transactions":[{"corridor":"GB-NG","__proto__":{}}]}', '/transactions/0/__proto__', /forbidden name/],
]

test('a body that is none, and too few or too many rows, are told in one error', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    for (const [body, path, message] of wholes) {
      const answer = await post(harness, url, body, { key })
      const name = String(body).slice(0, 80)
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      const errors = errorsIn(answer)
      assert.deepEqual(
        errors.map((error) => error.path),
        [path],
        name,
      )
      assert.match(errors[0]?.message ?? '', message, name)
    }
    const bare = await harness.send({ method: 'POST', url, headers: { authorization: `Bearer ${key}` } })
    assert.equal(bare.status, 400, 'without a body and a content type')
    assert.deepEqual(rowCounts(harness), before)
    const good = await post(harness, url, { transactions: [{ corridor: 'GB-NG' }] }, { key })
    assert.equal(good.status, 200, 'the service is as it was')
  })
})

test('a report name in the query that is none is 400', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const name of ['', 'a%00', 'x'.repeat(201)]) {
      const body = { transactions: [{ corridor: 'GB-NG' }] }
      const answer = await post(harness, `${url}?report_name=${name}`, body, { key })
      assert.equal(answer.status, 400, name)
      assert.equal(errorsIn(answer)[0]?.path, '/report_name')
    }
  })
})

test('what makes a row unacceptable as JSON is told with its row', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`
    for (const row of ['{"corridor":"GB-NG","__proto__":{}}', `{"corridor":"GB-NG","x":{"y":${deep}}}`]) {
      const text = `{"transactions":[{"corridor":"GB-NG"},${row}]}`
      const { status, body } = await post(harness, url, text, { key })
      assert.equal(status, 400)
      assert.equal(body.errors[0].row, 2)
      assert.match(body.message, /^Row 2: (?:__proto__|x\/)/)
      assert.match(body.errors[0].path, /^\/transactions\/1\//)
    }
  })
})

test('what only looks like rows is refused as what it is', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const text of [
      '{"transactions":{"x":{"__proto__":1}}}',
      '{"transactions":{"1e3":{"a":{"__proto__":1}}}}',
    ]) {
      const { status, body } = await post(harness, url, text, { key })
      assert.equal(status, 400)
      assert.equal(body.errors[0].row, undefined)
    }
  })
})
