/** `fairway stream reconcile`: what a sink has lost comes back to every owner, and only that. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../../src/adapters/system.ts'
import { createFollowStream } from '../../../../src/app/events/stream/follow.ts'
import { createPublish } from '../../../../src/app/events/stream/publish.ts'
import { reconcile, type ReconcileDeps } from '../../../../src/app/events/stream/reconcile.ts'
import { followAll } from '../../../../src/app/followers/catch-up.ts'
import { actsBy } from '../../../../src/app/operate/acts.ts'
import type { EventSink, SinkMessage } from '../../../../src/app/ports/events.ts'
import { withHarness, type Harness } from '../../../helpers/harness.ts'
import { keyOf } from '../../../helpers/installation-key.ts'

/** Stores a message once for each id, which it remembers although the message is lost, as JetStream does. */
class ForgetfulSink implements EventSink {
  messages: SinkMessage[] = []
  /** After so many it is away. */
  publishesMax = Infinity
  readonly #known = new Set<string>()

  async publish(messages: readonly SinkMessage[]): Promise<void> {
    if (this.publishesMax === 0) throw new Error('the sink is away')
    this.publishesMax -= 1
    for (const message of messages) {
      if (!this.#known.has(message.messageId)) this.messages.push(message)
      this.#known.add(message.messageId)
    }
  }

  async ids(ownerId: string): Promise<ReadonlySet<string>> {
    const own = this.messages.filter((message) => message.ownerId === ownerId)
    return new Set(own.map(({ messageId }) => messageId.split('.', 1)[0] ?? ''))
  }

  async close(): Promise<void> {}
}

/** A harness whose owner has so many events in the sink. */
async function withPublished(
  count: number,
  work: (scene: {
    harness: Harness
    decide: () => Promise<void>
    publish: () => Promise<void>
    sink: ForgetfulSink
    deps: ReconcileDeps
    ownerId: string
  }) => Promise<void>,
): Promise<void> {
  await withHarness({}, async (harness) => {
    const { store, clock } = harness
    const { key, record } = await harness.issue()
    const decide = async (): Promise<void> => {
      assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1_000 })).status, 200)
    }
    const sink = new ForgetfulSink()
    const installationKey = keyOf(store, clock)
    const publish = async (): Promise<void> => {
      await followAll(store.journal)
      const publisher = { publish: createPublish({ events: store.events, sink }) }
      await createFollowStream({ events: store.events, publisher, key: installationKey })()
    }
    for (let number = 0; number < count; number += 1) await decide()
    await publish()
    const { origin } = (await installationKey()).signing
    const { journal, events } = store
    const deps = { journal, events, sink, origin, runId: 'run_1', pause: () => Promise.resolve() }
    await work({ harness, decide, publish, sink, deps, ownerId: record.ownerId })
  })
}

test('a failure on the way leaves the counts of what was missing, and of what came back before it', () =>
  withPublished(600, async ({ sink, deps, ownerId }) => {
    sink.messages = []
    sink.publishesMax = 1
    const { owners, failure } = await reconcile(deps, null)
    assert.match(failure?.message ?? '', /the sink is away/)
    const counts = { inDatabase: 600, inStream: 0, republished: 256, inStreamAfter: 256 }
    assert.deepEqual(owners, [{ ownerId, ...counts }])
  }))

test('events that no server has published are counted apart, and are not published by the comparison', () =>
  withPublished(3, async ({ decide, publish, sink, deps, ownerId }) => {
    await decide()
    await decide()
    const expected = { ownerId, inDatabase: 3, inStream: 3, republished: 0, inStreamAfter: 3 }
    for (const owner of [null, ownerId])
      assert.deepEqual(await reconcile(deps, owner), { owners: [expected], unpublished: 2, failure: null })
    assert.equal(sink.messages.length, 3)
    const pausing = { ...deps, pause: publish }
    assert.equal((await reconcile(pausing, null)).unpublished, 0, 'a server published them meanwhile')
  }))

test('a change of a corridor that the sink has lost comes back to each of its owners', () =>
  withHarness({}, async (harness) => {
    const { store, clock } = harness
    const owners = [await harness.issue({ prefix: 'pk_live_' }), await harness.issue({ prefix: 'pk_live_' })]
    const describe = actsBy('server', { clock, random: systemRandom })
    const detail = { partner: null, status: 'suspended', previous_status: 'active' }
    await store.acts.record(describe({ kind: 'corridor.status_changed', subject: 'GB-NG', detail }))
    await followAll(store.journal)
    const sink = new ForgetfulSink()
    const publisher = { publish: createPublish({ events: store.events, sink }) }
    const key = keyOf(store, clock)
    await createFollowStream({ events: store.events, publisher, key })()
    const published = sink.messages
    assert.equal(published.length, owners.length)
    sink.messages = []
    const { origin } = (await key()).signing
    const { journal, events } = store
    const deps = { journal, events, sink, origin, runId: 'run_1', pause: () => Promise.resolve() }
    const reconciled = await reconcile(deps, null)
    assert.equal(reconciled.owners.length, owners.length)
    for (const { inDatabase, inStream, republished, inStreamAfter } of reconciled.owners)
      assert.deepEqual([inDatabase, inStream, republished, inStreamAfter], [1, 0, 1, 1])
    const bodies = (messages: readonly SinkMessage[]) =>
      new Map(messages.map(({ ownerId, type, body }) => [`${ownerId} ${type}`, body]))
    assert.deepEqual(bodies(sink.messages), bodies(published))
  }))
