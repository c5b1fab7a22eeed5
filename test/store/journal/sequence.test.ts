/** The sequencer gives each entry one number: without gaps, in the order of the queue, and whenever its commit came. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { textOf } from '../../../src/adapters/store/journal/queue.ts'
import { sequenceAll } from '../../../src/app/followers/catch-up.ts'
import type { LogEntry } from '../../../src/app/ports/log.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { formatRequestId } from '../../../src/core/identity/request-id.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

/** Made up: the sequencer does not look into what it numbers. */
function entry(place: number): LogEntry {
  const bytes = Uint8Array.from({ length: 10 }, (_, at) =>
    at === 9 ? place % 256 : at === 8 ? place >> 8 : 0,
  )
  return {
    subjectId: formatRequestId(Date.UTC(2026, 2, 1) + 7 * place, bytes),
    leafHash: hash('sha256', `entry ${place}`, 'base64'),
  }
}

const entries = (from: number, to: number): LogEntry[] =>
  Array.from({ length: to - from }, (_, place) => entry(from + place))

/** A row for each run of entries. */
async function queue(databaseUrl: string, ...runs: readonly (readonly LogEntry[])[]): Promise<void> {
  await withDirectDatabase(databaseUrl, async ({ run }) => {
    for (const one of runs) await run('INSERT INTO journal_queue (entries) VALUES ($1)', [textOf(one)])
  })
}

async function numbered({ log }: Store): Promise<[number, string][]> {
  const leaves = await log.leaves(0, 10_000)
  return leaves.map(({ index, subjectId }) => [index, subjectId])
}

const inOrder = (all: readonly LogEntry[]): [number, string][] =>
  all.map(({ subjectId }, index) => [index, subjectId])

/** So many decisions at once, by several instances. */
async function decide(instances: readonly Harness[], key: string, count: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      (instances[place % instances.length] ?? assert.fail()).verify(key, {
        corridor: 'NG-GB',
        amount: place + 1,
      }),
    ),
  )
  return answers.map(({ body }) => String(body.request_id))
}

for (const engine of engines) {
  test(`${engine}: numbers have no gaps and follow the order of the queue, over several batches`, async () => {
    await withHarness({ engine }, async ({ store, databaseUrl }) => {
      const all = entries(0, 500)
      // Rows of one, two and three entries, more of them than one batch takes.
      const runs: LogEntry[][] = []
      for (let from = 0; from < all.length; from += runs.at(-1)?.length ?? 0) {
        runs.push(all.slice(from, from + 1 + (runs.length % 3)))
      }
      await queue(databaseUrl, ...runs)
      const { sequenced, isComplete } = await store.journal.sequence()
      assert.ok(sequenced > 0 && sequenced < all.length && !isComplete, 'a batch is bounded')
      assert.equal(await sequenceAll(store.journal), all.length)
      assert.deepEqual(await numbered(store), inOrder(all))
      await queue(databaseUrl, [entry(500)])
      assert.deepEqual(await store.journal.sequence(), { sequenced: 501, isComplete: true })
      assert.deepEqual(await store.journal.sequence(), { sequenced: 501, isComplete: true })
      assert.deepEqual((await numbered(store)).at(-1), [500, entry(500).subjectId])
    })
  })

  test(`${engine}: two sequencers at once, while decisions are recorded, number each entry once`, async () => {
    await withHarness({ engine }, async (harness) => {
      const other = await harness.sibling()
      try {
        const { key } = await harness.issue()
        const instances = [harness, other]
        const sequencing = Array.from({ length: 20 }, (_, place) =>
          (instances[place % 2] ?? assert.fail()).store.journal.sequence(),
        )
        const [ids] = await Promise.all([decide(instances, key, 60), ...sequencing])
        await Promise.all(instances.map(({ store }) => sequenceAll(store.journal)))
        const found = await numbered(harness.store)
        assert.deepEqual(
          found.map(([index]) => index),
          ids.map((_, index) => index),
        )
        assert.deepEqual(found.map(([, id]) => id).toSorted(), ids.toSorted())
        assert.equal(await harness.seal(), ids.length)
        assert.deepEqual((await checkedLog(other.store)).findings, [])
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: what is queued and is no entry gets no number, and never spoils the tree`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, databaseUrl } = harness
      const { key } = await harness.issue()
      const [first] = await decide([harness], key, 1)
      await withDirectDatabase(databaseUrl, async ({ run }) => {
        for (const text of ['', 'nobody AAAA', ` ${entry(0).leafHash}`, `${entry(1).subjectId} no-hash`])
          await run('INSERT INTO journal_queue (entries) VALUES ($1)', [text])
      })
      const [second] = await decide([harness], key, 1)
      assert.deepEqual(await store.journal.sequence(), { sequenced: 2, isComplete: true })
      assert.deepEqual(await numbered(store), [
        [0, first],
        [1, second],
      ])
      assert.equal(await harness.seal(), 2)
      assert.deepEqual((await checkedLog(store)).findings, [])
      // Its followers count the two, and do not wait for the others.
      await harness.journal.passed('totals')
      assert.equal((await harness.get(key, '/api/v1/verifications/summary')).body.total, 2)
      assert.equal(await store.countVerifications(), 2)
    })
  })

  test(`${engine}: the total is exact before, during and after the numbering, and counts no override`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store } = harness
      const { key } = await harness.issue()
      await decide([harness], key, 30)
      assert.equal(await store.countVerifications(), 30, 'while all are queued')
      await queue(harness.databaseUrl, [entry(0)])
      const totals = await Promise.all([
        store.countVerifications(),
        store.journal.sequence(),
        store.countVerifications(),
        store.countVerifications(),
      ])
      assert.deepEqual([totals[0], totals[2], totals[3]], [30, 30, 30])
      await decide([harness], key, 3)
      assert.equal(await store.countVerifications(), 33, 'with some numbered and some queued')
      await harness.seal()
      assert.equal(await store.countVerifications(), 33)
    })
  })
}

test('postgres: an entry whose transaction commits late is numbered after those that overtook it, not skipped', async () => {
  await withHarness({ engine: 'postgres' }, async ({ store, databaseUrl }) => {
    const late = new pg.Client({ connectionString: databaseUrl })
    await late.connect()
    try {
      await late.query('BEGIN')
      const insert = 'INSERT INTO journal_queue (entries) VALUES ($1) RETURNING number'
      const { rows } = await late.query<{ number: string }>(insert, [textOf([entry(0)])])
      await queue(databaseUrl, [entry(1)], [entry(2)])
      assert.equal(Number(rows[0]?.number), 1, 'it has the smallest number in the queue')
      assert.deepEqual(await store.journal.sequence(), { sequenced: 2, isComplete: true })
      assert.deepEqual(await store.journal.sequence(), { sequenced: 2, isComplete: true })
      await late.query('COMMIT')
      assert.deepEqual(await store.journal.sequence(), { sequenced: 3, isComplete: true })
      assert.deepEqual(await numbered(store), inOrder([entry(1), entry(2), entry(0)]))
    } finally {
      await late.end()
    }
  })
})
