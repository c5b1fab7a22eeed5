/** `fairway stream reconcile`: what a sink has lost comes back to every owner, and only that. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../../src/adapters/system.ts'
import { createFollowStream } from '../../../../src/app/events/stream/follow.ts'
import { createPublish } from '../../../../src/app/events/stream/publish.ts'
import { reconcile } from '../../../../src/app/events/stream/reconcile.ts'
import { followAll } from '../../../../src/app/followers/catch-up.ts'
import { actsBy } from '../../../../src/app/operate/acts.ts'
import type { EventSink, SinkMessage } from '../../../../src/app/ports/events.ts'
import { withHarness } from '../../../helpers/harness.ts'
import { keyOf } from '../../../helpers/installation-key.ts'

/** Stores a message once for each id, which it remembers although the message is lost, as JetStream does. */
class ForgetfulSink implements EventSink {
  messages: SinkMessage[] = []
  readonly #known = new Set<string>()

  async publish(messages: readonly SinkMessage[]): Promise<void> {
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
    const deps = { events: store.events, sink, origin, runId: 'run_1' }
    for await (const { inDatabase, inStream, republished, inStreamAfter } of reconcile(deps, null))
      assert.deepEqual([inDatabase, inStream, republished, inStreamAfter], [1, 0, 1, 1])
    const bodies = (messages: readonly SinkMessage[]) =>
      new Map(messages.map(({ ownerId, type, body }) => [`${ownerId} ${type}`, body]))
    assert.deepEqual(bodies(sink.messages), bodies(published))
  }))
