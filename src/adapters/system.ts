/** Time and randomness as the machine has them. */

import { randomBytes } from 'node:crypto'
import type { Clock, Random } from '../app/ports.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

/** Drawn in blocks: one call to the system serves many ids. */
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
