/** GET /api/v1/events: every event of an owner once, in the order of the log, from any cursor on. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventsPage, StreamedEvent } from '../../../client/src/types.ts'
import { repeat } from '../../../src/adapters/system.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withPast } from '../../helpers/database/months.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { degraded, override, register, trial } from '../../helpers/webhooks.ts'

const url = '/api/v1/events'
const kinds = [
  'payment.decision.created',
  'payment.override.created',
  'payment.review.opened',
  'payment.review.closed',
]

async function read({ get }: Harness, key: string, query = ''): Promise<EventsPage> {
  const { status, body, text } = await get(key, url + query)
  assert.equal(status, 200, text)
  return body as EventsPage
}

/** Page after page of this size, from the first event on. */
async function readAll(harness: Harness, key: string, limit: number): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = []
  for (let next: string | null = null; ;) {
    const page = await read(harness, key, `?limit=${limit}${next === null ? '' : `&after=${next}`}`)
    assert.ok(page.events.length <= limit)
    if (page.events.length === 0) return events
    events.push(...page.events)
    next = page.next
    assert.equal(next, page.events.at(-1)?.id)
  }
}

for (const engine of engines) {
  test(`${engine}: an event has the id, time and data of its webhook, whatever its type`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        await register(harness, key, receiver.url, { events: kinds })
        await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: 'order 1' })
        const requestId = await degraded(harness, key)
        await harness.journal.passed('reviews')
        assert.equal((await override(harness, key, requestId)).status, 200)
        await harness.journal.passed('reviews')
        await harness.deliver()
        const sent = new Map(receiver.requests.map(({ json }) => [json.event_id, json]))
        const events = await readAll(harness, key, 100)
        assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(kinds))
        assert.equal(events.length, kinds.length + 1, 'two decisions, and one of each other type')
        const origin = (await rowsOf(harness.databaseUrl, 'SELECT origin FROM log_head'))[0]?.['origin']
        for (const { id, type, time, data, subject, source, specversion } of events) {
          const webhook = sent.get(id) ?? assert.fail(`${id} was not sent`)
          assert.deepEqual([type, time, data], [webhook.event, webhook.created_at, webhook.data])
          assert.equal(subject, (webhook.data as { request_id: string }).request_id)
          assert.deepEqual([specversion, source], ['1.0', `urn:${String(origin).replace('/', ':')}`])
        }
      }),
    )
  })

  test(`${engine}: pages of any size give the same events in the order of the log, and none of another owner`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const other = await harness.issue()
      const expected: string[] = []
      // In several runs of the follower, so that events lie in several rows, and by two owners at once.
      for (let turn = 0; turn < 3; turn += 1) {
        for (let count = 0; count < 7; count += 1) {
          await harness.verify(other.key, { corridor: 'GB-NG', amount: 10 + count })
          const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 10 + count })
          expected.push(String(body.request_id))
        }
        await harness.journal.passed('events')
      }
      for (const limit of [1, 2, 7, 8, 1000]) {
        const events = await readAll(harness, key, limit)
        assert.deepEqual(
          events.map(({ subject }) => subject),
          expected,
          `pages of ${limit}`,
        )
      }
      const leaves = await harness.store.log.find(expected)
      const indexes = leaves.map((leaf) => leaf?.index ?? -1)
      assert.deepEqual(
        indexes,
        indexes.toSorted((left, right) => left - right),
      )
    })
  })

  test(`${engine}: a request without a cursor begins with the first event, and next is always there`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const empty = await read(harness, key)
      assert.deepEqual(empty.events, [])
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      const first = await read(harness, key, `?after=${empty.next}`)
      assert.deepEqual(
        first.events.map(({ subject }) => subject),
        [body.request_id],
      )
      assert.deepEqual(await read(harness, key), first)
      assert.deepEqual(await read(harness, key, `?after=${first.next}`), { events: [], next: first.next })
    })
  })

  test(`${engine}: a read right after a verify has its event, whatever was listed before, on either instance`, async () => {
    await withHarness({ engine }, async (harness) => {
      const other = await harness.sibling()
      const stop = harness.journal.start(repeat)
      try {
        const { key } = await harness.issue()
        let { next } = await read(harness, key)
        for (let turn = 0; turn < 60; turn += 1) {
          const [recorder, reader] = turn % 2 === 0 ? [harness, other] : [other, harness]
          const expected: unknown[] = []
          for (let count = 0; count < 2; count += 1) {
            const { body } = await recorder.verify(key, { corridor: 'GB-NG', amount: 5 })
            expected.push(body.request_id)
            // The first of the two is listed already, so that the page is not empty.
            if (count === 0) await recorder.journal.passed('events')
          }
          const page = await read(reader, key, `?after=${next}${turn % 3 === 0 ? '&wait_s=30' : ''}`)
          assert.deepEqual(
            page.events.map(({ subject }) => subject),
            expected,
          )
          next = page.next
        }
      } finally {
        await stop()
        await other.close()
      }
    })
  })

  test(`${engine}: while the follower fails, what is listed is answered; then 503, and never an empty page`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const { body: first } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      const { body: second } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      const { next } = await read(harness, key)
      await withBrokenTable(harness.databaseUrl, 'INSERT ON owner_events', async () => {
        assert.deepEqual(
          await read(harness, key, `?after=${next}`),
          { events: [], next },
          'nothing is pending',
        )
        await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
        const listed = await read(harness, key)
        assert.deepEqual(
          listed.events.map(({ subject }) => subject),
          [first.request_id, second.request_id],
        )
        assert.equal((await read(harness, key, '?limit=1')).events.length, 1)
        const { status, body, headers } = await harness.get(key, `${url}?after=${listed.next}`)
        assert.deepEqual([status, body.code], [503, 'STORE_UNAVAILABLE'])
        assert.ok(Number(headers['retry-after']) > 0)
      })
      assert.equal((await read(harness, key, `?after=${next}`)).events.length, 1)
    })
  })

  test(`${engine}: a malformed cursor, an unknown one and one of another owner are refused alike, and name the way on`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const other = await harness.issue()
      await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      const { body } = await harness.verify(other.key, { corridor: 'GB-NG', amount: 5 })
      const foreign = `evt_${String(body.request_id).slice(-26).toLowerCase()}`
      assert.equal((await read(harness, other.key, `?after=${foreign}`)).next, foreign)
      for (const after of ['', 'x', 'evt_', 'SVC-2026-01M7EK86879492MKK2679NV0E3', '%00']) {
        const { status, body: refused } = await harness.get(key, `${url}?after=${after}`)
        assert.deepEqual(
          [status, refused.errors],
          [400, [{ path: '/after', message: 'must be the next of an earlier answer' }]],
        )
      }
      for (const after of [foreign, 'evt_01m7ek86879492mkk2679nv0e3', `evt_${'z'.repeat(26)}`]) {
        const { status, body: refused } = await harness.get(key, `${url}?after=${after}`)
        assert.equal(status, 400, after)
        assert.match(String(refused.message), /begin without it/)
      }
      for (const query of ['limit=0', 'limit=1001', 'wait_s=31', 'wait_s=-1', 'page=2', 'limit=ten']) {
        assert.equal((await harness.get(key, `${url}?${query}`)).status, 400, query)
      }
    })
  })
}

