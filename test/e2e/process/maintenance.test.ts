/** Maintenance by an admin on real processes: a month goes through its whole life, and a killed server loses no work. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { dayMs } from '../../../src/core/time/durations.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { recordInMarch } from '../../helpers/past-months.ts'
import { unlimited } from '../../helpers/people.ts'
import { adminAt, joinAsAdmin } from '../../helpers/process/admin.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { finished, serve } from '../../helpers/process/process.ts'

const march = ['--from', '2020-03-01', '--to', '2020-04-01', '--format', 'jsonl']
const half = ['--from', '2020-03-01', '--to', '2020-03-15T12:01:00Z', '--format', 'jsonl']

test('a month is detached, compared with its archive and dropped, each an act; the log says where its records are', async () => {
  const database = await freshDatabase('postgres')
  try {
    await recordInMarch(database.url)
    await withFolder(async (path) => {
      const settings = { DATABASE_URL: database.url, ...unlimited, FAIRWAY_ARCHIVES: path }
      for (const [name, range] of [['march', march] as const, ['half', half] as const]) {
        const written = await runInProcess(['export', ...range, '--out', join(path, name)], settings)
        assert.equal(written.code, 0, written.stderr)
      }
      const server = await serveInProcess(settings)
      try {
        const cookie = await joinAsAdmin(server.url, database.url, 'ada@example.com')
        const { get, finish } = adminAt(server.url, cookie)
        const month = { month: '2020-03' }
        const drop = { kind: 'drop_month', ...month, reason: 'Older than our seven years.' }
        const early = await finish({ ...drop, archive: 'march', dry_run: true })
        assert.deepEqual([early.status, early.error], ['failed', '2020-03 is not detached.'])
        const detached = await finish({ kind: 'detach_month', ...month })
        assert.deepEqual([detached.status, detached.result?.records], ['done', 3], detached.error)

        const cut = await finish({ ...drop, archive: 'half', dry_run: true })
        assert.equal(cut.status, 'failed')
        assert.match(cut.error, /which is not all of 2020-03/)
        const missing = await finish({ ...drop, archive: 'none', dry_run: true })
        assert.match(missing.error, /^It stopped: .*there is no such file/)
        const compared = await finish({ ...drop, archive: 'march', dry_run: true })
        const { state, records, manifest_sha256: receipt } = compared.result
        assert.deepEqual([compared.status, state, records], ['done', 'detached', 3])

        const other = { ...drop, archive: 'march', manifest_sha256: '0'.repeat(64) }
        assert.match((await finish(other)).error, /not the one that was compared before/)
        const dropped = await finish({ ...drop, archive: 'march', manifest_sha256: receipt })
        assert.deepEqual([dropped.status, dropped.result?.state], ['done', 'dropped'], dropped.error)
        const { months } = await get('/api/v1/admin/months')
        assert.equal(months.find((one: { month: string }) => one.month === '2020-03').state, 'dropped')
        const { activity } = await get('/api/v1/admin/activity?kind=month')
        const [act] = activity
        assert.deepEqual(
          [act.kind, act.subject, act.by.name, act.detail.manifest_sha256],
          ['month.dropped', '2020-03', 'Ada Example', receipt],
        )
        const checked = await finish({ kind: 'verify_log' })
        assert.deepEqual([checked.result?.intact, checked.result?.archived], [true, 3], checked.error)
      } finally {
        await server.stop()
      }
      const checked = await runInProcess(['audit', 'verify-log'], settings)
      assert.match(checked.stdout, /^INTACT\n/, checked.stdout + checked.stderr)
    })
  } finally {
    await database.drop()
  }
})

/** For each erasure: the whole job would take seconds, and its server is killed when its first batch is seen. */
const slow = `CREATE TRIGGER slow AFTER INSERT ON erasures BEGIN
  SELECT COUNT(*) FROM (WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) SELECT n FROM n); END`

const countOf = async ({ databaseUrl }: Harness, table: string): Promise<number> =>
  Number((await rowsOf(databaseUrl, `SELECT COUNT(*) AS count FROM ${table}`))[0]?.['count'])

async function fill(harness: Harness, texts: number): Promise<void> {
  const { key } = await harness.issue()
  for (let from = 0; from < texts; from += 250) {
    const ids = Array.from({ length: 250 }, (_, index) => `text ${from + index}`)
    await Promise.all(
      ids.map((id) => harness.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: id })),
    )
  }
  assert.equal(await countOf(harness, 'personal_texts'), texts)
  await harness.seal()
}

test('a server that is killed in the middle of a job leaves it interrupted; asked for again, it does the rest', async () => {
  const clock = new ManualClock(new Date(Date.now() - 40 * dayMs).toISOString())
  await withHarness({ clock, settings: unlimited }, async (harness) => {
    const texts = 1_500
    await fill(harness, texts)
    const { databaseUrl } = harness
    const settings = { DATABASE_URL: databaseUrl, ...unlimited, FAIRWAY_RETENTION_DAYS: '30' }
    const first = await serve(settings)
    const cookie = await joinAsAdmin(first.url, databaseUrl, 'ada@example.com')
    const before = adminAt(first.url, cookie)
    const { report } = await before.get('/api/v1/admin/retention')
    await rowsOf(databaseUrl, slow)
    const job = { kind: 'retention', before: report.before }
    const { job_id: id } = await before.post('/api/v1/admin/jobs', job)
    while ((await countOf(harness, 'erasures')) === 0) assert.equal(first.child.exitCode, null)
    const ended = finished(first.child)
    first.child.kill('SIGKILL')
    assert.equal((await ended).signal, 'SIGKILL')
    await rowsOf(databaseUrl, 'DROP TRIGGER slow')
    const erased = await countOf(harness, 'erasures')
    assert.ok(erased > 0 && erased < texts, `${erased} were erased`)

    const second = await serve(settings)
    try {
      const after = adminAt(second.url, cookie)
      assert.equal((await after.get(`/api/v1/admin/jobs/${id}`)).status, 'interrupted')
      const again = await after.finish(job)
      assert.deepEqual([again.status, again.result?.erased], ['done', texts - erased], again.error)
      const { jobs } = await after.get('/api/v1/admin/jobs')
      assert.deepEqual(
        jobs.map(({ status }: { status: string }) => status),
        ['done', 'interrupted'],
      )
    } finally {
      await second.stop()
    }
    assert.equal(await countOf(harness, 'personal_texts'), 0)
    await harness.seal()
    assert.deepEqual((await checkedLog(harness.store)).findings, [])
  })
})
