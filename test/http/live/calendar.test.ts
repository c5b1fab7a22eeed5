/** Settlement calendars: when the money can move, and how long an answer is valid. They never change a verdict. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { ManualClock } from '../../helpers/clock.ts'
import type { Harness } from '../../helpers/harness.ts'
import { providerBody, text, calm, withLive, type Answering } from '../../helpers/peers/provider.ts'
import { lagos, worldAt } from '../../helpers/peers/world.ts'
import type { SignalName } from '../../../src/core/decision/signals.ts'

const liveKey = async ({ issue }: Harness): Promise<string> => (await issue({ prefix: 'pk_live_' })).key

/** Healthy at the time of the test's clock. */
const answerAt =
  (clock: ManualClock): Answering =>
  ({ signal }) =>
    text(providerBody(calm[signal as SignalName], clock.nowMs()))

async function at(time: string, work: (harness: Harness, key: string) => Promise<void>): Promise<void> {
  const clock = new ManualClock(time)
  await withLive({ answer: answerAt(clock), feeds_file: worldAt, clock }, async ({ harness }) =>
    work(harness, await liveKey(harness)),
  )
}

test('in an open window an answer is valid for ten minutes, or until the cut-off', async () => {
  await at('2026-03-02T14:00:00.000Z', async (harness, key) => {
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
    assert.equal(body.valid_until, '2026-03-02T14:10:00.000Z')
    assert.deepEqual(body.settlement_window, {
      open: true,
      opens_at: '2026-03-02T07:00:00.000Z',
      cut_off_at: '2026-03-02T15:00:00.000Z',
    })
    harness.clock.advance(55 * 60_000)
    const late = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
    assert.equal(late.body.valid_until, '2026-03-02T15:00:00.000Z')
    harness.clock.advance(5 * 60_000)
    const closed = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
    assert.deepEqual(
      [closed.body.decision, closed.body.valid_until, closed.body.settlement_window],
      [
        'GO',
        '2026-03-02T15:10:00.000Z',
        { open: false, opens_at: '2026-03-03T07:00:00.000Z', cut_off_at: '2026-03-03T15:00:00.000Z' },
      ],
    )
  })
})

for (const day of ['2023-10-02', '2024-04-09', '2024-09-16']) {
  test(`Lagos is closed on ${day}, because the file says so`, async () => {
    await at(`${day}T10:00:00.000Z`, async (harness, key) => {
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
      assert.deepEqual([body.decision, body.settlement_window.open], ['GO', false])
      assert.ok(body.settlement_window.opens_at > `${day}T23:59:59.999Z`)
      harness.clock.advance(86_400_000)
      const next = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
      assert.equal(next.body.settlement_window.open, true)
    })
  })
}

test('a corridor without a calendar has no window; a shadow answer has its ten minutes', async () => {
  await at('2026-03-02T14:00:00.000Z', async (harness, key) => {
    const live = await harness.verify(key, { corridor: 'GB-KE', amount: 10 })
    assert.ok(!('settlement_window' in live.body))
    const { body } = await harness.verify((await harness.issue()).key, { corridor: 'GB-NG', amount: 10 })
    assert.ok(!('settlement_window' in body))
    assert.equal(body.valid_until, '2026-03-02T14:10:00.000Z')
  })
})

test('an expired calendar is a warning and no window, never a guess', async () => {
  await at('2027-01-04T10:00:00.000Z', async (harness, key) => {
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 10, extra: 1 })
    assert.equal(body.settlement_window, null)
    assert.equal(body.decision, 'GO')
    assert.equal(body.valid_until, '2027-01-04T10:10:00.000Z')
    assert.deepEqual(
      body.warnings.map(({ code, path }: { code: string; path?: string }) => [code, path]),
      [
        ['UNKNOWN_MEMBER', '/extra'],
        ['CALENDAR_EXPIRED', undefined],
      ],
    )
    const { body: calendar } = await harness.get(key, '/api/v1/corridors/GB-NG/calendar')
    assert.deepEqual(
      [calendar.open, calendar.opens_at, calendar.cut_off_at, calendar.next_window, calendar.valid_through],
      [null, null, null, null, '2026-12-31'],
    )
  })
})

