/** POST /api/v1/outcomes: of requests at once with rows in common, one wins whole, and none is recorded in half. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRng } from '../../../torture/random.ts'
import { calibrationOf } from '../../helpers/calibration-books.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { reportAll } from '../../helpers/outcomes.ts'

const rounds = 12
const perRound = 12

async function decided({ verify }: Harness, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let place = 0; place < perRound; place += 1) {
    const { body } = await verify(key, { corridor: 'GB-NG', amount: 100 })
    ids.push(String(body.request_id))
  }
  return ids
}

async function finalOutcomes({ databaseUrl }: Harness): Promise<Map<string, string>> {
  const rows = await rowsOf(databaseUrl, 'SELECT request_id, outcome FROM outcomes WHERE is_final = 1')
  return new Map(rows.map((row) => [String(row['request_id']), String(row['outcome'])]))
}

for (const engine of engines) {
  test(`of two requests with rows in common one is recorded whole, and the other refused whole (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_LIMIT_BATCH: '1000/60' } }, async (harness) => {
      const sibling = await harness.sibling()
      try {
        const { key } = await harness.issue()
        const rng = createRng(29)
        for (let round = 0; round < rounds; round += 1) {
          const ids = await decided(harness, key)
          const shuffled = (): string[] => ids.toSorted(() => rng.next() - 0.5)
          const overlap = 1 + rng.below(6)
          // The first and the last, with some in the middle in common, each in an order of its own.
          const parts = { FAILED: new Set(ids.slice(0, 6 + overlap)), COMPLETED: new Set(ids.slice(6)) }
          const answers = await Promise.all(
            (['FAILED', 'COMPLETED'] as const).map((outcome, place) => {
              const own = shuffled().filter((id) => parts[outcome].has(id))
              const rows = own.map((id) => ({ request_id: id, outcome }))
              return reportAll(place === 0 ? harness : sibling, key, rows)
            }),
          )
          assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]))
          const winner = answers[0]?.status === 200 ? 'FAILED' : 'COMPLETED'
          const stored = await finalOutcomes(harness)
          for (const id of ids)
            assert.equal(stored.get(id) ?? null, parts[winner].has(id) ? winner : null, `round ${round}`)
        }
        await harness.seal()
        const { findings, waiting, outcomes } = await checkedLog(harness.store)
        const stored = await finalOutcomes(harness)
        assert.deepEqual([findings, waiting, outcomes], [[], 0, stored.size])
        const { with_outcome: ended, failures } = await calibrationOf(sibling, key)
        const failed = [...stored.values()].filter((outcome) => outcome === 'FAILED').length
        assert.deepEqual([ended, failures], [stored.size, failed])
      } finally {
        await sibling.close()
      }
    })
  })

  test(`the same rows sent by both at once are recorded once, and both answers say so (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_LIMIT_BATCH: '1000/60' } }, async (harness) => {
      const sibling = await harness.sibling()
      try {
        const { key } = await harness.issue()
        for (let round = 0; round < rounds; round += 1) {
          const rows = (await decided(harness, key)).map((id) => ({ request_id: id, outcome: 'FAILED' }))
          const answers = await Promise.all(
            [harness, sibling, harness].map((instance, place) =>
              reportAll(instance, key, place === 1 ? rows.toReversed() : rows),
            ),
          )
          assert.deepEqual(
            answers.map(({ status }) => status),
            [200, 200, 200],
          )
          const recorded = answers.map(({ body }) => Number(body.recorded)).toSorted((a, b) => a - b)
          assert.deepEqual(recorded, [0, 0, perRound])
        }
        const { with_outcome: ended } = await calibrationOf(harness, key)
        assert.equal(ended, rounds * perRound)
      } finally {
        await sibling.close()
      }
    })
  })
}
