/** GET /api/verifications as CSV: the same page, for a spreadsheet. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { override } from '../../helpers/webhooks.ts'

const header =
  'request_id,recorded_at,evaluated_at,corridor,decision,score,confidence,amount,currency,mode,correlation_id,override_action,override_reason_code,overridden_at,outcome,cooldown_source_request_id,reason_codes,recommended_action,request_currency,settlement_currency'

type Row = Readonly<Record<string, string>>

const rowsOf = ({ text }: Answer): Row[] => parse(text, { columns: true })
const typeOf = ({ headers }: Answer): string => String(headers['content-type'])

function ask({ send }: Harness, key: string, query: string, accept?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(accept === undefined ? {} : { accept }) }
  return send({ method: 'GET', url: `/api/verifications${query}`, headers })
}

test('format decides; without it Accept does; without either it is JSON', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const cases: readonly (readonly [query: string, accept: string | undefined, csv: boolean])[] = [
      ['', undefined, false],
      ['', '*/*', false],
      ['', 'application/json', false],
      ['', 'text/csv', true],
      ['', 'text/csv;q=0.5, application/json', false],
      ['', 'text/html, text/csv', true],
      ['?format=csv', undefined, true],
      ['?format=csv', 'application/json', true],
      ['?format=json', 'text/csv', false],
    ]
    for (const [query, accept, csv] of cases) {
      const answer = await ask(harness, key, query, accept)
      assert.equal(answer.status, 200, answer.text)
      const type = csv ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8'
      assert.equal(typeOf(answer), type, `${query} ${accept}`)
      assert.equal('content-disposition' in answer.headers, csv)
      assert.equal(answer.headers['vary'], 'Accept', 'a cache keeps the two apart')
    }
  })
})

test('an empty page is its header', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const answer = await ask(harness, key, '?format=csv')
    assert.equal(answer.text, `${header}\n`)
    assert.equal(answer.headers['link'], undefined)
  })
})

test('a line has what the item of the JSON page has, an override and an outcome too', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    await harness.verify(key, { corridor: 'FR-JP', currency: 'JPY' })
    harness.clock.advance(1_500)
    const { body } = await harness.verify(key, {
      corridor: 'GB-NG',
      amount: 60_000.5,
      correlation_id: 'inv-1',
    })
    const id: string = body.request_id
    await override(harness, key, id)
    await harness.send({
      method: 'POST',
      url: `/api/v1/decision/${id}/outcome`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: { outcome: 'COMPLETED' },
    })
    await harness.verify(key, { corridor: 'NG-GB', amount: 600_000 })
    const { body: repeat } = await harness.verify(key, { corridor: 'NG-GB', amount: 1 })
    const items = (await ask(harness, key, '')).body
    const rows = rowsOf(await ask(harness, key, '?format=csv'))
    assert.deepEqual(Object.keys(rows[0] ?? {}).join(','), header)
    const cell = (value: string | number | null | undefined): string => String(value ?? '')
    for (const [place, item] of items.entries()) {
      const { human_override: made, outcome, reason_codes: reasons, ...plain } = item
      const expected: Record<string, string | number | null | undefined> = {
        ...plain,
        override_action: made?.action,
        override_reason_code: made?.reason_code,
        overridden_at: made?.created_at,
        outcome: outcome?.outcome,
        reason_codes: reasons.join(' '),
      }
      for (const [name, value] of Object.entries(rows[place] ?? {}))
        assert.equal(value, cell(expected[name]), name)
    }
    assert.equal(rows[0]?.['cooldown_source_request_id'], repeat.cooldown.source_request_id)
    assert.equal(rows[1]?.['cooldown_source_request_id'], '')
    assert.deepEqual([rows[2]?.['override_action'], rows[2]?.['outcome']], ['EXECUTE', 'COMPLETED'])
    assert.deepEqual([rows[3]?.['amount'], rows[3]?.['correlation_id']], ['', ''])
  })
})

test('a reference that a spreadsheet would run is defused, and one with commas and quotes stays one cell', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const references = [
      ['=HYPERLINK("https://example.com","a")', '\'=HYPERLINK("https://example.com","a")'],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['-1+1', "'-1+1"],
      ['a,"b";c', 'a,"b";c'],
      ['invoice-1', 'invoice-1'],
    ] as const
    for (const [reference] of references) {
      await harness.verify(key, { corridor: 'GB-NG', correlation_id: reference })
      harness.clock.advance(1)
    }
    const rows = rowsOf(await ask(harness, key, '', 'text/csv'))
    assert.deepEqual(
      rows.map((row) => row['correlation_id']),
      references.map(([, cell]) => cell).toReversed(),
    )
  })
})

test('the link to the next page keeps the format and the filters, however CSV was asked for', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const made: string[] = []
    for (let amount = 1; amount <= 5; amount += 1) {
      made.push((await harness.verify(key, { corridor: 'GB-NG', amount })).body.request_id)
    }
    await harness.verify(key, { corridor: 'NG-GB', amount: 1 })
    for (const [query, accept] of [
      ['?limit=2&corridor=GB-NG', 'text/csv'],
      ['?limit=2&corridor=GB-NG&format=csv', undefined],
    ] as const) {
      const ids: (string | undefined)[] = []
      let answer = await ask(harness, key, query, accept)
      for (;;) {
        assert.match(typeOf(answer), /^text\/csv/)
        assert.ok(answer.text.startsWith(`${header}\n`))
        ids.push(...rowsOf(answer).map((row) => row['request_id']))
        const next = /^<\/api\/verifications([^>]+)>/.exec(String(answer.headers['link'] ?? ''))?.[1]
        if (next === undefined) break
        answer = await ask(harness, key, next)
      }
      assert.deepEqual(ids, made.toReversed())
    }
  })
})
