/** The Corridor Intelligence Platform in the store: one look at a time, counts that are right, changes for ever. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordTransition } from '../../../src/app/cip/status.ts'
import type { CipStore, CipTransition, Observation } from '../../../src/app/ports/cip.ts'
import { dayMs } from '../../../src/core/time/durations.ts'
import { supportedCorridors, type Corridor } from '../../../src/core/reference/corridor.ts'
import { corridorOf } from '../../helpers/check.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import {
  findingsOf,
  observationOf as seen,
  observeFeeds,
  simulationScope,
} from '../../helpers/observations.ts'
import { rowsOf } from '../../helpers/database/sql.ts'

const minuteMs = 60_000
const [gbNg, ngGb] = supportedCorridors as readonly [Corridor, Corridor]

/** Two instances on one database and one clock. */
async function withTwo(engine: Engine, work: (one: Harness, other: Harness) => Promise<void>): Promise<void> {
  await withHarness({ engine }, async (one) => {
    const other = await one.sibling()
    try {
      await work(one, other)
    } finally {
      await other.close()
    }
  })
}

async function countOf({ databaseUrl }: Harness, table: string): Promise<number> {
  const [row] = await rowsOf(databaseUrl, `SELECT count(*) AS total FROM ${table}`)
  return Number(row?.['total'])
}

/** Takes a turn, whenever the last one was, and writes these down in it. */
async function observe(cip: CipStore, observations: readonly Observation[]): Promise<void> {
  const lease = `lease_${crypto.randomUUID()}`
  assert.equal(await cip.claimTurn({ lease, nowMs: Number.MAX_SAFE_INTEGER, everyMs: 0 }), true)
  assert.equal(await cip.record(lease, findingsOf(observations)), true)
}

const change = (number: number, more: Partial<CipTransition> = {}): CipTransition => ({
  number,
  stage: 'scoring_passive',
  blendPercent: 0,
  reference: `CHANGE-${number}`,
  madeBy: 'ops',
  reason: null,
  madeAtMs: 1_700_000_000_000 + number,
  corpusDays: 3,
  ...more,
})

/** A corridor's observations since then, whatever any clock says. */
const all = (corridor: Corridor, sinceMs: number, countMax: number) => ({
  corridor,
  sinceMs,
  untilMs: Number.MAX_SAFE_INTEGER,
  countMax,
})

