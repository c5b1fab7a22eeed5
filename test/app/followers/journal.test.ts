/** The journal brings projections up to date: for readers that wait, by itself under a lease, and once more at a stop. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemRandom } from '../../../src/adapters/system.ts'
import { followAll } from '../../../src/app/followers/catch-up.ts'
import { StoreRefusal } from '../../../src/app/ports/store.ts'
import { FollowerBehind, Journal } from '../../../src/app/followers/journal.ts'
import { createSeal } from '../../../src/app/log/sealer.ts'
import type { FollowerName, JournalStore } from '../../../src/app/ports/journal.ts'
import { StoreUnavailable } from '../../../src/app/ports/store.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { Gate } from '../../helpers/gate.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { createFollowCandidates } from '../../../src/app/policy/candidate.ts'
import { createPolicyLibrary } from '../../../src/app/policy/library.ts'
import { degraded, override, register, trial } from '../../helpers/webhooks.ts'
import { ManualTimers } from '../../helpers/timers.ts'
import { followReviewsOn } from '../../helpers/reviews.ts'
import { keyOf } from '../../helpers/installation-key.ts'

interface Instance {
  readonly journal: Journal
  readonly timers: ManualTimers
  readonly logged: string[]
  /** The followers whose runs failed, each time. */
  readonly failed: string[]
}

const followerNames = ['calibration', 'events', 'log', 'policies', 'reviews', 'totals', 'webhooks'] as const

const allAt = <Value>(value: Value) => Object.fromEntries(followerNames.map((name) => [name, value]))

/** A journal on this store, whose timers are the test's. */
function journalOn({ store, clock }: Harness, change: Partial<JournalStore> = {}): Instance {
  const timers = new ManualTimers(clock)
  const logged: string[] = []
  const failed: string[] = []
  const journal = new Journal({
    store: { ...store.journal, ...change },
    clock,
    random: systemRandom,
    after: timers.after,
    seal: createSeal({ store, clock, random: systemRandom, key: keyOf(store, clock) }),
    followCandidates: createFollowCandidates({
      clock,
      store: store.policies,
      library: createPolicyLibrary(store.policies),
    }),
    followReviews: followReviewsOn(store, clock),
    log: {
      warn: (_fields, message) => void logged.push(message),
      info: (message) => void logged.push(message),
    },
    tracing: null,
    onFailure: (name) => void failed.push(name),
  })
  return { journal, timers, logged, failed }
}

async function usage({ databaseUrl }: Harness): Promise<number> {
  const sql = 'SELECT COALESCE(SUM(verifications), 0) AS total FROM key_usage'
  return Number((await rowsOf(databaseUrl, sql))[0]?.['total'])
}

/** Of the followers that there are: `stream` needs a sink. */
async function positions({ store }: Harness): Promise<Record<FollowerName, number>> {
  const state = await store.journal.state()
  const own = state.positions.filter(({ name }) => name !== 'stream')
  return Object.fromEntries(own.map(({ name, position }) => [name, position])) as Record<FollowerName, number>
}

/** Lets time pass until it is so: forever, if it never is. */
async function until(instances: readonly Instance[], isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    for (const { timers } of instances) await timers.advance(50)
    await setImmediate()
  }
}

async function rename({ databaseUrl }: Harness, from: string, to: string): Promise<void> {
  await withDirectDatabase(databaseUrl, ({ run }) => run(`ALTER TABLE ${from} RENAME TO ${to}`))
}

/** Decisions that need no review, which would be a further entry. */
async function decide(harness: Harness, key: string, count: number): Promise<void> {
  for (let place = 0; place < count; place += 1) {
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    assert.equal(body.decision, 'GO')
  }
}

const url = 'http://127.0.0.1:1/'

