/** Keeps the probe going, and tells the operator once when it fails and once when it works again. */

import type { Repeat } from '../ports/system.ts'
import type { Probe } from './probe.ts'
import { hourMs } from '../../core/time/durations.ts'

export interface ProbingDeps {
  readonly probe: Probe
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
  readonly repeat: Repeat
  readonly everyMs: number
}

/** A turn may be due at any moment, since another instance may have had the last one: it is looked for this often. */
const lookEveryMsMax = 5_000
/** With the probe off, what is old is still taken away. */
const pruneEveryMs = hourMs

export function startProbing({ probe, log, repeat, everyMs }: ProbingDeps): { stop(): Promise<void> } {
  let hasFailed = false
  let underWay: Promise<void> = Promise.resolve()
  async function turn(): Promise<void> {
    try {
      await probe()
      if (hasFailed) log.info('the corridor probe works again')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'the corridor probe failed and will be tried again')
      hasFailed = true
    }
  }
  const work = (): Promise<void> => {
    underWay = turn()
    return underWay
  }
  let isStopped = false
  let stopRepeating = (): void => {}
  // The first at once, so that a new installation has something to show; never two at a time.
  async function begin(): Promise<void> {
    await work()
    const pauseMs = everyMs === 0 ? pruneEveryMs : Math.min(everyMs, lookEveryMsMax)
    if (!isStopped) stopRepeating = repeat(work, pauseMs)
  }
  const first = begin()
  return {
    async stop() {
      isStopped = true
      await first
      stopRepeating()
      await underWay
    },
  }
}
