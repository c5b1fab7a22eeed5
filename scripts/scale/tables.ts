/** Builds the tables of `docs/scale.md` from the figures, the assumptions and a seed. */

import { everyday, kinds, type Figures } from './figures.ts'
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
/** Rate limit, lookup and commit. The commit is one message with one response. */
const roundTrips = 3

export interface Table {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const integer = (value: number): string => Math.round(value).toLocaleString('en-GB')
const decimal = (value: number): string =>
  value >= 100 ? integer(value) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
const percent = (share: number): string => `${Math.round(share * 100)}%`

function costTable({ costs }: Figures): Table {
  return {
    title: 'Measured cost of one decision',
    heads: ['', 'service us', 'PostgreSQL us', 'log bytes', 'stored bytes', 'flushes/1,000', 'flush ms'],
    rows: kinds.map((kind) => {
      const cost = costs[kind]
      const flush = cost.walBytes < 100 ? '' : decimal(cost.walFlushMs)
      return [
        kind,
        ...[cost.serviceCpuUs, cost.storeCpuUs, cost.walBytes, cost.storedBytes].map(integer),
        integer(cost.walFlushes * 1000),
        flush,
      ]
    }),
  }
}

const ofRates = rates.map((rate) => `${integer(rate)}/s`)

function demandTable(figures: Figures): Table {
  const demands = rates.map((rate) => demandOf(figures, rate))
  const row = (name: string, read: (demand: (typeof demands)[number]) => number): string[] => [
    name,
    ...demands.map((demand) => decimal(read(demand))),
  ]
  return {
    title: 'Total demand by rate',
    heads: ['', ...ofRates],
    rows: [
      row('service cores', (demand) => demand.serviceCores),
      row('PostgreSQL cores', (demand) => demand.storeCores),
      row('log, MB/s', (demand) => demand.walBytesPerSecond / 1e6),
      row('log with full pages, MB/s', (demand) => demand.walPeakBytesPerSecond / 1e6),
      row('stored per day, TB', (demand) => demand.storedBytesPerDay / 1e12),
      row('stored per year, TB', (demand) => (demand.storedBytesPerDay * 365) / 1e12),
      row(`stored in ${assumptions.onlineDays} days, TB`, (demand) => demand.onlineBytes / 1e12),
      row('key index, TB', (demand) => demand.keyIndexBytes / 1e12),
      row('connections', (demand) => demand.connections),
    ],
  }
}

function serversTable(figures: Figures): Table {
  const needed = rates.map((rate) => serversNeeded(demandOf(figures, rate)))
  return {
    title: 'PostgreSQL servers needed, by resource',
    heads: ['', ...ofRates],
    rows: [
      ...resources.map((resource) => [resource, ...needed.map((one) => decimal(one[resource]))]),
      ['first limit', ...needed.map(breaksFirst)],
      [`servers, by ${hardResources.join(', ')}`, ...needed.map((one) => integer(shardsOf(one)))],
    ],
  }
}

/** Simulates the largest shard, which determines the latency of its owners. */
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
      ['large ones split', place(loads, shards, shardCapacity(figures) / 2)],
    ] as const
    return ways.map(([way, shardLoads]) => {
      const largest = Math.max(...shardLoads)
      const result = simulated(figures, largest)
      const waits = result.isOverrun
        ? ['', '', 'overloaded']
        : [decimal(result.p50Ms), decimal(result.p99Ms), 'stable']
      return [
        `${integer(rate)}/s, ${way}`,
        integer(shardLoads.length),
        integer(largest),
        decimal(largest / (rate / shardLoads.length)),
        percent(result.coreShareBusy),
        decimal(result.decisionsPerFlush),
        ...waits,
      ]
    })
  })
  return {
    title: 'Simulation of the largest shard',
    heads: [
      'owners by shard',
      'shards',
      'rate/s',
      'to mean',
      'cores busy',
      'per flush',
      'p50 ms',
      'p99 ms',
      '',
    ],
    rows,
  }
}

/** Simulates the setup of the bench, for comparison with its result: one instance and its database on one machine. */
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
      // On one machine only the work of the service between two database responses remains.
      roundTripsMs: (roundTrips * cost.serviceCpuUs) / 1000,
      decisions: decisionsSimulated,
      seed,
    })
    return [
      kind,
      integer(cost.requestsPerSecond),
      decimal(1 / cost.walFlushes),
      decimal(result.decisionsPerFlush),
    ]
  })
  return {
    title: 'Simulation of the bench: decisions per flush',
    heads: ['', 'rate/s', 'measured', 'simulated'],
    rows,
  }
}

function ownersTable(figures: Figures): Table {
  const capacity = shardCapacity(figures)
  return {
    title: 'The largest owner',
    heads: ['skew', 'share', ...ofRates, 'own shards'],
    rows: skews.map((skew) => {
      const largest = rates.map((rate) => ownerLoads(rate, assumptions.owners, skew)[0] ?? 0)
      return [
        decimal(skew),
        percent((largest[0] ?? 0) / rates[0]),
        ...largest.map(integer),
        largest.map((load) => integer(Math.ceil(load / capacity))).join(', '),
      ]
    }),
  }
}

function ceilingsTable(figures: Figures): Table {
  return {
    title: 'Maximum rate of one owner or shard',
    heads: ['limited by', 'decisions/s'],
    rows: [['processor and log of a shard', integer(shardCapacity(figures))]],
  }
}

export function tablesOf(figures: Figures): Table[] {
  return [costTable, demandTable, serversTable, shardsTable, ownersTable, ceilingsTable, checkTable].map(
    (make) => make(figures),
  )
}

/** Formats a table as text; the first column is left-aligned. */
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
