/** A host that fails, on every engine: one attempt at a time, and everything afterwards in its order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedDelivery, EndedClaim } from '../../../src/app/ports/webhooks.ts'
import type { EventId } from '../../../src/core/events/event.ts'
import { engines } from '../../helpers/database/databases.ts'
import { delivered, failed, leaseMs, only, withOutbox } from './fixture.ts'

for (const engine of engines) {
  test(`${engine}: of several instances and endpoints one has the attempt to a host that fails, until it has ended`, async () => {
    await withOutbox(engine, async ({ store, clock, again, webhook, announce, claim, end }) => {
      const instances = [store, await again(), await again()]
      for (const name of ['whk_a', 'whk_b']) {
        await webhook(name)
        await announce(name, 30)
        const tried = await claim(store, name, 10)
        await end(store, ...tried.map((one) => failed(one, clock.nowMs(), clock.nowMs() + 60_000)))
      }
      await webhook('whk_c')
      await announce('whk_c', 5)
      assert.equal((await claim(store, 'whk_c', 5)).length, 5, 'one that does not fail is not held')
      const race = async (turn: string): Promise<readonly ClaimedDelivery[]> => {
        const wishes = instances.flatMap((one, place) =>
          ['whk_a', 'whk_b'].map((name) => claim(one, name, 20, `${place}.${name}.${turn}`)),
        )
        return (await Promise.all(wishes)).flat()
      }
      assert.deepEqual(await race('before'), [])
      clock.advance(60_000)
      const first = only(await race('first'))
      clock.advance(leaseMs - 1)
      assert.deepEqual(await race('under way'), [])
      await end(store, failed(first, clock.nowMs(), clock.nowMs() + 60_000))
      const second = only(await race('second'))
      assert.notEqual(second.webhookId, first.webhookId, 'the other one has its turn')
      clock.advance(leaseMs)
      assert.equal((await race('after a crash')).length, 1)
    })
  })

  test(`${engine}: a host that answers again is caught up oldest first, those that were tried before among them`, async () => {
    await withOutbox(engine, async ({ store, clock, webhook, announce, claim, end }) => {
      await webhook('whk_a')
      const events: EventId[] = []
      for (let second = 0; second < 60; second += 1) {
        events.push(...(await announce('whk_a', 1)))
        clock.advance(1_000)
      }
      const tried = await claim(store, 'whk_a', 30)
      assert.deepEqual(
        tried.map((one) => one.eventId),
        events.slice(0, 30),
      )
      await end(store, ...tried.map((one) => failed(one, clock.nowMs(), clock.nowMs() + 60_000)))
      clock.advance(60_000)
      const probe = only(await claim(store, 'whk_a', 20))
      await end(store, delivered(probe, clock.nowMs()))
      const rest = await claim(store, 'whk_a', 40)
      assert.deepEqual(
        rest.map((one) => one.eventId),
        events.filter((one) => one !== probe.eventId).slice(0, 40),
      )
    })
  })

  test(`${engine}: however many were dropped, all are sent again, but those that were tried too often`, async () => {
    await withOutbox(engine, async ({ store, clock, webhook, announce, claim, end }) => {
      await webhook('whk_a')
      const events = await announce('whk_a', 2_100)
      const all = await claim(store, 'whk_a', 2_100)
      const dropped = (one: ClaimedDelivery, attemptNumber: number): EndedClaim => ({
        ...failed(one, clock.nowMs(), clock.nowMs()),
        state: 'dropped',
        attemptNumber,
      })
      await end(store, ...all.map((one, place) => dropped(one, place === 7 ? 50 : 5)))
      const owned = store.forOwner('own_a').webhooks
      const range = { sinceMs: 0, untilMs: clock.nowMs() + 1, attemptsMax: 50 }
      const runs: number[] = []
      for (let after: EventId | '' | null = ''; after !== null;) {
        const some = await owned.resendSome('whk_a', { ...range, after })
        runs.push(some.queued)
        after = some.after
      }
      assert.deepEqual(runs, [999, 1_000, 100])
      clock.advance(60_000)
      const again = await claim(store, 'whk_a', 2_100)
      assert.deepEqual([again.length, again[0]?.eventId, again[0]?.attemptNumber], [1, events[0], 6])
    })
  })
}
