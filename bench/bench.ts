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
  readonly assessRounds: number
  readonly assessRows: number
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
  assessRounds: 3,
  assessRows: 1_000_000,
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
  assessRounds: 2,
  assessRows: 100_000,
}

export interface Bench {
  readonly sizes: Sizes
  readonly loader: Loader
  readonly databases: Databases
  readonly say: (line: string) => void
}

export const everydayBody = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' } as const
