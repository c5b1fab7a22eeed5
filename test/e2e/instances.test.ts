/** Three instances behind a balancer, on one PostgreSQL: one is killed, one is cut off from the database and healed, and nothing that was promised is broken. */

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { openBalancer, type Balancer } from '../helpers/balancer.ts'
import { checkedFetch } from '../helpers/checked-fetch.ts'
import { freshDatabase } from '../helpers/databases.ts'
import { ask, issueByCli, serve, type IssuedJson, type Served } from '../helpers/process.ts'
import { openTestReceiver } from '../helpers/receiver.ts'
import { rowsOf } from '../helpers/sql.ts'
import { openTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'
import { times } from '../helpers/workers.ts'

const callers = 16
const limited = { count: 20, windowMs: 2_000 }
const settings = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true', FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,1,1' }

type Body = Readonly<Record<string, unknown>>

interface Scene {
  readonly databaseUrl: string
  readonly balancer: Balancer
  /** The last is behind the line. */
  readonly instances: readonly [healthy: Served, killed: Served, cut: Served]
  readonly line: TcpProxy
  /** What was answered, by the number of the payment. */
  readonly answered: Map<number, Body>
  readonly key: IssuedJson
  readonly limitedKey: IssuedJson
}

/** A status and a body; null where the line broke. */
async function attempt(url: string, key: string, payment: number | null): Promise<[number, Body] | null> {
  const headers = payment === null ? {} : { 'idempotency-key': `payment-${payment}` }
  try {
    const answer = await ask(url, key, { corridor: 'GB-NG', amount: payment ?? 1 }, headers)
    return [answer.status, (await answer.json()) as Body]
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** As a client does: asks until there is a decision, always with the same idempotency key. */
async function decide({ balancer, key, answered }: Scene, payment: number): Promise<void> {
  for (;;) {
    const [status, body] = (await attempt(balancer.url, key.key, payment)) ?? [null, {}]
    if (status === 200) return void answered.set(payment, body)
    if (status !== null) assert.deepEqual([status, body['code']], [503, 'STORE_UNAVAILABLE'])
  }
}

/** So many more payments over all callers; in the middle of them something happens. */
async function pay(scene: Scene, count: number, inTheMiddle: () => void): Promise<void> {
  const from = scene.answered.size
  let next = from
  await times(callers, async () => {
    while (next < from + count) {
      const payment = next
      next += 1
      if (payment === from + Math.floor(count / 2)) inTheMiddle()
      await decide(scene, payment)
    }
  })
  assert.equal(scene.answered.size, from + count)
}

interface Admitted {
  readonly sentMs: number
  readonly answeredMs: number
}

/** Asks with the key of the small limit, again and again, until it is stopped; what was admitted, and how often it was not. */
function hammer({ balancer, limitedKey }: Scene) {
  const admitted: Admitted[] = []
  let refused = 0
  const stopping = new AbortController()
  const going = times(2, async () => {
    while (!stopping.signal.aborted) {
      const sentMs = performance.now()
      const [status] = (await attempt(balancer.url, limitedKey.key, null)) ?? [null]
      if (status === 200) admitted.push({ sentMs, answeredMs: performance.now() })
      if (status === 429) refused += 1
    }
  })
  return async (): Promise<{ admitted: Admitted[]; refused: number }> => {
    stopping.abort()
    await going
    return { admitted, refused }
  }
}

/** The most that were surely admitted in one window: sent after its begin and answered before its end. */
function mostInAWindow(admitted: readonly Admitted[], windowMs: number): number {
  const within = (fromMs: number): number =>
    admitted.filter(({ sentMs, answeredMs }) => sentMs >= fromMs && answeredMs < fromMs + windowMs).length
  return Math.max(0, ...admitted.map(({ sentMs }) => within(sentMs)))
}

/** Cuts the third instance off under load, and heals it. */
async function cutAndHeal(scene: Scene, how: 'reset' | 'swallow'): Promise<void> {
  const { balancer, line, key, limitedKey, answered } = scene
  const cutOff = scene.instances[2]
  const before = answered.size
  await pay(scene, 400, () => line.cut(how))
  await balancer.until(cutOff.url, 'out')
  // Everything that needs the store is on hold there; the page of its health says so as well.
  const direct = await times(20, (number) => attempt(cutOff.url, limitedKey.key, 1_000_000 + number))
  for (const [status, body] of direct.map((one) => one ?? assert.fail('it must answer'))) {
    assert.deepEqual([status, body['code']], [503, 'STORE_UNAVAILABLE'])
  }
  assert.equal((await checkedFetch(`${cutOff.url}/api/health`)).status, 503)
  // The others go on meanwhile.
  await pay(scene, 100, () => undefined)
  line.heal()
  await balancer.until(cutOff.url, 'in')
  const [status] = (await attempt(cutOff.url, key.key, before)) ?? []
  assert.equal(status, 200, 'it serves again without a restart')
}

/** Every payment has one record, which answers as it did at first. */
async function checkRecords({ databaseUrl, instances, key, answered }: Scene): Promise<Set<string>> {
  const rows = await rowsOf(
    databaseUrl,
    `SELECT request_id FROM verifications WHERE key_id = '${key.key_id}'`,
  )
  const ids = new Set(rows.map((row) => String(row['request_id'])))
  assert.equal(rows.length, answered.size, 'one record for each payment')
  assert.deepEqual(ids, new Set([...answered.values()].map((body) => body['request_id'])))
  const constant = ({ idempotency_hit: _hit, response_ms: _ms, ...body }: Body): Body => body
  const payments = [...answered]
  await times(callers, async (caller) => {
    for (const [payment, body] of payments.filter((_, index) => index % callers === caller)) {
      const [status, again] = (await attempt(instances[0].url, key.key, payment)) ?? assert.fail()
      assert.equal(status, 200)
      assert.equal(again['idempotency_hit'], true)
      assert.deepEqual(constant(again), constant(body))
    }
  })
  return ids
}

async function openScene(): Promise<Scene & { end(): Promise<void> }> {
  const database = await freshDatabase('postgres')
  const { url: databaseUrl } = database
  const { hostname: host, port } = new URL(databaseUrl)
  const line = await openTcpProxy({ host, port: Number(port) })
  const behindLine = new URL(databaseUrl)
  behindLine.host = `127.0.0.1:${line.port}`
  const key = await issueByCli(databaseUrl, '--limit-verify', '1000000/60')
  const limitedKey = await issueByCli(
    databaseUrl,
    '--limit-verify',
    `${limited.count}/${limited.windowMs / 1000}`,
  )
  const at = (url: string): Promise<Served> => serve({ ...settings, DATABASE_URL: url })
  const instances = await Promise.all([at(databaseUrl), at(databaseUrl), at(behindLine.href)])
  const balancer = await openBalancer(instances.map(({ url }) => url))
  return {
    databaseUrl,
    balancer,
    instances,
    line,
    key,
    limitedKey,
    answered: new Map(),
    async end() {
      await balancer.close()
      for (const server of instances) if (server.child.exitCode === null) await server.stop('SIGKILL')
      await line.close()
      await database.drop()
    },
  }
}

test('one of three instances is killed and one cut off and healed: nothing answered is lost or doubled, no limit is passed, every event comes', async () => {
  const scene = await openScene()
  const { balancer, instances, key } = scene
  const [healthy, killed, cutOff] = instances
  const arrivals = new EventEmitter()
  const events = new Set<string>()
  const receiver = await openTestReceiver(({ json }) => {
    events.add(json.event_id)
    arrivals.emit('arrival')
    return 200
  })
  try {
    const registered = await checkedFetch(`${healthy.url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url }),
    })
    assert.equal(registered.status, 200)
    for (const { url } of instances) await balancer.until(url, 'in')
    const stopHammering = hammer(scene)
    await pay(scene, 800, () => void killed.stop('SIGKILL'))
    await balancer.until(killed.url, 'out')
    await cutAndHeal(scene, 'swallow')
    await cutAndHeal(scene, 'reset')
    await pay(scene, 400, () => undefined)
    const { admitted, refused } = await stopHammering()
    assert.ok(
      admitted.length > limited.count && refused > 0,
      `${admitted.length} admitted, ${refused} refused`,
    )
    assert.ok(mostInAWindow(admitted, limited.windowMs) <= limited.count)
    const ids = await checkRecords(scene)
    const wanted = [...ids].map((id) => `evt_${id.slice(-26).toLowerCase()}`)
    while (!wanted.every((event) => events.has(event))) await once(arrivals, 'arrival')
    assert.deepEqual(events, new Set(wanted), 'and none of what was never recorded')
    for (const server of [healthy, cutOff]) assert.equal(await server.stop(), 0)
  } finally {
    await scene.end()
    await receiver.close()
  }
})

test('an instance that is cut off from its database ends all the same when it is told to stop', async () => {
  const scene = await openScene()
  const [, , cutOff] = scene.instances
  try {
    assert.equal((await attempt(cutOff.url, scene.key.key, 1))?.[0], 200)
    scene.line.cut('swallow')
    assert.equal(await cutOff.stop(), 0)
  } finally {
    await scene.end()
  }
})
