/** The outbox, on every engine: who may send what, for how long, and what is kept of it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndedClaim } from '../../../src/app/ports/webhooks.ts'
import type { EventId } from '../../../src/core/events/event.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { delivered, failed, leaseMs, only, pauses, sound, withOutbox } from './fixture.ts'

for (const engine of engines) {
  test(`${engine}: what is claimed belongs to one until its lease ends, then to anybody, under the same number`, async () => {
    await withOutbox(engine, async ({ store, clock, again, webhook, announce, claim }) => {
      const other = await again()
      await webhook('whk_a')
      const [eventId] = await announce('whk_a', 1)
      const first = only(await claim(store, 'whk_a', 5))
      assert.deepEqual(
        [first.eventId, first.attemptNumber, first.url],
        [eventId, 1, 'https://receiver.example/whk_a'],
      )
      assert.deepEqual(await claim(store, 'whk_a', 5), [])
      clock.advance(leaseMs - 1)
      assert.deepEqual(await claim(other, 'whk_a', 5), [])
      clock.advance(1)
      const second = only(await claim(other, 'whk_a', 5, 'b.1'))
      assert.deepEqual([second.eventId, second.attemptNumber], [eventId, 1])
    })
  })

  test(`${engine}: a failure that was recorded brings the next number, at its time`, async () => {
    await withOutbox(engine, async ({ store, clock, webhook, announce, claim, end }) => {
      await webhook('whk_a')
      await announce('whk_a', 1)
      const first = only(await claim(store, 'whk_a', 1))
      assert.equal(await end(store, failed(first, clock.nowMs(), clock.nowMs() + 60_000)), 1)
      clock.advance(59_999)
      assert.deepEqual(await claim(store, 'whk_a', 1), [])
      clock.advance(1)
      const second = only(await claim(store, 'whk_a', 1))
      assert.equal(second.attemptNumber, 2)
      assert.equal(second.attempts.length, 1)
    })
  })

  test(`${engine}: who has lost the lease records a success, but no failure`, async () => {
    await withOutbox(engine, async ({ store, clock, again, webhook, announce, claim, end }) => {
      const other = await again()
      await webhook('whk_a')
      await announce('whk_a', 2)
      const late = await claim(store, 'whk_a', 2, 'late.1')
      clock.advance(leaseMs)
      const current = await claim(other, 'whk_a', 2, 'current.1')
      assert.equal(current.length, 2)
      const [lateFirst, lateSecond] = late
      const [, currentSecond] = current
      if (lateFirst === undefined || lateSecond === undefined || currentSecond === undefined) assert.fail()
      assert.equal(await end(store, failed(lateSecond, clock.nowMs(), clock.nowMs())), 0)
      assert.equal(await end(store, delivered(lateFirst, clock.nowMs())), 1)
      // What is delivered stays so, whatever another says of it.
      assert.equal(await end(other, ...current.map((one) => failed(one, clock.nowMs(), clock.nowMs()))), 1)
      const again2 = await claim(store, 'whk_a', 5)
      assert.deepEqual(
        again2.map((one) => [one.eventId, one.attemptNumber]),
        [[currentSecond.eventId, 2]],
      )
    })
  })

  test(`${engine}: instances that claim at once get different ones, and together all`, async () => {
    await withOutbox(engine, async ({ store, again, webhook, announce, claim }) => {
      const instances = [store, await again(), await again()]
      await webhook('whk_a')
      const events = await announce('whk_a', 60)
      const shares = await Promise.all(instances.map((one, place) => claim(one, 'whk_a', 20, `${place}.1`)))
      const rest = await claim(store, 'whk_a', 60, 'rest.1')
      const claimed = [...shares, rest].flat().map((one) => one.eventId)
      assert.equal(claimed.length, 60)
      assert.deepEqual(new Set(claimed), new Set(events))
      assert.ok(shares.every((share) => share.length <= 20))
    })
  })

  test(`${engine}: endpoints for which something waits are found page by page, with the times of it`, async () => {
    await withOutbox(engine, async ({ store, clock, webhook, announce, claim, end }) => {
      const names = ['whk_a', 'whk_b', 'whk_c', 'whk_d']
      for (const name of names) {
        await webhook(name)
        await announce(name, 3)
      }
      const nowMs = clock.nowMs()
      const done = await claim(store, 'whk_b', 3)
      await end(store, ...done.map((one) => delivered(one, nowMs)))
      await claim(store, 'whk_c', 1)
      const first = await store.outbox.waiting({ after: '', limit: 2 })
      assert.deepEqual(first, [
        { webhookId: 'whk_a', firstDueAtMs: nowMs, lastDueAtMs: nowMs, ...sound },
        { webhookId: 'whk_c', firstDueAtMs: nowMs, lastDueAtMs: nowMs + leaseMs, ...sound },
      ])
      const rest = await store.outbox.waiting({ after: 'whk_c', limit: 2 })
      assert.deepEqual(
        rest.map((one) => one.webhookId),
        ['whk_d'],
      )
      await store.outbox.makeDue('whk_c', nowMs + 1, nowMs)
      assert.equal((await claim(store, 'whk_c', 5)).length, 3)
    })
  })

  test(`${engine}: a removed endpoint gets nothing more, and what waited for it is cleared away`, async () => {
    await withOutbox(engine, async ({ store, clock, webhook, announce, claim }) => {
      await webhook('whk_a')
      await webhook('whk_b')
      await announce('whk_a', 1_500)
      await announce('whk_b', 1)
      assert.ok(await store.forOwner('own_a').webhooks.remove('whk_a', clock.nowMs()))
      assert.deepEqual(await claim(store, 'whk_a', 5), [])
      clock.advance(120_000)
      const places: string[] = []
      for (let call = 0; call < 4; call += 1) {
        places.push(await store.outbox.prune({ after: places.at(-1) ?? '', nowMs: clock.nowMs() }))
      }
      assert.match(places[0] ?? '', /^whk_a evt_/, 'a bounded number at a time')
      assert.deepEqual(places.slice(1), ['whk_a', 'whk_b', ''])
      assert.deepEqual(
        (await store.outbox.waiting({ after: '', limit: 9 })).map((one) => one.webhookId),
        ['whk_b'],
      )
      assert.equal(
        await store.outbox.prune({ after: '', nowMs: clock.nowMs() }),
        'whk_b',
        'nothing is left of it',
      )
    })
  })

  test(`${engine}: delivered events are cleared away after 30 days; dropped and waiting ones are kept`, async () => {
    await withOutbox(engine, async ({ store, clock, webhook, announce, claim, end }) => {
      await webhook('whk_a')
      const [gone, dropped, waiting] = await announce('whk_a', 3)
      const claimed = await claim(store, 'whk_a', 3)
      const byId = new Map(claimed.map((one) => [one.eventId, one]))
      const [first, second] = [byId.get(gone as EventId), byId.get(dropped as EventId)]
      if (first === undefined || second === undefined) assert.fail()
      await end(store, delivered(first, clock.nowMs()), {
        ...delivered(second, clock.nowMs()),
        state: 'dropped',
      })
      const shown = async (): Promise<(EventId | undefined)[]> => {
        const all = { limit: 10, before: null, ended: null }
        const found = await store.forOwner('own_a').webhooks.deliveries('whk_a', all)
        return (found ?? []).map((one) => one.eventId)
      }
      const dayMs = 86_400_000
      clock.advance(30 * dayMs)
      await store.outbox.prune({ after: '', nowMs: clock.nowMs() })
      assert.deepEqual(await shown(), [waiting, dropped, gone])
      clock.advance(1)
      await store.outbox.prune({ after: '', nowMs: clock.nowMs() })
      assert.deepEqual(await shown(), [waiting, dropped])
    })
  })

  test(`${engine}: what was dropped and kept does not keep the rest from being cleared away`, async () => {
    await withOutbox(engine, async ({ store, clock, webhook, announce, claim, end }) => {
      await webhook('whk_a')
      await announce('whk_a', 1_200)
      const all = [...(await claim(store, 'whk_a', 1_200))].toSorted((left, right) =>
        left.eventId < right.eventId ? -1 : 1,
      )
      const ends = all.map((one, place): EndedClaim => {
        const ended = delivered(one, clock.nowMs())
        return place < 1_100 ? { ...ended, state: 'dropped' } : ended
      })
      assert.equal(await end(store, ...ends), 1_200)
      clock.advance(31 * 86_400_000)
      let place = ''
      do place = await store.outbox.prune({ after: place, nowMs: clock.nowMs() })
      while (place !== '')
      const asked = { limit: 2_000, before: null, ended: null }
      const kept = await store.forOwner('own_a').webhooks.deliveries('whk_a', asked)
      assert.deepEqual(new Set(kept?.map((one) => one.state)), new Set(['dropped']))
      assert.equal(kept?.length, 1_100)
      const dropped = { ...asked, ended: 'dropped' as const }
      assert.deepEqual(await store.forOwner('own_a').webhooks.deliveries('whk_a', dropped), kept)
    })
  })

  test(`${engine}: a row that somebody has spoilt stops nobody else's, and is dropped where it cannot be sent`, async () => {
    await withOutbox(engine, async ({ store, url, webhook, announce, claim }) => {
      for (const name of ['whk_a', 'whk_b', 'whk_c', 'whk_d']) {
        await webhook(name)
        await announce(name, 1)
      }
      const spoil = [
        "UPDATE webhook_deliveries SET attempts = 'no JSON' WHERE webhook_id = 'whk_a'",
        "UPDATE webhooks SET secrets = '{' WHERE webhook_id = 'whk_b'",
        "UPDATE webhook_deliveries SET event = 'payment.decision.created', request_id = 'SVC-GONE' WHERE webhook_id = 'whk_c'",
      ]
      await withDirectDatabase(url, async ({ run }) => {
        for (const sql of spoil) await run(sql)
      })
      const wanted = ['whk_a', 'whk_b', 'whk_c', 'whk_d'].map((webhookId) => ({ webhookId, count: 5 }))
      const nowMs = Number.MAX_SAFE_INTEGER - 1
      const turn = { ended: [], wanted, lease: 'a.1', nowMs, leaseEndsAtMs: nowMs + 1, pauses }
      const { claimed, abandoned } = await store.outbox.turn(turn)
      assert.deepEqual(new Set(claimed.map((one) => one.webhookId)), new Set(['whk_a', 'whk_d']))
      assert.deepEqual(new Set(abandoned.map((one) => one.webhookId)), new Set(['whk_b', 'whk_c']))
      assert.deepEqual(await claim(store, 'whk_b', 5), [], 'it is not tried again')
      const asked = { limit: 5, before: null, ended: 'dropped' as const }
      assert.equal((await store.forOwner('own_a').webhooks.deliveries('whk_c', asked))?.length, 1)
    })
  })
}
