/** What every group of the bench is given. */

import type { Loader } from './loader.ts'
import type { Servers } from './servers.ts'
import type { Databases, Engine } from './service.ts'

/** Throughput at one number of connections. */
export interface Level {
  readonly connections: number
  readonly rounds: number
  readonly roundMs: number
  /** A token of the level: no other kind of verify. */
  readonly freshOnly: boolean
}

export interface Sizes {
  readonly levels: readonly Level[]
  /** One service for all groups that need no settings of their own. */
  readonly sharesServers: boolean
  readonly rounds: number
  readonly roundMs: number
  /** Before the first round, for each server. */
  readonly warmUpMs: number
  readonly starts: number
  readonly memoryRequests: number
  readonly growthRounds: number
  readonly growthRoundMs: number
  /** Stores of so many records each stand beside a small one. */
  readonly growthRecords: readonly number[]
  /** Short ones: there are more than two dozen endpoints, on two engines, each beside a bare route. */
  readonly readRounds: number
  readonly readRoundMs: number
  readonly readWarmUpMs: number
  readonly readRecords: number
  /** About so many, spread over the whole history, so that no cache answers for the store. */
  readonly readIds: number
  readonly assessRounds: number
  readonly assessRows: number
  /** On which live mode and webhooks are measured. */
  readonly sideEngines: readonly Engine[]
  /** Delivered in each round. */
  readonly webhookEvents: number
  /** At a set pace, of which a round needs many for its slowest hundredth to mean something. */
  readonly pacedRounds: number
  readonly pacedRoundMs: number
  /** Longer than an attempt at a receiver that hangs, so that every round sees many of them end; without rounds it is left out. */
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

/** Enough to see that everything works and about where it stands; nothing in it is long enough to be judged but what costs little. */
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

/** One large store instead of the usual ones, in the groups that measure large stores. */
export function withRecords(sizes: Sizes, records: number): Sizes {
  return { ...sizes, growthRecords: [records], readRecords: records }
}

/** What is asked of a large store is asked of so many records; a quick run stores fewer and is not judged. */
export const judgedRecords = 1_000_000

export interface Bench {
  readonly sizes: Sizes
  readonly loader: Loader
  readonly databases: Databases
  readonly servers: Servers
  readonly say: (line: string) => void
}

export const everydayBody = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' } as const
