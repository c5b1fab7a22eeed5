/** Jobs of maintenance in the hands of an admin: what they do, who asked, one at a time, and what a stop leaves behind. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { Maintenance, type MaintenanceDeps } from '../../../src/app/operate/maintenance/jobs.ts'
import type { Worked } from '../../../src/app/operate/maintenance/work.ts'
import { dayMs } from '../../../src/core/time/durations.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { everyTable } from '../../helpers/erasure.ts'
import { withHarness, type Answer, type Harness, type HarnessOptions } from '../../helpers/harness.ts'
import { person, read, write, type SignedInPerson } from '../../helpers/people.ts'

const url = '/api/v1/admin/jobs'
const order = 'order-of-jane-doe'

async function withAdmin(
  options: HarnessOptions,
  work: (harness: Harness, admin: SignedInPerson) => Promise<void>,
): Promise<void> {
  await withHarness(options, async (harness) => work(harness, await person(harness, 'admin', null)))
}

/** Starts a job and waits for its end. */
async function finish(harness: Harness, admin: SignedInPerson, body: object): Promise<Answer['body']> {
  const started = await write(harness, admin, url, body)
  assert.equal(started.status, 200, started.text)
  assert.equal(started.body.status, 'running')
  await harness.maintained()
  return (await read(harness, admin, `${url}/${started.body.job_id}`)).body
}

interface ActView {
  readonly kind: string
  readonly subject: string
  readonly by: { readonly id: string }
  readonly detail: Readonly<Record<string, unknown>>
}

async function actsOf(harness: Harness, admin: SignedInPerson, kind: string): Promise<ActView[]> {
  return (await read(harness, admin, `/api/v1/admin/activity?kind=${kind}`)).body.activity
}

const previewOf = async (harness: Harness, admin: SignedInPerson, ownerId: string): Promise<Answer['body']> =>
  (
    await write(harness, admin, '/api/v1/admin/erasures/preview', {
      owner_id: ownerId,
      correlation_id: order,
    })
  ).body

async function isSound(harness: Harness): Promise<void> {
  await harness.seal()
  assert.deepEqual((await checkedLog(harness.store)).findings, [])
}

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
      const soon = await write(harness, admin, url, { kind: 'retention', before: now })
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
      const answer = await write(harness, admin, url, body)
      assert.deepEqual([answer.status, answer.body.errors[0].path], [400, path], answer.text)
    }
    assert.deepEqual((await read(harness, admin, url)).body.jobs, [])
    assert.deepEqual(await actsOf(harness, admin, 'maintenance'), [])
    for (const unknown of ['job_1', `job_${'0'.repeat(26)}`])
      assert.equal((await read(harness, admin, `${url}/${unknown}`)).status, 404)
    assert.equal((await read(harness, admin, `${url}?cursor=AAAA`)).status, 400)
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
      const answer = await write(harness, admin, url, { kind: 'drop_month', ...member })
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
    const { status, body, text } = await write(harness, admin, url, { ...ask, ...told })
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

/** A room whose work ends when the test says so. */
function heldRoom() {
  const { promise, resolve, reject } = Promise.withResolvers<Worked>()
  let isClosed = false
  const close = (): Promise<void> => {
    isClosed = true
    return Promise.resolve(reject(new Error('closed')))
  }
  const room = { run: () => promise, close }
  return {
    open: () => room,
    finish: () => resolve({ kind: 'done', result: { cleaned: true } }),
    isClosed: () => isClosed,
  }
}

const asked = { kind: 'clean', by: 'prs_0000000000000000' } as const

function maintenanceOn(harness: Harness, holder: string, more: Partial<MaintenanceDeps> = {}) {
  const held = heldRoom()
  const { store, clock } = harness
  const log = { warn: () => undefined }
  const deps = { store: store.maintenance, clock, random, holder, isShared: true, log, open: held.open }
  const maintenance = new Maintenance({ ...deps, ...more })
  let beat: () => Promise<void> = () => Promise.resolve()
  maintenance.start((work) => {
    beat = work
    return () => undefined
  })
  return { ...held, maintenance, beat: () => beat() }
}

for (const engine of engines) {
  test(`${engine}: one job runs at a time on all instances, until its instance is lost for a minute`, async () => {
    await withAdmin({ engine }, async (harness, admin) => {
      const first = maintenanceOn(harness, 'ins_1')
      const job = (await first.maintenance.ask(asked, '')) ?? assert.fail('not started')
      assert.equal(await first.maintenance.ask(asked, ''), null)
      const refused = await write(harness, admin, url, { kind: 'clean' })
      // A SQLite file has one server: whatever another one left behind is over.
      assert.deepEqual(
        [refused.status, refused.body.code],
        engine === 'sqlite' ? [200, undefined] : [409, 'ADMIN_CONFLICT'],
      )
      if (engine === 'sqlite') return harness.maintained()
      assert.equal((await read(harness, admin, `${url}/${job.jobId}`)).body.status, 'running')
      harness.clock.advance(60_001)
      const { status, error } = (await read(harness, admin, `${url}/${job.jobId}`)).body
      assert.equal(status, 'interrupted')
      assert.match(error, /can be started again/)
      assert.equal((await finish(harness, admin, { kind: 'clean' })).status, 'done')
      await first.beat()
      await first.maintenance.settled()
      assert.equal(first.isClosed(), true, 'work that was taken for lost stops')
      const marked = (await read(harness, admin, `${url}/${job.jobId}`)).body
      assert.deepEqual([marked.status, marked.error], ['interrupted', error])
      const ends = (await actsOf(harness, admin, 'maintenance.ended')).filter(
        ({ subject }) => subject === job.jobId,
      )
      assert.deepEqual(
        ends.map(({ by, detail }) => [by.id, detail]),
        [[asked.by, { job: 'clean', status: 'interrupted' }]],
      )
      await isSound(harness)
      const { jobs } = (await read(harness, admin, url)).body
      assert.deepEqual(
        jobs.map(({ status: each }: { status: string }) => each),
        ['done', 'interrupted'],
      )
    })
  })
}

