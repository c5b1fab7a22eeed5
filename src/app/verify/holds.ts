/** Counts requests to verify that got no decision: in memory at each, in the store at intervals. */

import type { Mode } from '../../core/identity/api-key.ts'
import { minuteMs } from '../../core/time/durations.ts'
import type { Held, HeldSum, HoldReason, HoldStore } from '../ports/holds.ts'
import type { Clock, Repeat } from '../ports/system.ts'

export interface HoldDeps {
  readonly store: HoldStore
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

export interface Holds {
  /** Never waits: it is called as a request is answered. */
  count(held: { ownerId: string; mode: Mode; corridor: string; reason: HoldReason }): void
  /** Writes what was counted since the last write. After a failure the next write tries again. Never throws. */
  write(): Promise<void>
  /** Includes what this instance has counted so far; others add theirs within a second. */
  sums(ownerId: string, mode: Mode | null, sinceMs: number): Promise<HeldSum[]>
  /** The returned function writes once more, so that a stop loses nothing. */
  start(repeat: Repeat): () => Promise<void>
}

const writeEveryMs = 1_000
/** Kept between two writes. More come together only while the store does not answer; then corridors are left out. */
const pendingMax = 5_000

export function createHolds({ store, clock, log }: HoldDeps): Holds {
  let pending = new Map<string, Held>()
  let hasFailed = false
  let writing: Promise<void> = Promise.resolve()

  function add(held: Held): void {
    const key = keyOf(held)
    const before = pending.get(key)
    if (before === undefined && pending.size >= pendingMax && held.corridor !== '')
      return add({ ...held, corridor: '' })
    const requests = (before?.requests ?? 0) + held.requests
    pending.set(key, { ...held, requests, lastAtMs: Math.max(before?.lastAtMs ?? 0, held.lastAtMs) })
  }

  async function attempt(): Promise<void> {
    if (pending.size === 0) return
    const taken = [...pending.values()]
    pending = new Map()
    try {
      await store.add(taken)
      if (hasFailed) log.info('holds: writes have resumed')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'holds: write failed, retrying')
      hasFailed = true
      for (const held of taken) add(held)
    }
  }

  const write = (): Promise<void> => (writing = writing.then(attempt))

  return {
    count({ ownerId, mode, corridor, reason }) {
      const lastAtMs = clock.nowMs()
      const minuteAtMs = lastAtMs - (lastAtMs % minuteMs)
      add({ ownerId, mode, corridor, reason, requests: 1, minuteAtMs, lastAtMs })
    },
    write,
    async sums(ownerId, mode, sinceMs) {
      await write()
      return store.sums(ownerId, mode, sinceMs - (sinceMs % minuteMs))
    },
    start(repeat) {
      const stop = repeat(write, writeEveryMs)
      return async () => {
        stop()
        await write()
      }
    },
  }
}

const keyOf = ({ ownerId, minuteAtMs, mode, corridor, reason }: Held): string =>
  [ownerId, minuteAtMs, mode, corridor, reason].join(' ')
