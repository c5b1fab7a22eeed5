/** POST /api/v1/outcomes: many payments at once, as JSON or CSV, by either id, and the same again. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { calibrationOf } from '../../helpers/calibration-books.ts'
import { outcomesUrl, report, reportAll } from '../../helpers/outcomes.ts'
import { post, postCsv, rowCounts } from '../../helpers/post.ts'

/** So many decisions, the n-th with the correlation id `order-n`. */
async function decided({ verify }: Harness, key: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let place = 1; place <= count; place += 1) {
    const { body } = await verify(key, { corridor: 'GB-NG', amount: place, correlation_id: `order-${place}` })
    ids.push(String(body.request_id))
  }
  return ids
}

const outcomeOf = async ({ get }: Harness, key: string, id: string) =>
  (await get(key, `/api/v1/audit/${id}`)).body.outcome

/** The stored outcomes, without what differs from one report to the next. */
async function stored({ databaseUrl }: Harness): Promise<unknown[]> {
  return rowsOf(
    databaseUrl,
    'SELECT owner_id, mode, corridor, outcome, partner, occurred_at_ms, is_final FROM outcomes ORDER BY request_id, is_final',
  )
}

for (const engine of engines) {
  test(`rows of JSON and of CSV are recorded alike, by request_id, correlation_id or both (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      const other = await harness.issue()
      const [ids, otherIds] = [await decided(harness, key, 5), await decided(harness, other.key, 5)]
      harness.clock.advance(3_600_000)
      const rowsWith = ([first, second, , , fifth]: readonly string[]) => [
        { request_id: first, outcome: 'COMPLETED', occurred_at: '2026-03-01T13:30:00+01:00' },
        { request_id: second, correlation_id: 'order-2', outcome: 'FAILED' },
        { correlation_id: 'order-3', outcome: 'PENDING' },
        { outcome: 'DELAYED', correlation_id: 'order-4', occurred_at: '2026-03-01T12:45' },
        { request_id: fifth, outcome: 'REJECTED', partner: 'sim-any' },
      ]
      const columns = ['request_id', 'correlation_id', 'outcome', 'occurred_at', 'partner'] as const
      const csv = stringify([
        columns.map((name) => name.toUpperCase()),
        ...rowsWith(otherIds).map((row: Readonly<Partial<Record<string, string>>>) =>
          columns.map((name) => row[name] ?? ''),
        ),
      ])
      const json = await reportAll(harness, key, rowsWith(ids))
      const answer = { dry_run: false, recorded: 5, unchanged: 0, warnings: [] }
      assert.deepEqual([json.status, json.body], [200, { ...answer, request_ids: ids }])
      const asCsv = await postCsv(harness, outcomesUrl, csv, { key: other.key })
      assert.deepEqual([asCsv.status, asCsv.body], [200, { ...answer, request_ids: otherIds }])

      const rows = (await stored(harness)) as { owner_id: string }[]
      const of = (isOwn: boolean) =>
        rows
          .filter(({ owner_id: owner }) => (owner === record.ownerId) === isOwn)
          .map(({ owner_id: _owner, ...row }) => row)
      assert.equal(of(true).length, 5)
      assert.deepEqual(of(true), of(false))
      assert.deepEqual(await outcomeOf(harness, key, ids[0] ?? ''), {
        request_id: ids[0],
        outcome: 'COMPLETED',
        occurred_at: '2026-03-01T12:30:00.000Z',
        reported_at: '2026-03-01T13:00:00.000Z',
        reported_by: { kind: 'key', id: record.keyId, name: record.ownerLabel },
      })
    })
  })

  test(`the same rows again change nothing, and a pending payment takes one more word (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const ids = await decided(harness, key, 3)
      const rowsOfOutcome = (outcomes: readonly string[]) =>
        ids.map((id, place) => ({ request_id: id, outcome: outcomes[place] }))
      const send = async (...outcomes: readonly string[]): Promise<number[]> => {
        const { status, body } = await reportAll(harness, key, rowsOfOutcome(outcomes))
        harness.clock.advance(1_000)
        return [status, body.recorded, body.unchanged]
      }
      assert.deepEqual(await send('PENDING', 'COMPLETED', 'FAILED'), [200, 3, 0])
      const before = await outcomeOf(harness, key, ids[1] ?? '')
      assert.deepEqual(await send('PENDING', 'COMPLETED', 'FAILED'), [200, 0, 3])
      assert.deepEqual(await send('REJECTED', 'COMPLETED', 'FAILED'), [200, 1, 2])
      assert.deepEqual(await send('REJECTED', 'COMPLETED', 'FAILED'), [200, 0, 3])
      assert.deepEqual(await outcomeOf(harness, key, ids[1] ?? ''), before, 'the first report is kept')
      assert.equal((await stored(harness)).length, 4)
      const alone = await report(harness, key, ids[0] ?? '', { outcome: 'REJECTED' })
      assert.equal(alone.status, 200, 'one at a time is the same report')
      const { with_outcome: ended, failures } = await calibrationOf(harness, key)
      assert.deepEqual([ended, failures], [3, 2])
    })
  })

  test(`500 rows are recorded at once, sealed each, and the whole log verifies (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const ids = await decided(harness, key, 500)
      const rows = ids.map((id, place) => ({
        ...(place % 2 === 0 ? { request_id: id } : { correlation_id: `order-${place + 1}` }),
        outcome: place % 5 === 0 ? 'FAILED' : 'COMPLETED',
      }))
      const { status, body, text } = await reportAll(harness, key, rows)
      assert.equal(status, 200, text)
      assert.deepEqual([body.recorded, body.request_ids], [500, ids])
      await harness.seal()
      const { findings, waiting, records, outcomes } = await checkedLog(harness.store)
      assert.deepEqual([findings, waiting, records, outcomes], [[], 0, 500, 500])
      const { with_outcome: ended, failures } = await calibrationOf(harness, key)
      assert.deepEqual([ended, failures], [500, 100])
    })
  })

  test(`dry_run says what would be recorded, and records nothing (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const ids = await decided(harness, key, 3)
      await report(harness, key, ids[0] ?? '', { outcome: 'FAILED' })
      const rows = ids.map((id) => ({ request_id: id, outcome: 'FAILED' }))
      const queued = await rowsOf(harness.databaseUrl, 'SELECT entries FROM journal_queue')
      const { status, body } = await reportAll(harness, key, rows, '?dry_run=true')
      assert.deepEqual(
        [status, body],
        [200, { dry_run: true, recorded: 2, unchanged: 1, request_ids: ids, warnings: [] }],
      )
      assert.equal((await stored(harness)).length, 1)
      assert.deepEqual(await rowsOf(harness.databaseUrl, 'SELECT entries FROM journal_queue'), queued)
      const recorded = await reportAll(harness, key, rows, '?dry_run=false')
      assert.deepEqual([recorded.body.dry_run, recorded.body.recorded], [false, 2])
    })
  })
}

