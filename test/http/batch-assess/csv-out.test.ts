/** POST /api/v1/batch-assess: CSV out, when it is asked for, and safe to open in a spreadsheet. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from '../../helpers/fast-check.ts'
import type { WireAssessment } from '../../../src/app/assess/batch-wire.ts'
import { withHarness } from '../../helpers/harness.ts'
import { anyBatch } from '../../helpers/payments.ts'
import { post, postCsv } from '../../helpers/post.ts'

const url = '/api/v1/batch-assess'
const rows = { transactions: [{ corridor: 'GB-NG' }] }

const columns = [
  'index',
  'transaction_id',
  'corridor',
  'corridor_supported',
  'amount',
  'currency',
  'actual_outcome',
  'svc_decision',
  'svc_score',
  'svc_confidence',
  'svc_volatility',
  'policy_capped',
  'alignment',
  'improvement_opportunity',
  'improvement_note',
  'flags',
] as const

const typeOf = (value: unknown): string => String(value).split(';')[0] ?? ''

test('format decides; without it Accept does; without either, or with neither type, it is JSON', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const cases: readonly (readonly [format: string | null, accept: string | null, csv: boolean])[] = [
      [null, null, false],
      ['csv', null, true],
      ['json', null, false],
      ['csv', 'application/json', true],
      ['json', 'text/csv', false],
      [null, 'text/csv', true],
      [null, 'TEXT/CSV', true],
      [null, 'text/csv; charset=utf-8', true],
      [null, 'text/*', true],
      [null, '*/*', false],
      [null, 'application/json', false],
      [null, 'text/csv;q=0.5, application/json', false],
      [null, 'text/csv, application/json;q=0.5', true],
      [null, 'text/csv, */*;q=0.1', true],
      [null, 'text/csv;q=0, */*', false],
      [null, 'text/html, text/csv', true],
      [null, 'image/png', false],
      [null, '', false],
      [null, 'nonsense', false],
    ]
    for (const [format, accept, csv] of cases) {
      const answer = await post(harness, format === null ? url : `${url}?format=${format}`, rows, {
        key,
        ...(accept === null ? {} : { headers: { accept } }),
      })
      assert.equal(answer.status, 200, answer.text)
      const type = typeOf(answer.headers['content-type'])
      assert.equal(type, csv ? 'text/csv' : 'application/json', `${format} and ${accept}`)
      assert.equal(answer.headers['vary'], 'Accept')
    }
  })
})

test('a format that does not exist is 400', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const query of ['format=xml', 'format=CSV', 'format=', 'format=csv&format=json']) {
      const answer = await post(harness, `${url}?${query}`, rows, { key })
      assert.equal(answer.status, 400, query)
      assert.equal(answer.body.errors[0].path, '/format')
    }
  })
})

test('the CSV is a download in UTF-8 under the id of its report, and an error is JSON all the same', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const answer = await post(harness, `${url}?format=csv`, rows, { key })
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present')
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="rep_[0-9a-z]+\.csv"$/)
    const bad = await post(harness, `${url}?format=csv`, { transactions: [] }, { key })
    assert.equal(bad.status, 400)
    assert.equal(typeOf(bad.headers['content-type']), 'application/json')
  })
})

/** A row of the CSV as the row of JSON that it stands for. */
function rowOf(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const nullable = (text = ''): string | null => (text === '' ? null : text)
  const truth = (text = ''): unknown => (text === '' ? null : JSON.parse(text))
  return {
    index: Number(cells['index']),
    transaction_id: cells['transaction_id'],
    corridor: cells['corridor'],
    corridor_supported: truth(cells['corridor_supported']),
    amount: cells['amount'] === '' ? null : Number(cells['amount']),
    currency: cells['currency'],
    actual_outcome: nullable(cells['actual_outcome']),
    svc_decision: cells['svc_decision'],
    svc_score: Number(cells['svc_score']),
    svc_confidence: Number(cells['svc_confidence']),
    svc_volatility: Number(cells['svc_volatility']),
    policy_capped: truth(cells['policy_capped']),
    alignment: truth(cells['alignment']),
    improvement_opportunity: truth(cells['improvement_opportunity']),
    improvement_note: nullable(cells['improvement_note']),
    flags: (cells['flags'] ?? '').split(' ').filter((flag) => flag !== ''),
  }
}

