/** GET /metrics: the figures behind the alerts of live payments count these alone, under labels that no caller can add to. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusOf } from '../../../src/http/errors.ts'
import { engines } from '../../helpers/database/databases.ts'
import type { Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { text, withLive } from '../../helpers/peers/provider.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'
import { clerkOf, done, readReviews, reviewOf } from '../../helpers/reviews.ts'
import { samplesIn } from '../../helpers/samples.ts'

const feeds = { answer: networks(), feeds_file: worldAt }
const settings = { ...unlimited, FAIRWAY_REVIEW_DUE_S: '600' }

async function samplesOf(harness: Harness): Promise<Record<string, number>> {
  // Figures of the database are cached for a second.
  harness.clock.advance(1_000)
  return samplesIn((await harness.get(null, '/metrics')).text)
}

const startingWith = (samples: Record<string, number>, name: string): Record<string, number> =>
  Object.fromEntries(Object.entries(samples).filter(([sample]) => sample.startsWith(name)))

const live = (corridor: string, verdict: string): string =>
  `fairway_live_decisions_total{corridor="${corridor}",verdict="${verdict}"}`

test('a live decision is counted by corridor once: not its repeats and replays, and no shadow decision', async () => {
  await withLive({ ...feeds, settings }, async ({ harness }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const { key: testKey } = await harness.issue()
    const refused = { corridor: 'GB-NG', amount: 600_000 }
    const once = { headers: { 'idempotency-key': 'one' } }
    assert.equal((await harness.verify(key, refused, once)).body.decision, 'NO-GO')
    await harness.verify(key, refused, once)
    for (let repeat = 0; repeat < 5; repeat += 1) await harness.verify(key, refused)
    await harness.verify(key, { corridor: 'GB-KE', amount: 10 })
    for (const mode of ['shadow', 'live']) await harness.verify(testKey, refused, { mode })
    const samples = await samplesOf(harness)
    assert.equal(samples['fairway_decisions_total{verdict="NO-GO",mode="live",source="replay"}'], 1)
    assert.equal(samples['fairway_decisions_total{verdict="NO-GO",mode="live",source="cooldown"}'], 5)
    assert.equal(samples['fairway_decisions_total{verdict="NO-GO",mode="shadow",source="computed"}'], 1)
    // Each verdict of a corridor is there from its first decision: a series that begins at 1 shows no increase.
    assert.deepEqual(startingWith(samples, 'fairway_live_decisions_total'), {
      [live('GB-NG', 'GO')]: 0,
      [live('GB-NG', 'DEGRADED')]: 0,
      [live('GB-NG', 'NO-GO')]: 1,
      [live('GB-KE', 'GO')]: 1,
      [live('GB-KE', 'DEGRADED')]: 0,
      [live('GB-KE', 'NO-GO')]: 0,
    })
  })
})

test('whatever corridors a caller names, only declared ones are labels', async () => {
  await withLive({ ...feeds, settings }, async ({ harness }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const named = letters.flatMap((letter) => [`GB-${letter}${letter}`, `${letter}Q-US`])
    const spelled = ['gb-ke', 'United Kingdom-Kenya', 'GBR-KEN', 'UK-KE']
    for (const corridor of [...named, ...spelled, 'NG-GB', 'Kenya-Peru', 'other', 'GB-KE"} 1\n']) {
      await harness.verify(key, { corridor, amount: 10 })
    }
    const counted = startingWith(await samplesOf(harness), 'fairway_live_decisions_total')
    const corridors = Object.keys(counted).map((name) => /corridor="([^"]*)"/.exec(name)?.[1] ?? '')
    assert.deepEqual([...new Set(corridors)].toSorted(), ['GB-KE', 'other'])
    assert.equal(corridors.length, 6)
    assert.equal(counted[live('GB-KE', 'GO')], spelled.length)
    assert.equal(counted[live('other', 'DEGRADED')], named.length + 2)
  })
})

const held = 'fairway_decisions_held_total'

test('holds are counted by mode and reason, from a zero on: the first is an increase', async () => {
  const answer = () => text('unwell', 500)
  await withLive({ ...feeds, answer, settings }, async ({ harness }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const { CAPTCHA_UNAVAILABLE: _noVerify, ...statuses } = statusOf
    const reasons = Object.entries(statuses).flatMap(([code, status]) => (status === 503 ? [code] : []))
    const zeros = ['live', 'shadow', 'unknown'].flatMap((mode) =>
      reasons.map((reason): [string, number] => [`${held}{mode="${mode}",reason="${reason}"}`, 0]),
    )
    assert.deepEqual(startingWith(await samplesOf(harness), held), Object.fromEntries(zeros))
    for (const corridor of ['GB-KE', 'GB-NG']) await harness.verify(key, { corridor, amount: 10 })
    assert.deepEqual(startingWith(await samplesOf(harness), held), {
      ...Object.fromEntries(zeros),
      [`${held}{mode="live",reason="SIGNALS_UNAVAILABLE"}`]: 2,
    })
  })
})

const degraded = { corridor: 'GB-NG', amount: 60_000 }

for (const engine of engines) {
  test(`${engine}: reviews of live decisions alone are counted, and as overdue from the moment after they are due`, async () => {
    await withLive({ ...feeds, engine, settings }, async ({ harness }) => {
      const clerk = clerkOf(await harness.issue({ prefix: 'pk_live_' }))
      const { key: testKey } = await harness.issue()
      const reviews = async (): Promise<(number | undefined)[]> => {
        await harness.journal.passed('reviews')
        const samples = await samplesOf(harness)
        return ['waiting', 'overdue', 'overdue_age_seconds'].map((name) => samples[`fairway_reviews_${name}`])
      }
      assert.deepEqual(await reviews(), [0, 0, 0])
      for (let shadow = 0; shadow < 3; shadow += 1) await harness.verify(testKey, degraded)
      const { body } = await harness.verify(clerk.key, degraded)
      assert.deepEqual([body.mode, body.decision], ['live', 'DEGRADED'])
      assert.deepEqual(await reviews(), [1, 0, 0])
      harness.clock.advance(598_000)
      assert.deepEqual(await reviews(), [1, 0, 0])
      harness.clock.advance(899_000)
      assert.deepEqual(await reviews(), [1, 1, 900])
      // A claim is no decision: the payment still waits.
      await done(harness, clerk, 'claim', reviewOf(body.request_id))
      assert.deepEqual(await reviews(), [1, 1, 901])
      harness.clock.advance(86_400_000)
      await readReviews(harness, clerk)
      assert.deepEqual(await reviews(), [0, 0, 0])
    })
  })
}
