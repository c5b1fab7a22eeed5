/** The tables of `docs/scale.md`: everything in them comes from the figures, the assumptions and a seed. */

import { everyday, kinds, type Figures } from './figures.ts'
import { rollupCeiling } from './hot-rows.ts'
import {
  assumptions,
  breaksFirst,
  demandOf,
  hardResources,
  pageImageBytesOf,
  resources,
  serversNeeded,
  shardCapacity,
  shardsOf,
} from './model.ts'
import { ownerLoads, place } from './owners.ts'
import { simulateShard, type ShardResult } from './queue.ts'

const rates = [10_000, 100_000, 1_000_000] as const
const skews = [0.8, 1, 1.2] as const
const seed = 20_261_115
const decisionsSimulated = 40_000
/** Limit and look before the commit, and the commit itself, which is one message with one answer. */
const roundTrips = 3

export interface Table {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-GB')
const fine = (value: number): string =>
  value >= 100 ? whole(value) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
const percent = (share: number): string => `${Math.round(share * 100)}%`

function costTable({ costs }: Figures): Table {
  return {
    title: 'What one decision costs, measured',
    heads: ['', 'service us', 'PostgreSQL us', 'log bytes', 'stored bytes', 'flushes in 1,000', 'a flush ms'],
    rows: kinds.map((kind) => {
      const cost = costs[kind]
      const flush = cost.walBytes < 100 ? '' : fine(cost.walFlushMs)
      return [
        kind,
        ...[cost.serviceCpuUs, cost.storeCpuUs, cost.walBytes, cost.storedBytes].map(whole),
        whole(cost.walFlushes * 1000),
        flush,
      ]
    }),
  }
}

const ofRates = rates.map((rate) => `${whole(rate)}/s`)

function demandTable(figures: Figures): Table {
  const demands = rates.map((rate) => demandOf(figures, rate))
  const row = (name: string, read: (demand: (typeof demands)[number]) => number): string[] => [
    name,
    ...demands.map((demand) => fine(read(demand))),
  ]
  return {
    title: 'What a rate asks for in all',
    heads: ['', ...ofRates],
    rows: [
      row('cores of instances', (demand) => demand.serviceCores),
      row('cores of PostgreSQL', (demand) => demand.storeCores),
      row('log, MB/s', (demand) => demand.walBytesPerSecond / 1e6),
      row('log with whole pages, MB/s', (demand) => demand.walPeakBytesPerSecond / 1e6),
      row('stored in a day, TB', (demand) => demand.storedBytesPerDay / 1e12),
      row('stored in a year, TB', (demand) => (demand.storedBytesPerDay * 365) / 1e12),
      row(`of ${assumptions.onlineDays} days, TB`, (demand) => demand.onlineBytes / 1e12),
      row('their index of keys, TB', (demand) => demand.keyIndexBytes / 1e12),
      row('connections', (demand) => demand.connections),
    ],
  }
}

function serversTable(figures: Figures): Table {
  const needed = rates.map((rate) => serversNeeded(demandOf(figures, rate)))
  return {
    title: 'Servers of PostgreSQL that it takes, by what they run out of',
    heads: ['', ...ofRates],
    rows: [
      ...resources.map((resource) => [resource, ...needed.map((one) => fine(one[resource]))]),
      ['runs out first', ...needed.map(breaksFirst)],
      [`servers, by ${hardResources.join(', ')}`, ...needed.map((one) => whole(shardsOf(one)))],
    ],
  }
}

/** The greatest shard decides: it is what callers of the owners on it feel. */
function simulated(figures: Figures, ratePerSecond: number): ShardResult {
  const cost = figures.costs[everyday]
  return simulateShard({
    ratePerSecond,
    instances: Math.max(2, Math.ceil((ratePerSecond * cost.serviceCpuUs) / 1e6 / assumptions.busyShareMax)),
    storeCores: assumptions.storeCores,
    storeCpuUs: cost.storeCpuUs,
    walBytes: cost.walBytes + pageImageBytesOf(cost, ratePerSecond),
    walBytesPerSecond: assumptions.walBytesPerSecond,
    flushMs: cost.walFlushMs,
    roundTripsMs: assumptions.roundTripMs * roundTrips,
    decisions: decisionsSimulated,
    seed,
  })
}

function shardsTable(figures: Figures): Table {
  const rows = rates.flatMap((rate) => {
    const shards = shardsOf(serversNeeded(demandOf(figures, rate)))
    const loads = ownerLoads(rate, assumptions.owners, 1)
    const ways = [
      ['by hash', place(loads, shards, null)],
      ['great ones split', place(loads, shards, shardCapacity(figures) / 2)],
    ] as const
    return ways.map(([way, shardLoads]) => {
      const greatest = Math.max(...shardLoads)
      const result = simulated(figures, greatest)
      const waits = result.isOverrun ? ['', '', 'overrun'] : [fine(result.p50Ms), fine(result.p99Ms), 'holds']
      return [
        `${whole(rate)}/s, ${way}`,
        whole(shardLoads.length),
        whole(greatest),
        fine(greatest / (rate / shardLoads.length)),
        percent(result.coreShareBusy),
        fine(result.decisionsPerFlush),
        ...waits,
      ]
    })
  })
  return {
    title: 'The greatest shard, simulated',
    heads: [
      'owners on shards',
      'shards',
      'rate/s',
      'to mean',
      'cores busy',
      'a flush',
      'p50 ms',
      'p99 ms',
      '',
    ],
    rows,
  }
}

/** The bench's own setting, in which the truth is known: one instance beside its database, on the machine that both share. */
function checkTable({ costs }: Figures): Table {
  const rows = ([everyday, 'fresh', 'cooldown hit'] as const).map((kind) => {
    const cost = costs[kind]
    const result = simulateShard({
      ...cost,
      ratePerSecond: cost.requestsPerSecond,
      instances: 1,
      storeCores: 1,
      walBytesPerSecond: assumptions.walBytesPerSecond,
      flushMs: cost.walFlushMs,
      // On one machine: what is left is the work of the service between two answers of the database.
      roundTripsMs: (roundTrips * cost.serviceCpuUs) / 1000,
      decisions: decisionsSimulated,
      seed,
    })
    return [kind, whole(cost.requestsPerSecond), fine(1 / cost.walFlushes), fine(result.decisionsPerFlush)]
  })
  return {
    title: 'The bench itself, simulated: decisions that share a flush',
    heads: ['', 'rate/s', 'measured', 'simulated'],
    rows,
  }
}

function ownersTable(figures: Figures): Table {
  const capacity = shardCapacity(figures)
  return {
    title: 'The greatest owner of all',
    heads: ['skew', 'its share', ...ofRates, 'shards of its own'],
    rows: skews.map((skew) => {
      const greatest = rates.map((rate) => ownerLoads(rate, assumptions.owners, skew)[0] ?? 0)
      return [
        fine(skew),
        percent((greatest[0] ?? 0) / rates[0]),
        ...greatest.map(whole),
        greatest.map((load) => whole(Math.ceil(load / capacity))).join(', '),
      ]
    }),
  }
}

function ceilingsTable(figures: Figures): Table {
  return {
    title: 'The most that one owner, or one shard, can have in a second',
    heads: ['bound by', 'decisions/s'],
    rows: [
      ['a shard: processor and log', whole(shardCapacity(figures))],
      ['rollup rows, one decision a transaction', whole(rollupCeiling(figures, 1))],
      ['rollup rows, 8 decisions a transaction', whole(rollupCeiling(figures, 8))],
      ['rollup rows, 64 decisions a transaction', whole(rollupCeiling(figures, 64))],
    ],
  }
}

export function tablesOf(figures: Figures): Table[] {
  return [costTable, demandTable, serversTable, shardsTable, ownersTable, ceilingsTable, checkTable].map(
    (make) => make(figures),
  )
}

/** For people, in columns; the first is text. */
export function textOf({ title, heads, rows }: Table): string {
  const lines = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const laidOut = lines.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
  return `${title}\n\n${laidOut.join('\n')}\n`
}
