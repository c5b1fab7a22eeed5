/** Settlement calendars: the windows in which payments settle, by local weekday, holiday and cut-off. */

import { dayMs, dayOf, iso, minuteMs } from '../time/durations.ts'
import { instantOf, isTimeZone, startOfDay, timeZoneRule, zoneOf, type Zone } from '../time/zone.ts'

export interface SettlementCalendar {
  /** An IANA name. */
  readonly timeZone: string
  /** From 1 for Monday to 7 for Sunday; at least one. */
  readonly weekdays: readonly number[]
  /** Local times `HH:MM`; at least one window. A cut-off at or before the opening is on the next day. */
  readonly windows: readonly { readonly opens: string; readonly cutOff: string }[]
  /** Local days `YYYY-MM-DD`. */
  readonly holidays: readonly string[]
  /** The last local day on which the calendar is valid; null if it does not expire. */
  readonly validThrough: string | null
  readonly source: string | null
}

/** Open at `opensAtMs`, closed at `cutOffAtMs`. */
export interface SettlementWindow {
  readonly opensAtMs: number
  readonly cutOffAtMs: number
}

export interface CalendarState {
  readonly open: SettlementWindow | null
  /** The first window that opens later; null if the calendar has none while it is valid, or within 400 days. */
  readonly next: SettlementWindow | null
}

/** Limits the search of a calendar that is closed for long. */
const searchDaysMax = 400

/** The number of a local day `YYYY-MM-DD`, counted as if it were UTC; null if there is no such date. */
function dayNumber(text: string): number | null {
  const atMs = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(atMs) || iso(atMs).slice(0, 10) !== text ? null : dayOf(atMs)
}

/** From 1 for Monday: day 0, 1970-01-01, was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

// Rules

/** A window in milliseconds after the start of its day; the cut-off of an overnight window is beyond the day. */
interface DailyWindow {
  readonly opensMs: number
  readonly cutOffMs: number
}

/** A calendar in numbers. */
interface Rules {
  readonly zone: Zone
  readonly weekdays: ReadonlySet<number>
  readonly windows: readonly DailyWindow[]
  readonly holidays: ReadonlySet<number>
  readonly lastDay: number
  readonly expiresAtMs: number
}

