/** Calibration equals a scan of the records and outcomes, whatever was recorded, reported and followed in which order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, iso } from '../../../src/core/time/durations.ts'
import { createRng } from '../../../torture/random.ts'
import {
  assertCalibration,
  CalibrationBooks,
  calibrationOf,
  type BookedPayment,
} from '../../helpers/calibration-books.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { report } from '../../helpers/outcomes.ts'
import { sendTraffic, stepsOf } from '../../helpers/policy-traffic.ts'

const settings = { FAIRWAY_LIMIT_KEYED: '1000000/60', FAIRWAY_COOLDOWN_S: '30' }
const options = { feeds: simulatedFeeds, settings }

interface Owners {
  /** A key of each mode for the first owner, and one of another owner. */
  readonly keys: readonly string[]
  readonly own: readonly string[]
  readonly other: readonly string[]
}

async function twoOwners(harness: Harness): Promise<Owners> {
  const { key, record } = await harness.issue()
  const live = await harness.issue({ prefix: 'pk_live_', ownerId: record.ownerId })
  const { key: other } = await harness.issue()
  return { keys: [key, key, live.key, other], own: [key, live.key], other: [other] }
}

const outcomes = ['COMPLETED', 'FAILED', 'DELAYED', 'REJECTED', 'PENDING'] as const

/** Reports on some of the decisions so far, however old: new, the same again, or refused because it is another. */
async function reportLate(harness: Harness, books: CalibrationBooks, seed: number): Promise<number> {
  const rng = createRng(seed)
  const decided = await books.payments(harness)
  const statuses: number[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    const { requestId, key } = rng.pick(decided)
    const outcome = rng.pick(outcomes)
    for (let times = rng.below(2); times >= 0; times -= 1)
      statuses.push((await report(harness, key, requestId, { outcome })).status)
  }
  assert.ok(statuses.every((status) => status === 200 || status === 409))
  return statuses.filter((status) => status === 409).length
}

interface Sent {
  readonly books: CalibrationBooks
  readonly owners: Owners
}

/** Three days of one month and two of the next, on instances in turn. */
async function sendDays(instances: readonly Harness[], part: number): Promise<Sent> {
  const [harness = assert.fail()] = instances
  const books = new CalibrationBooks()
  const owners = await twoOwners(harness)
  const watched = instances.map((instance) => books.watch(instance))
  let refused = 0
  for (const [place, days] of [1, 1, 12, 1, 3].entries()) {
    await sendTraffic(watched, owners.keys, stepsOf(40, part + place))
    refused += await reportLate(harness, books, part + place)
    harness.clock.advance(days * dayMs)
  }
  assert.ok(refused > 0, 'no report was refused')
  return { books, owners }
}

const corridors = ['GB-NG', 'NG-GB', 'US-MX', 'GB-KE'] as const

/** Every owner, mode and corridor, over all of the time and over parts of it. */
async function assertScanned(harness: Harness, { books, owners }: Sent): Promise<BookedPayment[]> {
  const payments = await books.payments(harness)
  const days = [...new Set(payments.map(({ atMs }) => Math.floor(atMs / dayMs)))].toSorted((a, b) => a - b)
  const [firstDay = 0, lastDay = 0] = [days[0], days.at(-1)]
  const ranges = [
    [firstDay, lastDay],
    [firstDay + 1, lastDay - 1],
    ...days.map((day) => [day, day] as const),
  ] as const
  for (const keys of [owners.own, owners.other]) {
    const own = payments.filter(({ key }) => keys.includes(key))
    for (const mode of [null, 'shadow', 'live']) {
      for (const corridor of [null, ...corridors]) {
        for (const [from, to] of corridor === null ? ranges : ranges.slice(0, 2)) {
          const query = new URLSearchParams({
            from: iso(from * dayMs),
            to: iso(to * dayMs + 1),
            ...(mode === null ? {} : { mode }),
            ...(corridor === null ? {} : { corridor }),
          })
          const body = await calibrationOf(harness, keys[0] ?? '', `?${query.toString()}`)
          assertCalibration(
            body,
            own.filter(
              (payment) =>
                payment.atMs >= from * dayMs &&
                payment.atMs < (to + 1) * dayMs &&
                (mode === null || payment.mode === mode) &&
                (corridor === null || payment.corridor === corridor),
            ),
          )
        }
      }
    }
  }
  return payments
}

/** The whole projection, in an order of its own. */
async function stored({ databaseUrl }: Harness): Promise<unknown[]> {
  const columns = 'owner_id, corridor, mode, starts_at_ms'
  const rows = await rowsOf(databaseUrl, `SELECT ${columns}, cells FROM calibration ORDER BY ${columns}`)
  return rows.map((row) => ({ ...row, cells: JSON.parse(String(row['cells'])) as unknown }))
}

