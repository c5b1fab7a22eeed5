/** The system's clock, timers, randomness and user name. */

import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import type { After, Clock, Defer, Random, Repeat } from '../app/ports/system.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

export const systemAfter: After = (ms, work) => {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/** The delay of `soon`: long enough to batch work, too short to matter to a caller. */
const soonMs = 5

export const defer: Defer = (work, when) => {
  if (when === 'soon') setTimeout(work, soonMs)
  else setImmediate(work)
}

/** The timer does not keep the process alive. */
export const repeat: Repeat = (work, pauseMs) => {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  const next = (): void => {
    if (isStopped) return
    timer = setTimeout(() => void work().finally(next), pauseMs)
    timer.unref()
  }
  next()
  return () => {
    isStopped = true
    if (timer !== null) clearTimeout(timer)
  }
}

/** Read in blocks: one system call serves many ids. */
const blockBytes = 4_096
let block = randomBytes(0)
let used = 0

export const systemRandom: Random = {
  bytes(count) {
    if (used + count > block.length) {
      block = randomBytes(Math.max(blockBytes, count))
      used = 0
    }
    used += count
    return block.subarray(used - count, used)
  },
}

/** The user that runs the process; some systems have no name for it. */
export function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}
