/** POST /api/v1/batch-assess: bad CSV gets a clear 400, with row, column and line where there are any. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { withHarness } from '../../helpers/harness.ts'
import { postCsv } from '../../helpers/post.ts'

const url = '/api/v1/batch-assess'

type Told = readonly [row: number | null, column: string | null, line: number | null, message: RegExp]

const corridorRule = /^must name two countries/
const strayQuote = /^has a misplaced quote/
const utf16 = (text: string, mark: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(mark), Buffer.from(text, 'utf16le')])

/** What is wrong with the whole file. */
const files: Readonly<
  Record<string, readonly [body: string | Buffer, line: number | null, message: RegExp]>
> = {
  'an empty file': ['', null, /^is empty: a header row is needed$/],
  'blank lines only': ['\n\r\n  \n,,\n', null, /^is empty: a header row is needed$/],
  'a byte order mark only': ['\ufeff', null, /^is empty/],
  'a header only': ['corridor,amount\n', null, /^has no rows; 1 to 500 are needed$/],
  'a header and blank rows': ['corridor,amount\n\n,\n"",""\n', null, /^has no rows/],
  '501 rows': [
    `corridor\n${'GB-NG\n'.repeat(501)}`,
    null,
    /^has more than 500 rows; at most 500 are allowed$/,
  ],
  'no corridor column': ['id,amount\na,1\n', null, /^has no column named corridor in its header row$/],
  'no header at all': ['GB-NG,1000\n', null, /^has no column named corridor/],
  'corridor twice': ['corridor,Corridor\nGB-NG,GB-NG\n', null, /^has the column corridor more than once$/],
  'another column twice': [
    'corridor,amount, AMOUNT\nGB-NG,1,2\n',
    null,
    /^has the column amount more than once$/,
  ],
  'semicolons for commas': ['id;corridor;amount\na;GB-NG;1\n', null, /separate the columns with commas$/],
  'tabs for commas': ['id\tcorridor\na\tGB-NG\n', null, /separate the columns with commas$/],
  'an unclosed quote': ['corridor,id\nGB-NG,"a\nGB-NG,b\n', 2, /^has a quote that is never closed$/],
  'an unclosed quote further down': [
    'corridor,note\nGB-NG,"a\nb"\n\nGB-NG,"c\nGB-NG,d\n',
    5,
    /^has a quote that is never closed$/,
  ],
  'an unclosed quote in the header': ['"corridor\nGB-NG\n', 1, /^has a quote that is never closed$/],
  'a stray quote in the header': ['corr"idor\nGB-NG\n', 1, /^has a header row that is not valid CSV/],
  'an image': [
    Buffer.concat([
      Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d),
      Buffer.from('IHDR'),
    ]),
    1,
    /^is not text in UTF-8$/,
  ],
  'a spreadsheet': [Buffer.of(0x50, 0x4b, 3, 4, 0x14, 0, 6, 0), null, /^is a spreadsheet or an archive/],
  'UTF-16 with its mark': [utf16('corridor\nGB-NG\n', [0xff, 0xfe]), null, /^is in UTF-16/],
  'UTF-16 without its mark': [
    utf16('corridor\nGB-NG\n', []),
    null,
    /^has control characters in its header row/,
  ],
  'NUL bytes': [Buffer.alloc(300), null, /^has control characters in its header row/],
  'NUL in the header': ['corridor\u0000\nGB-NG\n', null, /^has control characters in its header row/],
  'invalid UTF-8 in a row': [
    Buffer.concat([Buffer.from('corridor,id\nGB-NG,a\nGB-NG,'), Buffer.of(0xe9), Buffer.from('\n')]),
    3,
    /^is not text in UTF-8$/,
  ],
  'JSON as CSV': ['{"transactions":[{"corridor":"GB-NG"}]}', 1, /^has /],
  'line ends of old Macs': ['corridor\rGB-NG\r', null, /^has control characters in its header row/],
}

test('a file that cannot be read is told why in one error, with the line where there is one', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [name, [body, line, message]] of Object.entries(files)) {
      const answer = await postCsv(harness, url, body, { key })
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      assert.equal(answer.body.code, 'INVALID_REQUEST', name)
      const [error, ...more] = answer.body.errors
      assert.deepEqual(more, [], name)
      assert.deepEqual([error.path, error.line ?? null], ['', line], name)
      assert.match(error.message, message, name)
      assert.ok(answer.body.message.startsWith('The request'), name)
    }
    assert.equal((await postCsv(harness, url, 'corridor\nGB-NG\n', { key })).status, 200, 'it is as it was')
  })
})