test('a stop interrupts the job, which says so, and it can be asked for again', async () => {
  await withAdmin({}, async (harness, admin) => {
    const first = maintenanceOn(harness, 'ins_1')
    const stop = first.maintenance.start(() => () => undefined)
    const job = (await first.maintenance.ask(asked, '')) ?? assert.fail('not started')
    await stop()
    assert.equal(await first.maintenance.ask(asked, ''), null, 'nothing starts while the server stops')
    const { status, ended_at: endedAt } = (await read(harness, admin, `${url}/${job.jobId}`)).body
    assert.deepEqual([status, endedAt === null], ['interrupted', false])
    const [ended] = await actsOf(harness, admin, 'maintenance.ended')
    assert.deepEqual([ended?.subject, ended?.detail['status']], [job.jobId, 'interrupted'])
    assert.equal((await finish(harness, admin, { kind: 'clean' })).status, 'done')
    await isSound(harness)
  })
})

test('the end of a job is stored when the database is back', async () => {
  await withAdmin({}, async (harness, admin) => {
    const { maintenance: store } = harness.store
    let isAway = true
    const end: typeof store.end = (...values) =>
      isAway ? Promise.reject(new Error('the database is away')) : store.end(...values)
    const first = maintenanceOn(harness, 'ins_1', { store: { ...store, end } })
    const job = (await first.maintenance.ask(asked, '')) ?? assert.fail('not started')
    first.finish()
    await first.maintenance.settled()
    assert.equal((await first.maintenance.find(job.jobId))?.status, 'running')
    assert.equal(await first.maintenance.ask(asked, ''), null)
    isAway = false
    await first.beat()
    const { status, result } = (await read(harness, admin, `${url}/${job.jobId}`)).body
    assert.deepEqual([status, result], ['done', { cleaned: true }])
    const [ended] = await actsOf(harness, admin, 'maintenance.ended')
    assert.deepEqual([ended?.subject, ended?.detail['cleaned']], [job.jobId, 1])
    assert.notEqual(await first.maintenance.ask(asked, ''), null)
    await isSound(harness)
  })
})

test('a job that meets an error fails, and tells the log of the server alone why', async () => {
  await withAdmin({}, async (harness, admin) => {
    const warned: string[] = []
    const { store, clock } = harness
    const maintenance = new Maintenance({
      store: store.maintenance,
      clock,
      random,
      holder: 'ins_1',
      isShared: false,
      log: { warn: (_fields, message) => void warned.push(message) },
      open: () => ({ run: () => Promise.reject(new Error('secret')), close: () => Promise.resolve() }),
    })
    const job = (await maintenance.ask(asked, '')) ?? assert.fail('not started')
    await maintenance.settled()
    const { status, error } = (await read(harness, admin, `${url}/${job.jobId}`)).body
    assert.equal(status, 'failed')
    assert.ok(!error.includes('secret'))
    assert.deepEqual(warned, [`maintenance: ${job.jobId} (clean) failed`])
  })
})

test('looks take turns, since each is a thread, and a stop ends the one at work and those that wait', async () => {
  await withHarness({}, async ({ store, clock }) => {
    const atWork = new Set<(worked: Worked) => void>()
    let mostAtWork = 0
    const open = () => {
      const { promise, resolve, reject } = Promise.withResolvers<Worked>()
      const run = (): Promise<Worked> => {
        atWork.add(resolve)
        mostAtWork = Math.max(mostAtWork, atWork.size)
        return promise.finally(() => atWork.delete(resolve))
      }
      return { run, close: () => Promise.resolve(reject(new Error('closed'))) }
    }
    const log = { warn: () => undefined }
    const deps = { store: store.maintenance, clock, random, holder: 'ins_1', isShared: true, log, open }
    const maintenance = new Maintenance(deps)
    const stop = maintenance.start(() => () => undefined)
    const looks = [1, 2, 3].map(() => maintenance.look({ kind: 'report_retention', beforeMs: null }))
    const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
    await soon()
    for (const finish of atWork) finish({ kind: 'done', result: {} })
    assert.equal((await looks[0])?.kind, 'done')
    await soon()
    assert.deepEqual([atWork.size, mostAtWork], [1, 1])
    await stop()
    for (const look of looks.slice(1)) {
      const worked = await look
      assert.match(worked.kind === 'refused' ? worked.message : 'done', /^The server is stopping/)
    }
    assert.equal(mostAtWork, 1)
  })
})