for (const engine of engines) {
  test(`${engine}: a reader waits for everything that was appended before it asked`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store } = harness
      const { key } = await harness.issue()
      const gate = new Gate()
      let follows = 0
      const { journal, timers } = journalOn(harness, {
        async follow(name) {
          follows += 1
          if (follows === 1) await gate.pass()
          return store.journal.follow(name)
        },
      })
      await decide(harness, key, 1)
      const first = journal.passed('totals')
      await gate.reached
      await decide(harness, key, 1)
      const second = journal.passed('totals')
      gate.open()
      await Promise.all([first, second])
      assert.equal(await usage(harness), 2)
      for (let total = 3; total <= 10; total += 1) {
        await decide(harness, key, 1)
        await Promise.all(followerNames.map((name) => journal.passed(name)))
        assert.deepEqual(await positions(harness), allAt(total))
      }
      assert.equal(await usage(harness), 10)
      const followed = follows
      await Promise.all([journal.passed('totals'), journal.passed('webhooks')])
      assert.equal(follows, followed, 'where nothing is left to follow, nobody waits')
      assert.deepEqual(timers.delaysMs, [], 'no timer is left behind')
    })
  })

  test(`${engine}: a follower whose work always fails stops neither decisions nor other followers`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const { key } = await harness.issue()
      await register(harness, key, url)
      const instance = journalOn(harness)
      const { journal, timers, logged, failed } = instance
      await rename(harness, 'rollups', 'put_away')
      const stop = journal.start(timers.repeat)
      await decide(harness, key, 3)
      await until([instance], async () => {
        const { webhooks, log } = await positions(harness)
        return webhooks === 3 && log === 3 && failed.length >= 3
      })
      await decide(harness, key, 1)
      assert.equal(await harness.store.countVerifications(), 4)
      await until([instance], async () => (await positions(harness)).log === 4)
      const lags = await journal.lags()
      assert.deepEqual(
        lags.filter(({ isFailing }) => isFailing).map(({ follower, entries }) => [follower, entries]),
        [['totals', 4]],
      )
      assert.deepEqual(new Set(failed), new Set(['totals']))
      assert.deepEqual(logged, ['followers: totals failed, will retry'])
      await assert.rejects(journal.passed('totals'), StoreRefusal)
      await rename(harness, 'put_away', 'rollups')
      await until([instance], async () => !(await journal.lags()).some(({ isFailing }) => isFailing))
      assert.deepEqual(logged, ['followers: totals failed, will retry', 'followers: totals has recovered'])
      assert.deepEqual(await positions(harness), allAt(4))
      assert.equal(await usage(harness), 4)
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT 1 FROM webhook_deliveries')).length, 4)
      await stop()
    })
  })

  test(`${engine}: each follower has its lag in entries, and in seconds since the oldest`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const { key } = await harness.issue()
      const { journal } = journalOn(harness)
      const lags = async (): Promise<Record<string, [number, number]>> =>
        Object.fromEntries(
          (await journal.lags()).map(({ follower, entries, seconds }) => [follower, [entries, seconds]]),
        )
      assert.deepEqual(await lags(), allAt([0, 0]))
      const id = await degraded(harness, key)
      clock.advance(4_000)
      await override(harness, key, id)
      assert.deepEqual(await lags(), allAt([2, 4]), 'without a number')
      await store.journal.sequence()
      await store.journal.follow('webhooks')
      clock.advance(2_500)
      assert.deepEqual(await lags(), { ...allAt([2, 6.5]), webhooks: [0, 0] })
      await degraded(harness, key)
      clock.advance(1_000)
      assert.deepEqual(await lags(), { ...allAt([3, 7.5]), webhooks: [1, 1] })
      await followAll(store.journal)
      assert.deepEqual(await lags(), {
        ...allAt([0, 0]),
        log: [3, 7.5],
        policies: [3, 7.5],
        reviews: [3, 7.5],
      })
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run("UPDATE followers SET position = 1 WHERE name = 'totals'"),
      )
      assert.deepEqual((await lags())['totals'], [2, 3.5], 'since the override, which is next')
      await harness.seal()
      assert.deepEqual((await lags())['log'], [0, 0])
    })
  })

  test(`${engine}: a stop follows what is left`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const { journal, timers } = journalOn(harness)
      const stop = journal.start(timers.repeat)
      // Not a moment passes, so that nothing is followed by itself; but it must have taken the lease.
      while (harness.store.journal.lease !== null && (await harness.store.journal.lease.read()).holder === '')
        await setImmediate()
      await decide(harness, key, 5)
      await stop()
      assert.deepEqual(await positions(harness), allAt(5))
      assert.equal(await usage(harness), 5)
      assert.deepEqual(timers.delaysMs, [])
      assert.equal((await harness.store.journal.lease?.read())?.holder ?? '', '', 'and lets others follow')
      const { findings, waiting } = await checkedLog(harness.store)
      assert.deepEqual([findings, waiting], [[], 0])
    })
  })
}

test('a reader gets an error after two seconds if a projection is behind, and the work goes on', async () => {
  await withHarness({}, async (harness) => {
    const { store } = harness
    const { key } = await harness.issue()
    await decide(harness, key, 1)
    const gates = { sequence: new Gate(), follow: new Gate() }
    const { journal, timers } = journalOn(harness, {
      async sequence() {
        await gates.sequence.pass()
        return store.journal.sequence()
      },
      async follow(name) {
        await gates.follow.pass()
        return store.journal.follow(name)
      },
    })
    const behind = async (wait: () => Promise<void>, gate: Gate): Promise<void> => {
      const outcomes: unknown[] = []
      const waiting = wait().then(
        () => outcomes.push('passed'),
        (error: unknown) => outcomes.push(error),
      )
      await gate.reached
      assert.deepEqual(timers.delaysMs, [2_000])
      await timers.advance(1_999)
      await setImmediate()
      assert.equal(outcomes.length, 0)
      await timers.advance(1)
      await waiting
      assert.ok(outcomes[0] instanceof FollowerBehind, String(outcomes[0]))
    }
    await behind(() => journal.sequenced(), gates.sequence)
    gates.sequence.open()
    await journal.sequenced()
    await behind(() => journal.passed('totals'), gates.follow)
    assert.equal(await usage(harness), 0)
    gates.follow.open()
    await journal.passed('totals')
    assert.equal(await usage(harness), 1)
    assert.deepEqual(timers.delaysMs, [])
  })
})

