/**
 * Lets callers wait for events of their owner. However many wait, one query at a time asks for all of their owners, and
 * none while nobody waits.
 */

import type { EventStore } from '../../ports/events.ts'
import type { After } from '../../ports/system.ts'

/** A consumer that is up to date under load sends a request after each look: its limit must suffice for two of them. */
const lookEveryMs = 250

interface Waiting {
  readonly ownerId: string
  readonly leaf: number
  readonly end: () => void
}

export interface Wait {
  /** Resolves when there is an event, when the time is over, or when the wait is cancelled. Never rejects. */
  readonly ended: Promise<void>
  readonly cancel: () => void
}

export class EventWaits {
  readonly #store: Pick<EventStore, 'newest'>
  readonly #after: After
  readonly #waiting = new Set<Waiting>()
  #cancelLook: (() => void) | null = null
  #isLooking = false
  #isStopped = false

  constructor({ events, after }: { readonly events: Pick<EventStore, 'newest'>; readonly after: After }) {
    this.#store = events
    this.#after = after
  }

  /** Whether callers are sent away at once. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Waits for an event of the owner after this entry of the log. */
  start(ownerId: string, leaf: number, ms: number): Wait {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = (): void => {
      cancelTime()
      this.#waiting.delete(waiting)
      resolve()
    }
    const waiting = { ownerId, leaf, end }
    const cancelTime = this.#after(ms, end)
    this.#waiting.add(waiting)
    if (this.#isStopped) end()
    this.#lookLater()
    return { ended: promise, cancel: end }
  }

  /** Ends all waits, and every later one at once. */
  stop(): void {
    this.#isStopped = true
    this.#cancelLook?.()
    for (const { end } of this.#waiting) end()
  }

  #lookLater(): void {
    if (this.#waiting.size === 0 || this.#isLooking || this.#cancelLook !== null) return
    this.#cancelLook = this.#after(lookEveryMs, () => {
      this.#cancelLook = null
      void this.#look()
    })
  }

  async #look(): Promise<void> {
    const ownerIds = [...new Set([...this.#waiting].map(({ ownerId }) => ownerId))]
    if (ownerIds.length === 0) return
    this.#isLooking = true
    // A store that does not answer now is asked again; the waits end in time anyway.
    const newest = await this.#store.newest(ownerIds).catch(() => null)
    this.#isLooking = false
    for (const { ownerId, leaf, end } of this.#waiting) {
      if ((newest?.get(ownerId) ?? -1) > leaf) end()
    }
    this.#lookLater()
  }
}
