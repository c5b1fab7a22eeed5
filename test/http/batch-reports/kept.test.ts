/** /api/v1/batch-reports: reports that an owner keeps, with the figures of the service, for everybody of the owner. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { person, read, unlimited, write } from '../../helpers/people.ts'
import { post, postCsv, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/batch-reports'

const csv = [
  'id,corridor,amount,actual_outcome,timestamp,claimed_score',
  'a,GB-NG,1000,COMPLETED,2026-02-01,0.11',
  'b,GB-NG,60000,FAILED,2026-01-15,0.99',
  'c,NG-GB,600000,,,0.99',
].join('\n')

const keep = (harness: Harness, key: string, text = csv, name = 'March') =>
  postCsv(harness, `${url}?report_name=${encodeURIComponent(name)}`, text, { key })

const remove = (harness: Harness, key: string, id: string) =>
  harness.send({ method: 'DELETE', url: `${url}/${id}`, headers: { authorization: `Bearer ${key}` } })

for (const engine of engines) {
  test(`a kept report has the figures that the service computes, and everybody of the owner reads it (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue({ ownerLabel: 'Payments' })
      const kept = await keep(harness, key)
      assert.equal(kept.status, 200, kept.text)
      assert.deepEqual(kept.body, {
        report_id: kept.body.report_id,
        report_name: 'March',
        kept_at: '2026-03-01T12:00:00.000Z',
        kept_by: { kind: 'key', id: record.keyId, name: 'Payments' },
        transaction_count: 3,
        go: 1,
        degraded: 1,
        no_go: 1,
        execution_uncertainty_score: 100,
        may_delete: true,
      })
      const assessed = await postCsv(harness, '/api/v1/batch-assess', csv, { key })
      const colleague = await harness.issue({ ownerId: record.ownerId, ownerLabel: 'Colleague' })
      const seen = { ...kept.body, may_delete: false }
      assert.deepEqual((await harness.get(colleague.key, url)).body, { reports: [seen] })
      const { report, months, ...view } = (await harness.get(colleague.key, `${url}/${kept.body.report_id}`))
        .body
      assert.deepEqual(view, seen)
      assert.deepEqual(months, ['2026-02', '2026-01', null])
      assert.deepEqual(report.assessments, assessed.body.assessments)
      assert.deepEqual(report.summary, assessed.body.summary)
      assert.deepEqual(report.warnings, ['Ignored columns: "claimed_score".'])
    }))

  test(`the rows as CSV and the report as a page are files to save, and the page can do nothing (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const { report_id: id } = (await keep(harness, key, csv, '<b>March</b>')).body
      const rows = await harness.get(key, `${url}/${id}?format=csv`)
      assert.match(String(rows.headers['content-type']), /^text\/csv/)
      assert.equal(rows.headers['content-disposition'], `attachment; filename="${id}.csv"`)
      assert.equal(rows.text.trim().split('\n').length, 4)
      const page = await harness.get(key, `${url}/${id}?format=html`)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.equal(page.headers['content-disposition'], `attachment; filename="${id}.html"`)
      assert.match(String(page.headers['content-security-policy']), /^default-src 'none';.* sandbox$/)
      assert.match(page.text, /^<!doctype html>[\s\S]*&lt;b&gt;March&lt;\/b&gt;/)
      assert.ok(page.text.includes(id))
    }))

  test(`only the principal who kept a report and admins delete it, which is an entry of the log (${engine})`, () =>
    withHarness({ engine, settings: unlimited }, async (harness) => {
      const { key, record } = await harness.issue()
      const { ownerId } = record
      const other = await harness.issue({ ownerId })
      const [ada, colleague, admin] = [
        await person(harness, 'viewer', ownerId),
        await person(harness, ['viewer', 'reviewer', 'approver', 'policy_author'], ownerId),
        await person(harness, 'admin', ownerId),
      ]
      const removeAs = ({ headers }: { readonly headers: object }, id: string) =>
        harness.send({ method: 'DELETE', url: `${url}/${id}`, headers: { ...headers } })
      const keepAsAda = async () =>
        (await write(harness, ada, url, { transactions: [{ corridor: 'GB-NG' }] })).body.report_id
      const [first, second] = [await keepAsAda(), await keepAsAda()]
      const { report_id: third } = (await keep(harness, key)).body
      for (const [refused, id] of [
        [await remove(harness, key, first), first],
        [await removeAs(colleague, first), first],
        [await removeAs(ada, third), third],
        [await remove(harness, other.key, third), third],
      ] as const) {
        assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN'])
        assert.match(refused.body.message, /^Another principal keeps this report\./)
        assert.equal((await harness.get(key, `${url}/${id}`)).status, 200)
      }
      for (const [who, may] of [
        [ada, true],
        [colleague, false],
        [admin, true],
      ] as const)
        assert.equal((await read(harness, who, `${url}/${first}`)).body.may_delete, may)
      assert.equal((await removeAs(ada, first)).status, 200)
      harness.clock.advance(1)
      assert.equal((await removeAs(admin, second)).status, 200)
      harness.clock.advance(1)
      assert.equal((await remove(harness, key, third)).status, 200)
      assert.equal((await remove(harness, key, third)).status, 404)
      const acts = await rowsOf(
        harness.databaseUrl,
        "SELECT subject, made_by, detail FROM acts WHERE kind = 'report.deleted' ORDER BY act_id",
      )
      assert.deepEqual(
        acts.map((act) => [act['subject'], act['made_by'], JSON.parse(String(act['detail']))]),
        [
          [first, ada.personId, { owner_id: ownerId }],
          [second, admin.personId, { owner_id: ownerId }],
          [third, record.keyId, { owner_id: ownerId }],
        ],
      )
    }))

  test(`others of another owner neither see, read nor delete it (${engine})`, () =>
    withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const { key: stranger } = await harness.issue()
      const { report_id: id } = (await keep(harness, key)).body
      assert.deepEqual((await harness.get(stranger, url)).body, { reports: [] })
      for (const path of [`${url}/${id}`, `${url}/${id}?format=html`, `${url}/rep_unknown`])
        assert.equal((await harness.get(stranger, path)).body.code, 'NOT_FOUND')
      assert.equal((await remove(harness, stranger, id)).status, 404)
      assert.equal((await harness.get(key, `${url}/${id}`)).status, 200)
    }))

  test(`a deleted report is gone, and its place is free (${engine})`, () =>
    withHarness({ engine, settings: unlimited }, async (harness) => {
      const { key } = await harness.issue({ prefix: 'svc-sandbox-' })
      const row = 'corridor\nGB-NG\n'
      const ids: string[] = []
      for (let count = 0; count < 20; count += 1)
        ids.push((await keep(harness, key, row, `Report ${count}`)).body.report_id)
      const refused = await keep(harness, key, row)
      assert.deepEqual([refused.status, refused.body.code], [422, 'UNPROCESSABLE'])
      assert.match(refused.body.message, /^The limit of 20 kept reports is reached\. Delete one first\.$/)
      assert.deepEqual((await remove(harness, key, ids[3] ?? '')).body, {
        report_id: ids[3],
        status: 'deleted',
      })
      assert.equal((await remove(harness, key, ids[3] ?? '')).status, 404)
      assert.equal((await keep(harness, key, row)).status, 200)
    }))

  test(`of many at the same time, no more are kept than there is room for (${engine})`, () =>
    withHarness({ engine, settings: unlimited }, async (harness) => {
      const { key } = await harness.issue({ prefix: 'svc-sandbox-' })
      const answers = await Promise.all(
        Array.from({ length: 26 }, (_, count) => keep(harness, key, 'corridor\nGB-NG\n', `Report ${count}`)),
      )
      const kept = answers.filter(({ status }) => status === 200).length
      assert.equal(kept, 20)
      assert.equal((await harness.get(key, url)).body.reports.length, 20)
    }))
}

test('an owner of its own may keep 200, and the newest is first', () =>
  withHarness({ settings: unlimited }, async (harness) => {
    const { key } = await harness.issue()
    for (let count = 1; count <= 200; count += 1) {
      harness.clock.advance(1)
      assert.equal((await keep(harness, key, 'corridor\nGB-NG\n', `Report ${count}`)).status, 200)
    }
    assert.equal((await keep(harness, key, 'corridor\nGB-NG\n')).status, 422)
    const { reports } = (await harness.get(key, url)).body
    assert.deepEqual([reports[0].report_name, reports.at(-1).report_name], ['Report 200', 'Report 1'])
  }))

test('bad rows are refused as by a batch, and nothing is kept or recorded', () =>
  withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    const refused = await keep(harness, key, 'corridor,amount\nGB-NG,-5\n')
    const assessed = await postCsv(harness, '/api/v1/batch-assess', 'corridor,amount\nGB-NG,-5\n', { key })
    assert.deepEqual([refused.status, refused.body.errors], [400, assessed.body.errors])
    assert.equal((await post(harness, url, {}, { key })).status, 400)
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await keep(harness, key)).status, 200)
    assert.deepEqual(rowCounts(harness), { ...before, batch_reports: 1 })
  }))

test('a person is named as the one who kept it', () =>
  withHarness({ settings: unlimited }, async (harness) => {
    const { record } = await harness.issue()
    const ada = await person(harness, 'viewer', record.ownerId)
    const kept = await write(harness, ada, url, { transactions: [{ corridor: 'GB-NG' }] })
    assert.equal(kept.status, 200, kept.text)
    assert.equal(kept.body.report_name, 'Batch assessment of 2026-03-01')
    const { reports } = (await read(harness, ada, url)).body
    assert.deepEqual(reports[0].kept_by, kept.body.kept_by)
    assert.deepEqual([kept.body.kept_by.kind, kept.body.kept_by.id], ['person', ada.personId])
  }))
