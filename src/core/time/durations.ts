/** Time in UTC: minutes, hours and days in milliseconds, and moments as text. */

export const minuteMs = 60 * 1000
export const hourMs = 60 * minuteMs
/** Every day has 24 hours: in UTC there is no other, and Unix time has no leap seconds. */
export const dayMs = 24 * hourMs

/** The last multiple of a unit up to a moment. */
export function downTo(unitMs: number, atMs: number): number {
  return Math.floor(atMs / unitMs) * unitMs
}

/** The first multiple of a unit from a moment on. */
export function upTo(unitMs: number, atMs: number): number {
  return Math.ceil(atMs / unitMs) * unitMs
}

/** Days since the epoch. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs)
}

/** `2026-03-01T12:00:00.000Z`, as answers, files and commands write a moment. */
export function iso(atMs: number): string
export function iso(atMs: number | null): string | null
export function iso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
