/** POST /api/v1/batch-assess: CSV in, in all the ways in which programs write it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from '../../helpers/fast-check.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'
import { anyBatch } from '../../helpers/payments.ts'
import { post, postCsv } from '../../helpers/post.ts'

const url = '/api/v1/batch-assess'

const table = [
  { id: 'a', corridor: 'GB-NG', amount: 1000, actual_outcome: 'COMPLETED' },
  { id: 'b', corridor: 'NG-GB', amount: 85_000, actual_outcome: 'FAILED' },
]

/** The table above, in one line ending after another, with marks, quotes, blanks and strangers. */
const spellings: Readonly<Record<string, string>> = {
  plain: 'id,corridor,amount,actual_outcome\na,GB-NG,1000,COMPLETED\nb,NG-GB,85000,FAILED\n',
  'without a last line end':
    'id,corridor,amount,actual_outcome\na,GB-NG,1000,COMPLETED\nb,NG-GB,85000,FAILED',
  CRLF: 'id,corridor,amount,actual_outcome\r\na,GB-NG,1000,COMPLETED\r\nb,NG-GB,85000,FAILED\r\n',
  'a byte order mark':
    '\ufeffid,corridor,amount,actual_outcome\na,GB-NG,1000,COMPLETED\nb,NG-GB,85000,FAILED\n',
  'another order of columns':
    'actual_outcome,amount,corridor,id\nCOMPLETED,1000,GB-NG,a\nFAILED,85000,NG-GB,b\n',
  'another case in the header':
    'ID,Corridor,AMOUNT,Actual_Outcome\na,GB-NG,1000,COMPLETED\nb,NG-GB,85000,FAILED\n',
  'quotes around everything':
    '"id","corridor","amount","actual_outcome"\n"a","GB-NG","1000","COMPLETED"\n"b","NG-GB","85000","FAILED"\n',
  'space around cells':
    ' id , corridor, amount ,actual_outcome\n a ,\tGB-NG , 1000 ," COMPLETED "\nb,"NG-GB" ,85000, FAILED\n',
  'blank lines and lines of commas':
    '\n\nid,corridor,amount,actual_outcome\n\na,GB-NG,1000,COMPLETED\n,,,\n \nb,NG-GB,85000,FAILED\n,,,\n,,,\n',
  'empty cells in quotes':
    'id,corridor,amount,actual_outcome,rail\na,GB-NG,1000,COMPLETED,""\nb,NG-GB,85000,FAILED,""\n"","","","",""\n',
  'other spellings of a number':
    'id,corridor,amount,actual_outcome\na,GB-NG,1000.00,COMPLETED\nb,NG-GB,8.5e4,FAILED\n',
}

test('the same rows in every spelling are the same assessments as in JSON', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const asJson = await post(harness, url, { transactions: table }, { key })
    assert.equal(asJson.status, 200)
    for (const [name, text] of Object.entries(spellings)) {
      const answer = await postCsv(harness, url, text, { key })
      assert.equal(answer.status, 200, `${name}: ${answer.text}`)
      assert.deepEqual(answer.body.assessments, asJson.body.assessments, name)
      assert.deepEqual(answer.body.summary, asJson.body.summary, name)
      assert.deepEqual(answer.body.warnings, [], name)
    }
  })
})

test('any rows give the same report as CSV and as JSON', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_BATCH: '1000/60' } }, async (harness) => {
    const { key } = await harness.issue()
    const columns = ['rail', 'id', 'amount', 'corridor', 'timestamp', 'currency', 'actual_outcome']
    const steady = ({ body }: Answer): object => ({ ...body, report_id: '', _links: '' })
    await fc.assert(
      fc.asyncProperty(anyBatch, fc.boolean(), fc.boolean(), async (rows, bom, quoted) => {
        const text = stringify(rows, { header: true, columns, bom, quoted })
        const asCsv = await postCsv(harness, url, text, { key })
        const asJson = await post(harness, url, { transactions: rows }, { key })
        assert.equal(asCsv.status, 200, asCsv.text)
        assert.deepEqual(steady(asCsv), steady(asJson))
      }),
      { numRuns: 40 },
    )
  })
})

test('the content type may name UTF-8 and a header, in any case', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const type of [
      'text/csv; charset=utf-8',
      'text/csv;charset="UTF-8"',
      'Text/CSV; header=present; charset=utf8',
      'text/csv; charset=us-ascii',
    ]) {
      const headers = { 'content-type': type }
      assert.equal((await postCsv(harness, url, 'corridor\nGB-NG\n', { key, headers })).status, 200, type)
    }
  })
})

test('quoted commas, quotes and line breaks stay in their cells', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const text =
      'id,note,corridor\n"one, two","first\nsecond, third\r\n\r\n",GB-NG\n"say ""so""",,"NG-GB"\n"é ☕ 😀","""",GB-NG\n'
    const { body } = await postCsv(harness, url, text, { key })
    assert.deepEqual(
      body.assessments.map((row: { transaction_id: string; corridor: string }) => [
        row.transaction_id,
        row.corridor,
      ]),
      [
        ['one, two', 'GB-NG'],
        ['say "so"', 'NG-GB'],
        ['é ☕ 😀', 'GB-NG'],
      ],
    )
  })
})

test('columns that are not known are ignored and named in a warning', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const warningsFor = async (header: string): Promise<string[]> => {
      const cells = header.split(',').map((name) => (name === 'corridor' ? 'GB-NG' : 'x'))
      const answer = await postCsv(harness, url, `${header}\n${cells.join(',')}\n`, { key })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.warnings
    }
    assert.deepEqual(await warningsFor('corridor'), [])
    assert.deepEqual(await warningsFor('corridor,colour,Größe 😀'), [
      'Ignored columns: "colour", "Größe 😀".',
    ])
    assert.deepEqual(await warningsFor('corridor,,x y'), [
      'Ignored columns: "(column 2, without a name)", "x y".',
    ])
    const many = Array.from({ length: 25 }, (_, place) => `c${place}`)
    const [warning = ''] = await warningsFor(['corridor', ...many].join(','))
    assert.ok(warning.includes('"c0"') && warning.endsWith(' and more.'), warning)
  })
})

test('the name of the report comes from the query, or tells the day', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const text = 'corridor\nGB-NG\n'
    const named = await postCsv(harness, `${url}?report_name=March%202026`, text, { key })
    assert.equal(named.body.report_name, 'March 2026')
    const plain = await postCsv(harness, url, text, { key })
    assert.equal(plain.body.report_name, 'Batch assessment of 2026-03-01')
    const asJson = { report_name: 'of the body', transactions: [{ corridor: 'GB-NG' }] }
    const both = await post(harness, `${url}?report_name=other`, asJson, { key })
    assert.equal(both.body.report_name, 'of the body')
  })
})

test('1 and 500 rows are taken, blank ones not counted', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const count of [1, 500]) {
      const text = `corridor,amount\n${'GB-NG,10\n\n,\n'.repeat(count)}`
      const answer = await postCsv(harness, url, text, { key })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.transaction_count, count)
    }
  })
})

test('ids that are missing are assigned, and never one that another row has', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await postCsv(harness, url, 'corridor,id\nGB-NG,row-2\nGB-NG,\nGB-NG," "\n', { key })
    assert.deepEqual(
      body.assessments.map((row: { transaction_id: string }) => row.transaction_id),
      ['row-2', 'row-2-2', 'row-3'],
    )
  })
})
