/** Many instances on one PostgreSQL: they share the deliveries, and a database that goes away and comes back. */

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { freshDatabase } from '../helpers/database/databases.ts'
import { startPostgres } from '../helpers/database/postgres.ts'
import { ask, holdCodes, issueByCli, serve, type Served } from '../helpers/process/process.ts'
import { openTestReceiver, type TestReceiver } from '../helpers/peers/receiver.ts'
import { withDirectDatabase } from '../helpers/database/sql.ts'

const settings = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true', FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,1,1' }
const callers = 16

interface CountingReceiver extends TestReceiver {
  /** Resolves when so many different events have come. */
  readonly has: (count: number) => Promise<void>
  readonly eventIds: ReadonlySet<string>
}

async function openCounting(before: () => Promise<void> = async () => {}): Promise<CountingReceiver> {
  const arrivals = new EventEmitter()
  const eventIds = new Set<string>()
  const receiver = await openTestReceiver(async ({ json }) => {
    await before()
    eventIds.add(json.event_id)
    arrivals.emit('arrival')
    return 200
  })
  return {
    ...receiver,
    eventIds,
    async has(count) {
      while (eventIds.size < count) await once(arrivals, 'arrival')
    },
  }
}

async function register(server: Served, key: string, url: string): Promise<void> {
  const answer = await checkedFetch(`${server.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  assert.equal(answer.status, 200, await answer.text())
}

/** So many verifications over some callers; the ids of the events of those that were answered. */
async function verifyMany(servers: readonly Served[], key: string, count: number): Promise<Set<string>> {
  const events = new Set<string>()
  let asked = 0
  const caller = async (number: number): Promise<void> => {
    const server = servers[number % servers.length] ?? assert.fail('there is no server')
    while (asked < count) {
      asked += 1
      const answer = await ask(server.url, key, { corridor: 'GB-NG', amount: number })
      const { request_id: id, code } = (await answer.json()) as { request_id: string; code?: string }
      if (answer.status === 200) events.add(`evt_${id.slice(-26).toLowerCase()}`)
      else assert.match(code ?? '', holdCodes)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
  return events
}

async function deliveredBy(server: Served): Promise<number> {
  const text = await (await checkedFetch(`${server.url}/metrics`)).text()
  return Number(/^fairway_webhook_attempts_total\{outcome="delivered"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** What each instance has sent; counted when the answers are in, which may be a moment after their arrival. */
async function sharesOf(servers: readonly Served[], sum: number): Promise<number[]> {
  for (;;) {
    const shares = await Promise.all(servers.map(deliveredBy))
    if (shares.reduce((total, share) => total + share, 0) >= sum) return shares
  }
}

test('two instances share 2,000 events, each sent once', async () => {
  const database = await freshDatabase('postgres')
  const receiver = await openCounting()
  const { key } = await issueByCli(database.url, '--limit-verify', '1000000/60')
  const environment = { ...settings, DATABASE_URL: database.url }
  const servers = await Promise.all([serve(environment), serve(environment)])
  try {
    const [first] = servers
    await register(first, key, receiver.url)
    const events = await verifyMany(servers, key, 2_000)
    await receiver.has(2_000)
    assert.equal(events.size, 2_000)
    assert.deepEqual(new Set(receiver.eventIds), events)
    const shares = await sharesOf(servers, 2_000)
    assert.ok(
      shares.every((share) => share > 0),
      `shares of ${shares.join(' and ')}`,
    )
    for (const server of servers) assert.equal(await server.stop(), 0)
    assert.equal(receiver.requests.length, 2_000, 'none was sent twice')
  } finally {
    for (const server of servers) if (server.child.exitCode === null) await server.stop()
    await receiver.close()
    await database.drop()
  }
})

test('a backlog that nobody was there to send is shared by the instances that come', async () => {
  const database = await freshDatabase('postgres')
  // The first answers wait for each other: both instances are at it, or nothing goes on.
  let atOnce = 0
  const both = new EventEmitter()
  const receiver = await openCounting(async () => {
    atOnce += 1
    if (atOnce === 2) both.emit('both')
    if (atOnce < 2) await once(both, 'both')
  })
  const { key } = await issueByCli(database.url, '--limit-verify', '1000000/60')
  const environment = { ...settings, DATABASE_URL: database.url }
  // It may call no private address, so that its attempts fail; their time comes when the others are there.
  const silent = await serve({ DATABASE_URL: database.url, FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '86400,1,1,1' })
  const servers: Served[] = []
  try {
    const registrar = await serve(environment)
    await register(registrar, key, receiver.url)
    await registrar.stop()
    await verifyMany([silent], key, 600)
    await silent.stop()
    // A host that is known to fail has one attempt at a time, of all instances together.
    await withDirectDatabase(database.url, ({ run }) => run('DELETE FROM webhook_hosts'))
    servers.push(...(await Promise.all([serve(environment), serve(environment)])))
    // The whole table at once: row by row, it would lock in another order than those who claim beside it. What the silent
    // one gave back at its stop may be under way already: a claim that is cut short would be sent twice.
    const soon = `DO $$ BEGIN
      LOCK TABLE webhook_deliveries IN EXCLUSIVE MODE;
      UPDATE webhook_deliveries SET due_at_ms = created_at_ms WHERE lease IS NULL;
    END $$`
    await withDirectDatabase(database.url, ({ run }) => run(soon))
    await receiver.has(600)
    const shares = await sharesOf(servers, 600)
    assert.ok(
      shares.every((share) => share > 0),
      `shares of ${shares.join(' and ')}`,
    )
    for (const server of servers) await server.stop()
    assert.equal(receiver.requests.length, 600, 'none was sent twice')
  } finally {
    for (const server of [silent, ...servers]) if (server.child.exitCode === null) await server.stop()
    await receiver.close()
    await database.drop()
  }
})

test('the database is stopped in the middle and started again: deliveries go on by themselves', async () => {
  const postgres = await startPostgres()
  const receiver = await openCounting()
  const { key } = await issueByCli(postgres.url, '--limit-verify', '1000000/60')
  const server = await serve({ ...settings, DATABASE_URL: postgres.url })
  try {
    await register(server, key, receiver.url)
    const writing = verifyMany([server], key, 2_000)
    await receiver.has(50)
    await postgres.halt()
    await server.said(/webhooks: deliveries paused/)
    await postgres.resume()
    await server.said(/webhooks: deliveries resumed/)
    const answered = new Set([...(await writing), ...(await verifyMany([server], key, 100))])
    assert.ok(answered.size < 2_100, 'it was in the middle')
    // What was written although its answer was lost is told as well.
    while (![...answered].every((id) => receiver.eventIds.has(id)))
      await receiver.has(receiver.eventIds.size + 1)
    assert.equal(await server.stop(), 0)
  } finally {
    if (server.child.exitCode === null) await server.stop('SIGKILL')
    await receiver.close()
    await postgres.stop()
  }
})
