/** The follower `stream`: publishes each event of each owner in order, and moves only past what the sink has confirmed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../../src/adapters/system.ts'
import { createFollowStream } from '../../../../src/app/events/stream/follow.ts'
import { createPublish } from '../../../../src/app/events/stream/publish.ts'
import { followAll } from '../../../../src/app/followers/catch-up.ts'
import { actsBy } from '../../../../src/app/operate/acts.ts'
import type { SinkMessage } from '../../../../src/app/ports/events.ts'
import { engines } from '../../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../../helpers/harness.ts'
import { keyOf } from '../../../helpers/installation-key.ts'

/** More than one read of rows returns. */
const ownersCount = 70

/** A follower whose sink keeps what it gets; it refuses batches while `isAway` says so. */
function followerOn({ store, clock }: Harness, isAway = (): boolean => false) {
  const batches: (readonly SinkMessage[])[] = []
  const sink = {
    async publish(messages: readonly SinkMessage[]): Promise<void> {
      if (isAway()) throw new Error('the sink is away')
      batches.push(messages)
    },
  }
  const publish = createPublish({ events: store.events, sink })
  const follow = createFollowStream({
    events: store.events,
    publisher: { publish },
    key: keyOf(store, clock),
  })
  return { follow, batches }
}

/** A change of status, which is an event of every owner, and decisions of the first. */
async function eventsOfMany(harness: Harness): Promise<string[]> {
  const { store, clock } = harness
  const owners: string[] = []
  for (let count = 0; count < ownersCount; count += 1)
    owners.push((await harness.issue({ prefix: 'pk_live_' })).record.ownerId)
  const describe = actsBy('server', { clock, random: systemRandom })
  const detail = { partner: null, status: 'suspended', previous_status: 'active' }
  await store.acts.record(describe({ kind: 'corridor.status_changed', subject: 'GB-NG', detail }))
  const { key, record } = await harness.issue({ ownerId: owners[0] ?? '' })
  for (let count = 0; count < 300; count += 1)
    assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 200)
  await followAll(store.journal)
  assert.equal(record.ownerId, owners[0])
  return owners
}

const limits = { FAIRWAY_LIMIT_VERIFY: '1000000/60' }

for (const engine of engines) {
  test(`${engine}: an event of many owners is published to each, under an id of its own`, () =>
    withHarness({ engine, settings: limits }, async (harness) => {
      const owners = await eventsOfMany(harness)
      const { follow, batches } = followerOn(harness)
      await follow()
      const messages = batches.flat()
      const changes = messages.filter(({ type }) => type === 'corridor.status.changed')
      assert.deepEqual(changes.map(({ ownerId }) => ownerId).toSorted(), owners.toSorted())
      for (const { ownerId, messageId, body } of changes)
        assert.equal(messageId, `${(JSON.parse(body) as { id: string }).id}.${ownerId}`)
      const own = await harness.store.forOwner(owners[0] ?? '').events(null, 1_000)
      const published = messages.filter(({ ownerId }) => ownerId === owners[0])
      assert.equal(published.length, 301)
      assert.deepEqual(
        published.map(({ body }) => (JSON.parse(body) as { subject: string }).subject).slice(1),
        own?.events.map(({ entryId }) => entryId).slice(1),
      )
      assert.equal(new Set(messages.map(({ messageId }) => messageId)).size, messages.length)
      const { position, listed } = await harness.store.events.progress()
      assert.equal(position, listed)
      await follow()
      assert.equal(batches.flat().length, messages.length, 'nothing is published twice')
    }))

  test(`${engine}: a failure leaves the position before what was not confirmed`, () =>
    withHarness({ engine, settings: limits }, async (harness) => {
      await eventsOfMany(harness)
      const whole = followerOn(harness)
      let isAway = false
      const { follow, batches } = followerOn(harness, () => isAway && batches.length > 0)
      isAway = true
      await assert.rejects(follow(), /the sink is away/)
      assert.equal(batches.length, 1)
      const { position, listed } = await harness.store.events.progress()
      assert.ok(position < listed)
      isAway = false
      await follow()
      const published = new Set(batches.flat().map(({ messageId }) => messageId))
      assert.equal(published.size, ownersCount + 300)
      await whole.follow()
      assert.deepEqual(whole.batches, [])
    }))

  test(`${engine}: a follower that another instance has overtaken moves nothing`, () =>
    withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      await harness.verify(key, { corridor: 'GB-NG' })
      await followAll(harness.store.journal)
      const { position, listed } = await harness.store.events.progress()
      assert.equal(await harness.store.events.published(position, listed), true)
      assert.equal(await harness.store.events.published(position, listed), false)
    }))
}
