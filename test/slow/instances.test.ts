/** Three instances behind a balancer, on one PostgreSQL: one is killed, one is cut off from the database and healed, and nothing that was promised is broken. */

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { openBalancer, type Balancer } from '../helpers/process/balancer.ts'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { freshDatabase } from '../helpers/database/databases.ts'
import {
  ask,
  holdCodes,
  issueByCli,
  serve,
  type IssuedJson,
  type Served,
} from '../helpers/process/process.ts'
import { openTestReceiver } from '../helpers/peers/receiver.ts'
import { rowsOf } from '../helpers/database/sql.ts'
import { openTcpProxy, type TcpProxy } from '../helpers/process/tcp-proxy.ts'
import { times } from '../helpers/process/workers.ts'

const callers = 16
const limitedCallers = 4
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
async function attempt(
  url: string,
  key: string,
  payment: Body,
  headers: Readonly<Record<string, string>> = {},
): Promise<[number, Body] | null> {
  try {
    const answer = await ask(url, key, { corridor: 'GB-NG', ...payment }, headers)
    return [answer.status, (await answer.json()) as Body]
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** One payment, always the same by its number. */
function attemptPayment(url: string, key: string, payment: number): Promise<[number, Body] | null> {
  return attempt(url, key, { amount: payment }, { 'idempotency-key': `payment-${payment}` })
}

/** As a client does: asks until there is a decision, always with the same idempotency key. */
async function decide({ balancer, key, answered }: Scene, payment: number): Promise<void> {
  for (;;) {
    const [status, body] = (await attemptPayment(balancer.url, key.key, payment)) ?? [null, {}]
    if (status === 200) return void answered.set(payment, body)
    if (status === null) continue
    assert.equal(status, 503)
    assert.match(String(body['code']), holdCodes)
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

/** An admission lies somewhere in it; the end is not part of it. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Those who ask with the key of the small limit. */
interface Press {
  /** When each was sent, by its correlation id: also those whose answer was lost. */
  readonly sentMs: ReadonlyMap<string, number>
  /** What was answered, by its request id. */
  readonly admitted: ReadonlyMap<string, Span>
  readonly ask: (url: string) => Promise<[number, Body] | null>
  /** Resolves when a request that was sent there from now on is refused: the window is full, and is counted. */
  readonly untilRefused: (url: string) => Promise<void>
  stop(): Promise<void>
}

/** Asks with the key of the small limit, by many callers, again and again, until it is stopped. */
function press({ balancer, limitedKey }: Scene): Press {
  const sentMs = new Map<string, number>()
  const admitted = new Map<string, Span>()
  const stopping = new AbortController()
  const askOnce = async (url: string): Promise<[number, Body] | null> => {
    const correlationId = `press-${sentMs.size}`
    const fromMs = Date.now()
    sentMs.set(correlationId, fromMs)
    const answer = await attempt(url, limitedKey.key, { amount: 1, correlation_id: correlationId })
    if (answer?.[0] === 200) admitted.set(String(answer[1]['request_id']), { fromMs, toMs: Date.now() + 1 })
    return answer
  }
  const going = times(limitedCallers, async () => {
    while (!stopping.signal.aborted) await askOnce(balancer.url)
  })
  return {
    sentMs,
    admitted,
    ask: askOnce,
    async untilRefused(url) {
      while ((await askOnce(url))?.[0] !== 429);
    },
    async stop() {
      stopping.abort()
      await going
    },
  }
}

/** In one window, in two in a row, and so on to the whole run: no more than the limit for each. */
function checkWindows(spans: readonly Span[]): void {
  const { count, windowMs } = limited
  const lastMs = Math.max(...spans.map(({ toMs }) => toMs))
  for (const { fromMs } of spans) {
    const later = spans.filter((span) => span.fromMs >= fromMs)
    for (let windows = 1; fromMs + (windows - 1) * windowMs < lastMs; windows += 1) {
      const inside = later.filter(({ toMs }) => toMs <= fromMs + windows * windowMs).length
      assert.ok(inside <= count * windows, `${inside} admitted in ${windows} windows of ${count}`)
    }
  }
}

/** The longest that a commit is waited for, and the admission with it. */
const commitMsMax = 7_000

/**
 * Every record was admitted once, also where its answer was lost: after it was sent, and before it was answered, or while
 * its commit was waited for. All are times of this machine, so that only the length of a window is the database's.
 */
async function checkLimit({ databaseUrl, limitedKey }: Scene, { sentMs, admitted }: Press): Promise<void> {
  const rows = await rowsOf(
    databaseUrl,
    `SELECT request_id, recorded_at_ms,
        (SELECT personal_text FROM personal_texts WHERE subject_id = request_id) AS correlation_id
      FROM verifications WHERE key_id = '${limitedKey.key_id}'`,
  )
  const ids = new Set(rows.map((row) => String(row['request_id'])))
  const lost = [...admitted.keys()].filter((id) => !ids.has(id))
  assert.deepEqual(lost, [], 'what was answered is recorded')
  const spans = rows.map((row) => ({
    fromMs: sentMs.get(String(row['correlation_id'])) ?? assert.fail('a record of what was never sent'),
    toMs: admitted.get(String(row['request_id']))?.toMs ?? Number(row['recorded_at_ms']) + commitMsMax,
  }))
  assert.ok(admitted.size > limited.count, `${admitted.size} admitted`)
  checkWindows(spans)
  checkWindows([...admitted.values()])
}

/** Cuts the third instance off under load, and heals it. */
async function cutAndHeal(scene: Scene, pressing: Press, how: 'reset' | 'swallow'): Promise<void> {
  const { balancer, line, key, answered } = scene
  const cutOff = scene.instances[2]
  const before = answered.size
  await pay(scene, 400, () => line.cut(how))
  await balancer.until(cutOff.url, 'out')
  // Everything that needs the store is on hold there; the page of its health says so as well.
  const direct = await times(20, () => pressing.ask(cutOff.url))
  for (const [status, body] of direct.map((one) => one ?? assert.fail('it must answer'))) {
    assert.deepEqual([status, body['code']], [503, 'STORE_UNAVAILABLE'])
  }
  assert.equal((await checkedFetch(`${cutOff.url}/api/health`)).status, 503)
  // The others go on meanwhile.
  await pay(scene, 100, () => undefined)
  await pressing.untilRefused(balancer.url)
  line.heal()
  await balancer.until(cutOff.url, 'in')
  const [status] = (await attemptPayment(cutOff.url, key.key, before)) ?? []
  assert.equal(status, 200, 'it serves again without a restart')
  await pressing.untilRefused(cutOff.url)
}

/** All that happens to the instances, with the small limit full before and after each of it. */
async function breakAndHeal(scene: Scene): Promise<Press> {
  const { balancer, instances } = scene
  const [healthy, killed, cutOff] = instances
  const pressing = press(scene)
  try {
    for (const { url } of instances) await pressing.untilRefused(url)
    await pay(scene, 800, () => void killed.stop('SIGKILL'))
    await balancer.until(killed.url, 'out')
    for (const { url } of [healthy, cutOff]) await pressing.untilRefused(url)
    await cutAndHeal(scene, pressing, 'swallow')
    await cutAndHeal(scene, pressing, 'reset')
    await pay(scene, 400, () => undefined)
  } finally {
    await pressing.stop()
  }
  return pressing
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
      const [status, again] = (await attemptPayment(instances[0].url, key.key, payment)) ?? assert.fail()
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
  const [healthy, , cutOff] = instances
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
    const pressing = await breakAndHeal(scene)
    await checkLimit(scene, pressing)
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

test('an instance that is cut off from its database still ends when it is stopped', async () => {
  const scene = await openScene()
  const [, , cutOff] = scene.instances
  try {
    assert.equal((await attemptPayment(cutOff.url, scene.key.key, 1))?.[0], 200)
    scene.line.cut('swallow')
    assert.equal(await cutOff.stop(), 0)
  } finally {
    await scene.end()
  }
})
