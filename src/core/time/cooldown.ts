/** The cooldown window after a `NO-GO`. */

/** Instances share one cooldown but not one clock: a block that seems this far ahead of us still counts. */
export const clockSkewMsMax = 2_000

/** A block from further ahead is a clock that was set back: honouring it would lock the caller out beyond the window. */
export function withinCooldown(blockedAtMs: number, nowMs: number, windowMs: number): boolean {
  const ageMs = nowMs - blockedAtMs
  return ageMs < windowMs && ageMs >= -clockSkewMsMax
}
