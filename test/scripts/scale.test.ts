/** The model behind docs/scale.md: what must hold of it whatever the figures are. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import fc from '../helpers/fast-check.ts'
import { everyday, kinds, readFigures, type Cost, type Figures } from '../../scripts/scale/figures.ts'
import {
  assumptions,
  breaksFirst,
  connectionsPerProcess,
  demandOf,
  pageImageBytesOf,
  resources,
  serversNeeded,
  shardCapacity,
  shardsOf,
} from '../../scripts/scale/model.ts'
import { ownerLoads, place } from '../../scripts/scale/owners.ts'
import { simulateShard, type ShardSetup } from '../../scripts/scale/queue.ts'
import { tablesOf, textOf } from '../../scripts/scale/tables.ts'

const figures = readFigures(fileURLToPath(new URL('../../docs/scale-figures.json', import.meta.url)))

const rate = fc.double({ min: 100, max: 2_000_000, noNaN: true })
const isNear = (left: number, right: number): boolean => Math.abs(left - right) <= 1e-6 * Math.abs(right)

test('the committed figures are whole: every kind has its costs, and the everyday one all of them', () => {
  assert.deepEqual(Object.keys(figures.costs), kinds)
  const lacking = Object.entries(figures.costs[everyday]).filter(([, value]) => !(value > 0))
  assert.deepEqual(lacking, [])
  assert.match(figures.origin, /^npm run bench -- .*--only cost$/)
})

test('more decisions ask for more of everything, and never for fewer servers', () => {
  fc.assert(
    fc.property(rate, fc.double({ min: 1.01, max: 10, noNaN: true }), (less, factor) => {
      const [small, great] = [demandOf(figures, less), demandOf(figures, less * factor)]
      for (const [name, value] of Object.entries(small)) assert.ok(great[name as keyof typeof great] >= value)
      assert.ok(shardsOf(serversNeeded(great)) >= shardsOf(serversNeeded(small)))
    }),
  )
})

test('connections are counted as many as the pool of a process may open, whatever was seen', () => {
  const pool = readFileSync(new URL('../../src/adapters/store/engine/postgres.ts', import.meta.url), 'utf8')
  assert.equal(/^const connectionsMax = (\d+)$/m.exec(pool)?.[1], String(connectionsPerProcess))
  fc.assert(
    fc.property(rate, (one) => {
      const { connections, serviceCores } = demandOf(figures, one)
      assert.equal(connections, Math.ceil(serviceCores) * connectionsPerProcess)
    }),
  )
})

test('a decision that costs more never needs less', () => {
  const dearer = (name: keyof Cost): Figures => ({
    ...figures,
    costs: {
      ...figures.costs,
      [everyday]: { ...figures.costs[everyday], [name]: figures.costs[everyday][name] * 2 },
    },
  })
  fc.assert(
    fc.property(
      rate,
      fc.constantFrom<(keyof Cost)[]>('serviceCpuUs', 'storeCpuUs', 'walBytes', 'storedBytes'),
      (one, name) => {
        const before = serversNeeded(demandOf(figures, one))
        const after = serversNeeded(demandOf(dearer(name), one))
        for (const resource of resources) assert.ok(after[resource] >= before[resource])
      },
    ),
  )
})

test('what runs out first is what most servers are needed for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 5, maxLength: 5 }),
      (all) => {
        const needed = Object.fromEntries(
          resources.map((name, place_) => [name, all[place_] ?? 0]),
        ) as Record<(typeof resources)[number], number>
        assert.equal(needed[breaksFirst(needed)], Math.max(...all))
      },
    ),
  )
})

test('a key brings at most one whole page into the log', () => {
  fc.assert(
    fc.property(rate, (one) => {
      const bytes = pageImageBytesOf(figures.costs[everyday], one)
      assert.ok(bytes > 0 && bytes <= assumptions.pageImageBytes)
    }),
  )
})

test('no load is lost or made on its way to owners and shards', () => {
  const some = fc.integer({ min: 1, max: 3_000 })
  const shards = fc.integer({ min: 1, max: 200 })
  const pieceMax = fc.option(fc.double({ min: 10, max: 1e6, noNaN: true }))
  const skew = fc.double({ min: 0, max: 2, noNaN: true })
  const sum = (loads: readonly number[]): number => loads.reduce((total, load) => total + load, 0)
  fc.assert(
    fc.property(rate, some, skew, shards, pieceMax, (one, owners, skewed, count, most) => {
      const loads = ownerLoads(one, owners, skewed)
      assert.ok(isNear(sum(loads), one))
      const placed = place(loads, count, most === null ? null : Math.max(most, one / 1000))
      assert.ok(isNear(sum(placed), one))
      assert.ok(placed.length >= count)
    }),
    { numRuns: 50 },
  )
})

const cost = figures.costs[everyday]
const setup: ShardSetup = {
  ratePerSecond: 5_000,
  instances: 4,
  storeCores: assumptions.storeCores,
  storeCpuUs: cost.storeCpuUs,
  walBytes: cost.walBytes,
  walBytesPerSecond: assumptions.walBytesPerSecond,
  flushMs: 1,
  roundTripsMs: 2,
  decisions: 5_000,
  seed: 1,
}

test('every decision that comes to a shard is answered once, after its flush', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 100_000 }), fc.integer({ min: 1, max: 40 }), (per, instances) => {
      const result = simulateShard({ ...setup, ratePerSecond: per, instances, decisions: 1_000 })
      assert.equal(result.decisions, 1_000)
      assert.ok(result.p50Ms >= setup.roundTripsMs + setup.flushMs)
      assert.ok(result.p99Ms >= result.p50Ms)
      assert.ok(result.coreShareBusy <= 1 + 1e-9 && result.flushShareBusy <= 1 + 1e-9)
    }),
    { numRuns: 20 },
  )
})

test('the same seed gives the same run, another seed another', () => {
  assert.deepEqual(simulateShard(setup), simulateShard(setup))
  assert.notEqual(simulateShard({ ...setup, seed: 2 }).p99Ms, simulateShard(setup).p99Ms)
})

test('the busier a shard is, the more decisions share a flush', () => {
  const shared = [500, 5_000, 50_000].map(
    (ratePerSecond) => simulateShard({ ...setup, ratePerSecond, instances: 20 }).decisionsPerFlush,
  )
  assert.deepEqual(
    shared,
    shared.toSorted((left, right) => left - right),
  )
  assert.ok((shared[2] ?? 0) > (shared[0] ?? 0))
})

test('a shard that is asked for more than it has is told so, and one at half its worth holds', () => {
  const capacity = shardCapacity(figures)
  const instances = 64
  const run = (ratePerSecond: number): boolean =>
    simulateShard({ ...setup, ratePerSecond, instances, decisions: 40_000 }).isOverrun
  assert.equal(run(capacity / 2), false)
  assert.equal(run(capacity * 10), true)
})

test('what docs/scale.md says of each rate in words is what the figures say', () => {
  const [ten, hundred] = [10_000, 100_000].map((one) => serversNeeded(demandOf(figures, one)))
  assert.ok(ten !== undefined && hundred !== undefined)
  assert.ok(ten.processor < 1 && ten.log < 1, 'at 10,000 one server has enough processor and log')
  assert.ok(ten.disk > 1 && ten.memory > 1, 'and not enough space')
  assert.ok(hundred.processor > 1 && hundred.log > 1 && hundred.disk > 1, 'at 100,000 no single server does')
  assert.ok((ownerLoads(1_000_000, assumptions.owners, 1)[0] ?? 0) > shardCapacity(figures))
  const withWebhook = figures.costs['fresh, a new key each, one webhook']
  assert.ok(
    withWebhook.serviceCpuUs > cost.serviceCpuUs * 1.4 && withWebhook.storeCpuUs > cost.storeCpuUs * 1.4,
  )
})

test('every table has a cell for each of its heads', () => {
  for (const table of tablesOf(figures)) {
    assert.deepEqual([...new Set(table.rows.map((row) => row.length))], [table.heads.length])
    assert.ok(textOf(table).startsWith(table.title))
  }
})
