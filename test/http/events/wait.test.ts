/** Long polling: a caller waits for an event, however many wait, and costs next to nothing meanwhile. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { revokeKey } from '../../../src/app/access/keys.ts'
import { EventWaits } from '../../../src/app/events/stream/waits.ts'
import type { EventStore } from '../../../src/app/ports/events.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { peopleOn, person, read } from '../../helpers/people.ts'
import { ManualTimers } from '../../helpers/timers.ts'

const url = '/api/v1/events?wait_s=30'

/** Lets time pass until the work is over. */
async function passing<Result>(timers: ManualTimers, work: Promise<Result>): Promise<Result> {
  const over = { isOver: false }
  void work.finally(() => (over.isOver = true))
  while (!over.isOver) {
    await timers.advance(100)
    await setImmediate()
  }
  return work
}

for (const engine of engines) {
  test(`${engine}: a caller that waits is answered once an event of its owner is recorded, by any instance`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const other = await harness.issue()
      const sibling = engine === 'postgres' ? await harness.sibling() : harness
      try {
        const waiting = harness.get(key, url)
        await sibling.verify(other.key, { corridor: 'GB-NG', amount: 4 })
        const { body } = await sibling.verify(key, { corridor: 'GB-NG', amount: 5 })
        await sibling.journal.passed('events')
        const answer = await waiting
        assert.deepEqual(
          answer.body.events.map(({ subject }: { subject: string }) => subject),
          [body.request_id],
        )
      } finally {
        if (sibling !== harness) await sibling.close()
      }
    })
  })
}

test('without an event the answer is empty when the time is over, and next is the cursor that was sent', async () => {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  await withHarness({ clock, after: timers.after }, async (harness) => {
    const { key } = await harness.issue()
    const { body: first } = await harness.get(key, '/api/v1/events')
    const waiting = harness.get(key, `${url}&after=${first.next}`)
    const startedMs = clock.monotonicMs()
    assert.deepEqual((await passing(timers, waiting)).body, { events: [], next: first.next })
    assert.ok(clock.monotonicMs() - startedMs >= 30_000)
  })
})

test('a key that is revoked and a session that is ended while their request waits get 401 and no event', async () => {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  await withHarness({ clock, after: timers.after }, async (harness) => {
    const { key, record } = await harness.issue()
    const kept = await harness.issue({ ownerId: record.ownerId })
    const viewer = await person(harness, 'viewer', record.ownerId)
    const waiting = [harness.get(key, url), read(harness, viewer, url), harness.get(kept.key, url)] as const
    await timers.advance(100)
    await revokeKey({ keys: harness.store.keys, clock }, record.keyId)
    await peopleOn(harness).endSessions(viewer.personId)
    await timers.advance(1_000)
    await harness.verify(kept.key, { corridor: 'GB-NG', amount: 5 })
    await harness.journal.passed('events')
    const [revoked, ended, served] = await passing(timers, Promise.all(waiting))
    for (const { status, body } of [revoked, ended])
      assert.deepEqual([status, body.code, body.events], [401, 'UNAUTHORIZED', undefined])
    assert.equal(served.body.events.length, 1)
    assert.match(String(served.headers['ratelimit']), /^"events";r=599;/, 'counted once')
  })
})

test('a caller that waits leaves the listing to the follower, so that its requests stay few under load, and never misses what was recorded before', async () => {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  await withHarness({ clock, after: timers.after }, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    const startedMs = clock.monotonicMs()
    // Followers of a harness do not run by themselves.
    const waited = await passing(timers, harness.get(key, '/api/v1/events?wait_s=1'))
    assert.ok(clock.monotonicMs() - startedMs >= 1_000)
    assert.deepEqual(
      waited.body.events.map(({ subject }: { subject: string }) => subject),
      [body.request_id],
    )
  })
})

test('a wait that ends while the follower fails is 503, and no empty page', async () => {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  await withHarness({ clock, after: timers.after }, async (harness) => {
    const { key } = await harness.issue()
    await withBrokenTable(harness.databaseUrl, 'INSERT ON owner_events', async () => {
      await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      const { status, body } = await passing(timers, harness.get(key, '/api/v1/events?wait_s=1'))
      assert.deepEqual([status, body.code], [503, 'STORE_UNAVAILABLE'])
    })
  })
})

test('those who wait are answered at once when the service stops', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const waiting = harness.get(key, url)
    await harness.app.close()
    assert.deepEqual((await waiting).body.events, [])
  })
})

test('however many wait, one query at a time asks for all of their owners, and none while nobody waits', async () => {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  await withHarness({}, async ({ store, issue, verify, journal }) => {
    const owners = [await issue(), await issue()]
    const asked: (readonly string[])[] = []
    const events: Pick<EventStore, 'newest'> = {
      ...store.events,
      newest(ownerIds) {
        asked.push(ownerIds)
        return store.events.newest(ownerIds)
      },
    }
    const waits = new EventWaits({ events, after: timers.after })
    await timers.advance(1_000)
    assert.deepEqual(asked, [])
    const ids = owners.map(({ record }) => record.ownerId)
    const all = Array.from({ length: 500 }, (_, place) => waits.start(ids[place % 2] ?? '', -1, 30_000))
    await timers.advance(250)
    assert.deepEqual(asked, [ids], 'once for 500 who wait')
    await verify(owners[0]?.key ?? '', { corridor: 'GB-NG', amount: 5 })
    await journal.passed('events')
    for (const { cancel } of all.filter((_, place) => place % 2 === 1)) cancel()
    await passing(timers, Promise.all(all.map(({ ended }) => ended)))
    const count = asked.length
    await timers.advance(60_000)
    assert.equal(asked.length, count, 'nobody waits any more')
  })
})

test('a store that does not answer delays nobody beyond the time, and is asked again', async () => {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  let asked = 0
  const events: Pick<EventStore, 'newest'> = {
    newest() {
      asked += 1
      return Promise.reject(new Error('away'))
    },
  }
  const waits = new EventWaits({ events, after: timers.after })
  const { ended } = waits.start('own_x', -1, 1_000)
  await passing(timers, ended)
  assert.ok(asked > 1)
})
