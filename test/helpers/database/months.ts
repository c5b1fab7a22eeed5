/** A service with a past: records of several months on PostgreSQL, and the commands on months. */

import assert from 'node:assert/strict'
import { attachMonth, detachMonth, type DetachOutcome } from '../../../src/app/operate/partitions.ts'
import type { Attached, PartitionStore } from '../../../src/app/ports/operate/partitions.ts'
import { monthStartMs, parseMonth, type Month } from '../../../src/core/time/month.ts'
import { ManualClock } from '../clock.ts'
import { withHarness, type Harness } from '../harness.ts'
import { followReviewsOn } from '../reviews.ts'
import { trial } from '../webhooks.ts'

export const dayMs = 24 * 60 * 60 * 1000

export function monthOf(text: string): Month {
  return parseMonth(text) ?? assert.fail(`${text} is no month`)
}

/** Long past by any clock, also by that of the database. */
export const firstMonth = monthOf('2020-03')

export interface Past extends Harness {
  readonly key: string
  /** Records so many payments in the middle of the month, and stays there. */
  readonly record: (month: string, count: number) => Promise<string[]>
  readonly detach: (month: string, more?: { isDryRun?: boolean }) => Promise<DetachOutcome>
  readonly attach: (month: string) => Promise<Attached>
}

function partitionsOf({ store }: Harness): PartitionStore {
  return store.partitions ?? assert.fail('this store has no months')
}

export function pastOf(harness: Harness, key: string): Past {
  const { store, clock } = harness
  const deps = {
    partitions: partitionsOf(harness),
    clock,
    journal: store.journal,
    followReviews: followReviewsOn(store, clock),
  }
  return {
    ...harness,
    key,
    async record(month, count) {
      harness.clock.setWall(monthStartMs(monthOf(month)) + 14 * dayMs)
      const ids: string[] = []
      for (let place = 1; place <= count; place += 1) {
        const { status, body, text } = await harness.verify(key, { corridor: 'GB-NG', amount: place })
        assert.equal(status, 200, text)
        ids.push(String(body.request_id))
        harness.clock.advance(60_000)
      }
      return ids
    },
    detach: (month, { isDryRun = false } = {}) =>
      detachMonth(deps, { month: monthOf(month), by: 'Ops on call', cooldownMs: 90_000, isDryRun }),
    attach: (month) => attachMonth(deps, { month: monthOf(month), by: 'Ops on call' }),
  }
}

export async function withPast(work: (past: Past) => Promise<void>): Promise<void> {
  const clock = new ManualClock('2020-03-10T12:00:00.000Z')
  await withHarness({ engine: 'postgres', clock, settings: trial }, async (harness) => {
    const { key } = await harness.issue()
    await work(pastOf(harness, key))
  })
}
