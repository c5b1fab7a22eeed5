/** Stores the progress of a job, at most once a second. */

import type { MaintenanceStore } from '../../ports/operate/maintenance.ts'
import type { Clock } from '../../ports/system.ts'

export type OnProgress = (done: number, all: number) => void

const pauseMs = 1_000

export function reportProgress(store: MaintenanceStore, clock: Clock, jobId: string) {
  let nextMs = -Infinity
  let writing: Promise<unknown> = Promise.resolve()
  return {
    report: ((done, total) => {
      if (clock.monotonicMs() < nextMs && done < total) return
      nextMs = clock.monotonicMs() + pauseMs
      // A fault of the store also meets the work itself.
      writing = store.beat({ jobId, nowMs: clock.nowMs(), progress: { done, total } }).catch(() => undefined)
    }) satisfies OnProgress,
    settled: () => writing,
  }
}
