/** How long a process that ended waits before another takes its place: longer each time, until one lasts. */

const firstPauseMs = 100
const pauseMsMax = 10_000

/** Whoever served so long ended for a reason of its own, not because it cannot serve. */
const steadyMs = 60_000

/** How many in a row did not last, with this one. A process that never served lived for 0 ms. */
export function endsInARow(before: number, servedMs: number): number {
  return servedMs >= steadyMs ? 1 : before + 1
}

export function restartPauseMs(ends: number): number {
  return Math.min(pauseMsMax, firstPauseMs * 2 ** (ends - 1))
}