function timeMs(text: string): number {
  return (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * minuteMs
}

function dailyWindow({ opens, cutOff }: SettlementCalendar['windows'][number]): DailyWindow {
  const opensMs = timeMs(opens)
  const cutOffMs = timeMs(cutOff)
  return { opensMs, cutOffMs: cutOffMs <= opensMs ? cutOffMs + dayMs : cutOffMs }
}

function rulesOf(calendar: SettlementCalendar): Rules {
  const zone = zoneOf(calendar.timeZone)
  const lastDay = calendar.validThrough === null ? null : dayNumber(calendar.validThrough)
  return {
    zone,
    weekdays: new Set(calendar.weekdays),
    windows: calendar.windows.map(dailyWindow),
    holidays: new Set(calendar.holidays.flatMap((text) => dayNumber(text) ?? [])),
    lastDay: lastDay ?? Number.POSITIVE_INFINITY,
    expiresAtMs: lastDay === null ? Number.POSITIVE_INFINITY : startOfDay(zone, lastDay + 1),
  }
}

/** True if the calendar lists the day; a day after its validity is unknown and counts as closed. */
function isListed({ weekdays, holidays, lastDay }: Rules, day: number): boolean {
  return day <= lastDay && weekdays.has(weekdayOf(day)) && !holidays.has(day)
}

/**
 * The windows that open on a local day. A day that its zone skipped needs no rule: its windows coincide with those of
 * the day after it, or are empty.
 */
function windowsOn(rules: Rules, day: number): SettlementWindow[] {
  const { zone } = rules
  // Checked first: it needs no time zone, and most days of a long search end here.
  if (!isListed(rules, day)) return []
  const endsAtMs = startOfDay(zone, day + 1)
  const nextDay = dayOf(endsAtMs + zone(endsAtMs))
  const closesAtMs = isListed(rules, nextDay) ? Number.POSITIVE_INFINITY : endsAtMs
  return rules.windows
    .map(({ opensMs, cutOffMs }) => ({
      opensAtMs: instantOf(zone, day * dayMs + opensMs),
      cutOffAtMs: Math.min(closesAtMs, instantOf(zone, day * dayMs + cutOffMs)),
    }))
    .filter(({ opensAtMs, cutOffAtMs }) => opensAtMs < cutOffAtMs)
}

// State

/** The state holds from `fromMs` until `untilMs`, exclusive. */
interface Known {
  readonly rules: Rules
  readonly state: CalendarState | null
  readonly fromMs: number
  readonly untilMs: number
}

/** The last state of each calendar, so that calls within one window need no local time. */
const knownOf = new WeakMap<SettlementCalendar, Known>()

/** Null if the calendar has expired. */
export function calendarAt(calendar: SettlementCalendar, nowMs: number): CalendarState | null {
  const known = knownOf.get(calendar)
  if (known !== undefined && nowMs >= known.fromMs && nowMs < known.untilMs) return known.state
  const rules = known?.rules ?? rulesOf(calendar)
  const found = search(rules, nowMs)
  knownOf.set(calendar, found)
  return found.state
}

function search(rules: Rules, nowMs: number): Known {
  const { zone, expiresAtMs } = rules
  if (nowMs >= expiresAtMs) {
    return { rules, state: null, fromMs: expiresAtMs, untilMs: Number.POSITIVE_INFINITY }
  }
  const today = dayOf(nowMs + zone(nowMs))
  let open: SettlementWindow | null = null
  let next: SettlementWindow | null = null
  let lastDay = Math.min(today + searchDaysMax, rules.lastDay)
  // An overnight window opened yesterday, or the day before if the zone skipped yesterday.
  for (let day = today - 2; day <= lastDay; day += 1) {
    for (const window of windowsOn(rules, day)) {
      if (window.opensAtMs > nowMs) {
        if (next === null || window.opensAtMs < next.opensAtMs) next = window
        // A gap at midnight can move an opening past the first opening of the next day.
        lastDay = Math.min(lastDay, day + 1)
      } else if (window.cutOffAtMs > (open?.cutOffAtMs ?? nowMs)) {
        // A gap can also make two windows overlap: the later cut-off counts.
        open = window
      }
    }
  }
  const untilMs = Math.min(
    expiresAtMs,
    open?.cutOffAtMs ?? Number.POSITIVE_INFINITY,
    // The search reaches one day further each day.
    next?.opensAtMs ?? startOfDay(zone, today + 1),
  )
  return { rules, state: { open, next }, fromMs: nowMs, untilMs }
}

// Faults

interface CalendarFault {
  readonly member: Exclude<keyof SettlementCalendar, 'source'>
  /** The index in the list, from 0; null for a member that is no list. */
  readonly place: number | null
  readonly message: string
}

/** The rules that a schema cannot say. */
export function calendarFaults(calendar: SettlementCalendar): CalendarFault[] {
  const { timeZone, weekdays, windows, holidays, validThrough } = calendar
  const faults: CalendarFault[] = []
  if (!isTimeZone(timeZone))
    faults.push({
      member: 'timeZone',
      place: null,
      message: timeZoneRule,
    })
  for (const [place, weekday] of weekdays.entries()) {
    if (weekdays.indexOf(weekday) < place)
      faults.push({ member: 'weekdays', place, message: 'repeats a weekday' })
  }
  faults.push(...faultsOfWindows(windows))
  const message = 'must be a date that exists, as YYYY-MM-DD'
  for (const [place, text] of holidays.entries()) {
    if (dayNumber(text) === null) faults.push({ member: 'holidays', place, message })
  }
  if (validThrough !== null && dayNumber(validThrough) === null)
    faults.push({ member: 'validThrough', place: null, message })
  return faults
}

function faultsOfWindows(windows: SettlementCalendar['windows']): CalendarFault[] {
  const fault = (place: number, message: string): CalendarFault => ({ member: 'windows', place, message })
  // Refused as ambiguous: it reads as no time at all, or as a whole day.
  const same = 'must not open and cut off at the same time; a whole day is 00:00 to 24:00'
  const empty = windows.flatMap(({ opens, cutOff }, place) => (opens === cutOff ? [fault(place, same)] : []))
  if (empty.length > 0) return empty
  const inOrder = windows
    .map((window, place) => ({ ...dailyWindow(window), place }))
    .toSorted((left, right) => left.opensMs - right.opensMs)
  const overlaps = inOrder.flatMap((window, index) => {
    const following = inOrder[index + 1]
    return following !== undefined && following.opensMs < window.cutOffMs
      ? [fault(Math.max(window.place, following.place), 'overlaps another window')]
      : []
  })
  const [first] = inOrder
  const last = inOrder.at(-1)
  const runsOn = first !== undefined && last !== undefined && first.opensMs + dayMs < last.cutOffMs
  return runsOn ? [...overlaps, fault(last.place, 'overlaps the first window of the next day')] : overlaps
}
