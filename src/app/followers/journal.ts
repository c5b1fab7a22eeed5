/**
 * Follows the journal: numbers what was appended and keeps the projections up to date. One instance at a time does so by
 * itself, under a lease. A reader that needs a projection now has it brought up to date by its own instance; row locks
 * keep two instances from doing anything twice.
 */

import { shareNext } from '../operate/share-next.ts'
import type { FollowerName, JournalState, JournalStore, ProjectionName } from '../ports/journal.ts'
import type { FollowerLag } from '../ports/metrics.ts'
import { StoreUnavailable } from '../ports/store.ts'
import type { Random, Repeat } from '../ports/system.ts'
import type { FollowCandidates } from '../policy/candidate.ts'
import type { FollowReviews } from '../review/follow.ts'
import { followTo, sequenceAll } from './catch-up.ts'
import { Follower, type FollowerDeps } from './follower.ts'
import { lagsOf } from './lags.ts'
import { beatEveryMs, JournalLease } from './lease.ts'

/** The longest that a reader waits. */
const waitMsMax = 2_000
/** Intervals of the look for what other processes appended: commands on SQLite, other instances on PostgreSQL. */
const pollEveryMs = { alone: 100, shared: 25 }
/** Events leave at once; totals and seals are brought up to date for whoever reads them. */
const pauseMs: Readonly<Record<FollowerName, number>> = {
  webhooks: 20,
  totals: 250,
  log: 1_000,
  policies: 1_000,
  calibration: 1_000,
  reviews: 100,
  events: 100,
  stream: 100,
}
/** The pause of `webhooks` while there is no endpoint. */
const idlePauseMs = 100
/** Batches followed at a stop, so that a long backlog does not delay it. */
const finalBatchesMax = 8

/** A projection is not up to date within the time that a reader waits. */
export class FollowerBehind extends Error {
  override readonly name = 'FollowerBehind'
}

/** For a reader that has an answer of its own while a follower is behind. */
export function behindOrThrow(error: unknown): FollowerBehind {
  if (error instanceof FollowerBehind) return error
  throw error
}

export interface JournalDeps extends FollowerDeps {
  readonly store: JournalStore
  readonly random: Random
  /** Seals numbered entries until `isEnough` returns true; returns how many. Less if another instance was first. */
  readonly seal: (isEnough: () => boolean) => Promise<number>
  readonly followCandidates: FollowCandidates
  readonly followReviews: FollowReviews
  /** Publishes what the follower `events` has listed. Absent: there is no follower `stream`. */
  readonly followStream?: (() => Promise<void>) | undefined
}

export class Journal {
  readonly #deps: JournalDeps
  readonly #lease: JournalLease
  readonly #followers: ReadonlyMap<FollowerName, Follower>
  readonly #sequence: () => Promise<number>
  readonly #failing = new Set<string>()
  /** Counts the batches that a stop may still follow; null while running. */
  #batchesLeft: number | null = null