test('reading events needs audit:read, and has a limit of its own', async () => {
  const settings = { FAIRWAY_LIMIT_EVENTS: '2/60', FAIRWAY_LIMIT_KEYED: '1/60' }
  await withHarness({ settings }, async (harness) => {
    const without = await harness.issue({ scopes: ['decision:read'] })
    assert.equal((await harness.get(without.key, url)).status, 403)
    const { key } = await harness.issue({ scopes: ['audit:read', 'decision:read'] })
    const statuses = [url, url, url, '/api/verifications'].map(
      async (path) => (await harness.get(key, path)).status,
    )
    assert.equal((await Promise.all(statuses)).filter((status) => status === 429).length, 1)
  })
})

test('an event whose record was detached with its month has no data, and those after it come', async () => {
  await withPast(async (past) => {
    const [march = ''] = await past.record('2020-03', 1)
    const [may = ''] = await past.record('2020-05', 1)
    const before = await readAll(past, past.key, 10)
    assert.equal((await past.detach('2020-03')).kind, 'detached')
    const events = await readAll(past, past.key, 1)
    assert.deepEqual(
      events.map(({ subject, data }) => [subject, data === null]),
      [
        [march, true],
        [may, false],
      ],
    )
    const [gone, ...others] = events
    const { data: _, ...envelope } = before[0] ?? assert.fail()
    assert.deepEqual(gone, { ...envelope, data: null })
    assert.deepEqual(others, before.slice(1))
    assert.equal((await past.attach('2020-03')).kind, 'attached')
    assert.deepEqual(await readAll(past, past.key, 10), before)
  })
})

test('what was recorded before the projection existed is in the stream, too', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    await harness.journal.passed('events')
    await rowsOf(harness.databaseUrl, 'DELETE FROM owner_events')
    await rowsOf(harness.databaseUrl, 'UPDATE events_follower SET position = 0')
    const { events } = await read(harness, key)
    assert.deepEqual(
      events.map(({ subject }) => subject),
      [body.request_id],
    )
  })
})
