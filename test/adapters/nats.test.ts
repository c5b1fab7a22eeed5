/** The NATS sink on a real server: every event once and in order, failures in bounded time, and no credentials in them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { openNats } from '../../src/adapters/nats.ts'
import type { EventSink, SinkMessage } from '../../src/app/ports/events.ts'
import { parseNatsServers } from '../../src/core/events/nats-servers.ts'
import { withFolder } from '../helpers/folder.ts'
import { connectTo, startNats, storedIn, withNats, type NatsServer } from '../helpers/peers/nats.ts'
import { natsNeeded } from '../helpers/process/runtimes.ts'
import { freePort } from '../helpers/process/free-port.ts'

const { skip } = natsNeeded

async function sinkOn(url: string, waitMs = 10_000): Promise<EventSink> {
  const servers = parseNatsServers(url)
  assert.ok(servers !== null && servers !== 'none')
  return openNats({ servers, replicas: 1, waitMs })
}

const urlOf = ({ port }: NatsServer): string => `nats://127.0.0.1:${port}`

/** Messages of two owners in turn. */
function messages(from: number, count: number): SinkMessage[] {
  return Array.from({ length: count }, (_, place) => {
    const number = from + place
    const type = 'payment.decision.created'
    return { ownerId: `own_${number % 2}`, type, messageId: `evt_${number}`, body: `{"number":${number}}` }
  })
}

const idsOf = (list: readonly { readonly messageId: string }[]): string[] =>
  list.map(({ messageId }) => messageId)

test('messages are stored once, in order, under the subject of their owner and type', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder)
    await withNats([server], async (connection) => {
      const sink = await sinkOn(urlOf(server))
      await sink.publish(messages(0, 1_000))
      // A repeat after a crash, which goes further.
      await sink.publish(messages(900, 200))
      const stored = await storedIn(connection)
      assert.deepEqual(idsOf(stored), idsOf(messages(0, 1_100)))
      assert.equal(stored[1]?.subject, 'fairway.events.own_1.payment.decision.created')
      assert.equal(stored[1]?.body, '{"number":1}')
      const manager = await jetstreamManager(connection)
      const { config } = await manager.streams.info('fairway-events')
      assert.equal(config.storage, 'file')
      assert.equal(config.duplicate_window, 600 * 1_000_000_000)
      assert.equal(config.num_replicas, 1)
      const own = await sink.ids('own_1')
      assert.deepEqual(
        [...own],
        idsOf(messages(0, 1_100)).filter((_, place) => place % 2 === 1),
      )
      assert.equal((await sink.ids('own_unknown')).size, 0)
      await sink.close()
    })
  }),
)

test('messages of others between two of ours do not stop the sink', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder)
    await withNats([server], async (connection) => {
      const sink = await sinkOn(urlOf(server))
      await sink.publish(messages(0, 1))
      const others = jetstream(connection)
      const ours = sink.publish(messages(1, 600))
      for (let count = 0; count < 20; count += 1)
        await others.publish('fairway.events.other', '', { msgID: `other_${count}` })
      await ours
      const stored = idsOf(await storedIn(connection)).filter((id) => id.startsWith('evt_'))
      assert.deepEqual(stored, idsOf(messages(0, 601)))
      await sink.close()
    })
  }),
)

test('a stream that takes the subjects is used as it is', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder)
    await withNats([server], async (connection) => {
      const manager = await jetstreamManager(connection)
      await manager.streams.add({ name: 'ours', subjects: ['fairway.>'] })
      const sink = await sinkOn(urlOf(server))
      await sink.publish(messages(0, 10))
      assert.equal((await storedIn(connection, 'ours')).length, 10)
      assert.equal((await sink.ids('own_0')).size, 5)
      const names = await manager.streams.names().next()
      assert.deepEqual(names, ['ours'])
      await sink.close()
    })
  }),
)

