/** The lease: one instance at a time holds it, each by its own clock, and it passes on when its holder ends. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { JournalLease } from '../../../src/app/followers/lease.ts'
import type { LeaseStore } from '../../../src/app/ports/journal.ts'
import { StoreUnavailable } from '../../../src/app/ports/store.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withHarness } from '../../helpers/harness.ts'

interface Instance {
  readonly clock: ManualClock
  readonly lease: JournalLease
  /** Cuts it off from the database, or connects it again. */
  isCutOff: boolean
}

interface InstanceOptions {
  readonly place: number
  /** The schema that its program knows; today's if absent. */
  readonly schema?: number
}

/** An instance with a clock of its own. */
function instanceOn(shared: LeaseStore, { place, schema = shared.schema }: InstanceOptions): Instance {
  const clock = new ManualClock()
  clock.advance(place * 1_234_567)
  const reach = <Result>(ask: () => Promise<Result>): Promise<Result> =>
    instance.isCutOff ? Promise.reject(new StoreUnavailable('cut off')) : ask()
  const own: LeaseStore = {
    schema,
    read: () => reach(() => shared.read()),
    replace: (seen, next) => reach(() => shared.replace(seen, next)),
  }
  const lease = new JournalLease({ store: own, clock, random: systemRandom })
  const instance: Instance = { clock, lease, isCutOff: false }
  return instance
}

/** Instances on one database. */
async function withInstances(
  count: number,
  work: (instances: readonly Instance[], store: LeaseStore) => Promise<void>,
): Promise<void> {
  await withHarness({ engine: 'postgres' }, async ({ store }) => {
    const shared = store.journal.lease ?? assert.fail('a shared database has a lease')
    const instances = Array.from({ length: count }, (_, place) => instanceOn(shared, { place }))
    await work(instances, shared)
  })
}

const pair = async (
  work: (first: Instance, second: Instance, store: LeaseStore) => Promise<void>,
): Promise<void> =>
  withInstances(2, ([first, second], store) => work(first ?? assert.fail(), second ?? assert.fail(), store))

test('of instances that start at once, one holds the lease', async () => {
  await withInstances(4, async (instances) => {
    await Promise.all(instances.map(({ lease }) => lease.beat()))
    assert.equal(instances.filter(({ lease }) => lease.isHeld).length, 1)
    await Promise.all(instances.map(({ lease }) => lease.beat()))
    assert.equal(instances.filter(({ lease }) => lease.isHeld).length, 1)
  })
})

test('a holder that lives keeps the lease, however long another watches', async () => {
  await pair(async (first, second) => {
    await first.lease.beat()
    for (let beat = 0; beat < 20; beat += 1) {
      for (const { clock } of [first, second]) clock.advance(beat % 3 === 0 ? 1_400 : 500)
      await first.lease.beat()
      await second.lease.beat()
      assert.deepEqual([first.lease.isHeld, second.lease.isHeld], [true, false])
    }
  })
})

test('another takes over after two seconds of silence by its own clock, and not before', async () => {
  await pair(async (first, second) => {
    await first.lease.beat()
    await second.lease.beat()
    second.clock.advance(1_999)
    await second.lease.beat()
    assert.equal(second.lease.isHeld, false)
    second.clock.advance(1)
    await second.lease.beat()
    assert.equal(second.lease.isHeld, true)
  })
})

test('a paused holder stops believing before another can take over, and finds the lease taken when it wakes up', async () => {
  await pair(async (first, second) => {
    await first.lease.beat()
    await second.lease.beat()
    for (const { clock } of [first, second]) clock.advance(1_499)
    assert.equal(first.lease.isHeld, true)
    for (const { clock } of [first, second]) clock.advance(1)
    assert.equal(first.lease.isHeld, false)
    await second.lease.beat()
    assert.equal(second.lease.isHeld, false)
    for (const { clock } of [first, second]) clock.advance(500)
    await second.lease.beat()
    assert.equal(second.lease.isHeld, true)
    await first.lease.beat()
    assert.deepEqual([first.lease.isHeld, second.lease.isHeld], [false, true])
    await second.lease.beat()
    assert.equal(second.lease.isHeld, true, 'the one that woke up has taken nothing')
  })
})

test('a holder that cannot renew stops believing, and holds the lease again if nobody took it', async () => {
  await pair(async (first) => {
    await first.lease.beat()
    first.isCutOff = true
    first.clock.advance(500)
    await assert.rejects(first.lease.beat(), StoreUnavailable)
    assert.equal(first.lease.isHeld, true, 'its last renewal still holds')
    first.clock.advance(1_000)
    await assert.rejects(first.lease.beat(), StoreUnavailable)
    assert.equal(first.lease.isHeld, false)
    first.isCutOff = false
    await first.lease.beat()
    assert.equal(first.lease.isHeld, true)
  })
})

test('a newer version takes the lease from an older one at once, and an older one never from a newer that lives', async () => {
  await pair(async (first, _second, store) => {
    const newer = instanceOn(store, { place: 3, schema: store.schema + 1 })
    await first.lease.beat()
    await newer.lease.beat()
    assert.equal(newer.lease.isHeld, true)
    for (let beat = 0; beat < 6; beat += 1) {
      for (const { clock } of [first, newer]) clock.advance(500)
      await first.lease.beat()
      await newer.lease.beat()
      assert.deepEqual([first.lease.isHeld, newer.lease.isHeld], [false, true])
    }
    await newer.lease.release()
    await first.lease.beat()
    assert.equal(first.lease.isHeld, true, 'an older one goes on when no newer one is left')
  })
})

test('a holder whose name has no schema is of an earlier version', async () => {
  await pair(async (first, _second, store) => {
    const seen = await store.read()
    assert.ok(await store.replace(seen, { holder: 'ins_0123456789abcdef', beat: seen.beat + 1 }))
    await first.lease.beat()
    assert.equal(first.lease.isHeld, true)
  })
})

test('a released lease passes at once, and only its holder can release it', async () => {
  await pair(async (first, second, store) => {
    await first.lease.beat()
    await second.lease.beat()
    await second.lease.release()
    await second.lease.beat()
    assert.deepEqual([first.lease.isHeld, second.lease.isHeld], [true, false])
    await first.lease.release()
    assert.equal((await store.read()).holder, '')
    assert.equal(first.lease.isHeld, false)
    await second.lease.beat()
    assert.equal(second.lease.isHeld, true)
    await first.lease.beat()
    assert.equal(first.lease.isHeld, false)
  })
})

test('a holder that lost the lease unnoticed does not release that of another', async () => {
  await pair(async (first, second, store) => {
    await first.lease.beat()
    await second.lease.beat()
    second.clock.advance(2_000)
    await second.lease.beat()
    const taken = await store.read()
    assert.equal(first.lease.isHeld, true, 'by its own clock no time has passed')
    await first.lease.release()
    assert.deepEqual(await store.read(), taken)
  })
})

test('on a database that no other instance can use, the lease is always held', async () => {
  await withHarness({ engine: 'sqlite' }, async ({ store, clock }) => {
    assert.equal(store.journal.lease, null)
    const lease = new JournalLease({ store: store.journal.lease, clock, random: systemRandom })
    assert.equal(lease.isHeld, true)
    await lease.beat()
    clock.advance(60_000)
    await lease.release()
    assert.equal(lease.isHeld, true)
  })
})
