/** The limiter of a single instance: rolling windows in memory, by the monotonic clock. */

import type { Clock } from '../../../app/ports/system.ts'
import type { Limiter } from '../../../app/ports/limiter.ts'
import { RollingWindow } from '../../../core/time/rolling-window.ts'

/** Idle windows are swept once in so many admissions, so that callers who left are forgotten. */
const sweepEvery = 4_096

/**
 * So many windows that anybody can open are kept, about 31 MB: addresses can be had by the million. Beyond it the one
 * that was used longest ago goes, so that only who holds more addresses than this gets a window anew, and gains no
 * more by it than by the next address. Windows of keys are never among them: there are no more than keys were issued.
 */
export const openWindowsMax = 100_000

interface Kept {
  readonly window: RollingWindow
  windowMs: number
}

export function createMemoryLimiter(clock: Clock): Limiter {
  const ofKeys = new Map<string, Kept>()
  /** The one that was used longest ago comes first. */
  const open = new Map<string, Kept>()
  let sinceSweep = 0

  function sweep(nowMs: number): void {
    for (const windows of [ofKeys, open])
      for (const [bucket, { window, windowMs }] of windows)
        if (window.isIdle(windowMs, nowMs)) windows.delete(bucket)
  }

  function openWindow(bucket: string): Kept {
    const kept = open.get(bucket)
    if (kept !== undefined) open.delete(bucket)
    else if (open.size >= openWindowsMax) open.delete(open.keys().next().value ?? '')
    const used = kept ?? fresh()
    open.set(bucket, used)
    return used
  }

  function windowOfKey(bucket: string): Kept {
    const kept = ofKeys.get(bucket) ?? fresh()
    ofKeys.set(bucket, kept)
    return kept
  }

  return {
    admit(bucket, limit, isOpen = false) {
      const nowMs = clock.monotonicMs()
      sinceSweep += 1
      if (sinceSweep >= sweepEvery) {
        sinceSweep = 0
        sweep(nowMs)
      }
      const kept = isOpen ? openWindow(bucket) : windowOfKey(bucket)
      kept.windowMs = limit.windowMs
      return Promise.resolve(kept.window.admit(limit, nowMs))
    },
  }
}

const fresh = (): Kept => ({ window: new RollingWindow(), windowMs: 0 })