const mayRun = /(?:^|[;|\t])[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20]/

test('the columns are those of an assessment, in its order, and read back they are the rows of the JSON', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_BATCH: '1000/60' } }, async (harness) => {
    const { key } = await harness.issue()
    await fc.assert(
      fc.asyncProperty(anyBatch, async (batch) => {
        const transactions = batch.filter(({ id }) => id === undefined || !mayRun.test(id))
        fc.pre(transactions.length > 0)
        const asJson = await post(harness, url, { transactions }, { key })
        const asCsv = await post(harness, `${url}?format=csv`, { transactions }, { key })
        const [header, ...lines] = parse(asCsv.text)
        assert.deepEqual(header, columns)
        assert.deepEqual(Object.keys(asJson.body.assessments[0] as WireAssessment), columns)
        const read = lines.map((line) =>
          rowOf(Object.fromEntries(columns.map((column, place) => [column, line[place] ?? '']))),
        )
        assert.deepEqual(read, asJson.body.assessments)
      }),
      { numRuns: 40 },
    )
  })
})

const formulaStart = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/

test('no cell starts like a formula, whether comma, semicolon, bar or tab parts the cells', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const starts = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20']
    const ids = starts.flatMap((start) =>
      ['', ' ', '"', "'", '" ', 'a;', 'a|', 'a; "', 'a,b;', ';;', '|"', '\u00a0', '\u3000'].map(
        (before, place) => `${before}${start}1+${place}|cmd`,
      ),
    )
    const transactions = ids.map((id) => ({
      corridor: 'GB-NG',
      amount: 85_000,
      actual_outcome: 'FAILED',
      id,
    }))
    const { text, status } = await post(harness, `${url}?format=csv`, { transactions }, { key })
    assert.equal(status, 200, text)
    const seen: string[] = parse(text).flat()
    for (const delimiter of [';', '|', '\t']) {
      seen.push(...text.split('\n').flatMap((line) => line.split(delimiter)))
    }
    for (const cell of seen) assert.doesNotMatch(cell, formulaStart)
    const named = parse(text, { columns: true }) as { transaction_id: string }[]
    for (const [place, { transaction_id: shown }] of named.entries()) {
      assert.equal(
        shown.replaceAll("'", ''),
        ids[place]?.trim().replaceAll("'", ''),
        'only apostrophes were added',
      )
    }
  })
})

test('an id that runs nowhere comes back as it is', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const ids = ['pay-1', 'a=b', 'me@example.org', "it's", 'a + b', 'é ☕', '"x"', 'a,b', '1;2']
    const transactions = ids.map((id) => ({ corridor: 'GB-NG', id }))
    const { text } = await post(harness, `${url}?format=csv`, { transactions }, { key })
    const named = parse(text, { columns: true }) as { transaction_id: string }[]
    assert.deepEqual(
      named.map(({ transaction_id: id }) => id),
      ids,
    )
  })
})

test('what the CSV cannot carry, a warning, is in a header, in ASCII', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const text = 'corridor,colour,"Größe; 😀",颜色\nGB-NG,1,2,3\n'
    const asJson = await postCsv(harness, url, text, { key })
    const asCsv = await postCsv(harness, `${url}?format=csv`, text, { key })
    const header = String(asCsv.headers['x-svc-warning'])
    assert.match(header, /^[\x20-\x7e]+$/)
    const read = header.replaceAll(/\\u([0-9a-f]{4})/g, (_whole, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    assert.deepEqual([read], asJson.body.warnings)
    assert.equal(read, 'Ignored columns: "colour", "Größe; 😀", "颜色".')
    const plain = await postCsv(harness, `${url}?format=csv`, 'corridor\nGB-NG\n', { key })
    assert.equal(plain.headers['x-svc-warning'], undefined)
  })
})

test('the warning in the header stays short enough for any proxy', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const unknown = Array.from({ length: 30 }, (_, place) => `${'列'.repeat(60)}${place}`)
    const text = `corridor,${unknown.join(',')}\nGB-NG${','.repeat(30)}\n`
    const { status, headers } = await postCsv(harness, '/api/v1/batch-assess?format=csv', text, { key })
    assert.equal(status, 200)
    assert.match(String(headers['x-svc-warning']), /^Ignored columns: .{100,}\.\.\.$/)
    assert.ok(String(headers['x-svc-warning']).length <= 1_000)
  })
})