test('a reader gets the error of a failing follower at once, and an unavailable store as such', async () => {
  await withHarness({}, async (harness) => {
    const { store } = harness
    const { key } = await harness.issue()
    await decide(harness, key, 1)
    let error: Error = new Error('no such table: rollups')
    const { journal, timers } = journalOn(harness, { follow: () => Promise.reject(error) })
    await assert.rejects(journal.passed('totals'), (found) => {
      assert.ok(found instanceof FollowerBehind)
      assert.equal(found.cause, error)
      return true
    })
    error = new StoreUnavailable('away')
    await assert.rejects(journal.passed('totals'), StoreUnavailable)
    assert.deepEqual(timers.delaysMs, [])
    assert.equal((await store.journal.state()).sequenced, 1, 'the sequencer does not fail with it')
  })
})

test('a stop does not wait for a long backlog, and loses nothing of it', async () => {
  await withHarness({}, async (harness) => {
    const { store, databaseUrl } = harness
    const { key } = await harness.issue()
    await decide(harness, key, 1)
    const rows = 3_000
    await withDirectDatabase(databaseUrl, ({ run }) =>
      run(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${rows})
        INSERT INTO journal_queue (entries)
        SELECT 'ovr_' || n || substr(entries, instr(entries, ' ')) FROM n, (SELECT entries FROM journal_queue)`),
    )
    const { journal, timers } = journalOn(harness)
    await journal.start(timers.repeat)()
    const { oldestQueuedId, sequenced } = await store.journal.state()
    assert.ok(oldestQueuedId !== null && sequenced > 0, `${sequenced} are numbered, and some are not`)
    const next = journalOn(harness)
    await next.journal.passed('totals')
    assert.deepEqual([(await positions(harness)).totals, await usage(harness)], [rows + 1, 1])
  })
})

/** Counts the batches that an instance follows by itself or for a reader. */
function countingOn(harness: Harness, gate: Gate | null = null): Instance & { follows: () => number } {
  let follows = 0
  const instance = journalOn(harness, {
    async follow(name) {
      follows += 1
      if (name === 'totals') await gate?.pass()
      return harness.store.journal.follow(name)
    },
  })
  return { ...instance, follows: () => follows }
}

test('one instance follows what any of them appended; the others wait for its end, and then one takes over', async () => {
  await withHarness({ engine: 'postgres', settings: trial }, async (harness) => {
    const sibling = await harness.sibling()
    try {
      const { key } = await harness.issue()
      await register(harness, key, url)
      const first = countingOn(harness)
      const second = countingOn(sibling)
      const isFollowed = (count: number) => async (): Promise<boolean> => {
        const { totals, webhooks, log } = await positions(harness)
        return totals === count && webhooks === count && log === count
      }
      const stopFirst = first.journal.start(first.timers.repeat)
      await decide(harness, key, 2)
      await until([first], isFollowed(2))
      const stopSecond = second.journal.start(second.timers.repeat)
      await decide(sibling, key, 3)
      await until([first, second], isFollowed(5))
      assert.equal(second.follows(), 0, 'one at a time')

      // The first is paused: time passes for it, too, but it does nothing.
      const lease = harness.store.journal.lease ?? assert.fail()
      const { holder } = await lease.read()
      const before = harness.clock.monotonicMs()
      await decide(sibling, key, 1)
      await until([second], async () => (await lease.read()).holder !== holder)
      const waitedMs = harness.clock.monotonicMs() - before
      assert.ok(waitedMs <= 2_600, `another has it after two seconds and a beat, not ${waitedMs} ms`)
      await until([second], isFollowed(6))
      // It wakes up, and finds that another has the lease.
      const { holder: next } = await lease.read()
      await decide(harness, key, 1)
      await until([first, second], isFollowed(7))
      assert.equal((await lease.read()).holder, next)

      // One that ends in order lets go of it at once: within a beat.
      await stopSecond()
      const stopped = harness.clock.monotonicMs()
      await until([first], async () => (await lease.read()).holder === holder)
      assert.ok(harness.clock.monotonicMs() - stopped <= 600)
      await decide(harness, key, 1)
      await until([first], isFollowed(8))
      await stopFirst()
      assert.equal(await usage(harness), 8)
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT 1 FROM webhook_deliveries')).length, 8)
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    } finally {
      await sibling.close()
    }
  })
})

test('a holder that is paused in the middle of its work finds it done when it wakes up, and does nothing twice', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    const sibling = await harness.sibling()
    try {
      const { key } = await harness.issue()
      const gate = new Gate()
      const first = countingOn(harness, gate)
      const second = countingOn(sibling)
      const stopFirst = first.journal.start(first.timers.repeat)
      await decide(harness, key, 4)
      await until([first], async () => gate.isReached)
      const stopSecond = second.journal.start(second.timers.repeat)
      await until([second], async () => (await positions(sibling)).totals === 4)
      gate.open()
      await decide(harness, key, 1)
      await until([first, second], async () => (await positions(harness)).totals === 5)
      await stopFirst()
      await stopSecond()
      assert.equal(await usage(harness), 5)
    } finally {
      await sibling.close()
    }
  })
})
