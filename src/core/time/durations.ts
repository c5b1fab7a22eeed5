/** Durations in milliseconds, and formatting of times in UTC. */

export const minuteMs = 60 * 1000
export const hourMs = 60 * minuteMs
/** Every UTC day has 24 hours, since Unix time has no leap seconds. */
export const dayMs = 24 * hourMs

/** The last multiple of a unit at or before a time. */
export function floorTo(unitMs: number, atMs: number): number {
  return Math.floor(atMs / unitMs) * unitMs
}

/** The first multiple of a unit at or after a time. */
export function ceilTo(unitMs: number, atMs: number): number {
  return Math.ceil(atMs / unitMs) * unitMs
}

/** Days since the epoch. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs)
}

/** `2026-03-01T12:00:00.000Z`: the format of times in answers, files and commands. */
export function iso(atMs: number): string
export function iso(atMs: number | null): string | null
export function iso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
