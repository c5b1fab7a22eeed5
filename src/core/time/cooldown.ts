/** The cooldown window after a `NO-GO`. */

/** Instances share cooldowns but not a clock: a block that starts up to this far in the future still counts. */
export const clockSkewMsMax = 2_000

/** A block further in the future means that the clock was set back: honouring it would extend the window. */
export function withinCooldown(blockedAtMs: number, nowMs: number, windowMs: number): boolean {
  const ageMs = nowMs - blockedAtMs
  return ageMs < windowMs && ageMs >= -clockSkewMsMax
}
