/** Work that a shared database needs now and then: soon after the start and every hour, each task by itself. */

import { hourMs } from '../../../core/time/durations.ts'

/** Later than any command of the command line takes, which has no need of it. */
export const firstMaintenanceAfterMs = 10_000
const everyMs = hourMs

export interface MaintenanceTask {
  readonly name: string
  /** Ends early, between two statements, when it is asked to. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface Maintenance {
  /** Waits for what is under way. */
  stop(): Promise<void>
}

export interface MaintenanceOptions {
  readonly firstAfterMs: number
  readonly onFault: (message: string) => void
}

/** A task that fails keeps no other from its turn, and is tried again with the next. */
export function startMaintenance(
  tasks: readonly MaintenanceTask[],
  { firstAfterMs, onFault }: MaintenanceOptions,
): Maintenance {
  const stopping = new AbortController()

  async function attempt({ name, run }: MaintenanceTask): Promise<void> {
    try {
      await run(stopping.signal)
    } catch (error) {
      onFault(`database upkeep (${name}) failed and will be tried again: ${(error as Error).message}`)
    }
  }

  async function runAll(): Promise<void> {
    for (const task of tasks) if (!stopping.signal.aborted) await attempt(task)
  }

  let underWay = Promise.resolve()
  const go = (): void => {
    underWay = underWay.then(runAll)
  }
  const timers = [setTimeout(go, firstAfterMs), setInterval(go, everyMs)]
  for (const timer of timers) timer.unref()
  return {
    stop() {
      for (const timer of timers) clearTimeout(timer)
      stopping.abort()
      return underWay
    },
  }
}
