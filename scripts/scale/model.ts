/** Models the resources for a rate of decisions, and the first limit of one PostgreSQL server. */

import { everyday, type Cost, type Figures } from './figures.ts'

/** Assumptions on machine size and traffic, which are not measured. Replace them with your own. */
export const assumptions = {
  /** Planned processor utilisation; above it, queues grow. */
  busyShareMax: 0.6,
  /** Cores of one database server. */
  storeCores: 32,
  storeMemoryBytes: 256e9,
  storeDiskBytes: 16e12,
  walBytesPerSecond: 500e6,
  /** Without a pooler; each connection is a server process. */
  storeConnections: 500,
  /** Daily mean relative to the peak: processors are sized for the peak, disks for the mean. */
  meanShareOfPeak: 0.3,
  /** Days that stay attached; older months are detached and archived. */
  onlineDays: 30,
  /** Time between checkpoints. The first change of a page after a checkpoint logs the full page. */
  checkpointEveryS: 900,
  /** Logged size of a page, without its free space. */
  pageImageBytes: 6_000,
  pageBytes: 8_192,
  /** Round trip between an instance and the database. */
  roundTripMs: 0.5,
  owners: 10_000,
} as const

const secondsPerDay = 86_400

/** Pool size of a service process, as in `src/adapters/store/engine/postgres.ts`; under load all are open. */
export const connectionsPerProcess = 10

export interface Demand {
  readonly ratePerSecond: number
  readonly serviceCores: number
  readonly storeCores: number
  readonly walBytesPerSecond: number
  /** Including full-page images of the idempotency key index. */
  readonly walPeakBytesPerSecond: number
  readonly storedBytesPerDay: number
  readonly onlineBytes: number
  readonly keyIndexBytes: number
  readonly connections: number
}

/** The total demand, independent of its placement. */
export function demandOf({ costs }: Figures, ratePerSecond: number): Demand {
  const cost = costs[everyday]
  const { busyShareMax, meanShareOfPeak, onlineDays } = assumptions
  const decisionsPerDay = ratePerSecond * meanShareOfPeak * secondsPerDay
  const serviceCores = (ratePerSecond * cost.serviceCpuUs) / 1e6 / busyShareMax
  return {
    ratePerSecond,
    serviceCores,
    storeCores: (ratePerSecond * cost.storeCpuUs) / 1e6 / busyShareMax,
    walBytesPerSecond: ratePerSecond * cost.walBytes,
    walPeakBytesPerSecond: ratePerSecond * (cost.walBytes + pageImageBytesOf(cost, ratePerSecond)),
    storedBytesPerDay: decisionsPerDay * cost.storedBytes,
    onlineBytes: decisionsPerDay * onlineDays * cost.storedBytes,
    keyIndexBytes: decisionsPerDay * onlineDays * cost.keyIndexBytes,
    connections: Math.ceil(serviceCores) * connectionsPerProcess,
  }
}

/**
 * Full-page images per decision. Keys are random, so inserts hit random pages of the index, and the first insert into a
 * page after a checkpoint logs the full page. The bench does not show this, since its index is small.
 */
export function pageImageBytesOf(cost: Cost, ratePerSecond: number): number {
  const { meanShareOfPeak, onlineDays, checkpointEveryS, pageBytes, pageImageBytes } = assumptions
  const pages =
    (ratePerSecond * meanShareOfPeak * secondsPerDay * onlineDays * cost.keyIndexBytes) / pageBytes
  const keys = ratePerSecond * checkpointEveryS
  if (pages === 0 || keys === 0) return 0
  return ((pages * (1 - Math.exp(-keys / pages))) / keys) * pageImageBytes
}

export const resources = ['processor', 'log', 'disk', 'memory', 'connections'] as const
export type Resource = (typeof resources)[number]

/** Demand in units of one server. Above 1, one server is not enough. */
export function serversNeeded(demand: Demand): Readonly<Record<Resource, number>> {
  return {
    processor: demand.storeCores / assumptions.storeCores,
    log: demand.walPeakBytesPerSecond / assumptions.walBytesPerSecond,
    disk: demand.onlineBytes / assumptions.storeDiskBytes,
    // The key index, which is accessed at random; other data is appended and rarely read.
    memory: demand.keyIndexBytes / assumptions.storeMemoryBytes,
    connections: demand.connections / assumptions.storeConnections,
  }
}

export function breaksFirst(needed: Readonly<Record<Resource, number>>): Resource {
  return resources.reduce((worst, one) => (needed[one] > needed[worst] ? one : worst))
}

/** A server fails without these. Low memory only slows reads, and a pooler reduces connections. */
export const hardResources = ['processor', 'log', 'disk'] as const satisfies readonly Resource[]

/** The number of servers that suffices if the load is spread evenly. */
export function shardsOf(needed: Readonly<Record<Resource, number>>): number {
  return Math.max(1, Math.ceil(Math.max(...hardResources.map((one) => needed[one]))))
}

/** Decisions per second that the processor and the log of one server support. */
export function shardCapacity({ costs }: Figures): number {
  const cost = costs[everyday]
  const { storeCores, busyShareMax, walBytesPerSecond, pageImageBytes } = assumptions
  const byProcessor = (storeCores * busyShareMax * 1e6) / cost.storeCpuUs
  return Math.min(byProcessor, walBytesPerSecond / (cost.walBytes + pageImageBytes))
}
