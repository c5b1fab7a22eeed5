/** The back-off before a process that exited is restarted. */

const firstPauseMs = 100
const pauseMsMax = 10_000

/** This uptime resets the back-off. */
const stableMs = 60_000

/** The number of consecutive early exits, including this one. `servedMs` is 0 for a process that never served. */
export function consecutiveExits(before: number, servedMs: number): number {
  return servedMs >= stableMs ? 1 : before + 1
}

export function restartPauseMs(exits: number): number {
  return Math.min(pauseMsMax, firstPauseMs * 2 ** (exits - 1))
}
