/** Runs the maintenance tasks of a shared database soon after the start and every hour. */

import { hourMs } from '../../../core/time/durations.ts'

/** Longer than a CLI command takes, since commands need no maintenance. */
export const firstMaintenanceAfterMs = 10_000
const everyMs = hourMs

export interface MaintenanceTask {
  readonly name: string
  /** Stops between two statements when the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface Maintenance {
  /** Waits for the running task. */
  stop(): Promise<void>
}

export interface MaintenanceOptions {
  readonly firstAfterMs: number
  readonly onFault: (message: string) => void
}

/** A failing task does not stop the others, and runs again in the next round. */
export function startMaintenance(
  tasks: readonly MaintenanceTask[],
  { firstAfterMs, onFault }: MaintenanceOptions,
): Maintenance {
  const stopping = new AbortController()

  async function attempt({ name, run }: MaintenanceTask): Promise<void> {
    try {
      await run(stopping.signal)
    } catch (error) {
      onFault(`maintenance: ${name} failed, will retry: ${(error as Error).message}`)
    }
  }

  async function runAll(): Promise<void> {
    for (const task of tasks) if (!stopping.signal.aborted) await attempt(task)
  }

  let running = Promise.resolve()
  const start = (): void => {
    running = running.then(runAll)
  }
  const timers = [setTimeout(start, firstAfterMs), setInterval(start, everyMs)]
  for (const timer of timers) timer.unref()
  return {
    stop() {
      for (const timer of timers) clearTimeout(timer)
      stopping.abort()
      return running
    },
  }
}