/** What is wrong with rows: each with its number, column and line. */
const rows: Readonly<Record<string, readonly [text: string, ...told: Told[]]>> = {
  'every bad row at once': [
    'id,corridor,amount,currency,actual_outcome,timestamp,rail\na,nowhere,-1,pounds,LOST,01/02/2026,\nb,GB-NG,1,,,,\nc,,abc,,,2026-02-30,x\n',
    [1, 'corridor', 2, corridorRule],
    [1, 'amount', 2, /^must not be negative$/],
    [1, 'currency', 2, /^must be an ISO 4217 code/],
    [1, 'actual_outcome', 2, /^must be one of COMPLETED, FAILED, DELAYED, REJECTED, PENDING$/],
    [1, 'timestamp', 2, /^must be an ISO 8601 date/],
    [3, 'corridor', 4, /^is required$/],
    [3, 'amount', 4, /^must be a plain number, like 1234\.56$/],
    [3, 'timestamp', 4, /^must be an ISO 8601 date/],
  ],
  'ragged rows': [
    'corridor,amount\nGB-NG\nGB-NG,1\nGB-NG,1,2\n',
    [1, null, 2, /^has 1 cell where the header has 2$/],
    [3, null, 4, /^has 3 cells where the header has 2$/],
  ],
  'amounts that are none': [
    'corridor,amount\nGB-NG,-0.01\nGB-NG,"1,000"\nGB-NG,1e400\nGB-NG,£5\nGB-NG,1000000000000001\nGB-NG,0x10\n',
    [1, 'amount', 2, /^must not be negative$/],
    [2, 'amount', 3, /^must be a plain number, like 1234\.56$/],
    [3, 'amount', 4, /^must be a finite number$/],
    [4, 'amount', 5, /^must be a plain number, like 1234\.56$/],
    [5, 'amount', 6, /^must be at most 1000000000000000$/],
    [6, 'amount', 7, /^must be a plain number, like 1234\.56$/],
  ],
  'an unquoted 1,000': ['corridor,amount\nGB-NG,1,000\n', [1, null, 2, /^has 3 cells/]],
  'outcomes in small letters': [
    'corridor,actual_outcome\nGB-NG,completed\n',
    [1, 'actual_outcome', 2, /^must be one of/],
  ],
  'repeated ids': ['id,corridor\na,GB-NG\nb,GB-NG\n a ,GB-NG\n', [3, 'id', 4, /^repeats the id of row 1$/]],
  'stray quotes, which spoil their own row alone': [
    'corridor,id\nGB-NG,5" pipe\nGB-NG,a\nnowhere,b\nGB-NG,"c"d\nGB-NG,e\n',
    [1, null, 2, strayQuote],
    [3, 'corridor', 4, corridorRule],
    [4, null, 5, strayQuote],
  ],
  'control characters': [
    'id,corridor\na\u0000b,GB-NG\n"c\nd",GB-NG\ne\u001b[31m,GB-NG\n',
    [1, 'id', 2, /^must not contain control characters$/],
    [2, 'id', 3, /^must not contain control characters$/],
    [3, 'id', 5, /^must not contain control characters$/],
  ],
  'lines after quoted line breaks and blank lines': [
    '\r\ncorridor,note,amount\r\nGB-NG,"1\r\n2\r\n3",-1\r\n\r\n,,\r\nGB-NG,,-2\r\nGB-NG,"x\ny",3\nGB-NG,,-4',
    [1, 'amount', 3, /^must not be negative$/],
    [2, 'amount', 8, /^must not be negative$/],
    [4, 'amount', 11, /^must not be negative$/],
  ],
  'text that is too long': [
    `id,corridor,rail\n${'x'.repeat(256)},GB-NG,${'y'.repeat(65)}\n`,
    [1, 'id', 2, /^must have at most 255 characters$/],
    [1, 'rail', 2, /^must have at most 64 characters$/],
  ],
}

test('every bad row is told with its number, its column and its line', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [name, [text, ...told]] of Object.entries(rows)) {
      const answer = await postCsv(harness, url, text, { key })
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      const found = answer.body.errors as {
        row: number
        column?: string
        line: number
        message: string
        path: string
      }[]
      assert.deepEqual(
        found.map(({ row, column, line }) => [row, column ?? null, line]),
        told.map(([row, column, line]) => [row, column, line]),
        name,
      )
      for (const [place, { message, row, column, path }] of found.entries()) {
        assert.match(message, told[place]?.[3] ?? /^$/, name)
        assert.equal(path, `/transactions/${row - 1}${column === undefined ? '' : `/${column}`}`)
      }
    }
  })
})

test('the message tells the first fault in the words of a table', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const told = async (text: string): Promise<string> =>
      (await postCsv(harness, url, text, { key })).body.message
    assert.equal(
      await told('corridor,amount\n\nGB-NG,-1\nGB-NG,-2\n'),
      'Row 1 (line 3): amount must not be negative. See errors for 1 more.',
    )
    assert.equal(await told('corridor,amount\nGB-NG\n'), 'Row 1 (line 2) has 1 cell where the header has 2.')
    assert.equal(await told('corridor\n"GB-NG\n'), 'The request (line 2) has a quote that is never closed.')
  })
})

test('timestamps in the usual forms are taken', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const good = [
      '2026-03-01',
      '2026-03-01T09:30',
      '2026-03-01 09:30:00',
      '2026-03-01T09:30:00Z',
      '2026-03-01T09:30:00.123+01:00',
    ]
    const text = `corridor,timestamp\n${good.map((timestamp) => `GB-NG,${timestamp}\n`).join('')}`
    assert.equal((await postCsv(harness, url, text, { key })).status, 200)
  })
})

test('random bytes are 400, never a fault of ours', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_BATCH: '1000/60' } }, async (harness) => {
    const { key } = await harness.issue()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), async (bytes) => {
        const answer = await postCsv(harness, url, Buffer.from(bytes), { key })
        assert.equal(answer.status, 400)
        assert.ok(answer.text.length < 2_000, 'the answer stays small')
      }),
      { numRuns: 50 },
    )
  })
})
