/**
 * Load shedding by event loop lag. A periodic beat measures the lag, which is how long requests wait. The refused share
 * rises quickly while the beat is late and falls slowly when it is not, so that it settles.
 */

export interface OverloadState {
  readonly beatAtMs: number
  /** The lag of the last beat. */
  readonly lagMs: number
  readonly consecutiveLates: number
  readonly sharePercent: number
}

/** The pause between two beats. */
export const beatEveryMs = 100

const raisePercent = 25
const lowerPercent = 5
/** A single late beat, such as a garbage collection, sheds nothing. */
const latesMin = 2

export function atRest(nowMs: number): OverloadState {
  return { beatAtMs: nowMs, lagMs: 0, consecutiveLates: 0, sharePercent: 0 }
}

/** A limit of 0 turns shedding off. */
export function afterBeat(strain: OverloadState, nowMs: number, limitMs: number): OverloadState {
  const lagMs = Math.max(0, nowMs - strain.beatAtMs - beatEveryMs)
  const isLate = limitMs > 0 && lagMs >= limitMs
  const consecutiveLates = isLate ? strain.consecutiveLates + 1 : 0
  return {
    beatAtMs: nowMs,
    lagMs,
    consecutiveLates,
    sharePercent: nextShare(strain.sharePercent, consecutiveLates, lagMs * 2 < limitMs || limitMs === 0),
  }
}

/** Unchanged between late and calm. */
function nextShare(percent: number, consecutiveLates: number, isCalm: boolean): number {
  if (consecutiveLates >= latesMin) return Math.min(100, percent + raisePercent)
  return isCalm ? Math.max(0, percent - lowerPercent) : percent
}

/** Spreads refusals evenly: each request adds the share to the debt, and is refused when it reaches 100. */
export function nextDebt(debt: number, sharePercent: number): { debt: number; isRefused: boolean } {
  const total = debt + sharePercent
  return total >= 100 ? { debt: total - 100, isRefused: true } : { debt: total, isRefused: false }
}
