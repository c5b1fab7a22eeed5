/** Time zones: offsets from UTC, and where their days start. */

import { ceilTo, dayMs, hourMs, minuteMs } from './durations.ts'
import type { Range } from './summary.ts'

/** The offset from UTC at a time. */
export type Zone = (atMs: number) => number

/** Bounded: a format is expensive to hold, and settings can name any number of time zones over time. */
const formatsMax = 32
const formats = new Map<string, Intl.DateTimeFormat>()

/** Writes `3/2/2026, GMT+01:00`: one offset is several times faster to format than the parts of a local time. */
function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const [oldest] = formats.keys()
  if (oldest !== undefined && formats.size >= formatsMax) formats.delete(oldest)
  const format = createFormat(timeZone)
  formats.set(timeZone, format)
  return format
}

/** Zero is written as `GMT` alone; offsets of before standard time have seconds. */
const offsetShape = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

export function zoneOf(timeZone: string): Zone {
  const format = formatOf(timeZone)
  return (atMs) => {
    const found = offsetShape.exec(format.format(atMs))
    if (found === null) throw new Error(`Intl gives no offset for ${timeZone}`)
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = found
    const sizeMs = Number(hours) * hourMs + Number(minutes) * minuteMs + Number(seconds) * 1000
    return sign === '-' ? -sizeMs : sizeMs
  }
}

export const timeZoneRule = 'must be an IANA time zone, like Africa/Nairobi'

/** True for the names that `Intl` knows. An offset such as `+01:00` is refused: it does not follow daylight saving. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    createFormat(text)
    return true
  } catch {
    return false
  }
}

/**
 * The instant of a local time, which is written as if it were UTC. A time that occurs twice is the earlier instant. A
 * skipped time is moved on by the length of the gap, as Temporal's `compatible` does.
 */
export function instantOf(zone: Zone, localMs: number): number {
  // No offset reaches a day, so these lie on either side of any change near the local time.
  const before = zone(localMs - dayMs)
  const after = zone(localMs + dayMs)
  for (const offset of [Math.max(before, after), Math.min(before, after)]) {
    if (zone(localMs - offset) === offset) return localMs - offset
  }
  return localMs - before
}

/** The first instant of a local day; of a day that was skipped, the first instant of the day after it. */
export function startOfDay(zone: Zone, day: number): number {
  const localMs = day * dayMs
  let reachedMs = instantOf(zone, localMs)
  const offset = zone(reachedMs)
  if (reachedMs + offset === localMs) return reachedMs
  // Midnight was skipped: the day starts when the gap ends, which can be before the instant that stands for midnight.
  let earlierMs = localMs - offset
  while (reachedMs - earlierMs > 1) {
    const middleMs = Math.floor((earlierMs + reachedMs) / 2)
    if (middleMs + zone(middleMs) >= localMs) reachedMs = middleMs
    else earlierMs = middleMs
  }
  return reachedMs
}

/** The start of each local day in a range of whole hours. A day that starts within an hour counts from the next hour. */
export function dayStartsIn(timeZone: string, { fromMs, toMs }: Range): number[] {
  const zone = zoneOf(timeZone)
  const starts = [fromMs]
  for (let day = Math.floor((fromMs + zone(fromMs)) / dayMs) + 1; ; day += 1) {
    const atMs = ceilTo(hourMs, startOfDay(zone, day))
    if (atMs >= toMs) return starts
    if (atMs > (starts.at(-1) ?? 0)) starts.push(atMs)
  }
}
