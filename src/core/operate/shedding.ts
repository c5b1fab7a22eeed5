/**
 * When requests are refused so that those which are taken are answered: the event loop has a beat, and how late the beat is says how
 * long everybody waits. The share that is refused rises while it is late and falls slowly when it is not, so that it settles.
 */

export interface Strain {
  readonly beatAtMs: number
  /** How late the last beat was. */
  readonly lagMs: number
  readonly latesInARow: number
  readonly sharePercent: number
}

/** From the end of a beat to the next. */
export const beatEveryMs = 100

const raisePercent = 25
const lowerPercent = 5
/** One pause alone, as of a collection of memory, refuses nobody. */
const latesMin = 2

export function atRest(nowMs: number): Strain {
  return { beatAtMs: nowMs, lagMs: 0, latesInARow: 0, sharePercent: 0 }
}

/** A limit of 0 refuses nobody. */
export function afterBeat(strain: Strain, nowMs: number, limitMs: number): Strain {
  const lagMs = Math.max(0, nowMs - strain.beatAtMs - beatEveryMs)
  const isLate = limitMs > 0 && lagMs >= limitMs
  const latesInARow = isLate ? strain.latesInARow + 1 : 0
  return {
    beatAtMs: nowMs,
    lagMs,
    latesInARow,
    sharePercent: nextShare(strain.sharePercent, latesInARow, lagMs * 2 < limitMs || limitMs === 0),
  }
}

/** Between late and calm it stays as it is. */
function nextShare(percent: number, latesInARow: number, isCalm: boolean): number {
  if (latesInARow >= latesMin) return Math.min(100, percent + raisePercent)
  return isCalm ? Math.max(0, percent - lowerPercent) : percent
}

/** Spreads refusals evenly: what is owed after a request, which is refused where it comes to a whole one. */
export function nextDebt(debt: number, sharePercent: number): { debt: number; isRefused: boolean } {
  const owed = debt + sharePercent
  return owed >= 100 ? { debt: owed - 100, isRefused: true } : { debt: owed, isRefused: false }
}