test('members and columns that nobody reads are named in a warning', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const [first = '', second = ''] = await decided(harness, key, 2)
    const json = await reportAll(harness, key, [{ request_id: first, outcome: 'FAILED', colour: 'red' }])
    assert.deepEqual(json.body.warnings, ['Ignored members: "colour".'])
    const beside = { outcomes: [{ request_id: first, outcome: 'FAILED' }], colour: 'red' }
    const above = await post(harness, outcomesUrl, beside, { key })
    assert.deepEqual(above.body.warnings, ['Ignored members: "colour".'])
    const csv = `note,outcome,request_id\nx,FAILED,${second}\n`
    const asCsv = await postCsv(harness, outcomesUrl, csv, { key })
    assert.deepEqual(asCsv.body.warnings, ['Ignored columns: "note".'])
  })
})

test('a request without rows, or with more than 500, is refused whole', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const [id = ''] = await decided(harness, key, 1)
    const before = rowCounts(harness)
    const row = { request_id: id, outcome: 'FAILED' }
    const messages = async (rows: readonly unknown[]): Promise<unknown[]> => {
      const { status, body } = await reportAll(harness, key, rows)
      return [status, body.errors]
    }
    assert.deepEqual(await messages([]), [
      400,
      [{ path: '/outcomes', message: 'has no rows; 1 to 500 are needed' }],
    ])
    assert.deepEqual(await messages(Array.from({ length: 501 }, () => row)), [
      400,
      [{ path: '/outcomes', message: 'has more than 500 rows; at most 500 are allowed' }],
    ])
    assert.deepEqual(rowCounts(harness), before)
  })
})

test('a bare list of rows is taken as rows, and its faults have the same places', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const [id = ''] = await decided(harness, key, 1)
    const faulty = await post(harness, outcomesUrl, [{ request_id: id }], { key })
    assert.deepEqual([faulty.status, faulty.body.errors[0].path], [400, '/outcomes/0/outcome'])
    const answer = await post(harness, outcomesUrl, [{ request_id: id, outcome: 'FAILED' }], { key })
    assert.deepEqual([answer.status, answer.body.recorded], [200, 1])
    const long = Array.from({ length: 501 }, () => ({ request_id: id, outcome: 'FAILED' }))
    assert.equal((await post(harness, outcomesUrl, long, { key })).status, 400)
  })
})