test('the calendar of a corridor is shown to live keys, and is 404 where there is none', async () => {
  await at('2026-03-02T14:00:00.000Z', async (harness, key) => {
    const url = '/api/v1/corridors/GB-NG/calendar'
    assert.deepEqual((await harness.get(key, url)).body, {
      time_zone: 'Africa/Lagos',
      open: true,
      opens_at: '2026-03-02T07:00:00.000Z',
      cut_off_at: '2026-03-02T15:00:00.000Z',
      next_window: { opens_at: '2026-03-03T07:00:00.000Z', cut_off_at: '2026-03-03T15:00:00.000Z' },
      holidays: lagos.holidays,
      valid_through: lagos.valid_through,
      source: lagos.source,
    })
    const none = [
      await harness.get(key, '/api/v1/corridors/GB-KE/calendar'),
      await harness.get(key, '/api/v1/corridors/NG-GB/calendar'),
      await harness.get((await harness.issue()).key, url),
    ]
    assert.deepEqual(
      none.map(({ status, body }) => [status, body.code]),
      none.map(() => [404, 'NOT_FOUND']),
    )
    assert.equal((await harness.get(key, '/api/v1/corridors/nowhere/calendar')).status, 400)
  })
})

test('a cooldown repeat is valid until the cooldown ends, and a replay keeps its own time', async () => {
  await at('2026-03-02T14:00:00.000Z', async (harness, key) => {
    const headers = { 'idempotency-key': 'one' }
    const first = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 }, { headers })
    assert.deepEqual([first.body.decision, first.body.valid_until], ['NO-GO', '2026-03-02T14:10:00.000Z'])
    harness.clock.advance(60_000)
    const repeat = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
    assert.equal(repeat.body.valid_until, repeat.body.cooldown.expires_at)
    assert.equal(repeat.body.valid_until, '2026-03-02T14:01:30.000Z')
    const replay = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 }, { headers })
    assert.deepEqual([replay.body.idempotency_hit, replay.body.valid_until], [true, first.body.valid_until])
  })
})

test('a repeat has the window of its own moment, and its export is recomputed', async () => {
  await at('2026-03-02T14:59:30.000Z', async (harness, key) => {
    const first = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
    assert.equal(first.body.settlement_window.open, true)
    harness.clock.advance(60_000)
    const repeat = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
    assert.deepEqual([repeat.body.cooldown !== undefined, repeat.body.settlement_window.open], [true, false])
    const { text: exported } = await harness.get(key, `/api/v1/audit/export/${repeat.body.request_id}`)
    assert.deepEqual(verifyBundle(exported).findings, [])
  })
  await at('2027-01-04T10:00:00.000Z', async (harness, key) => {
    await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
    const repeat = await harness.verify(key, { corridor: 'GB-NG', amount: 10 })
    assert.deepEqual(
      repeat.body.warnings.map(({ code }: { code: string }) => code),
      ['CALENDAR_EXPIRED'],
    )
    const { text: exported } = await harness.get(key, `/api/v1/audit/export/${repeat.body.request_id}`)
    assert.deepEqual(verifyBundle(exported).findings, [])
  })
})

test('how long an answer is valid is a setting', async () => {
  const clock = new ManualClock('2026-03-02T14:00:00.000Z')
  const settings = { FAIRWAY_DECISION_VALID_S: '30' }
  await withLive({ answer: answerAt(clock), feeds_file: worldAt, clock, settings }, async ({ harness }) => {
    const { body } = await harness.verify(await liveKey(harness), { corridor: 'GB-NG', amount: 10 })
    assert.equal(body.valid_until, '2026-03-02T14:00:30.000Z')
  })
})
