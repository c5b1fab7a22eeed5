/** What a rate of decisions asks of the machines, and of which kind of thing one PostgreSQL server runs out first. */

import { everyday, type Cost, type Figures } from './figures.ts'

/** What is not measured: the size of machines and the shape of the traffic. Each is a guess that an operator replaces. */
export const assumptions = {
  /** Of a processor, planned: above it queues grow. */
  busyShareMax: 0.6,
  /** Of one database server. */
  storeCores: 32,
  storeMemoryBytes: 256e9,
  storeDiskBytes: 16e12,
  walBytesPerSecond: 500e6,
  /** Without a pooler; each is a process of the server. */
  storeConnections: 500,
  /** The day's mean beside its peak: processors are sized by the peak, disks by the mean. */
  meanShareOfPeak: 0.3,
  /** Kept attached; older months are detached and archived. */
  onlineDays: 30,
  /** Between two checkpoints, in each of which a page goes to the log whole at its first change. */
  checkpointEveryS: 900,
  /** Of a page in the log: the free part is left out. */
  pageImageBytes: 6_000,
  pageBytes: 8_192,
  /** From an instance to the database and back. */
  roundTripMs: 0.5,
  owners: 10_000,
} as const

const secondsPerDay = 86_400

/** The most that a process of the service opens, as `src/adapters/store/engine/postgres.ts` has it: under load it may hold them all. */
export const connectionsPerProcess = 10

export interface Demand {
  readonly ratePerSecond: number
  readonly serviceCores: number
  readonly storeCores: number
  readonly walBytesPerSecond: number
  /** The same, with the whole pages of the index of idempotency keys. */
  readonly walPeakBytesPerSecond: number
  readonly storedBytesPerDay: number
  readonly onlineBytes: number
  readonly keyIndexBytes: number
  readonly connections: number
}

/** All of it, wherever it is put. */
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
 * Keys have no order in time, so each lands on a page of its own: with so many pages, and so many keys between two checkpoints,
 * this share of the keys is the first on its page. The bench, whose index is small, sees none of it.
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

/** How many servers' worth of each thing is asked for. Above 1, one server does not do. */
export function serversNeeded(demand: Demand): Readonly<Record<Resource, number>> {
  return {
    processor: demand.storeCores / assumptions.storeCores,
    log: demand.walPeakBytesPerSecond / assumptions.walBytesPerSecond,
    disk: demand.onlineBytes / assumptions.storeDiskBytes,
    // Of the index of keys, which is asked at random places: the rest of the data is written at its end and read rarely.
    memory: demand.keyIndexBytes / assumptions.storeMemoryBytes,
    connections: demand.connections / assumptions.storeConnections,
  }
}

export function breaksFirst(needed: Readonly<Record<Resource, number>>): Resource {
  return resources.reduce((worst, one) => (needed[one] > needed[worst] ? one : worst))
}

/** Without these a server stops. With too little memory it reads from disk, and a pooler makes few connections of many. */
export const hardResources = ['processor', 'log', 'disk'] as const satisfies readonly Resource[]

/** With as many servers, none lacks anything, as long as the load is spread evenly. */
export function shardsOf(needed: Readonly<Record<Resource, number>>): number {
  return Math.max(1, Math.ceil(Math.max(...hardResources.map((one) => needed[one]))))
}

/** Decisions a second that the processor and the log of one server can have. */
export function shardCapacity({ costs }: Figures): number {
  const cost = costs[everyday]
  const { storeCores, busyShareMax, walBytesPerSecond, pageImageBytes } = assumptions
  const byProcessor = (storeCores * busyShareMax * 1e6) / cost.storeCpuUs
  return Math.min(byProcessor, walBytesPerSecond / (cost.walBytes + pageImageBytes))
}
