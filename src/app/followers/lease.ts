/** The lease under which one instance at a time follows the journal. */

import { prefixedId } from '../verify/ids.ts'
import type { Lease, LeaseStore } from '../ports/journal.ts'
import type { Clock, Random } from '../ports/system.ts'

/** A holder that has not been seen to live for this long has ended. */
const staleMs = 2_000
/** A holder that could not renew for this long acts as if it had lost the lease. */
const believedMs = 1_500
export const beatEveryMs = 500

export interface LeaseDeps {
  /** Null if no other instance can use the database. */
  readonly store: LeaseStore | null
  readonly clock: Clock
  readonly random: Random
}

/** An earlier version has no number in its name. */
const schemaOf = (holder: string): number => Number(holder.split('.')[1] ?? 0)

/**
 * During a rolling upgrade the newer version follows: it knows every follower, and the older one does not. Nothing depends on the lease but the load of the database: a paused holder that wakes up finds that positions have
 * moved, and does nothing twice. Each instance measures with its own clock.
 */
export class JournalLease {
  readonly #deps: LeaseDeps
  readonly #self: string
  /** The lease as last seen, and since when it has not changed. */
  #seen: { readonly lease: Lease; readonly sinceMs: number } | null = null
  #renewedAtMs: number | null = null

  constructor(deps: LeaseDeps) {
    this.#deps = deps
    this.#self = `${prefixedId('ins', deps.random)}.${deps.store?.schema ?? 0}`
  }

  get isHeld(): boolean {
    const { store, clock } = this.#deps
    if (store === null) return true
    return this.#renewedAtMs !== null && clock.monotonicMs() - this.#renewedAtMs < believedMs
  }

  /** Renews the lease, takes it if its holder has ended or is of an earlier version, or watches it. */
  async beat(): Promise<void> {
    const { store, clock } = this.#deps
    if (store === null) return
    const nowMs = clock.monotonicMs()
    const lease = await store.read()
    const { holder, beat } = lease
    const isOlder = schemaOf(holder) < store.schema
    if (holder !== this.#self && !isOlder && !this.#hasEnded(lease, nowMs)) {
      this.#renewedAtMs = null
      return
    }
    const isReplaced = await store.replace(lease, { holder: this.#self, beat: beat + 1 })
    this.#renewedAtMs = isReplaced ? nowMs : null
  }

  /** Lets another instance take over at once. */
  async release(): Promise<void> {
    const { store } = this.#deps
    if (store === null || this.#renewedAtMs === null) return
    this.#renewedAtMs = null
    const lease = await store.read()
    if (lease.holder === this.#self) await store.replace(lease, { holder: '', beat: lease.beat + 1 })
  }

  #hasEnded(lease: Lease, nowMs: number): boolean {
    if (lease.holder === '') return true
    const seen = this.#seen
    if (seen?.lease.holder === lease.holder && seen.lease.beat === lease.beat)
      return nowMs - seen.sinceMs >= staleMs
    this.#seen = { lease, sinceMs: nowMs }
    return false
  }
}
