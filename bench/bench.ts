/** Shared settings and dependencies of the benchmark groups. */

import type { Loader } from './harness/loader.ts'
import type { Servers } from './harness/servers.ts'
import type { Databases, Engine } from './harness/service.ts'

/** Throughput at one number of connections. */
export interface Level {
  readonly connections: number
  readonly rounds: number
  readonly roundMs: number
  /** Measures fresh verifies only. */
  readonly freshOnly: boolean
}

export interface Sizes {
  readonly levels: readonly Level[]
  /** One service for all groups that need no special settings. */
  readonly sharesServers: boolean
  readonly rounds: number
  readonly roundMs: number
  /** Before the first round, for each server. */
  readonly warmUpMs: number
  readonly starts: number
  readonly memoryRequests: number
  readonly growthRounds: number
  readonly growthRoundMs: number
  /** Sizes of the stores that are compared with a small one. */
  readonly growthRecords: readonly number[]
  /** In the store that a backtest or an export reads. */
  readonly backtestRecords: number
  /** Short rounds: more than two dozen endpoints on two engines, each with a baseline. */
  readonly readRounds: number
  readonly readRoundMs: number
  readonly readWarmUpMs: number
  readonly readRecords: number
  /** Approximate number of ids, spread over the complete history to defeat caches. */
  readonly readIds: number
  readonly assessRounds: number
  readonly assessRows: number
  /** The engines on which live mode and webhooks are measured. */
  readonly sideEngines: readonly Engine[]
  /** Deliveries per round. */
  readonly webhookEvents: number
  /** Rounds at a fixed rate. A round needs many requests for a meaningful p99. */
  readonly pacedRounds: number
  readonly pacedRoundMs: number
  /** Longer than an attempt at a hanging receiver, so that many attempts end in a round. 0 rounds skip the group. */
  readonly hangingRounds: number
  readonly hangingRoundMs: number
}

export const fullSizes: Sizes = {
  levels: [
    { connections: 32, rounds: 5, roundMs: 3_000, freshOnly: false },
    { connections: 1, rounds: 5, roundMs: 1_000, freshOnly: false },
    { connections: 256, rounds: 5, roundMs: 2_000, freshOnly: false },
  ],
  sharesServers: false,
  rounds: 5,
  roundMs: 2_000,
  warmUpMs: 3_000,
  starts: 5,
  memoryRequests: 1_000_000,
  growthRounds: 15,
  growthRoundMs: 500,
  growthRecords: [100_000, 1_000_000],
  backtestRecords: 200_000,
  readRounds: 5,
  readRoundMs: 400,
  readWarmUpMs: 700,
  readRecords: 1_000_000,
  readIds: 1_000,
  assessRounds: 3,
  assessRows: 1_000_000,
  sideEngines: ['sqlite', 'postgres'],
  webhookEvents: 10_000,
  pacedRounds: 5,
  pacedRoundMs: 4_000,
  hangingRounds: 3,
  hangingRoundMs: 8_000,
}

/** A smoke test with rough numbers. Only the cheap groups run long enough for a verdict. */
export const quickSizes: Sizes = {
  levels: [
    { connections: 32, rounds: 3, roundMs: 400, freshOnly: false },
    { connections: 1, rounds: 2, roundMs: 300, freshOnly: true },
    { connections: 256, rounds: 2, roundMs: 300, freshOnly: true },
  ],
  sharesServers: true,
  rounds: 3,
  roundMs: 250,
  warmUpMs: 250,
  starts: 3,
  memoryRequests: 5_000,
  growthRounds: 3,
  growthRoundMs: 200,
  growthRecords: [20_000],
  backtestRecords: 20_000,
  readRounds: 2,
  readRoundMs: 40,
  readWarmUpMs: 40,
  readRecords: 20_000,
  readIds: 100,
  assessRounds: 2,
  assessRows: 20_000,
  sideEngines: ['sqlite'],
  webhookEvents: 1_000,
  pacedRounds: 3,
  pacedRoundMs: 400,
  hangingRounds: 0,
  hangingRoundMs: 0,
}

/** Replaces the large stores by one of this size. */
export function withRecords(sizes: Sizes, records: number): Sizes {
  return { ...sizes, growthRecords: [records], readRecords: records }
}

/** The store size that the targets apply to. A quick run stores fewer records and gets no verdict. */
export const judgedRecords = 1_000_000

export interface Bench {
  readonly sizes: Sizes
  readonly loader: Loader
  readonly databases: Databases
  readonly servers: Servers
  readonly print: (line: string) => void
}

export const everydayBody = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' } as const
