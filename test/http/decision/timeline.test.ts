/** GET /api/v1/decision/{id}/timeline: ten measured moments that sum to the total. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timelineEvents } from '../../../src/core/explain/timeline.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask, issueByCli, serve } from '../../helpers/process/process.ts'
import { freshDatabase, engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'

interface Moment {
  readonly event: string
  readonly time: string
  readonly duration_ms: number
}

const microseconds = (ms: number): number => Math.round(ms * 1000)
/** Date keeps milliseconds only: the rest of the text has the others. */
const instant = (time: string): number => Date.parse(time) * 1000 + Number(time.slice(-4, -1))

function checkMoments(events: readonly Moment[], totalMs: number): void {
  let sum = 0
  for (const [place, { time, duration_ms: duration }] of events.entries()) {
    sum += microseconds(duration)
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    const before = events[place - 1]
    if (before === undefined) assert.equal(duration, 0)
    else assert.equal(instant(time) - instant(before.time), microseconds(duration))
    assert.ok(duration >= 0)
  }
  assert.equal(sum, microseconds(totalMs))
}

for (const engine of engines) {
  test(`a real process measures ten moments, one after the other, that sum to the total (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const { key } = await issueByCli(database.url)
    const server = await serve({ DATABASE_URL: database.url })
    try {
      const before = Date.now()
      const decided = (await (await ask(server.url, key, { corridor: 'GB-NG', amount: 12 })).json()) as {
        request_id: string
      }
      const after = Date.now()
      const answer = await checkedFetch(`${server.url}/api/v1/decision/${decided.request_id}/timeline`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const found = (await answer.json()) as { events: Moment[]; total_duration_ms: number }
      assert.deepEqual(
        found.events.map(({ event }) => event),
        timelineEvents,
      )
      checkMoments(found.events, found.total_duration_ms)
      assert.ok(found.total_duration_ms > 0, 'it took some time, and that was measured')
      assert.ok(found.total_duration_ms <= after - before + 1)
      const [first] = found.events
      assert.ok(Date.parse(first?.time ?? '') >= before && Date.parse(first?.time ?? '') <= after)
    } finally {
      await server.stop()
      await database.drop()
    }
  })
}

test('a record of a cooldown shows the moments of its source, and beside them its own', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const source = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })
    harness.clock.advance(5_000)
    const hit = await harness.verify(key, { corridor: 'GB-NG', amount: 2 })
    const timelineOf = async (id: string) => (await harness.get(key, `/api/v1/decision/${id}/timeline`)).body
    const original = await timelineOf(source.body.request_id)
    const found = await timelineOf(hit.body.request_id)
    assert.equal(original.events.length, 10)
    assert.deepEqual(found.events, original.events)
    assert.equal(found.cooldown.source_request_id, source.body.request_id)
    assert.deepEqual(
      found.cooldown.own_events.map(({ event }: Moment) => event),
      [
        'request_received',
        'key_authenticated',
        'request_validated',
        'idempotency_checked',
        'cooldown_checked',
        'record_prepared',
      ],
    )
    checkMoments(found.cooldown.own_events, found.cooldown.own_total_duration_ms)
    assert.equal(instant(found.cooldown.own_events[0].time) - instant(found.events[0].time), 5_000_000)
  })
})
