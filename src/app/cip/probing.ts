/** Runs the corridor probe. Logs once when it starts to fail and once when it recovers. */

import type { Repeat } from '../ports/system.ts'
import type { Probe } from './probe.ts'
import { hourMs } from '../../core/time/durations.ts'

export interface ProbingDeps {
  readonly probe: Probe
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
  readonly repeat: Repeat
  readonly everyMs: number
}

/** Longest pause between checks for a due turn. Another instance may have taken the last one at any time. */
const checkEveryMsMax = 5_000
/** Pruning interval while the probe is disabled. */
const pruneEveryMs = hourMs

export function startProbing({ probe, log, repeat, everyMs }: ProbingDeps): { stop(): Promise<void> } {
  let hasFailed = false
  const stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  async function turn(): Promise<void> {
    try {
      await probe(stop.signal)
      if (hasFailed) log.info('corridor probe: recovered')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'corridor probe: failed; will retry')
      hasFailed = true
    }
  }
  const work = (): Promise<void> => {
    running = turn()
    return running
  }
  let isStopped = false
  let stopRepeating = (): void => {}
  // The first run starts at once, so that a new installation has data. Runs never overlap.
  async function start(): Promise<void> {
    await work()
    const pauseMs = everyMs === 0 ? pruneEveryMs : Math.min(everyMs, checkEveryMsMax)
    if (!isStopped) stopRepeating = repeat(work, pauseMs)
  }
  const first = start()
  return {
    async stop() {
      isStopped = true
      stop.abort()
      await first
      stopRepeating()
      await running
    },
  }
}
