/** A long answer is read in pieces, so that other requests get their turn in between. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadEvents } from '../../../src/app/events/stream/read-events.ts'
import { EventWaits } from '../../../src/app/events/stream/waits.ts'
import { readHistory, totalHistory } from '../../../src/app/inspect/history.ts'
import { createReportOutcomes } from '../../../src/app/events/outcome.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import { systemAfter, systemRandom } from '../../../src/adapters/system.ts'
import type { HistoryQuery, RecordMatch } from '../../../src/app/ports/records.ts'
import type { OwnerRecords, Store } from '../../../src/app/ports/store.ts'
import { beforeFirstEvent } from '../../../src/core/events/event.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { keyOf } from '../../helpers/installation-key.ts'

const query: HistoryQuery = {
  limit: 500,
  before: null,
  verdict: null,
  corridor: null,
  correlationId: null,
  fromMs: null,
  toMs: null,
}
const anyRecord: RecordMatch = {
  mode: 'shadow',
  reason: null,
  currency: null,
  amountMin: null,
  amountMax: null,
  isOverridden: null,
  outcome: null,
}

/** Records, some of which share a correlation id. */
async function makeMany(harness: Harness, count: number): Promise<string> {
  const { key, record } = await harness.issue({ limit: { count: 10_000, windowMs: 60_000 } })
  for (let made = 0; made < count; made += 1) {
    harness.clock.advance(1)
    const body = { corridor: 'GB-NG', amount: 20, correlation_id: `payment ${made % 5}` }
    assert.equal((await harness.verify(key, body)).status, 200)
  }
  return record.ownerId
}

/** Notes the longest read of each kind. */
function watched(owner: OwnerRecords): {
  owner: OwnerRecords
  longest: Map<string, number>
  finds: string[]
} {
  const longest = new Map<string, number>()
  const finds: string[] = []
  const note = (name: string, size: number): void =>
    void longest.set(name, Math.max(size, longest.get(name) ?? 0))
  return {
    longest,
    finds,
    owner: {
      ...owner,
      list(request) {
        note('list', request.limit)
        return owner.list(request)
      },
      search(request) {
        note('search', request.searchMax)
        return owner.search(request)
      },
      searchAmounts(request) {
        note('totals', request.searchMax)
        return owner.searchAmounts(request)
      },
      events(after, limit) {
        note('events', limit)
        return owner.events(after, limit)
      },
      find(requestId) {
        finds.push(requestId)
        return owner.find(requestId)
      },
    },
  }
}

const idOf = ({ requestId }: { readonly requestId: string }): string => requestId

for (const engine of engines) {
  test(`${engine}: a page is read in pieces, and equals one that is read whole`, async () => {
    await withHarness({ engine }, async (harness) => {
      const ownerId = await makeMany(harness, 260)
      const { owner, longest } = watched(harness.store.forOwner(ownerId))
      const whole = (await harness.store.forOwner(ownerId).list(query)).map(idOf)
      assert.equal(whole.length, 260)
      for (const match of [null, anyRecord])
        for (const limit of [500, 260, 259, 200, 100, 99, 1]) {
          const { items, next } = await readHistory(owner, {
            query: { ...query, limit },
            match,
            itemOf: idOf,
          })
          assert.deepEqual(items, whole.slice(0, limit))
          const rest = await readHistory(owner, { query: { ...query, before: next }, match, itemOf: idOf })
          assert.deepEqual(next === null ? [] : rest.items, whole.slice(limit), `after ${limit}`)
        }
      assert.deepEqual(Object.fromEntries(longest), { list: 100, search: 250 })
      assert.equal((await totalHistory(owner, query, anyRecord)).records, 260)
      assert.equal(longest.get('totals'), 500)
    })
  })

  test(`${engine}: a page of events is read in pieces, in order and without a gap`, async () => {
    await withHarness({ engine }, async (harness) => {
      const ownerId = await makeMany(harness, 230)
      await harness.journal.passed('events')
      const whole = (await harness.store.forOwner(ownerId).events(null, 1_000))?.events.map(
        ({ entryId }) => entryId,
      )
      const { store, clock } = harness
      const { owner, longest } = watched(store.forOwner(ownerId))
      const readEvents = createReadEvents({
        store: { forOwner: () => owner },
        waits: new EventWaits({ events: store.events, after: systemAfter }),
        clock,
        caughtUp: () => harness.journal.passed('events'),
        key: keyOf(store, clock),
      })
      const read = async (limit: number) => {
        const page = await readEvents({
          ownerId,
          after: beforeFirstEvent,
          limit,
          waitMs: 0,
          left: new AbortController().signal,
        })
        return page?.events.map(({ subject }) => subject)
      }
      for (const limit of [1_000, 230, 200, 150]) assert.deepEqual(await read(limit), whole?.slice(0, limit))
      assert.equal(longest.get('events'), 100)
    })
  })

  test(`${engine}: rows that could mean several decisions are refused without a read of any`, async () => {
    await withHarness({ engine }, async (harness) => {
      const ownerId = await makeMany(harness, 12)
      const { owner, finds } = watched(harness.store.forOwner(ownerId))
      const { clock } = harness
      const store: Store = { ...harness.store, forOwner: () => owner }
      const report = createReportOutcomes({ store, clock, ids: createIds({ clock, random: systemRandom }) })
      const rows = [0, 1, 2, 3, 4].map((index) => ({
        index,
        value: {
          requestId: null,
          correlationId: `payment ${index}`,
          outcome: 'COMPLETED',
          partner: null,
          occurredAtMs: null,
        } as const,
      }))
      const by = { kind: 'key', id: 'key_1', name: 'Team', principalId: 'key_1' } as const
      const result = await report.all({ ownerId, by }, rows, true)
      assert.equal(result.kind, 'refused')
      for (const { message } of result.faults) assert.match(message, /is that of several decisions/)
      assert.equal(result.faults.length, 5)
      assert.deepEqual(finds, [])
    })
  })
}
