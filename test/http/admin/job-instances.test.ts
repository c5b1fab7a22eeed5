/** Instances that run jobs of maintenance: one at a time, what a stop or a fault leaves behind, and looks by turns. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { Maintenance, type MaintenanceDeps } from '../../../src/app/operate/maintenance/jobs.ts'
import type { Worked } from '../../../src/app/operate/maintenance/work.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { actsOf, finish, isSound, jobsPath, withAdmin } from '../../helpers/maintenance.ts'
import { read, write } from '../../helpers/people.ts'

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
      const refused = await write(harness, admin, jobsPath, { kind: 'clean' })
      // A SQLite file has one server: whatever another one left behind is over.
      assert.deepEqual(
        [refused.status, refused.body.code],
        engine === 'sqlite' ? [200, undefined] : [409, 'ADMIN_CONFLICT'],
      )
      if (engine === 'sqlite') return harness.maintained()
      assert.equal((await read(harness, admin, `${jobsPath}/${job.jobId}`)).body.status, 'running')
      harness.clock.advance(60_001)
      const { status, error } = (await read(harness, admin, `${jobsPath}/${job.jobId}`)).body
      assert.equal(status, 'interrupted')
      assert.match(error, /can be started again/)
      assert.equal((await finish(harness, admin, { kind: 'clean' })).status, 'done')
      await first.beat()
      await first.maintenance.settled()
      assert.equal(first.isClosed(), true, 'work that was taken for lost stops')
      const marked = (await read(harness, admin, `${jobsPath}/${job.jobId}`)).body
      assert.deepEqual([marked.status, marked.error], ['interrupted', error])
      const ends = (await actsOf(harness, admin, 'maintenance.ended')).filter(
        ({ subject }) => subject === job.jobId,
      )
      assert.deepEqual(
        ends.map(({ by, detail }) => [by.id, detail]),
        [[asked.by, { job: 'clean', status: 'interrupted' }]],
      )
      await isSound(harness)
      const { jobs } = (await read(harness, admin, jobsPath)).body
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
    const { status, ended_at: endedAt } = (await read(harness, admin, `${jobsPath}/${job.jobId}`)).body
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
    const { status, result } = (await read(harness, admin, `${jobsPath}/${job.jobId}`)).body
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
    const { status, error } = (await read(harness, admin, `${jobsPath}/${job.jobId}`)).body
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
    for (const end of atWork) end({ kind: 'done', result: {} })
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
