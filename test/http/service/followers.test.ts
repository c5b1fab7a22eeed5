/**
 * No reader sees the past: whatever was answered before a request, the projections behind its answer include, whichever
 * instance recorded it. A projection that cannot be brought up to date is 503, and stops nothing else.
 */

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import pg from 'pg'
import { repeat } from '../../../src/adapters/system.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { withHarness, type Answer, type Harness, type HarnessOptions } from '../../helpers/harness.ts'
import { ManualTimers } from '../../helpers/timers.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { person, read, write } from '../../helpers/people.ts'
import { samplesIn } from '../../helpers/samples.ts'
import { degraded, override, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const payment = { corridor: 'GB-NG', amount: 5 }
const summaryUrl = '/api/v1/verifications/summary'
const settingsUrl = '/api/v1/organisation/settings'

interface Scene {
  readonly one: Harness
  /** A second instance on the same database. */
  readonly other: Harness
  readonly key: string
  readonly webhookId: string
}

/** Two instances and a registered endpoint. Nothing is followed but for readers, unless a test starts it. */
function withTwo(
  engine: Engine,
  work: (scene: Scene) => Promise<void>,
  more: HarnessOptions = {},
): Promise<void> {
  return withReceiver((receiver) =>
    withHarness({ engine, settings: trial, ...more }, async (one) => {
      const other = await one.sibling()
      try {
        const { key } = await one.issue()
        const { webhook_id: webhookId } = await register(one, key, receiver.url)
        await work({ one, other, key, webhookId })
      } finally {
        await other.close()
      }
    }),
  )
}

async function verified({ verify }: Harness, key: string): Promise<string> {
  const { status, body, text } = await verify(key, payment)
  assert.equal(status, 200, text)
  return String(body.request_id)
}

/** What the answers of an instance say of the owner's decisions. */
async function seenBy({ get }: Harness, { key, webhookId }: Scene) {
  const deliveries = await get(key, `${webhooksUrl}/${webhookId}/deliveries?limit=500`)
  return {
    summary: (await get(key, summaryUrl)).body.total,
    usage: (await get(key, settingsUrl)).body.usage.verifications_this_key,
    deliveries: deliveries.body.length,
    total: (await get(null, '/api/health')).body.total_verifications,
  }
}

for (const engine of engines) {
  test(`what one instance has answered, the other includes at once: summary, usage, deliveries, proof and export (${engine})`, () =>
    withTwo(engine, async (scene) => {
      const { one, other, key } = scene
      for (let count = 1; count <= 5; count += 1) {
        const [recorder, reader] = count % 2 === 1 ? [one, other] : [other, one]
        const id = await verified(recorder, key)
        const every = { summary: count, usage: count, deliveries: count, total: count }
        assert.deepEqual(await seenBy(reader, scene), every)
        const { body: log } = await reader.get(null, '/api/v1/audit/checkpoint')
        assert.ok(log.checkpoint.tree_size >= count, 'the newest checkpoint covers it')
        const proof = await reader.get(key, `/api/v1/audit/${id}/proof`)
        assert.ok(proof.body.checkpoint.tree_size >= count, proof.text)
        const bundle = await reader.get(key, `/api/v1/audit/export/${id}`)
        assert.equal(bundle.body.proof.record.leaf_index, count - 1, bundle.text)
        assert.deepEqual(await seenBy(recorder, scene), every)
      }
    }))

  test(`an override is announced and proven as soon as it is answered, by either instance (${engine})`, () =>
    withTwo(engine, async ({ one, other, key, webhookId }) => {
      const id = await degraded(one, key)
      assert.equal((await override(one, key, id)).status, 200)
      const { body: deliveries } = await other.get(key, `${webhooksUrl}/${webhookId}/deliveries`)
      const kinds = (deliveries as { event: string }[]).map(({ event }) => event).toSorted()
      assert.deepEqual(kinds, ['payment.decision.created', 'payment.override.created'])
      const proof = await other.get(key, `/api/v1/audit/${id}/proof`)
      assert.equal(proof.body.override.leaf_index, 1, proof.text)
    }))

  test(`a delivery is repeated, and an act has its place in the log, as soon as it is answered (${engine})`, () =>
    withTwo(engine, async ({ one, other, key, webhookId }) => {
      const id = await verified(one, key)
      const event = `evt_${id.slice(-26).toLowerCase()}`
      const resend = `${webhooksUrl}/${webhookId}/deliveries/${event}/resend`
      const headers = { authorization: `Bearer ${key}` }
      const resent = await other.send({ method: 'POST', url: resend, headers })
      assert.notEqual(resent.status, 404, resent.text)
      const admin = await person(one, 'admin', null)
      assert.equal((await write(one, admin, '/api/v1/admin/keys', { type: 'test', owner: 'A' })).status, 200)
      const { body: activity } = await read(other, admin, '/api/v1/admin/activity')
      // All at one moment, so in any order; sending again is an act, too, if the delivery had ended.
      const created = activity.activity.find(({ kind }: { kind: string }) => kind === 'key.created')
      assert.ok([2, 3].includes(created.leaf_index), JSON.stringify(activity))
    }))

  test(`readers on both instances at once count every decision exactly once (${engine})`, () =>
    withTwo(engine, async (scene) => {
      const { one, other, key } = scene
      let answered = 0
      const work = Array.from({ length: 60 }, async (_, place) => {
        const [recorder, reader] = place % 2 === 1 ? [one, other] : [other, one]
        await verified(recorder, key)
        answered += 1
        const before = answered
        const { body, text } = await reader.get(key, summaryUrl)
        assert.ok(body.total >= before && body.total <= 60, `${text} after ${before}`)
      })
      await Promise.all(work)
      const every = { summary: 60, usage: 60, deliveries: 60, total: 60 }
      assert.deepEqual(await seenBy(one, scene), every)
      assert.deepEqual(await seenBy(other, scene), every)
    }))

  test(`a new service has a checkpoint as soon as it is asked for one (${engine})`, () =>
    withTwo(engine, async ({ one, other }) => {
      const { body } = await other.get(null, '/api/v1/audit/checkpoint')
      assert.equal(body.checkpoint.tree_size, 0)
      assert.deepEqual((await one.get(null, '/api/v1/audit/checkpoint')).body, body)
    }))

  test(`a proof is complete at once, while both instances are asked for others (${engine})`, () =>
    withTwo(engine, async ({ one, other, key }) => {
      const work = Array.from({ length: 60 }, async (_, place) => {
        const [recorder, reader] = place % 2 === 1 ? [one, other] : [other, one]
        const id = await verified(recorder, key)
        const { body, text } = await reader.get(key, `/api/v1/audit/${id}/proof`)
        assert.equal(body.status, 'sealed', text)
      })
      await Promise.all(work)
    }))

  test(`a projection that fails is 503 for its readers alone; the rest answers, and nothing is lost (${engine})`, () =>
    withTwo(engine, async (scene) => {
      const { one, key } = scene
      await verified(one, key)
      await seenBy(one, scene)
      await one.seal()
      await withBrokenRollups(one, async () => {
        const id = await verified(one, key)
        for (const url of [summaryUrl, settingsUrl]) checkBehind(await one.get(key, url))
        assert.equal((await one.get(null, '/livez')).status, 200)
        assert.equal((await one.get(null, '/api/health')).body.total_verifications, 2)
        assert.deepEqual(lagOf(await one.get(null, '/readyz')), {
          totals: 1,
          webhooks: 1,
          policies: 2,
          calibration: 2,
          events: 2,
          reviews: 2,
          log: 1,
        })
        const proof = await one.get(key, `/api/v1/audit/${id}/proof`)
        assert.equal(proof.status, 200, proof.text)
        assert.equal((await one.get(key, `${webhooksUrl}/${scene.webhookId}/deliveries`)).body.length, 2)
        assert.deepEqual(lagOf(await one.get(null, '/readyz')), {
          totals: 1,
          webhooks: 0,
          policies: 2,
          calibration: 2,
          events: 2,
          reviews: 2,
          log: 0,
        })
        await verified(one, key)
        assert.equal((await one.get(null, '/api/health')).body.total_verifications, 3)
      })
      const every = { summary: 3, usage: 3, deliveries: 3, total: 3 }
      assert.deepEqual(await seenBy(one, scene), every)
      assert.deepEqual(await seenBy(scene.other, scene), every)
      await one.seal()
      assert.deepEqual(lagOf(await one.get(null, '/readyz')), {
        totals: 0,
        webhooks: 0,
        policies: 3,
        calibration: 3,
        events: 3,
        reviews: 3,
        log: 0,
      })
    }))

  test(`/readyz and /metrics show which follower is behind, by how much, and that it fails (${engine})`, () =>
    withTwo(engine, async ({ one, key }) => {
      const stop = one.journal.start(repeat)
      try {
        await withBrokenRollups(one, async () => {
          await verified(one, key)
          one.clock.advance(30_000)
          await verified(one, key)
          const failing = await until(one, ({ totals, ...others }) => {
            const isPassed = Object.values(others).every(({ lag_entries: entries }) => entries === 0)
            return totals?.failing === true && isPassed
          })
          assert.deepEqual(failing, {
            totals: { name: 'totals', lag_entries: 2, lag_seconds: 30, failing: true },
            webhooks: { name: 'webhooks', lag_entries: 0, lag_seconds: 0, failing: false },
            policies: { name: 'policies', lag_entries: 0, lag_seconds: 0, failing: false },
            calibration: { name: 'calibration', lag_entries: 0, lag_seconds: 0, failing: false },
            events: { name: 'events', lag_entries: 0, lag_seconds: 0, failing: false },
            reviews: { name: 'reviews', lag_entries: 0, lag_seconds: 0, failing: false },
            log: { name: 'log', lag_entries: 0, lag_seconds: 0, failing: false },
          })
          one.clock.advance(1_000)
          const samples = samplesIn((await one.get(null, '/metrics')).text)
          assert.equal(samples['fairway_follower_lag_entries{follower="totals"}'], 2)
          assert.equal(samples['fairway_follower_lag_seconds{follower="totals"}'], 31)
          assert.equal(samples['fairway_follower_lag_entries{follower="webhooks"}'], 0)
          assert.equal(samples['fairway_follower_lag_seconds{follower="log"}'], 0)
          assert.ok((samples['fairway_follower_failures_total{follower="totals"}'] ?? 0) >= 1)
          assert.equal(samples['fairway_follower_failures_total{follower="webhooks"}'], undefined)
        })
        const healed = await until(one, ({ totals }) => totals?.failing === false && totals.lag_entries === 0)
        assert.deepEqual(healed['totals'], { name: 'totals', lag_entries: 0, lag_seconds: 0, failing: false })
        const about = one.log
          .map((line) => String(JSON.parse(line).msg))
          .filter((line) => line.includes('followers:'))
        assert.deepEqual(about, ['followers: totals failed, will retry', 'followers: totals has recovered'])
      } finally {
        await stop()
      }
    }))

  test(`where nothing was recorded since, a reader waits for nobody (${engine})`, () =>
    withTwo(engine, async (scene) => {
      await verified(scene.one, scene.key)
      await seenBy(scene.one, scene)
      await scene.one.seal()
      await withBrokenRollups(scene.one, async () => {
        const every = { summary: 1, usage: 1, deliveries: 1, total: 1 }
        assert.deepEqual(await seenBy(scene.one, scene), every)
        assert.deepEqual(await seenBy(scene.other, scene), every)
      })
    }))
}

test('postgres: while another connection holds a follower, its readers get 503 after two seconds, and others answer', () => {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  return withTwo(
    'postgres',
    async (scene) => {
      const { one, key } = scene
      const holder = new pg.Client({ connectionString: one.databaseUrl })
      await holder.connect()
      await holder.query("BEGIN; SELECT position FROM followers WHERE name = 'totals' FOR UPDATE")
      await verified(one, key)
      const late = one.get(key, summaryUrl)
      assert.equal(await timers.next(), 2_000)
      assert.equal((await one.get(null, '/readyz')).status, 200)
      assert.equal((await one.get(null, '/api/health')).body.total_verifications, 1)
      assert.equal((await one.verify(key, payment)).status, 200)
      assert.equal((await one.get(key, `${webhooksUrl}/${scene.webhookId}/deliveries`)).body.length, 2)
      await timers.advance(2_000)
      checkBehind(await late)
      await holder.query('COMMIT')
      await holder.end()
      assert.equal((await one.get(key, summaryUrl)).body.total, 2)
    },
    { clock, after: timers.after },
  )
})

function checkBehind({ status, headers, body, text }: Answer): void {
  assert.equal(status, 503, text)
  assert.equal(body.code, 'STORE_UNAVAILABLE')
  assert.match(body.message, /Earlier records are still being processed.*retry/)
  assert.ok(Number(headers['retry-after']) > 0)
}

interface Shown {
  readonly name: string
  readonly lag_entries: number
  readonly lag_seconds: number
  readonly failing: boolean
}

function followersOf({ status, body, text }: Answer): Record<string, Shown> {
  assert.equal(status, 200, text)
  return Object.fromEntries((body.followers as Shown[]).map((shown) => [shown.name, shown]))
}

function lagOf(answer: Answer): Record<string, number> {
  const shown = Object.values(followersOf(answer))
  return Object.fromEntries(shown.map(({ name, lag_entries: entries }) => [name, entries]))
}

/** Asks until the followers are as they should be; a test that waits in vain ends by its own time limit. */
async function until(
  { get }: Harness,
  isRight: (followers: Record<string, Shown>) => boolean,
): Promise<Record<string, Shown>> {
  for (;;) {
    const followers = followersOf(await get(null, '/readyz'))
    if (isRight(followers)) return followers
    await pause(20)
  }
}

/** Nothing can be counted meanwhile. */
const withBrokenRollups = ({ databaseUrl }: Harness, work: () => Promise<void>): Promise<void> =>
  withBrokenTable(databaseUrl, 'INSERT ON rollups', work)
