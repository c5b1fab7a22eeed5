/**
 * Backtests: decides every record of a stretch again under a policy. The work is cut into parts of a bounded number of
 * records, so it can be cancelled, shows its progress, needs constant memory, and continues where a killed instance was.
 */

import { addRecord, type ReportSums } from '../../core/policy/report.ts'
import type { Backtest, BacktestProgress, PolicyStore, Stretch } from '../ports/policies.ts'
import type { Clock, Repeat } from '../ports/system.ts'
import { sumsFor } from './candidate.ts'
import type { PolicyLibrary } from './library.ts'
import { redecide } from './redecide.ts'

/** Between two records of progress: about a tenth of a second. */
const recordsPerPart = 4_000
const recordsPerRead = 250
/** Slow rules make parts longer. A part is not much longer than this. */
const partMsMax = 1_000

export interface PartJob extends Stretch {
  readonly policyId: string
  readonly progress: BacktestProgress
  readonly sums: ReportSums | null
}

export interface PartResult {
  readonly progress: BacktestProgress
  readonly sums: ReportSums
  readonly isEnd: boolean
}

/** Does the next part of a backtest, here or in a thread of its own. */
export type RunPart = (job: PartJob) => Promise<PartResult>

export interface PartDeps {
  readonly store: Pick<PolicyStore, 'records' | 'countRecords'>
  readonly library: PolicyLibrary
  /** Cuts long parts. */
  readonly clock?: Pick<Clock, 'monotonicMs'>
}

export function createRunPart({ store, library, clock }: PartDeps): RunPart {
  return async ({ policyId, ownerId, fromMs, toMs, mode, progress, sums: before }) => {
    const policy = await library.find(policyId)
    const stretch = { ownerId, fromMs, toMs, mode }
    const sums = before ?? sumsFor(policy)
    const total = progress.total ?? (await store.countRecords(stretch))
    let { done, upTo } = progress
    const startedMs = clock?.monotonicMs() ?? 0
    const isLong = (): boolean => clock !== undefined && clock.monotonicMs() - startedMs > partMsMax
    for (let left = recordsPerPart; left > 0; left -= recordsPerRead) {
      const part = await store.records(stretch, upTo, recordsPerRead)
      for (const row of part.records) {
        const pending = redecide(row, { policy, ownerId }, library)
        const redecided = pending instanceof Promise ? await pending : pending
        if (redecided === null) sums.undecided += 1
        else addRecord(sums, redecided)
      }
      done += part.records.length
      if (part.upTo === null) return { progress: { done, total, upTo }, sums, isEnd: true }
      upTo = part.upTo
      if (isLong()) break
    }
    return { progress: { done, total, upTo }, sums, isEnd: false }
  }
}

/** Runs all parts of a stretch here; `onPart` may stop it by an error. */
export async function runWhole(
  run: RunPart,
  stretch: Omit<PartJob, 'progress' | 'sums'>,
  onPart: (progress: BacktestProgress) => void = () => {},
): Promise<ReportSums> {
  let progress: BacktestProgress = { done: 0, total: null, upTo: null }
  let sums: ReportSums | null = null
  for (;;) {
    const part: PartResult = await run({ ...stretch, progress, sums })
    ;({ progress, sums } = part)
    onPart(progress)
    if (part.isEnd) return part.sums
  }
}

/** A place to run parts in, opened for one backtest. */
export interface BacktestRoom {
  readonly run: RunPart
  close(): Promise<void>
}

export interface BacktesterDeps {
  readonly store: Pick<PolicyStore, 'claimBacktest' | 'stepBacktest'>
  readonly open: () => BacktestRoom
  readonly clock: Clock
  /** Names this instance. */
  readonly holder: string
  readonly log: { warn(fields: object, message: string): void }
}

/** A running backtest without a beat for this long is continued by another instance. */
const lostAfterMs = 60_000
/** The interval of the look for backtests of other instances that have stopped. */
const lookEveryMs = 1_000

/** Runs the backtests that nobody runs, one at a time. */
export class Backtester {
  readonly #deps: BacktesterDeps
  #running: Promise<void> | null = null
  #isStopping = false

  constructor(deps: BacktesterDeps) {
    this.#deps = deps
  }

  /** Looks for work now. */
  nudge(): void {
    if (this.#isStopping) return
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null
    })
  }

  start(repeat: Repeat): () => Promise<void> {
    const stop = repeat(async () => this.nudge(), lookEveryMs)
    return async () => {
      stop()
      this.#isStopping = true
      await this.#running
    }
  }

  /** Resolves when there is nothing left to run. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #runAll(): Promise<void> {
    const { store, clock, holder, log } = this.#deps
    try {
      for (;;) {
        const nowMs = clock.nowMs()
        const backtest = await store.claimBacktest({ holder, nowMs, lostBeforeMs: nowMs - lostAfterMs })
        if (backtest === null || this.#isStopping) return
        await this.#run(backtest)
      }
    } catch (error) {
      log.warn({ err: error }, 'backtests: cannot be run now, will be tried again')
    }
  }

  async #run(backtest: Backtest): Promise<void> {
    const { open, log } = this.#deps
    const room = open()
    let { progress, sums } = backtest
    try {
      for (;;) {
        const { isEnd, ...part } = await room.run({ ...backtest, progress, sums })
        ;({ progress, sums } = part)
        const isRunning = await this.#step(backtest, {
          progress,
          sums,
          status: isEnd ? 'done' : 'running',
          error: null,
        })
        // The part is stored: after a stop another instance continues from it, or this one once it starts again.
        if (isEnd || !isRunning || this.#isStopping) return
      }
    } catch (error) {
      log.warn({ err: error }, `backtests: ${backtest.backtestId} failed`)
      const sentence = 'The backtest failed at a record. See the log of the server.'
      await this.#step(backtest, { progress, sums, status: 'failed', error: sentence })
    } finally {
      await room.close()
    }
  }

  #step(
    { backtestId }: Backtest,
    step: Pick<Backtest, 'progress' | 'sums' | 'error'> & { readonly status: 'running' | 'done' | 'failed' },
  ): Promise<boolean> {
    const { store, clock, holder } = this.#deps
    return store.stepBacktest({ ...step, backtestId, holder, nowMs: clock.nowMs() })
  }
}
