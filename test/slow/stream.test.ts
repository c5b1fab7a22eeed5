/** Three NATS servers under load: the leader is killed, and so is Fairway; every event is in the stream, in order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { engines, freshDatabase } from '../helpers/database/databases.ts'
import { withFolder } from '../helpers/folder.ts'
import {
  leaderOf,
  startNatsCluster,
  storedIn,
  withNats,
  type NatsServer,
  type Stored,
} from '../helpers/peers/nats.ts'
import { ask, issueByCli, run, serve, type IssuedJson, type Served } from '../helpers/process/process.ts'
import { natsNeeded } from '../helpers/process/runtimes.ts'
import { eventsOf, published, until } from '../helpers/process/streaming.ts'

const { skip } = natsNeeded
const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }
const callersPerOwner = 3
/** Events in the stream from one step to the next. */
const eventsPerStep = 300

/** Callers that go on whatever happens to the server, until they are stopped. */
class Load {
  readonly accepted = new Map<string, number>()
  #isOver = false
  readonly #callers: Promise<void>[]
  readonly #server: () => Served

  constructor(keys: readonly string[], server: () => Served) {
    this.#server = server
    this.#callers = keys.flatMap((key) => Array.from({ length: callersPerOwner }, () => this.#call(key)))
  }

  async #call(key: string): Promise<void> {
    while (!this.#isOver) {
      const isAccepted = await ask(this.#server().url, key, payment).then(
        (answer) => answer.arrayBuffer().then(() => answer.status === 200),
        () => false,
      )
      if (isAccepted) this.accepted.set(key, (this.accepted.get(key) ?? 0) + 1)
      else await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }
}

async function countIn(connection: NatsConnection): Promise<number> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  return (await manager.streams.info('fairway-events')).state.messages
}

/** Resolves when the stream has grown by a step. */
async function grown(connection: NatsConnection): Promise<void> {
  let from: number | null = null
  await until(async () => {
    const count = await countIn(connection).catch(() => null)
    from ??= count
    return count !== null && from !== null && count >= from + eventsPerStep
  })
}

async function killLeader(servers: readonly NatsServer[], connection: NatsConnection): Promise<NatsServer> {
  let leader: NatsServer | undefined
  await until(async () => {
    const name = await leaderOf(connection).catch(() => '')
    leader = servers.find((server) => server.name === name)
    return leader !== undefined
  })
  assert.ok(leader !== undefined)
  await leader.stop('SIGKILL')
  return leader
}

const idIn = ({ body }: Stored): string => (JSON.parse(body) as { id: string }).id

/** Without repeats, which may come later. */
function idsOf(stored: readonly Stored[], ownerId: string): string[] {
  const own = stored.filter(({ subject }) => subject.startsWith(`fairway.events.${ownerId}.`))
  return [...new Set(own.map(idIn))]
}

interface Reconciled {
  readonly missing: number
  readonly owners: readonly { readonly in_database: number; readonly republished: number }[]
}

async function reconciled(settings: Readonly<Record<string, string>>): Promise<Reconciled> {
  const { code, stdout, stderr } = await run(['stream', 'reconcile', '--json'], settings)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Reconciled
}

/** Kills the leader and Fairway while events are published, and brings both back. */
async function disturb(
  settings: Readonly<Record<string, string>>,
  owners: readonly IssuedJson[],
  { servers, connection }: { servers: readonly NatsServer[]; connection: NatsConnection },
): Promise<{ server: Served; load: Load }> {
  let server = await serve(settings)
  const load = new Load(
    owners.map(({ key }) => key),
    () => server,
  )
  try {
    await grown(connection)
    const killed = await killLeader(servers, connection)
    await grown(connection)
    await server.stop('SIGKILL')
    server = await serve(settings)
    await killed.start()
    await grown(connection)
    const second = await killLeader(servers, connection)
    await server.stop('SIGKILL')
    server = await serve(settings)
    await grown(connection)
    await second.start()
    return { server, load }
  } catch (error) {
    server.child.kill('SIGKILL')
    throw error
  } finally {
    await load.stop()
  }
}

for (const engine of engines) {
  test(`${engine}: a killed leader and a killed server leave no event out of the stream`, { skip }, () =>
    withFolder(async (folder) => {
      const database = await freshDatabase(engine)
      const servers = await startNatsCluster(folder)
      await withNats(servers, async (connection) => {
        const settings = {
          DATABASE_URL: database.url,
          FAIRWAY_NATS_URL: servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
          FAIRWAY_NATS_REPLICAS: '3',
          FAIRWAY_LIMIT_VERIFY: '1000000/60',
        }
        const owners = [await issueByCli(database.url), await issueByCli(database.url)]
        const { server, load } = await disturb(settings, owners, { servers, connection })
        try {
          await published(server, owners[0]?.key ?? '')
          const stored = await storedIn(connection)
          for (const { key, owner_id: ownerId } of owners) {
            const events = await eventsOf(server, key, load.accepted.get(key) ?? 0)
            assert.ok(events.length > eventsPerStep)
            assert.deepEqual(
              idsOf(stored, ownerId),
              events.map(({ id }) => id),
            )
          }
          const whole = await reconciled(settings)
          assert.deepEqual(
            whole.owners.map(({ republished }) => republished),
            [0, 0],
          )
          const manager = await jetstreamManager(connection)
          const { purged } = await manager.streams.purge('fairway-events', { keep: 100 })
          assert.ok(purged > eventsPerStep)
          const restored = await reconciled(settings)
          assert.equal(restored.missing, 0)
          const now = await storedIn(connection)
          for (const [place, { owner_id: ownerId }] of owners.entries()) {
            assert.ok((restored.owners[place]?.republished ?? 0) > 0)
            assert.deepEqual(idsOf(now, ownerId).toSorted(), idsOf(stored, ownerId).toSorted())
          }
          assert.equal(await server.stop(), 0)
        } finally {
          server.child.kill('SIGKILL')
        }
      })
      await database.drop()
    }),
  )
}
