/** The rate limiter of a single instance: rolling windows in memory, by the monotonic clock. */

import type { Clock } from '../../../app/ports/system.ts'
import type { Limiter } from '../../../app/ports/limiter.ts'
import { RollingWindow } from '../../../core/time/rolling-window.ts'

/** Idle windows are deleted once per this many admissions, to bound memory. */
const sweepEvery = 4_096

/**
 * The most windows for unauthenticated callers, about 31 MB: an attacker may have millions of addresses. Beyond it the
 * least recently used window is evicted. Only a caller with more addresses than this gains from that, and no more than
 * from another address. Windows of keys are never evicted: their number is bounded by the keys issued.
 */
export const openWindowsMax = 100_000

interface Entry {
  readonly window: RollingWindow
  windowMs: number
}

export function createMemoryLimiter(clock: Clock): Limiter {
  const keyWindows = new Map<string, Entry>()
  /** Least recently used first. */
  const openWindows = new Map<string, Entry>()
  let sinceSweep = 0

  function sweep(nowMs: number): void {
    for (const windows of [keyWindows, openWindows])
      for (const [bucket, { window, windowMs }] of windows)
        if (window.isIdle(windowMs, nowMs)) windows.delete(bucket)
  }

  function openWindow(bucket: string): Entry {
    const cached = openWindows.get(bucket)
    if (cached !== undefined) openWindows.delete(bucket)
    else if (openWindows.size >= openWindowsMax) openWindows.delete(openWindows.keys().next().value ?? '')
    const entry = cached ?? newEntry()
    openWindows.set(bucket, entry)
    return entry
  }

  function keyWindow(bucket: string): Entry {
    const entry = keyWindows.get(bucket) ?? newEntry()
    keyWindows.set(bucket, entry)
    return entry
  }

  return {
    admit(bucket, limit, isOpen = false) {
      const nowMs = clock.monotonicMs()
      sinceSweep += 1
      if (sinceSweep >= sweepEvery) {
        sinceSweep = 0
        sweep(nowMs)
      }
      const entry = isOpen ? openWindow(bucket) : keyWindow(bucket)
      entry.windowMs = limit.windowMs
      return Promise.resolve(entry.window.admit(limit, nowMs))
    },
  }
}

const newEntry = (): Entry => ({ window: new RollingWindow(), windowMs: 0 })
