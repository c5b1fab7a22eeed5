/** The limiter of a single instance: rolling windows in memory, by the monotonic clock. */

import type { Clock, Limiter } from '../../app/ports.ts'
import { RollingWindow } from '../../core/rolling-window.ts'

/** Idle windows are swept once in so many admissions, so that callers who left are forgotten. */
const sweepEvery = 4_096

export function createMemoryLimiter(clock: Clock): Limiter {
  const windows = new Map<string, { window: RollingWindow; windowMs: number }>()
  let sinceSweep = 0

  function sweep(nowMs: number): void {
    for (const [bucket, { window, windowMs }] of windows)
      if (window.isIdle(windowMs, nowMs)) windows.delete(bucket)
  }

  return {
    admit(bucket, limit) {
      const nowMs = clock.monotonicMs()
      sinceSweep += 1
      if (sinceSweep >= sweepEvery) {
        sinceSweep = 0
        sweep(nowMs)
      }
      let kept = windows.get(bucket)
      if (kept === undefined) {
        kept = { window: new RollingWindow(), windowMs: limit.windowMs }
        windows.set(bucket, kept)
      }
      kept.windowMs = limit.windowMs
      return Promise.resolve(kept.window.admit(limit, nowMs))
    },
  }
}