test('a stream that takes only some of the events is named in the failure', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder)
    await withNats([server], async (connection) => {
      const manager = await jetstreamManager(connection)
      for (const subjects of [['fairway.events.own_0.>'], ['fairway.events.*.payment.>']]) {
        await manager.streams.add({ name: 'some', subjects })
        const sink = await sinkOn(urlOf(server))
        await assert.rejects(sink.publish(messages(0, 2)), {
          message: 'nats: the stream some takes only some of fairway.events.>: let it take all or none',
        })
        await sink.close()
        await manager.streams.delete('some')
      }
      for (const subjects of [['>'], ['other', '*.events.>'], ['fairway.events.*.>']]) {
        await manager.streams.add({ name: 'all', subjects, no_ack: subjects[0] === '>' })
        const sink = await sinkOn(urlOf(server))
        assert.equal((await sink.ids('own_0')).size, 0, 'it is used')
        await sink.close()
        await manager.streams.delete('all')
      }
    })
  }),
)

test('a server that comes back is used again', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder)
    const sink = await sinkOn(urlOf(server))
    await sink.publish(messages(0, 10))
    await server.stop()
    await assert.rejects(sink.publish(messages(10, 10)), /^Error: nats: /)
    await server.start()
    await withNats([server], async (connection) => {
      await sink.publish(messages(0, 30))
      const stored = new Set(idsOf(await storedIn(connection)))
      assert.deepEqual([...stored], idsOf(messages(0, 30)))
      await sink.close()
    })
  }),
)

test('a server that says nothing any more is a failure in bounded time', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder)
    await withNats([server], async (connection) => {
      const sink = await sinkOn(urlOf(server), 1_000)
      await sink.publish(messages(0, 10))
      server.signal('SIGSTOP')
      await assert.rejects(sink.publish(messages(10, 1_000)), /^Error: nats: timeout$/)
      // No connection either.
      await assert.rejects(sink.publish(messages(10, 1_000)), /^Error: nats: no server answers$/)
      server.signal('SIGCONT')
      await publishUntilStored(sink, messages(0, 1_010))
      assert.deepEqual(idsOf(await storedIn(connection)), idsOf(messages(0, 1_010)))
      await sink.close()
    })
  }),
)

/** As the follower does. Ends with the test, if it never succeeds. */
async function publishUntilStored(sink: EventSink, list: readonly SinkMessage[]): Promise<void> {
  for (;;) {
    const isStored = await sink.publish(list).then(
      () => true,
      () => false,
    )
    if (isStored) return
  }
}

test('an absent server is a failure that names no credentials', async () => {
  const sink = await sinkOn(`nats://fairway:hush-hush@127.0.0.1:${await freePort()}`)
  await assert.rejects(sink.publish(messages(0, 1)), (error: Error) => {
    assert.match(error.message, /^nats: /)
    assert.doesNotMatch(inspected(error), /hush/)
    return true
  })
  await sink.close()
})

test('credentials are used, and wrong ones are never shown', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder, { args: ['--user', 'fairway', '--pass', 'right@word'] })
    const wrong = await sinkOn(`nats://fairway:wrong-word@127.0.0.1:${server.port}`)
    await assert.rejects(wrong.publish(messages(0, 1)), (error: Error) => {
      assert.match(error.message, /authorization/i)
      assert.doesNotMatch(inspected(error), /wrong-word/)
      return true
    })
    const right = await sinkOn(`nats://fairway:right%40word@127.0.0.1:${server.port}`)
    await right.publish(messages(0, 1))
    await right.close()
    const connection = await connectTo([server], { user: 'fairway', pass: 'right@word' })
    assert.equal((await storedIn(connection)).length, 1)
    await connection.close()
    await server.stop()
  }),
)

test('a closed sink publishes nothing, and ends what runs', { skip }, () =>
  withFolder(async (folder) => {
    const server = await startNats(folder)
    const sink = await sinkOn(urlOf(server))
    await sink.publish(messages(0, 1))
    server.signal('SIGSTOP')
    const running = sink.publish(messages(1, 10))
    await Promise.all([assert.rejects(running), sink.close()])
    await assert.rejects(sink.publish(messages(1, 1)), /nats: closed/)
    await server.stop()
  }),
)

const inspected = (error: Error): string => `${error.message} ${error.stack} ${JSON.stringify(error.cause)}`
