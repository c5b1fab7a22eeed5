/** What every group of the bench is given. */

import type { Loader } from './loader.ts'
import type { Databases } from './service.ts'

export interface Sizes {
  readonly rounds: number
  readonly roundMs: number
  /** Before the first round, for each server. */
  readonly warmUpMs: number
  readonly starts: number
  readonly memoryRequests: number
  readonly growthRounds: number
  readonly growthRoundMs: number
  readonly growthRecords: number
  /** Short ones: there are fifteen endpoints, on two engines, each beside a bare route. */
  readonly readRounds: number
  readonly readRoundMs: number
  readonly readWarmUpMs: number
  readonly assessRounds: number
  readonly assessRows: number
  /** Delivered in each round. */
  readonly webhookEvents: number
  /** At a set pace, of which a round needs many for its slowest hundredth to mean something. */
  readonly pacedRounds: number
  readonly pacedRoundMs: number
  /** Longer than an attempt at a receiver that hangs, so that every round sees many of them end. */
  readonly hangingRounds: number
  readonly hangingRoundMs: number
}

export const fullSizes: Sizes = {
  rounds: 5,
  roundMs: 3_000,
  warmUpMs: 3_000,
  starts: 5,
  memoryRequests: 100_000,
  growthRounds: 20,
  growthRoundMs: 500,
  growthRecords: 1_000_000,
  readRounds: 5,
  readRoundMs: 800,
  readWarmUpMs: 1_000,
  assessRounds: 3,
  assessRows: 1_000_000,
  webhookEvents: 10_000,
  pacedRounds: 7,
  pacedRoundMs: 5_000,
  hangingRounds: 4,
  hangingRoundMs: 8_000,
}

export const quickSizes: Sizes = {
  rounds: 3,
  roundMs: 1_000,
  warmUpMs: 1_000,
  starts: 3,
  memoryRequests: 30_000,
  growthRounds: 4,
  growthRoundMs: 400,
  growthRecords: 100_000,
  readRounds: 2,
  readRoundMs: 300,
  readWarmUpMs: 300,
  assessRounds: 2,
  assessRows: 100_000,
  webhookEvents: 2_500,
  pacedRounds: 3,
  pacedRoundMs: 1_200,
  hangingRounds: 1,
  hangingRoundMs: 5_500,
}

/** What is asked of a large store is asked of so many records; a quick run stores fewer and is not judged. */
export const judgedRecords = 1_000_000

export interface Bench {
  readonly sizes: Sizes
  readonly loader: Loader
  readonly databases: Databases
  readonly say: (line: string) => void
}

export const everydayBody = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' } as const
