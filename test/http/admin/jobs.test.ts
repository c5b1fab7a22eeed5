/** Jobs of maintenance in the hands of an admin: what they do, who asked, and what they refuse. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { createRunWork } from '../../../src/app/operate/maintenance/run.ts'
import { StoreUnavailable } from '../../../src/app/ports/store.ts'
import { dayMs } from '../../../src/core/time/durations.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { everyTable } from '../../helpers/erasure.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { actsOf, finish, isSound, jobsPath, withAdmin } from '../../helpers/maintenance.ts'
import { person, read, write, type SignedInPerson } from '../../helpers/people.ts'

const order = 'order-of-jane-doe'

const previewOf = async (harness: Harness, admin: SignedInPerson, ownerId: string): Promise<Answer['body']> =>
  (
    await write(harness, admin, '/api/v1/admin/erasures/preview', {
      owner_id: ownerId,
      correlation_id: order,
    })
  ).body

for (const engine of engines) {
  test(`${engine}: the log is checked, and start and end are acts of the admin with the result`, async () => {
    await withAdmin({ engine }, async (harness, admin) => {
      const { key } = await harness.issue()
      await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      await harness.seal()
      const job = await finish(harness, admin, { kind: 'verify_log', reason: 'Monthly check' })
      assert.deepEqual([job.status, job.error, job.reason], ['done', null, 'Monthly check'])
      const { intact, records, findings, keys_from: keysFrom, tree_size: size } = job.result
      assert.deepEqual([intact, records, findings, keysFrom], [true, 1, [], 'database'])
      assert.deepEqual(job.progress, { done: size, total: size })
      assert.deepEqual(job.started_by, { id: admin.personId, name: admin.name })
      const [ended, started] = await actsOf(harness, admin, 'maintenance')
      assert.deepEqual(
        [started?.kind, started?.subject, started?.by.id],
        ['maintenance.started', job.job_id, admin.personId],
      )
      assert.equal(started?.detail['reason'], 'Monthly check')
      assert.deepEqual([ended?.kind, ended?.subject], ['maintenance.ended', job.job_id])
      assert.deepEqual([ended?.detail['status'], ended?.detail['intact']], ['done', 1])
      await isSound(harness)
    })
  })

  test(`${engine}: an erasure is seen first, erases that and nothing else, and the job does not keep the text`, async () => {
    await withAdmin({ engine }, async (harness, admin) => {
      const { key, record } = await harness.issue()
      const { ownerId } = record
      for (const correlation of [order, 'another'])
        await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: correlation })
      const seen = await previewOf(harness, admin, ownerId)
      assert.deepEqual([seen.texts.correlation_id, seen.request_ids.length], [1, 1])
      assert.deepEqual(seen.cannot_be_erased, [])
      const ask = {
        kind: 'erase',
        owner_id: ownerId,
        correlation_id: order,
        reference: 'GDPR-12',
        reason: 'The customer asked for it.',
        plan: seen.plan,
      }
      await harness.verify(key, { corridor: 'GB-NG', amount: 6, correlation_id: order })
      const late = await finish(harness, admin, ask)
      assert.equal(late.status, 'failed')
      assert.match(late.error, /^Nothing was erased: .* has changed since the preview/)
      const { plan } = await previewOf(harness, admin, ownerId)
      const job = await finish(harness, admin, { ...ask, plan })
      assert.deepEqual([job.status, job.result.erased, job.result.cleaned], ['done', 2, true], job.error)
      const [erased] = await actsOf(harness, admin, 'text.erased')
      assert.deepEqual(
        [erased?.by.id, erased?.detail['reference'], erased?.detail['count']],
        [admin.personId, 'GDPR-12', 2],
      )
      await isSound(harness)
      const left = await everyTable(harness)
      assert.ok(!left.includes(order), 'no table has the text')
      assert.ok(left.includes('another'))
      assert.equal((await previewOf(harness, admin, ownerId)).texts.correlation_id, 0)
    })
  })

  test(`${engine}: retention erases what its report counts, and never what is younger than the period`, async () => {
    await withAdmin({ engine, settings: { FAIRWAY_RETENTION_DAYS: '30' } }, async (harness) => {
      const { key } = await harness.issue()
      await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: order })
      harness.clock.advance(31 * dayMs)
      const admin = await person(harness, 'admin', null)
      await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: 'young' })
      const { body } = await read(harness, admin, '/api/v1/admin/retention')
      assert.deepEqual([body.retention_days, body.needs_cleaning], [30, false])
      assert.deepEqual(
        body.report.texts.map((aged: { kind: string; texts: number }) => [aged.kind, aged.texts]),
        [['correlation_id', 1]],
      )
      const now = new Date(harness.clock.nowMs()).toISOString()
      const soon = await write(harness, admin, jobsPath, { kind: 'retention', before: now })
      assert.deepEqual([soon.status, soon.body.errors[0].path], [400, '/before'])
      const job = await finish(harness, admin, { kind: 'retention', before: body.report.before })
      assert.deepEqual([job.status, job.result.erased, job.result.cleaned], ['done', 1, true], job.error)
      const left = await everyTable(harness)
      assert.deepEqual([left.includes(order), left.includes('young')], [false, true])
      await isSound(harness)
    })
  })
}

test('what an erasure leaves for later is cleaned by a job of its own', async () => {
  await withAdmin({}, async (harness, admin) => {
    const { key, record } = await harness.issue()
    await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: order })
    const { plan } = await previewOf(harness, admin, record.ownerId)
    const more = { owner_id: record.ownerId, correlation_id: order, reference: 'GDPR-12', reason: 'Asked.' }
    const job = await finish(harness, admin, { kind: 'erase', ...more, plan, clean_later: true })
    assert.deepEqual([job.status, job.result.cleaned], ['done', false])
    const needsCleaning = async (): Promise<boolean> =>
      (await read(harness, admin, '/api/v1/admin/retention')).body.needs_cleaning
    assert.equal(await needsCleaning(), true)
    assert.equal((await finish(harness, admin, { kind: 'clean' })).result.cleaned, true)
    assert.equal(await needsCleaning(), false)
  })
})

test('an erasure that cannot clean the files of the database says why', async () => {
  await withHarness({}, async ({ issue, verify, store, clock }) => {
    await verify((await issue()).key, { corridor: 'GB-NG', amount: 5, correlation_id: order })
    const clean = (): Promise<never> => Promise.reject(new StoreUnavailable('a backup reads it'))
    const run = createRunWork({
      store: { ...store, erasures: { ...store.erasures, clean } },
      clock,
      random,
      cooldownMs: 0,
      followReviews: () => assert.fail('no review is followed'),
      openArchive: null,
    })
    const command = {
      kind: 'retention',
      by: 'prs_0000000000000000',
      beforeMs: clock.nowMs() + dayMs,
    } as const
    const worked = await run({ jobId: 'job_1', command })
    const result: Readonly<Record<string, unknown>> = worked.kind === 'done' ? worked.result : {}
    const { erased, cleaned, not_cleaned: why } = result
    assert.deepEqual([erased, cleaned, why], [1, false, 'a backup reads it'])
  })
})

test('a change of a record is in the result, and a checkpoint that was not signed here is refused', async () => {
  await withAdmin({}, async (harness, admin) => {
    const { key } = await harness.issue()
    await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    await harness.seal()
    const { text } = await harness.get(key, '/api/v1/audit/checkpoint')
    const saved = { kind: 'verify_log', checkpoints: [text] }
    assert.equal((await finish(harness, admin, saved)).result.intact, true)
    const strange = await finish(harness, admin, { kind: 'verify_log', checkpoints: ['no checkpoint'] })
    assert.deepEqual(
      [strange.status, strange.error],
      ['failed', 'A saved checkpoint contains no checkpoint.'],
    )
    await rowsOf(harness.databaseUrl, 'DROP TRIGGER IF EXISTS log_checkpoints_no_delete')
    await rowsOf(harness.databaseUrl, 'DELETE FROM log_checkpoints')
    const { result } = await finish(harness, admin, saved)
    assert.equal(result.intact, false)
    assert.ok(result.findings_total > 0 && result.findings.length <= 100)
  })
})

const bad: readonly (readonly [body: object, path: string])[] = [
  [{ kind: 'verify' }, '/kind'],
  [{ kind: 'erase' }, '/reason'],
  [{ kind: 'erase', reason: 'Asked.' }, '/owner_id'],
  [{ kind: 'verify_log', month: '2026-03' }, '/month'],
  [{ kind: 'detach_month' }, '/month'],
  [{ kind: 'detach_month', month: '2026-13' }, '/month'],
  [{ kind: 'attach_month', month: 'March' }, '/month'],
  [{ kind: 'drop_month', month: '2026-03', archive: 'a', reason: 'Archived.' }, '/manifest_sha256'],
  [{ kind: 'drop_month', month: '2026-03', archive: '../etc', dry_run: true }, '/archive'],
  [{ kind: 'drop_month', month: '2026-03', archive: '.', dry_run: true }, '/archive'],
  [{ kind: 'retention', before: '2020-01-01T00:00:00Z' }, '/before'],
  [{ kind: 'clean', reason: 'x'.repeat(501) }, '/reason'],
]

test('bad input names the member, and leaves neither a job nor an act', async () => {
  await withAdmin({}, async (harness, admin) => {
    for (const [body, path] of bad) {
      const answer = await write(harness, admin, jobsPath, body)
      assert.deepEqual([answer.status, answer.body.errors[0].path], [400, path], answer.text)
    }
    assert.deepEqual((await read(harness, admin, jobsPath)).body.jobs, [])
    assert.deepEqual(await actsOf(harness, admin, 'maintenance'), [])
    for (const unknown of ['job_1', `job_${'0'.repeat(26)}`])
      assert.equal((await read(harness, admin, `${jobsPath}/${unknown}`)).status, 404)
    assert.equal((await read(harness, admin, `${jobsPath}?cursor=AAAA`)).status, 400)
  })
})

const misshapen: readonly (readonly [member: object, message: RegExp])[] = [
  [{ archive: '../etc' }, /^\/archive must be the name of a folder/],
  [{ month: 'March' }, /^\/month must be a month, like 2026-03/],
  [{ manifest_sha256: 'AB' }, /^\/manifest_sha256 must be a SHA-256/],
  [{ reference: 'GDPR 12' }, /^\/reference must be letters, digits/],
]

test('a member of another form is refused with the form that it must have', async () => {
  await withAdmin({}, async (harness, admin) => {
    for (const [member, message] of misshapen) {
      const answer = await write(harness, admin, jobsPath, { kind: 'drop_month', ...member })
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, message)
    }
  })
})

test('a correlation id in the reason or the reference is refused, since nobody could erase it there', async () => {
  await withAdmin({}, async (harness, admin) => {
    const { record } = await harness.issue()
    const { plan } = await previewOf(harness, admin, record.ownerId)
    const ask = { kind: 'erase', owner_id: record.ownerId, correlation_id: order, plan }
    const told = { reference: order, reason: `Asked for ${order}, by letter.` }
    const { status, body, text } = await write(harness, admin, jobsPath, { ...ask, ...told })
    const paths = body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual([status, paths], [400, ['/reason', '/reference']])
    assert.ok(!text.includes(order))
    const other = { reference: 'GDPR-12', reason: `${order}1 is another one.` }
    assert.equal((await finish(harness, admin, { ...ask, ...other })).status, 'done')
  })
})

test('months are a matter of PostgreSQL, which a job on SQLite says', async () => {
  await withAdmin({}, async (harness, admin) => {
    const { body } = await read(harness, admin, '/api/v1/admin/months')
    assert.deepEqual(body, { partitioned: false, has_archives: false, months: [] })
    const checked = await write(harness, admin, '/api/v1/admin/months/2020-03/check', {})
    assert.deepEqual([checked.body.can_detach, checked.body.detail.slice(0, 9)], [false, 'On SQLite'])
    const job = await finish(harness, admin, { kind: 'detach_month', month: '2020-03' })
    assert.deepEqual([job.status, job.error], ['failed', checked.body.detail])
  })
})
