/** Running backtests: in parts of bounded size, with progress, cancellable, and continued by another instance. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRunPart, type PartJob, type PartResult } from '../../../src/app/policy/backtest.ts'
import { createPolicyLibrary } from '../../../src/app/policy/library.ts'
import type { OwnPolicies } from '../../../src/app/policy/policies.ts'
import type { Backtest } from '../../../src/app/ports/policies.ts'
import { reportOf } from '../../../src/core/policy/report.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import {
  backtestUrl,
  decideOn,
  policiesOf,
  remove,
  stopAll,
  teamOn,
  type Team,
} from '../../helpers/policies.ts'
import { backtesterOn } from '../../helpers/policy-traffic.ts'
import { ManualTimers } from '../../helpers/timers.ts'

const recordsPerPart = 4_000
const records = 2 * recordsPerPart + 500
const range = { fromMs: 0, toMs: Date.UTC(2100, 0), mode: null }

interface Stage {
  readonly harness: Harness
  readonly team: Team
  readonly own: OwnPolicies
  readonly policyId: string
}

/** An owner with so many records: copies of one, past our own code. */
async function withRecords(count: number, work: (stage: Stage) => Promise<void>): Promise<void> {
  await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '1000000/60' } }, async (harness) => {
    const team = await teamOn(harness)
    await decideOn(harness, team.author.key)
    await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
      const info = await run(`SELECT name FROM pragma_table_info('verifications')`)
      const names = info.map((row) => String(row['name']))
      const values = names.map((name) =>
        name === 'request_id' ? `substr(request_id, 1, 19) || printf('%016d', n)` : name,
      )
      await run(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count - 1})
        INSERT INTO verifications (${names.join(', ')}) SELECT ${values.join(', ')} FROM n, verifications`)
    })
    const policyId = await team.create(stopAll)
    await work({ harness, team, own: policiesOf(harness, team.ownerId), policyId })
  })
}

async function startOn({ own, policyId }: Stage): Promise<string> {
  const started = await own.startBacktest(policyId, range)
  return typeof started === 'object' && started !== null ? started.backtestId : assert.fail(String(started))
}

const stateOf = async ({ own, policyId }: Stage, backtestId: string): Promise<Backtest> =>
  (await own.findBacktest(policyId, backtestId)) ?? assert.fail('no such backtest')

/** A room whose parts wait for the test. */
class Gated {
  readonly parts: PartJob[] = []
  readonly #run: (job: PartJob) => Promise<PartResult>
  #reached = Promise.withResolvers<void>()
  #opened = Promise.withResolvers<void>()

  constructor({ store }: Harness) {
    this.#run = createRunPart({ store: store.policies, library: createPolicyLibrary(store.policies) })
  }

  readonly open = () => ({
    run: async (job: PartJob): Promise<PartResult> => {
      this.parts.push(structuredClone(job))
      const opened = this.#opened.promise
      this.#reached.resolve()
      await opened
      return this.#run(job)
    },
    close: () => Promise.resolve(),
  })

  /** Resolves when the next part waits. */
  async reached(): Promise<void> {
    await this.#reached.promise
    this.#reached = Promise.withResolvers<void>()
  }

  /** Lets the part that waits run. */
  pass(): void {
    this.#opened.resolve()
    this.#opened = Promise.withResolvers<void>()
  }
}

test('a backtest is done in parts of bounded size, and shows its progress between them', async () => {
  await withRecords(records, async (stage) => {
    const { harness, team, policyId } = stage
    const gated = new Gated(harness)
    const backtester = backtesterOn(harness, { open: gated.open })
    const backtestId = await startOn(stage)
    const shown = async (): Promise<unknown[]> => {
      const { body } = await harness.get(team.author.key, backtestUrl(policyId, backtestId))
      return [body.status, body.progress, body.report === null, body.ended_at]
    }
    assert.deepEqual(await shown(), ['queued', { records: 0, total: null }, true, null])
    backtester.nudge()
    await gated.reached()
    assert.deepEqual(await shown(), ['running', { records: 0, total: null }, true, null])
    for (const done of [recordsPerPart, 2 * recordsPerPart]) {
      gated.pass()
      await gated.reached()
      assert.deepEqual(await shown(), ['running', { records: done, total: records }, true, null])
    }
    gated.pass()
    await backtester.settled()
    const [status, progress, isWithout, endedAt] = await shown()
    assert.deepEqual([status, progress, isWithout], ['done', { records, total: records }, false])
    assert.equal(endedAt, '2026-03-01T12:00:00.000Z')
    assert.equal(gated.parts.length, 3)
    const { sums } = await stateOf(stage, backtestId)
    assert.deepEqual(reportOf(sums ?? assert.fail()).flips, { 'GO>NO-GO': records })
  })
})

test('no more than 250 records are in memory at a time, and the sums do not grow with the records', async () => {
  await withRecords(records, async (stage) => {
    const { harness } = stage
    const { policies } = harness.store
    const sizes: number[] = []
    const reads = {
      async records(...values: Parameters<typeof policies.records>) {
        const part = await policies.records(...values)
        sizes.push(part.records.length)
        return part
      },
    }
    const backtestId = await startOn(stage)
    const backtester = backtesterOn(harness, { store: reads })
    backtester.nudge()
    await backtester.settled()
    assert.equal(Math.max(...sizes), 250)
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      records,
    )
    const { sums } = await stateOf(stage, backtestId)
    assert.equal(sums?.samples['GO>NO-GO']?.length, 100)
  })
})

test('a queued backtest that is cancelled never runs, and one that has ended cannot be cancelled', async () => {
  await withRecords(1, async (stage) => {
    const { harness, team, policyId } = stage
    const { key } = team.author
    const backtestId = await startOn(stage)
    const { status, body } = await remove(harness, key, backtestUrl(policyId, backtestId))
    assert.deepEqual(
      [status, body.status, body.report, body.ended_at !== null],
      [200, 'cancelled', null, true],
    )
    const backtester = backtesterOn(harness, { open: () => assert.fail('it runs') })
    backtester.nudge()
    await backtester.settled()
    assert.equal((await stateOf(stage, backtestId)).status, 'cancelled')
    const again = await remove(harness, key, backtestUrl(policyId, backtestId))
    assert.deepEqual([again.status, again.body.message], [409, 'This backtest has ended: cancelled.'])
  })
})

test('a running backtest that is cancelled stops after its part, and stays cancelled', async () => {
  await withRecords(records, async (stage) => {
    const { harness, team, policyId } = stage
    const gated = new Gated(harness)
    const backtester = backtesterOn(harness, { open: gated.open })
    const backtestId = await startOn(stage)
    backtester.nudge()
    await gated.reached()
    gated.pass()
    await gated.reached()
    const { body } = await remove(harness, team.author.key, backtestUrl(policyId, backtestId))
    assert.deepEqual([body.status, body.progress.records], ['cancelled', recordsPerPart])
    gated.pass()
    await backtester.settled()
    const { status, progress } = await stateOf(stage, backtestId)
    assert.deepEqual([status, progress.done, gated.parts.length], ['cancelled', recordsPerPart, 2])
  })
})

test('a backtest whose instance has stopped beating is continued by another, from the last part', async () => {
  await withRecords(records, async (stage) => {
    const { harness } = stage
    const { clock } = harness
    const gated = new Gated(harness)
    const lost = backtesterOn(harness, { open: gated.open, holder: 'ins_lost' })
    const other = backtesterOn(harness, { holder: 'ins_other' })
    const look = async (): Promise<void> => {
      other.nudge()
      await other.settled()
    }
    const backtestId = await startOn(stage)
    lost.nudge()
    await gated.reached()
    gated.pass()
    await gated.reached()
    clock.advance(60_000)
    await look()
    assert.equal((await stateOf(stage, backtestId)).status, 'running', 'a beat is good for fifteen seconds')
    clock.advance(1)
    await look()
    const done = await stateOf(stage, backtestId)
    assert.deepEqual([done.status, done.progress.done], ['done', records])
    assert.deepEqual(done.sums?.flips, { 'GO>NO-GO': records }, 'no record twice, and none left out')
    // The one that was lost wakes up.
    gated.pass()
    await lost.settled()
    assert.deepEqual(await stateOf(stage, backtestId), done)
  })
})

test('an instance that stops leaves its backtest for another, with the part that it has done', async () => {
  await withRecords(records, async (stage) => {
    const { harness } = stage
    const timers = new ManualTimers(harness.clock)
    const gated = new Gated(harness)
    const first = backtesterOn(harness, { open: gated.open, holder: 'ins_first' })
    const stop = first.start(timers.repeat)
    const backtestId = await startOn(stage)
    await timers.advance(1_000)
    await gated.reached()
    const stopped = stop()
    gated.pass()
    await stopped
    const left = await stateOf(stage, backtestId)
    assert.deepEqual([left.status, left.progress.done, gated.parts.length], ['running', recordsPerPart, 1])
    first.nudge()
    await first.settled()
    const second = backtesterOn(harness, { holder: 'ins_second' })
    const stopSecond = second.start(timers.repeat)
    for (let seconds = 0; seconds < 61; seconds += 1) {
      await timers.advance(1_000)
      await second.settled()
    }
    await stopSecond()
    const { status, sums } = await stateOf(stage, backtestId)
    assert.deepEqual([status, sums?.records], ['done', records])
  })
})

for (const engine of engines) {
  test(`${engine}: instances that look at once share the backtests, and run each once`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_LIMIT_KEYED: '1000000/60' } }, async (harness) => {
      const started: string[] = []
      const stages: Stage[] = []
      for (let count = 0; count < 3; count += 1) {
        const team = await teamOn(harness)
        await decideOn(harness, team.author.key)
        const own = policiesOf(harness, team.ownerId)
        const stage = { harness, team, own, policyId: await team.create(stopAll) }
        for (let turn = 0; turn < 2; turn += 1) {
          started.push(await startOn(stage))
          stages.push(stage)
        }
      }
      const ran: string[] = []
      const { policies } = harness.store
      const claims = {
        async claimBacktest(...values: Parameters<typeof policies.claimBacktest>) {
          const claimed = await policies.claimBacktest(...values)
          if (claimed !== null) ran.push(claimed.backtestId)
          return claimed
        },
      }
      const instances = Array.from({ length: 4 }, () => backtesterOn(harness, { store: claims }))
      for (const instance of instances) instance.nudge()
      await Promise.all(instances.map((instance) => instance.settled()))
      assert.deepEqual(ran.toSorted(), started.toSorted())
      for (const [place, id] of started.entries()) {
        const { status, sums } = await stateOf(stages[place] ?? assert.fail(), id)
        assert.deepEqual([status, sums?.records], ['done', 1])
      }
    })
  })
}

test('a part that fails is reported in the log, and the thread of the backtest is closed', async () => {
  await withRecords(1, async (stage) => {
    const { harness } = stage
    const warnings: string[] = []
    let closed = 0
    const open = () => ({
      run: () => Promise.reject(new Error('a thread ended')),
      close: async () => void (closed += 1),
    })
    const warn = (_fields: object, message: string): void => void warnings.push(message)
    const backtester = backtesterOn(harness, { open, warn })
    const backtestId = await startOn(stage)
    backtester.nudge()
    await backtester.settled()
    const { status, error, endedAtMs } = await stateOf(stage, backtestId)
    assert.deepEqual([status, endedAtMs], ['failed', harness.clock.nowMs()])
    assert.equal(error, 'The backtest failed at a record. See the log of the server.')
    assert.deepEqual([warnings, closed], [[`backtests: ${backtestId} failed`], 1])
  })
})

test('while the store does not answer, backtests wait, and run at a later look', async () => {
  await withRecords(1, async (stage) => {
    const { harness } = stage
    const { policies } = harness.store
    const warnings: string[] = []
    let isAway = true
    const store = {
      claimBacktest: (...values: Parameters<typeof policies.claimBacktest>) =>
        isAway ? Promise.reject(new Error('away')) : policies.claimBacktest(...values),
    }
    const backtester = backtesterOn(harness, {
      store,
      warn: (_fields, message) => void warnings.push(message),
    })
    const backtestId = await startOn(stage)
    backtester.nudge()
    await backtester.settled()
    assert.deepEqual(warnings, ['backtests: cannot be run now, will be tried again'])
    isAway = false
    backtester.nudge()
    await backtester.settled()
    assert.equal((await stateOf(stage, backtestId)).status, 'done')
  })
})
