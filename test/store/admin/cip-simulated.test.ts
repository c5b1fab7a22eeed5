/** Simulated observations in the store: counted apart, never read for a decision, and known after an upgrade. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neverMisleading } from '../../../src/adapters/store/engine/schema/never-misleading.ts'
import type { CipStore, CipTransition, Observation } from '../../../src/app/ports/cip.ts'
import type { TelemetryScope } from '../../../src/core/live/cip.ts'
import { supportedCorridors, type Corridor } from '../../../src/core/reference/corridor.ts'
import { dayMs } from '../../../src/core/time/durations.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { assemble, withHarness } from '../../helpers/harness.ts'
import {
  feedsScope,
  findingsOf,
  observationOf as seen,
  observeFeeds,
  simulationScope,
} from '../../helpers/observations.ts'
import { insertRow, olderDatabase } from '../engine/older-schema.ts'

const [gbNg, ngGb] = supportedCorridors as readonly [Corridor, Corridor]

const simulatedOf = (corridor: Corridor, observedAtMs: number, composite: number): Observation => ({
  ...seen(corridor, observedAtMs, composite),
  adapter: 'simulation',
})

async function observe(cip: CipStore, observations: readonly Observation[]): Promise<void> {
  const lease = `lease_${crypto.randomUUID()}`
  assert.equal(await cip.claimTurn({ lease, nowMs: Number.MAX_SAFE_INTEGER, everyMs: 0 }), true)
  assert.equal(await cip.record(lease, findingsOf(observations)), true)
}

const all = (corridor: Corridor, countMax: number) => ({
  corridor,
  sinceMs: 0,
  untilMs: Number.MAX_SAFE_INTEGER,
  countMax,
})

/** A weight that was set before the upgrade. */
const earlier: CipTransition = {
  number: 1,
  stage: 'provisional',
  blendPercent: 10,
  reference: 'CHANGE-1',
  madeBy: 'ops',
  reason: null,
  madeAtMs: 1_700_000_000_000,
  corpusDays: 14,
}

for (const engine of engines) {
  test(`${engine}: simulated observations are counted apart, and their composites are never read`, async () => {
    await withHarness({ engine }, async ({ store: { cip } }) => {
      await observe(cip, [seen(gbNg, 1_000, 10), simulatedOf(gbNg, 2_000, 20), simulatedOf(ngGb, 1_000, 30)])
      await observe(cip, [seen(gbNg, 3_000, 40), simulatedOf(gbNg, 4_000, 50), seen(gbNg, dayMs, 60)])
      // The same moment again is not counted again, whatever its adapter.
      await observe(cip, [simulatedOf(gbNg, 1_000, 70), seen(ngGb, 1_000, 80)])
      const daysOf = async (scope: TelemetryScope, corridors: readonly Corridor[]): Promise<string[]> =>
        (await cip.state({ ...scope, corridors })).days
          .map(({ day, observations, simulated: some }) => `${day}: ${some} of ${observations}`)
          .toSorted()
      assert.deepEqual(await daysOf(simulationScope, [gbNg]), ['0: 2 of 4', '1: 0 of 1'])
      assert.deepEqual(await daysOf(simulationScope, [ngGb]), ['0: 1 of 1'])
      // With live feeds the simulated ones do not count at all.
      assert.deepEqual(await daysOf(feedsScope, [gbNg]), ['0: 0 of 2', '1: 0 of 1'])
      assert.deepEqual(await daysOf(feedsScope, [ngGb]), [])
      assert.deepEqual(await cip.composites(all(gbNg, 60)), [60, 40, 10])
      assert.deepEqual(await cip.composites(all(gbNg, 2)), [60, 40])
      assert.deepEqual(await cip.composites(all(ngGb, 60)), [])
      // The status of the feeds shows what is newest by its own adapter.
      const latest = async (adapter: TelemetryScope['adapter']): Promise<unknown[]> =>
        (await cip.latest(adapter, 5_000)).map((one) => [one.corridor, one.adapter, one.composite])
      assert.deepEqual(await latest('simulation'), [
        ['GB-NG', 'simulation', 50],
        ['NG-GB', 'simulation', 30],
      ])
      assert.deepEqual(await latest('feeds'), [['GB-NG', 'feeds', 40]])
    })
  })

  test(`${engine}: an upgrade takes every earlier observation for simulated, so a weight set before counts as 0`, async () => {
    const clock = new ManualClock()
    const day = Math.floor(clock.nowMs() / dayMs)
    const older = await olderDatabase(engine, neverMisleading.number - 1, clock.nowMs())
    await withDirectDatabase(older.url, async (stranger) => {
      for (const corridor of supportedCorridors) {
        for (const before of [0, 1]) {
          await insertRow(stranger, 'cip_days', { corridor, day: day - before, observations: 1440 })
        }
      }
    })
    const upgraded = await assemble(older.url, clock, { engine })
    try {
      await upgraded.store.cip.transition(earlier)
      assert.deepEqual(
        (await upgraded.store.cip.state(simulationScope)).days.map(({ observations, simulated }) => [
          observations,
          simulated,
        ]),
        Array.from({ length: 2 }, () => [2880, 2880]),
      )
      const { body } = await upgraded.get(null, '/api/v1/cip/status')
      assert.deepEqual([body.blend_weight, body.decision_influence], [0, false])
      assert.match(body.blend_suspended.reason, /^5760 of the 5760 observations/)
      // Later ones are counted apart.
      await observeFeeds(upgraded)
      const { days } = await upgraded.store.cip.state(simulationScope)
      assert.deepEqual(
        days.filter((row) => row.day === day),
        [{ day, corridors: 2, observations: 2882, simulated: 2880 }],
      )
    } finally {
      await upgraded.close()
      await older.drop()
    }
  })
}
