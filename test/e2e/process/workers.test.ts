/** Several processes on one port (`FAIRWAY_WORKERS`): what one process promises, they promise together. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask, issueByCli, run } from '../../helpers/process/process.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { serveByMany, times, type ManyServed } from '../../helpers/process/workers.ts'

const route = '/api/v1/verify'
const payment = { corridor: 'GB-NG', amount: 1000 }

interface Decided {
  readonly request_id: string
  readonly decision: string
  readonly idempotency_hit: boolean
  readonly cooldown?: { readonly source_request_id: string }
}

/** Each test has a key, and so an owner, of its own. */
let many: ManyServed
before(async () => {
  many = await serveByMany(3, { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' })
})
after(() => many.end())

const recordsOf = (keyId: string) =>
  rowsOf(many.databaseUrl, `SELECT 1 FROM verifications WHERE key_id = '${keyId}'`)

test('a burst over many connections to three workers admits exactly the limit', async () => {
  const { server, databaseUrl, allAnswered } = many
  const { key, key_id } = await issueByCli(databaseUrl, '--limit-verify', '50/86400')
  const send = async (amount: number): Promise<number> =>
    (await ask(server.url, key, { ...payment, amount })).status
  const statuses = await times(200, send)
  assert.equal(statuses.filter((status) => status === 200).length, 50)
  assert.equal(statuses.filter((status) => status === 429).length, 150)
  const later = await times(60, send)
  assert.deepEqual(new Set(later), new Set([429]))
  assert.equal((await recordsOf(key_id)).length, 50)
  await allAnswered({ route, status: 429 })
})

test('duplicates at once on all workers are one record with one id', async () => {
  const { server, databaseUrl, allAnswered } = many
  const { key, key_id } = await issueByCli(databaseUrl, '--limit-verify', '1000/60')
  const answers = await times(90, async () => {
    const answer = await ask(server.url, key, payment, { 'idempotency-key': 'payment-1' })
    assert.equal(answer.status, 200)
    return (await answer.json()) as Decided
  })
  assert.equal(new Set(answers.map(({ request_id: id }) => id)).size, 1)
  assert.equal(answers.filter(({ idempotency_hit: isHit }) => !isHit).length, 1)
  assert.equal((await recordsOf(key_id)).length, 1)
  await allAnswered({ route, status: 200, key_id })
})

test('a NO-GO of one worker is a cooldown for all', async () => {
  const { server, databaseUrl, allAnswered } = many
  const { key, key_id } = await issueByCli(databaseUrl, '--limit-verify', '1000/60')
  const decide = async (amount: number): Promise<Decided> =>
    (await ask(server.url, key, { ...payment, amount })).json() as Promise<Decided>
  const blocked = await decide(1000.08)
  assert.equal(blocked.decision, 'NO-GO')
  const answers = await times(60, () => decide(1000))
  assert.deepEqual(new Set(answers.map(({ decision }) => decision)), new Set(['NO-GO']))
  const sources = answers.map(({ cooldown }) => cooldown?.source_request_id)
  assert.deepEqual(new Set(sources), new Set([blocked.request_id]))
  await allAnswered({ route, status: 200, key_id })
})

test('a revoked key is refused by every worker to which it comes a second later', async () => {
  const { server, databaseUrl, allAnswered } = many
  const { key, key_id } = await issueByCli(databaseUrl, '--limit-verify', '100000/60')
  const send = async (): Promise<number> => (await ask(server.url, key, payment)).status
  assert.deepEqual(new Set(await times(60, send)), new Set([200]))
  await allAnswered({ route, status: 200, key_id })
  assert.equal((await run(['keys', 'revoke', key_id], { DATABASE_URL: databaseUrl })).code, 0)
  const revokedMs = performance.now()
  let isLater = false
  while (!isLater) {
    isLater = performance.now() - revokedMs > 1_000
    const statuses = new Set(await times(60, send))
    if (isLater) assert.deepEqual(statuses, new Set([401]))
  }
  await allAnswered({ route, status: 401 })
})

const delivered = (text: string): number =>
  Number(/^fairway_webhook_attempts_total\{outcome="delivered"\} (\d+)$/m.exec(text)?.[1] ?? 0)

test('whichever worker is asked tells the figures of all, and they do not fall when one is killed', async () => {
  const { server, databaseUrl, readyPids, allAnswered } = many
  const receiver = await openTestReceiver()
  try {
    const { key, key_id } = await issueByCli(databaseUrl, '--limit-verify', '1000/60')
    const metrics = async (): Promise<string> => (await checkedFetch(`${server.url}/metrics`)).text()
    assert.match(await metrics(), /^fairway_webhook_events_dropped_total 0$/m)
    const registered = await checkedFetch(`${server.url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url }),
    })
    assert.equal(registered.status, 200)
    await times(90, (amount) => ask(server.url, key, { ...payment, amount }))
    await allAnswered({ route, status: 200, key_id })
    while (delivered(await metrics()) < 90);
    // Others rise with every look, as requests, time and memory do, or are looked up once a second.
    const settled = async (): Promise<string> =>
      (await metrics())
        .split('\n')
        .filter((line) => /^fairway_(?:webhook|decisions)/.test(line))
        .toSorted()
        .join('\n')
    const told = async (): Promise<Set<string>> => new Set(await times(60, settled))
    const sums = await told()
    assert.equal(sums.size, 1)
    assert.equal(delivered([...sums][0] ?? ''), 90)
    assert.match([...sums][0] ?? '', /^fairway_decisions_total\{verdict="GO",.*source="computed"\} \d+$/m)
    await allAnswered({ route: '/metrics', status: 200 })
    process.kill(readyPids()[0] ?? assert.fail(), 'SIGKILL')
    await server.said(/a worker ended by SIGKILL/)
    assert.deepEqual(await told(), sums)
    assert.equal(receiver.requests.length, 90)
  } finally {
    await receiver.close()
  }
})