for (const engine of engines) {
  test(`${engine}: instances that probe at the same moment store one observation a corridor`, async () => {
    await withTwo(engine, async (one, other) => {
      for (let turn = 1; turn <= 5; turn += 1) {
        await Promise.all([one.probe(), other.probe(), one.probe(), other.probe()])
        const rows = await rowsOf(
          one.databaseUrl,
          'SELECT corridor, count(*) AS total FROM cip_observations GROUP BY corridor ORDER BY corridor',
        )
        assert.deepEqual(
          rows.map((row) => [row['corridor'], Number(row['total'])]),
          [
            ['GB-NG', turn],
            ['NG-GB', turn],
          ],
        )
        one.clock.advance(minuteMs)
      }
    })
  })

  test(`${engine}: of many that ask for a turn at once exactly one gets it`, async () => {
    await withTwo(engine, async (one, other) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const nowMs = one.clock.nowMs()
        const claims = await Promise.all(
          Array.from({ length: 10 }, (_, place) =>
            (place % 2 === 0 ? one : other).store.cip.claimTurn({
              lease: `${turn} ${place}`,
              nowMs,
              everyMs: minuteMs,
            }),
          ),
        )
        assert.equal(claims.filter(Boolean).length, 1, JSON.stringify(claims))
        one.clock.advance(minuteMs)
      }
    })
  })

  test(`${engine}: turns keep their pace, and one that is late does not put off the next`, async () => {
    await withHarness({ engine }, async ({ store, clock }) => {
      const startMs = clock.nowMs()
      const due: [number, boolean][] = [
        [0, true],
        [0, false],
        [minuteMs - 1, false],
        // Twenty seconds late, and the next is due when it would have been.
        [minuteMs + 20_000, true],
        [2 * minuteMs - 1, false],
        [2 * minuteMs, true],
        // Late by more than a step: what was missed is not made up for.
        [4 * minuteMs + 5_000, true],
        [5 * minuteMs + 4_999, false],
        [5 * minuteMs + 5_000, true],
      ]
      for (const [afterMs, expected] of due) {
        const turn = { lease: `at ${afterMs}`, nowMs: startMs + afterMs, everyMs: minuteMs }
        assert.equal(await store.cip.claimTurn(turn), expected, turn.lease)
      }
    })
  })

  test(`${engine}: a turn that a clock which ran ahead has put off is taken after all`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { clock, probe } = harness
      const startMs = clock.nowMs()
      const sql = 'SELECT observed_at_ms AS at FROM cip_observations ORDER BY 1'
      const seenAt = async (): Promise<number[]> =>
        (await rowsOf(harness.databaseUrl, sql)).map((row) => Number(row['at']) - startMs)
      clock.setWall(startMs + 365 * dayMs)
      await probe()
      const ahead = [365 * dayMs, 365 * dayMs]
      assert.deepEqual(await seenAt(), ahead)
      clock.setWall(startMs)
      await probe()
      assert.deepEqual(await seenAt(), [0, 0, ...ahead])
      // And from there on it has its pace again.
      clock.advance(minuteMs - 1)
      await probe()
      assert.deepEqual(await seenAt(), [0, 0, ...ahead])
      clock.advance(1)
      await probe()
      assert.deepEqual(await seenAt(), [0, 0, minuteMs, minuteMs, ...ahead])
    })
  })

  test(`${engine}: clocks less than an hour apart do not take the turn from each other`, async () => {
    for (const [aheadMs, expected] of [
      [60 * minuteMs, false],
      [60 * minuteMs + 1, true],
    ] as const) {
      await withHarness({ engine }, async ({ store, clock }) => {
        const nowMs = clock.nowMs()
        const ahead = { lease: 'ahead', nowMs: nowMs + aheadMs, everyMs: minuteMs }
        assert.equal(await store.cip.claimTurn(ahead), true)
        assert.equal(await store.cip.claimTurn({ ...ahead, lease: 'own', nowMs }), expected, `${aheadMs}`)
      })
    }
  })

  test(`${engine}: whoever has lost the turn writes nothing, and nobody writes twice in one`, async () => {
    await withTwo(engine, async (one, other) => {
      const nowMs = one.clock.nowMs()
      const slow = { lease: 'slow', nowMs, everyMs: minuteMs }
      assert.equal(await one.store.cip.claimTurn(slow), true)
      const quick = { lease: 'quick', nowMs: nowMs + minuteMs, everyMs: minuteMs }
      assert.equal(await other.store.cip.claimTurn(quick), true)
      assert.equal(await one.store.cip.record('slow', findingsOf([seen(gbNg, nowMs)])), false)
      assert.equal(await countOf(one, 'cip_observations'), 0)
      assert.equal(await countOf(one, 'cip_days'), 0)
      assert.equal(await other.store.cip.record('quick', findingsOf([seen(gbNg, nowMs + 1)])), true)
      assert.equal(await other.store.cip.record('quick', findingsOf([seen(gbNg, nowMs + 2)])), false)
      assert.equal(await one.store.cip.record('never', findingsOf([seen(gbNg, nowMs + 3)])), false)
      assert.deepEqual(await one.store.cip.latest('feeds', Number.MAX_SAFE_INTEGER), [seen(gbNg, nowMs + 1)])
    })
  })

  test(`${engine}: what was observed is read back as it was written, newest first`, async () => {
    await withTwo(engine, async (one, other) => {
      const { cip } = one.store
      assert.deepEqual(await cip.latest('feeds', Number.MAX_SAFE_INTEGER), [])
      await observe(cip, [seen(gbNg, 1_000, 10), seen(ngGb, 1_000, 20)])
      await observe(cip, [seen(gbNg, 3_000, 30)])
      await observe(cip, [seen(gbNg, 2_000, 40)])
      assert.deepEqual(await other.store.cip.latest('feeds', Number.MAX_SAFE_INTEGER), [
        seen(gbNg, 3_000, 30),
        seen(ngGb, 1_000, 20),
      ])
      assert.deepEqual(await other.store.cip.composites(all(gbNg, 0, 60)), [30, 40, 10])
      assert.deepEqual(await other.store.cip.composites(all(gbNg, 2_000, 60)), [30, 40])
      assert.deepEqual(await other.store.cip.composites(all(gbNg, 0, 2)), [30, 40])
      assert.deepEqual(await other.store.cip.composites(all(ngGb, 1_001, 60)), [])
    })
  })

  test(`${engine}: observations_collected is the number of rows, and one moment counts once`, async () => {
    await withTwo(engine, async (one, other) => {
      const collected = async (): Promise<unknown> =>
        (await other.get(null, '/api/v1/cip/status')).body.observations_collected
      assert.equal(await collected(), 0)
      await one.probe()
      assert.equal(await collected(), 2)
      const nowMs = one.clock.nowMs()
      await observe(one.store.cip, [seen(gbNg, nowMs), seen(gbNg, nowMs + 1), seen(ngGb, nowMs)])
      await observe(one.store.cip, [seen(gbNg, nowMs - dayMs), seen(gbNg, nowMs + 1)])
      assert.equal(await collected(), 4)
      assert.equal(await countOf(one, 'cip_observations'), 4)
      const day = Math.floor(nowMs / dayMs)
      const daysOf = async (corridors: readonly Corridor[]): Promise<string[]> =>
        (await one.store.cip.state({ ...simulationScope, corridors })).days
          .map((row) => `${row.day - day}: ${row.observations} of ${row.corridors}`)
          .toSorted()
      assert.deepEqual(await daysOf([gbNg]), ['-1: 1 of 1', '0: 2 of 1'])
      assert.deepEqual(await daysOf([ngGb]), ['0: 1 of 1'])
      assert.deepEqual(await daysOf([gbNg, ngGb]), ['-1: 1 of 1', '0: 3 of 2'])
      assert.deepEqual(await daysOf([corridorOf('US-MX')]), [])
    })
  })

  test(`${engine}: whole days older than 90 go, with their counts, and no others`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock, probe } = harness
      const firstDay = Math.floor(clock.nowMs() / dayMs)
      await observe(store.cip, [
        seen(gbNg, firstDay * dayMs),
        seen(ngGb, (firstDay + 1) * dayMs - 1),
        seen(gbNg, (firstDay + 1) * dayMs),
        seen(ngGb, (firstDay + 92) * dayMs),
      ])
      clock.setWall((firstDay + 91) * dayMs - 1)
      await probe()
      assert.equal(await countOf(harness, 'cip_observations'), 4 + 2)
      clock.advance(1)
      await probe()
      const { days } = await store.cip.state(simulationScope)
      assert.deepEqual(
        days.map((row) => row.day - firstDay).toSorted((left, right) => left - right),
        [1, 90, 92],
      )
      assert.equal(await countOf(harness, 'cip_observations'), 4)
      assert.deepEqual(await store.cip.composites(all(gbNg, 0, 60)).then((found) => found.length), 1)
    })
  })

  test(`${engine}: what a clock that ran ahead has observed is not current, and nobody's own is taken away for it`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const nowMs = clock.nowMs()
      clock.setWall(nowMs + 365 * dayMs)
      await observeFeeds(harness)
      clock.setWall(nowMs)
      const inHour = { corridor: gbNg, sinceMs: nowMs - 3_600_000, untilMs: nowMs + 2_000, countMax: 60 }
      assert.deepEqual(await store.cip.composites(inHour), [])
      assert.deepEqual(await store.cip.latest('feeds', nowMs), [])
      await observeFeeds(harness)
      assert.equal((await store.cip.composites(inHour)).length, 1)
      assert.deepEqual(
        (await store.cip.latest('feeds', nowMs)).map(({ observedAtMs }) => observedAtMs),
        [nowMs, nowMs],
      )
      clock.setWall(nowMs - 3 * dayMs)
      await observeFeeds(harness)
      assert.equal(
        (await store.cip.composites(inHour)).length,
        1,
        'a clock that is behind takes nothing away',
      )
    })
  })

  test(`${engine}: another weight in a stage does not make the stage younger`, async () => {
    await withHarness({ engine }, async ({ store, get, clock }) => {
      const enteredAtMs = clock.nowMs()
      await store.cip.transition(change(1, { stage: 'provisional', blendPercent: 5, madeAtMs: enteredAtMs }))
      await store.cip.transition(
        change(2, { stage: 'provisional', blendPercent: 10, madeAtMs: enteredAtMs + dayMs }),
      )
      const { body } = await get(null, '/api/v1/cip/status')
      assert.equal(body.blend_weight, 0.1)
      assert.equal(body.last_updated, new Date(enteredAtMs).toISOString())
      await store.cip.transition(
        change(3, { stage: 'telemetry_only', blendPercent: 0, madeAtMs: enteredAtMs + 2 * dayMs }),
      )
      const back = await get(null, '/api/v1/cip/status')
      assert.equal(back.body.last_updated, new Date(enteredAtMs + 2 * dayMs).toISOString())
    })
  })

  test(`${engine}: with the probe off nothing is observed, and what is old goes all the same`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_CIP_PROBE_S: '0' } }, async (harness) => {
      await harness.probe()
      assert.equal(await countOf(harness, 'cip_observations'), 0)
      await observe(harness.store.cip, [seen(gbNg, harness.clock.nowMs())])
      harness.clock.advance(92 * dayMs)
      await harness.probe()
      assert.equal(await countOf(harness, 'cip_observations'), 0)
      assert.deepEqual((await harness.store.cip.state(simulationScope)).days, [])
    })
  })

  test(`${engine}: of changes made at once exactly one is recorded, and all are kept in order`, async () => {
    await withTwo(engine, async (one, other) => {
      const both = [one, other, one, other, one, other]
      const made = await Promise.all(
        both.map(({ store }, place) => store.cip.transition(change(1, { madeBy: `operator ${place}` }))),
      )
      assert.equal(made.filter(Boolean).length, 1, JSON.stringify(made))
      const winner = change(1, { madeBy: `operator ${made.indexOf(true)}` })
      assert.deepEqual((await other.store.cip.state(simulationScope)).transitions, [winner])
      const second = change(2, { stage: 'provisional', blendPercent: 7, reason: 'it’s "time"' })
      assert.equal(await other.store.cip.transition(second), true)
      assert.equal(await one.store.cip.transition(change(2)), false)
      assert.deepEqual((await one.store.cip.state(simulationScope)).transitions, [winner, second])
    })
  })

  test(`${engine}: of two operators at once one makes the change and the other is told why not`, async () => {
    await withTwo(engine, async (one, other) => {
      const command = {
        scope: simulationScope,
        to: 'scoring_passive' as const,
        blendPercent: null,
        reference: 'CHANGE-1',
      }
      const outcomes = await Promise.all(
        [one, other].map(({ store, clock }, place) =>
          recordTransition({ cip: store.cip, clock }, { ...command, madeBy: `${place}`, reason: null }),
        ),
      )
      assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['recorded', 'refused'])
      const refused = outcomes.find((outcome) => outcome.kind === 'refused')
      assert.match(refused?.reason ?? '', /at the same moment|already/)
      assert.equal((await one.store.cip.state(simulationScope)).transitions.length, 1)
    })
  })

  test(`${engine}: the platform starts when the database was made ready for it, whoever starts later`, async () => {
    await withHarness({ engine }, async ({ store, clock, databaseUrl }) => {
      const startedAtMs = clock.nowMs()
      const start = { transitions: [], startedAtMs, days: [] }
      assert.deepEqual(await store.cip.state(simulationScope), start)
      clock.advance(30 * dayMs)
      const restarted = await assemble(databaseUrl, clock, { engine })
      try {
        assert.deepEqual(await restarted.store.cip.state(simulationScope), start)
        const { body } = await restarted.get(null, '/api/v1/cip/status')
        assert.equal(body.last_updated, new Date(startedAtMs).toISOString())
      } finally {
        await restarted.close()
      }
    })
  })
}