async function positionOf({ store }: Harness): Promise<number | undefined> {
  const { positions } = await store.journal.state()
  return positions.find(({ name }) => name === 'calibration')?.position
}

for (const engine of engines) {
  test(`${engine}: every figure of every owner, mode, corridor and stretch equals a scan`, async () => {
    const clock = new ManualClock('2026-03-17T09:00:00.000Z')
    await withHarness({ engine, clock, ...options }, async (harness) => {
      const sent = await sendDays([harness], 100)
      const payments = await assertScanned(harness, sent)
      const count = (isSo: (payment: BookedPayment) => boolean): number => payments.filter(isSo).length
      assert.equal(payments.length, 200)
      assert.ok(count(({ outcome }) => outcome === 'FAILED' || outcome === 'REJECTED') > 20)
      assert.ok(
        count(({ mode, reasonCodes: codes }) => mode === 'live' && codes.includes('CORRIDOR_UNSUPPORTED')) >
          5,
      )
      assert.ok(count(({ verdict, outcome }) => verdict === 'NO-GO' && outcome === null) > 0)
      const { reliability } = await calibrationOf(harness, sent.owners.own[0] ?? '')
      assert.ok(reliability.some(({ rate }: { rate: number | null }) => rate !== null))
      const [repeats] = await rowsOf(
        harness.databaseUrl,
        'SELECT count(*) AS count FROM verifications WHERE cooldown_source_id IS NOT NULL',
      )
      assert.ok(Number(repeats?.['count']) > 0, 'no decision was repeated by a cooldown')
    })
  })

  test(`${engine}: the projection is the same, followed entry by entry or all at once, from memory or from the store`, async () => {
    const clock = new ManualClock('2026-03-30T09:00:00.000Z')
    await withHarness({ engine, clock, ...options }, async (harness) => {
      const followed = async (answering: Promise<Answer>): Promise<Answer> => {
        const answer = await answering
        await harness.journal.passed('calibration')
        return answer
      }
      const each: Harness = {
        ...harness,
        send: (request) => followed(harness.send(request)),
        verify: (key, body, more) => followed(harness.verify(key, body, more)),
      }
      const sent = await sendDays([each], 200)
      await harness.journal.passed('calibration')
      const before = await stored(harness)
      assert.ok(before.length > 20)
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        await run('DELETE FROM calibration')
        await run('UPDATE calibration_follower SET position = 0')
      })
      // Another instance has none of the records in memory.
      const sibling = await harness.sibling()
      try {
        await assertScanned(sibling, sent)
        assert.deepEqual(await stored(sibling), before)
      } finally {
        await sibling.close()
      }
    })
  })

  test(`${engine}: a run that is interrupted before its position is written counts nothing, and the next counts once`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const sent = await sendDays([harness], 300)
      await harness.journal.sequenced()
      // The position is written last.
      await withBrokenTable(harness.databaseUrl, 'UPDATE ON calibration_follower', async () => {
        for (let turn = 0; turn < 2; turn += 1)
          await assert.rejects(harness.store.journal.follow('calibration'), /broken/)
        assert.deepEqual(await stored(harness), [])
        assert.equal(await positionOf(harness), 0)
      })
      await assertScanned(harness, sent)
      const counted = await stored(harness)
      const position = await positionOf(harness)
      await harness.store.journal.follow('calibration')
      assert.deepEqual([await stored(harness), await positionOf(harness)], [counted, position])
    })
  })
}

test('postgres: instances that record, report and follow at once count everything once', async () => {
  const clock = new ManualClock('2026-03-17T09:00:00.000Z')
  await withHarness({ engine: 'postgres', clock, ...options }, async (harness) => {
    const sibling = await harness.sibling()
    const instances = [harness, sibling]
    /** Both follow at once, while the next request is on its way. */
    const followers: Promise<unknown>[] = []
    const followAtOnce = async (answering: Promise<Answer>): Promise<Answer> => {
      const answer = await answering
      await harness.store.journal.sequence()
      followers.push(...instances.map(({ store }) => store.journal.follow('calibration')))
      return answer
    }
    const following = instances.map((instance) => ({
      ...instance,
      send: (request: Parameters<Harness['send']>[0]) => followAtOnce(instance.send(request)),
      verify: (...given: Parameters<Harness['verify']>) => followAtOnce(instance.verify(...given)),
    }))
    try {
      const sent = await sendDays(following, 400)
      await Promise.all(followers)
      await assertScanned(sibling, sent)
    } finally {
      await Promise.allSettled(followers)
      await sibling.close()
    }
  })
})