  constructor(deps: JournalDeps) {
    const { store } = deps
    this.#deps = deps
    this.#lease = new JournalLease({ store: store.lease, clock: deps.clock, random: deps.random })
    const isEnough = (): boolean => this.#isEnough()
    this.#sequence = shareNext(() => sequenceAll(store, isEnough))
    const follow = async (name: ProjectionName): Promise<boolean> =>
      followTo(store, name, { target: await this.#sequence(), isEnough })
    let isIdle = false
    const { followStream } = deps
    const runs: Readonly<Partial<Record<FollowerName, () => Promise<void>>>> = {
      // First, because it appends entries that the others follow: a stop then leaves none behind.
      reviews: async () => deps.followReviews(await this.#sequence(), isEnough),
      webhooks: async () => {
        isIdle = await follow('webhooks')
      },
      totals: async () => {
        await follow('totals')
      },
      calibration: async () => {
        await follow('calibration')
      },
      events: async () => {
        await follow('events')
        this.#followers.get('stream')?.nudge()
      },
      policies: async () => deps.followCandidates(await this.#sequence(), isEnough),
      log: async () => {
        const target = await this.#sequence()
        let sealed = await deps.seal(isEnough)
        while ((await this.#sealed()) < target && !isEnough()) sealed += await deps.seal(isEnough)
        // Entries recorded before the log existed are sealed a few batches per run.
        if (sealed > 0 && this.#lease.isHeld) this.#follower('log').nudge()
      },
      ...(followStream === undefined ? {} : { stream: followStream }),
    }
    const entries = Object.entries(runs) as [FollowerName, () => Promise<void>][]
    // An instance that was paused may have lost the lease meanwhile.
    const mayRun = (): boolean => this.#lease.isHeld
    const pauseOf = (name: FollowerName): number =>
      name === 'webhooks' && isIdle ? idlePauseMs : pauseMs[name]
    this.#followers = new Map(
      entries.map(([name, run]) => [
        name,
        new Follower(deps, { name, pauseMs: () => pauseOf(name), run, mayRun }),
      ]),
    )
    store.onAppended(() => this.#nudge())
  }

  /** Resolves when everything that was appended before the call has a number. */
  async sequenced(): Promise<void> {
    await this.#inTime('sequencer', this.#sequence())
  }

  /** Resolves when the follower has passed everything that was appended before the call. */
  async passed(name: FollowerName): Promise<void> {
    await this.#inTime(name, this.#pass(name))
  }

  async #pass(name: FollowerName): Promise<void> {
    const { oldestQueuedId, sequenced, positions, hasBacklog } = await this.#state()
    // The only projection that was begun after these entries.
    if (name === 'calibration' && hasBacklog)
      throw new Error('followers: old entries are still being numbered')
    const position = positions.find((one) => one.name === name)?.position ?? 0
    // An empty log is signed, too.
    const mayLackCheckpoint = name === 'log' && position === 0
    if (oldestQueuedId === null && position >= sequenced && !mayLackCheckpoint) return
    await this.#follower(name).catchUp()
  }

  async lags(): Promise<FollowerLag[]> {
    const { store, clock } = this.#deps
    const lags = await lagsOf(store, await this.#state(), clock)
    return lags.map((lag) => ({ ...lag, isFailing: this.#follower(lag.follower).isFailing }))
  }

  /** Follows by itself from now on. The returned function stops that, and follows what is left first. */
  start(repeat: Repeat): () => Promise<void> {
    for (const follower of this.#followers.values()) follower.activate()
    this.#nudge()
    void this.#beat()
    const pollMs = this.#deps.store.lease === null ? pollEveryMs.alone : pollEveryMs.shared
    const stops = [repeat(() => this.#beat(), beatEveryMs), repeat(() => this.#poll(), pollMs)]
    return async () => {
      for (const stop of stops) stop()
      this.#batchesLeft = finalBatchesMax
      for (const follower of this.#followers.values()) await follower.stop()
      if (!this.#lease.isHeld) return
      for (const follower of this.#followers.values()) await follower.catchUp().catch(ignore)
      await this.#lease.release().catch(ignore)
    }
  }

  /** Of the followers that there are. */
  async #state(): Promise<JournalState> {
    const state = await this.#deps.store.state()
    return { ...state, positions: state.positions.filter(({ name }) => this.#followers.has(name)) }
  }

  async #sealed(): Promise<number> {
    const { positions } = await this.#state()
    return positions.find(({ name }) => name === 'log')?.position ?? 0
  }

  #isEnough(): boolean {
    if (this.#batchesLeft === null) return false
    this.#batchesLeft -= 1
    return this.#batchesLeft < 0
  }

  #follower(name: FollowerName): Follower {
    const follower = this.#followers.get(name)
    if (follower === undefined) throw new Error(`followers: there is no ${name}`)
    return follower
  }

  #nudge(): void {
    if (this.#lease.isHeld) for (const follower of this.#followers.values()) follower.nudge()
  }

  /** If the store does not answer, the next beat tries again; meanwhile the lease may pass to another instance. */
  async #beat(): Promise<void> {
    const wasHeld = this.#lease.isHeld
    await this.#tried('lease', () => this.#lease.beat())
    if (!wasHeld) this.#nudge()
  }

  async #poll(): Promise<void> {
    if (!this.#lease.isHeld) return
    const state = await this.#tried('journal', () => this.#state())
    if (state !== null && isBehind(state)) this.#nudge()
  }

  /** Null if it failed: the log has the first failure in a row. */
  async #tried<Result>(what: 'lease' | 'journal', work: () => Promise<Result>): Promise<Result | null> {
    const { log } = this.#deps
    try {
      const result = await work()
      if (this.#failing.delete(what)) log.info(`followers: the ${what} has recovered`)
      return result
    } catch (error) {
      if (!this.#failing.has(what)) log.warn({ err: error }, `followers: the ${what} failed, will retry`)
      this.#failing.add(what)
      return null
    }
  }

  #inTime<Result>(name: string, work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const late = (cause?: unknown): void =>
        reject(new FollowerBehind(`followers: ${name} is not up to date`, { cause }))
      const cancel = this.#deps.after(waitMsMax, late)
      work
        .then(resolve, (error: unknown) => (error instanceof StoreUnavailable ? reject(error) : late(error)))
        .finally(cancel)
    })
  }
}

const isBehind = ({ sequenced, oldestQueuedId, positions }: JournalState): boolean =>
  oldestQueuedId !== null || positions.some(({ position }) => position < sequenced)

function ignore(): void {}
