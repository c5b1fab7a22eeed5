/** Several processes on one port (`FAIRWAY_WORKERS`): what one process promises, they promise together. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedFetch } from '../helpers/checked-fetch.ts'
import { ask, issueByCli, run } from '../helpers/process.ts'
import { withReceiver } from '../helpers/receiver.ts'
import { rowsOf } from '../helpers/sql.ts'
import { withWorkers } from '../helpers/workers.ts'

const verifyRoute = '/api/v1/verify'
const payment = { corridor: 'GB-NG', amount: 1000 }

interface Decided {
  readonly request_id: string
  readonly decision: string
  readonly idempotency_hit: boolean
  readonly cooldown?: { readonly source_request_id: string }
}

const times = <Result>(count: number, work: (number: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)))

test('a burst over many connections to three workers admits exactly the limit', async () => {
  await withWorkers(3, async ({ server, databaseUrl, readyPids, answeredBy }) => {
    const { key } = await issueByCli(databaseUrl, '--limit-verify', '50/86400')
    const statuses = await times(
      200,
      async (amount) => (await ask(server.url, key, { ...payment, amount })).status,
    )
    assert.equal(statuses.filter((status) => status === 200).length, 50)
    assert.equal(statuses.filter((status) => status === 429).length, 150)
    assert.equal((await ask(server.url, key, payment)).status, 429)
    assert.equal(await server.stop(), 0)
    assert.equal((await rowsOf(databaseUrl, 'SELECT 1 FROM verifications')).length, 50)
    const workers = new Set(readyPids())
    assert.equal(workers.size, 3)
    assert.deepEqual(new Set([...answeredBy(verifyRoute, 200), ...answeredBy(verifyRoute, 429)]), workers)
  })
})

test('duplicates at once on all workers are one record with one id', async () => {
  await withWorkers(3, async ({ server, databaseUrl, readyPids, answeredBy }) => {
    const { key } = await issueByCli(databaseUrl, '--limit-verify', '1000/60')
    const answers = await times(90, async () => {
      const answer = await ask(server.url, key, payment, { 'idempotency-key': 'payment-1' })
      assert.equal(answer.status, 200)
      return (await answer.json()) as Decided
    })
    assert.equal(new Set(answers.map(({ request_id: id }) => id)).size, 1)
    assert.equal(answers.filter(({ idempotency_hit: isHit }) => !isHit).length, 1)
    assert.equal((await rowsOf(databaseUrl, 'SELECT 1 FROM verifications')).length, 1)
    assert.equal(await server.stop(), 0)
    assert.deepEqual(answeredBy(verifyRoute, 200), new Set(readyPids()))
  })
})

test('a NO-GO of one worker is a cooldown for all', async () => {
  await withWorkers(3, async ({ server, databaseUrl, readyPids, answeredBy }) => {
    const { key } = await issueByCli(databaseUrl, '--limit-verify', '1000/60')
    const blocked = (await (await ask(server.url, key, { ...payment, amount: 1000.08 })).json()) as Decided
    assert.equal(blocked.decision, 'NO-GO')
    const answers = await times(
      60,
      async () => (await ask(server.url, key, payment)).json() as Promise<Decided>,
    )
    assert.deepEqual(new Set(answers.map(({ decision }) => decision)), new Set(['NO-GO']))
    const sources = answers.map(({ cooldown }) => cooldown?.source_request_id)
    assert.deepEqual(new Set(sources), new Set([blocked.request_id]))
    assert.equal(await server.stop(), 0)
    assert.deepEqual(answeredBy(verifyRoute, 200), new Set(readyPids()))
  })
})

test('a revoked key is refused by every worker to which it comes a second later', async () => {
  await withWorkers(3, async ({ server, databaseUrl, readyPids, answeredBy }) => {
    const { key, key_id: keyId } = await issueByCli(databaseUrl, '--limit-verify', '100000/60')
    const used = await times(60, async () => (await ask(server.url, key, payment)).status)
    assert.deepEqual(new Set(used), new Set([200]), 'all of them know the key')
    assert.deepEqual(answeredBy(verifyRoute, 200), new Set(readyPids()))
    assert.equal((await run(['keys', 'revoke', keyId], { DATABASE_URL: databaseUrl })).code, 0)
    const revokedMs = performance.now()
    let isLater = false
    while (!isLater) {
      isLater = performance.now() - revokedMs > 1_000
      const statuses = new Set(await times(60, async () => (await ask(server.url, key, payment)).status))
      if (isLater) assert.deepEqual(statuses, new Set([401]))
    }
    assert.equal(await server.stop(), 0)
    assert.deepEqual(answeredBy(verifyRoute, 401), new Set(readyPids()))
  })
})

const delivered = (text: string): number =>
  Number(/^fairway_webhook_attempts_total\{outcome="delivered"\} (\d+)$/m.exec(text)?.[1] ?? 0)

test('whichever worker is asked tells the figures of all, and they do not fall when one ends', async () => {
  const settings = { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' }
  await withReceiver((receiver) =>
    withWorkers(
      3,
      async ({ server, databaseUrl, readyPids, answeredBy }) => {
        const { key } = await issueByCli(databaseUrl, '--limit-verify', '1000/60')
        const metrics = async (): Promise<string> => (await checkedFetch(`${server.url}/metrics`)).text()
        assert.match(await metrics(), /^fairway_webhook_events_dropped_total 0$/m)
        const registered = await checkedFetch(`${server.url}/api/v1/webhooks`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ url: receiver.url }),
        })
        assert.equal(registered.status, 200)
        await times(90, (amount) => ask(server.url, key, { ...payment, amount }))
        assert.deepEqual(answeredBy(verifyRoute, 200), new Set(readyPids()), 'each of them had some to send')
        while (delivered(await metrics()) < 90);
        const told = async (): Promise<Set<string>> => new Set(await times(30, metrics))
        const before = await told()
        assert.equal(before.size, 1)
        assert.equal(delivered([...before][0] ?? ''), 90)
        process.kill(readyPids()[0] ?? assert.fail(), 'SIGKILL')
        await server.said(/a worker ended by SIGKILL/)
        assert.deepEqual(await told(), before)
        assert.equal(await server.stop(), 0)
        assert.equal(receiver.requests.length, 90)
        assert.ok(answeredBy('/metrics', 200).size >= 3, 'all were asked')
      },
      settings,
    ),
  )
})
