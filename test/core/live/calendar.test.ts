/** Settlement calendars: a window is open in local time, on working days alone, through every change of the clocks. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  calendarAt,
  calendarFaults,
  type CalendarState,
  type SettlementCalendar,
  type SettlementWindow,
} from '../../../src/core/live/calendar.ts'
import { isTimeZone } from '../../../src/core/time/zone.ts'
import { dayMs, iso, minuteMs } from '../../../src/core/time/durations.ts'
import { check } from '../../helpers/check.ts'

const mondayToFriday = [1, 2, 3, 4, 5]
const everyDay = [...mondayToFriday, 6, 7]

/** `09:00-17:00 20:00-02:00` */
const windowsOf = (text: string): SettlementCalendar['windows'] =>
  text.split(' ').map((one) => ({ opens: one.slice(0, 5), cutOff: one.slice(6) }))

type Rest = Partial<SettlementCalendar>
const calendarOf = (timeZone: string, windows: string, rest: Rest = {}): SettlementCalendar => ({
  timeZone,
  weekdays: mondayToFriday,
  windows: windowsOf(windows),
  holidays: [],
  validThrough: null,
  source: null,
  ...rest,
})

/** In UTC, the cut-off without year and month. */
const shownWindow = (window: SettlementWindow | null): string | null =>
  window && `${iso(window.opensAtMs).slice(0, 16)} to ${iso(window.cutOffAtMs).slice(8, 16)}`
type Shown = readonly [open: string | null, next: string | null] | 'expired'
const shown = (state: CalendarState | null): Shown =>
  state === null ? 'expired' : [shownWindow(state.open), shownWindow(state.next)]

/** Rows of a time in UTC, the window that is open and the next. */
function checkStates(calendar: SettlementCalendar, rows: readonly (readonly [string, Shown])[]): void {
  const stateAt = (at: string): Shown => shown(calendarAt(calendar, Date.parse(at)))
  check(rows, stateAt)
  // The remembered state depends on no order.
  check(rows.toReversed(), stateAt)
}

/** The windows that open from one day, in order, as `next` gives them. */
function openings(calendar: SettlementCalendar, from: string, count: number): (string | null)[] {
  let atMs = Date.parse(from) - 1
  return Array.from({ length: count }, () => {
    const next = calendarAt(calendar, atMs)?.next ?? null
    atMs = next?.opensAtMs ?? atMs
    return shownWindow(next)
  })
}

test('a window is open on working days, from its opening to just before its cut-off', () => {
  const thursday = '2026-03-05T09:00 to 05T17:00'
  const friday = '2026-03-06T09:00 to 06T17:00'
  const monday = '2026-03-09T09:00 to 09T17:00'
  checkStates(calendarOf('Europe/London', '09:00-17:00'), [
    ['2026-03-05T08:59:59.999Z', [null, thursday]],
    ['2026-03-05T09:00:00.000Z', [thursday, friday]],
    ['2026-03-05T16:59:59.999Z', [thursday, friday]],
    ['2026-03-05T17:00:00.000Z', [null, friday]],
    ['2026-03-06T12:00Z', [friday, monday]],
    ['2026-03-07T12:00Z', [null, monday]],
  ])
})

test('several windows of a day follow each other, whatever their order in the calendar', () => {
  const morning = '2026-03-02T08:00 to 02T10:00'
  const noon = '2026-03-02T10:00 to 02T13:30'
  const evening = '2026-03-02T18:00 to 03T00:00'
  for (const windows of ['08:00-10:00 10:00-13:30 18:00-24:00', '18:00-24:00 08:00-10:00 10:00-13:30']) {
    checkStates(calendarOf('UTC', windows), [
      ['2026-03-02T09:59Z', [morning, noon]],
      ['2026-03-02T10:00Z', [noon, evening]],
      ['2026-03-02T23:59Z', [evening, '2026-03-03T08:00 to 03T10:00']],
      ['2026-03-03T00:00Z', [null, '2026-03-03T08:00 to 03T10:00']],
    ])
  }
})

/** The first window to open, for `Africa/Lagos 2026-01-15T00:00Z 09:00-17:00`: zone, time and windows. */
function firstWindow(text: string): string | null {
  const [timeZone = '', from = '', ...windows] = text.split(' ')
  return openings(calendarOf(timeZone, windows.join(' '), { weekdays: everyDay }), from, 1)[0] ?? null
}

test('local hours keep their place in every zone, before and after the clocks change', () => {
  check(
    [
      ['Africa/Lagos 2026-01-15T00:00Z 09:00-17:00', '2026-01-15T08:00 to 15T16:00'],
      ['Africa/Lagos 2026-07-15T00:00Z 09:00-17:00', '2026-07-15T08:00 to 15T16:00'],
      ['Africa/Lagos 2026-01-15T00:00Z 09:00-09:00', '2026-01-15T08:00 to 16T08:00'],
      ['Asia/Kathmandu 2026-01-15T00:00Z 09:00-17:00', '2026-01-15T03:15 to 15T11:15'],
      ['Europe/London 2026-03-28T00:00Z 09:00-17:00', '2026-03-28T09:00 to 28T17:00'],
      ['Europe/London 2026-03-29T00:00Z 09:00-17:00', '2026-03-29T08:00 to 29T16:00'],
      ['Europe/London 2026-10-24T00:00Z 09:00-17:00', '2026-10-24T08:00 to 24T16:00'],
      ['Europe/London 2026-10-25T00:00Z 09:00-17:00', '2026-10-25T09:00 to 25T17:00'],
      ['America/New_York 2026-03-08T12:00Z 09:00-17:00', '2026-03-08T13:00 to 08T21:00'],
      ['America/New_York 2026-11-01T12:00Z 09:00-17:00', '2026-11-01T14:00 to 01T22:00'],
      ['Africa/Cairo 2026-04-24T00:00Z 09:00-17:00', '2026-04-24T06:00 to 24T14:00'],
      ['Africa/Cairo 2026-10-30T00:00Z 09:00-17:00', '2026-10-30T07:00 to 30T15:00'],
    ],
    firstWindow,
  )
})

test('a skipped time is moved on by the gap, and a window that becomes empty is left out', () => {
  check(
    [
      // London skips 01:00 to 02:00 on 2026-03-29.
      ['Europe/London 2026-03-29T00:00Z 01:30-05:00', '2026-03-29T01:30 to 29T04:00'],
      ['Europe/London 2026-03-29T00:00Z 00:30-01:30', '2026-03-29T00:30 to 29T01:30'],
      ['Europe/London 2026-03-29T00:00Z 01:00-01:30', '2026-03-29T01:00 to 29T01:30'],
      ['Europe/London 2026-03-29T00:00Z 00:30-02:00', '2026-03-29T00:30 to 29T01:00'],
      ['Europe/London 2026-03-29T00:00Z 01:00-02:00', '2026-03-30T00:00 to 30T01:00'],
      // New York skips 02:00 to 03:00 on 2026-03-08, Cairo 00:00 to 01:00 on 2026-04-24.
      ['America/New_York 2026-03-08T05:00Z 02:30-04:00', '2026-03-08T07:30 to 08T08:00'],
      ['Africa/Cairo 2026-04-23T21:00Z 00:00-24:00', '2026-04-23T22:00 to 24T21:00'],
      // Toronto skipped 23:30 to 00:30 on 1919-03-30: the opening of the next day came first.
      ['America/Toronto 1919-03-31T04:00Z 23:45-00:15 00:30-02:00', '1919-03-31T04:30 to 31T06:00'],
    ],
    firstWindow,
  )
})

test('a time that occurs twice is the earlier one, for openings and cut-offs', () => {
  check(
    [
      // London repeats 01:00 to 02:00 on 2026-10-25.
      ['Europe/London 2026-10-24T22:00Z 01:30-05:00', '2026-10-25T00:30 to 25T05:00'],
      ['Europe/London 2026-10-24T22:00Z 00:30-01:30', '2026-10-24T23:30 to 25T00:30'],
      ['Europe/London 2026-10-24T22:00Z 01:15-01:45', '2026-10-25T00:15 to 25T00:45'],
      ['Europe/London 2026-10-24T22:00Z 00:30-02:00', '2026-10-24T23:30 to 25T02:00'],
      // Once closed, the second 01:15 opens nothing.
      ['Europe/London 2026-10-25T00:45Z 01:15-01:45', '2026-10-26T01:15 to 26T01:45'],
      // New York repeats 01:00 to 02:00 on 2026-11-01, Cairo 23:00 to 24:00 on 2026-10-29.
      ['America/New_York 2026-11-01T04:00Z 01:30-04:00', '2026-11-01T05:30 to 01T09:00'],
      ['Africa/Cairo 2026-10-28T21:00Z 00:00-24:00', '2026-10-28T21:00 to 29T22:00'],
      ['Africa/Cairo 2026-10-28T21:00Z 22:00-23:30', '2026-10-29T19:00 to 29T20:30'],
    ],
    firstWindow,
  )
})

test('windows that a gap makes overlap stay open until the later cut-off', () => {
  const first = '2026-03-29T00:30 to 29T01:30'
  const second = '2026-03-29T01:00 to 29T02:00'
  const nextDay = '2026-03-29T23:30 to 30T00:30'
  checkStates(calendarOf('Europe/London', '02:00-03:00 00:30-01:30', { weekdays: everyDay }), [
    ['2026-03-29T00:45Z', [first, second]],
    ['2026-03-29T01:15Z', [second, nextDay]],
    ['2026-03-29T02:00Z', [null, nextDay]],
  ])
})

test('a day ends once, even if its midnight is skipped or repeated', () => {
  // Toronto: 23:30 on Sunday 1919-03-30 was followed by 00:30.
  const sunday = calendarOf('America/Toronto', '22:00-02:00', { weekdays: [7] })
  assert.deepEqual(openings(sunday, '1919-03-30T12:00Z', 1), ['1919-03-31T03:00 to 31T04:30'])
  const late = calendarOf('America/Toronto', '23:45-24:00', { weekdays: [7] })
  assert.deepEqual(openings(late, '1919-03-30T12:00Z', 1), ['1919-04-07T03:45 to 07T04:00'])
  // St John's: 00:01 on Sunday 2006-10-29 was followed by 23:01 on Saturday.
  const rest = { weekdays: [6], validThrough: '2006-10-28' }
  const saturday = calendarOf('America/St_Johns', '22:00-02:00', rest)
  checkStates(saturday, [
    ['2006-10-29T02:29Z', ['2006-10-29T00:30 to 29T02:30', null]],
    ['2006-10-29T02:30Z', 'expired'],
    ['2006-10-29T03:00Z', 'expired'],
  ])
})

test('a day that a zone skipped has no windows, and the days around it are neighbours', () => {
  // Apia: Thursday 2011-12-29 was followed by Saturday 2011-12-31.
  check<readonly [string, number[]], string>(
    [
      [['09:00-17:00', everyDay], '2011-12-29T19:00 to 30T03:00, 2011-12-30T19:00 to 31T03:00'],
      [['09:00-17:00', mondayToFriday], '2011-12-29T19:00 to 30T03:00, 2012-01-01T19:00 to 02T03:00'],
      [['20:00-04:00', everyDay], '2011-12-30T06:00 to 30T14:00, 2011-12-31T06:00 to 31T14:00'],
      [['20:00-04:00', mondayToFriday], '2011-12-30T06:00 to 30T10:00, 2012-01-02T06:00 to 02T14:00'],
    ],
    ([windows, weekdays]) =>
      openings(calendarOf('Pacific/Apia', windows, { weekdays }), '2011-12-29T12:00Z', 2).join(', '),
  )
  const overnight = calendarOf('Pacific/Apia', '20:00-04:00', { weekdays: everyDay })
  const { open = null } = calendarAt(overnight, Date.parse('2011-12-30T13:00Z')) ?? {}
  assert.equal(shownWindow(open), '2011-12-30T06:00 to 30T14:00')
  const valid = calendarOf('Pacific/Apia', '00:00-24:00', { weekdays: everyDay, validThrough: '2011-12-29' })
  checkStates(valid, [
    ['2011-12-30T09:59Z', ['2011-12-29T10:00 to 30T10:00', null]],
    ['2011-12-30T10:00Z', 'expired'],
  ])
})

test('an overnight window ends on the next day if that is a working day, and at midnight otherwise', () => {
  // Wednesday 2026-03-04 is a holiday; London is on UTC until 29 March.
  const calendar = calendarOf('Europe/London', '20:00-04:00', { holidays: ['2026-03-04'] })
  const first = '2026-03-02T20:00 to 03T04:00'
  const beforeHoliday = '2026-03-03T20:00 to 04T00:00'
  const beforeWeekend = '2026-03-06T20:00 to 07T00:00'
  checkStates(calendar, [
    ['2026-03-03T03:59Z', [first, beforeHoliday]],
    ['2026-03-03T23:59Z', [beforeHoliday, '2026-03-05T20:00 to 06T04:00']],
    ['2026-03-04T00:00Z', [null, '2026-03-05T20:00 to 06T04:00']],
    ['2026-03-06T23:00Z', [beforeWeekend, '2026-03-09T20:00 to 10T04:00']],
    ['2026-03-07T00:00Z', [null, '2026-03-09T20:00 to 10T04:00']],
  ])
})

test('the Lagos holidays that holiday libraries lack are closed if the calendar has them', () => {
  const holidays = ['2023-10-02', '2024-04-09', '2024-09-16']
  const given = calendarOf('Africa/Lagos', '08:00-16:00', { holidays })
  const without = calendarOf('Africa/Lagos', '08:00-16:00')
  const isOpen = (one: SettlementCalendar, day: string): boolean =>
    calendarAt(one, Date.parse(`${day}T12:00Z`))?.open !== null
  check<string, boolean[]>(
    holidays.map((day) => [day, [false, true]]),
    (day) => [isOpen(given, day), isOpen(without, day)],
  )
})

test('a calendar is open on its last valid day, and expired from the next local day on', () => {
  const last = '2026-03-04T04:15 to 04T11:15'
  const calendar = calendarOf('Asia/Kathmandu', '10:00-17:00', { validThrough: '2026-03-04' })
  checkStates(calendar, [
    ['2026-03-03T12:00Z', [null, last]],
    ['2026-03-04T05:00Z', [last, null]],
    ['2026-03-04T18:14:59.999Z', [null, null]],
    ['2026-03-04T18:15Z', 'expired'],
  ])
  checkStates(calendarOf('Europe/London', '20:00-04:00', { validThrough: '2026-03-04' }), [
    ['2026-03-04T23:59Z', ['2026-03-04T20:00 to 05T00:00', null]],
    ['2026-03-05T00:00Z', 'expired'],
  ])
})

test('the next window is at most 400 days ahead', () => {
  const startMs = Date.parse('2026-01-01T00:00Z')
  const closed = Array.from({ length: 402 }, (_, day) => iso(startMs + day * dayMs).slice(0, 10))
  const calendar = calendarOf('UTC', '09:00-17:00', { weekdays: everyDay, holidays: closed })
  const reopened = '2027-02-07T09:00 to 07T17:00'
  checkStates(calendar, [
    ['2026-01-01T00:00Z', [null, null]],
    ['2026-01-02T23:59Z', [null, null]],
    ['2026-01-03T00:00Z', [null, reopened]],
  ])
})

test('repeated calls within one state work out no local time', (t) => {
  const calendar = calendarOf('Europe/London', '09:00-17:00', { validThrough: '2026-03-31' })
  const formatted = t.mock.getter(Intl.DateTimeFormat.prototype, 'format')
  const callsAt = (at: string): number => {
    const before = formatted.mock.callCount()
    calendarAt(calendar, Date.parse(at))
    return formatted.mock.callCount() - before
  }
  assert.ok(callsAt('2026-03-02T09:00Z') > 0)
  for (const at of ['2026-03-02T09:00Z', '2026-03-02T16:59Z', '2026-03-02T09:01Z'])
    assert.equal(callsAt(at), 0)
  assert.ok(callsAt('2026-03-02T17:00Z') > 0)
  assert.equal(callsAt('2026-04-01T12:00Z'), 0)
})

test('a time zone is a name that Intl knows, never an offset', () => {
  const names = ['Africa/Lagos', 'Europe/London', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+1']
  const others = ['', ...'+01:00 -0100 +01 Z UTC+1 Mars/Olympus Europe/'.split(' '), ' Europe/London']
  assert.deepEqual([...others, ...names].filter(isTimeZone), names)
})

test('a fault names the member and the place', () => {
  const faultOf = (rest: Rest): string | null => {
    const [fault] = calendarFaults(calendarOf('UTC', '09:00-17:00', rest))
    return fault === undefined ? null : `${fault.member} ${fault.place ?? '-'}: ${fault.message}`
  }
  const noDate = 'must be a date that exists, as YYYY-MM-DD'
  const noTime = 'must not open and cut off at the same time; a whole day is 00:00 to 24:00'
  const ofWindows = (text: string): Rest => ({ windows: windowsOf(text) })
  check<Rest, string | null>(
    [
      [{ holidays: ['2024-02-29', '2024-02-29'], validThrough: '2026-12-31' }, null],
      [{ timeZone: '+01:00' }, 'timeZone -: must be an IANA time zone, like Africa/Nairobi'],
      [{ weekdays: [1, 2, 3, 2, 1] }, 'weekdays 3: repeats a weekday'],
      [{ holidays: ['2026-01-01', '2026-02-30'] }, `holidays 1: ${noDate}`],
      [{ validThrough: '2026-04-31' }, `validThrough -: ${noDate}`],
      [ofWindows('00:00-24:00'), null],
      [ofWindows('20:00-02:00 02:00-20:00'), null],
      [ofWindows('09:00-12:00 20:00-09:00'), null],
      [ofWindows('09:00-12:00 11:59-13:00'), 'windows 1: overlaps another window'],
      [ofWindows('11:59-13:00 14:00-15:00 09:00-12:00'), 'windows 2: overlaps another window'],
      [ofWindows('20:00-02:00 21:00-22:00'), 'windows 1: overlaps another window'],
      [ofWindows('20:00-09:01 09:00-12:00'), 'windows 0: overlaps the first window of the next day'],
      [ofWindows('08:00-09:00 09:00-09:00'), `windows 1: ${noTime}`],
      [ofWindows('00:00-00:00'), `windows 0: ${noTime}`],
    ],
    faultOf,
  )
})

// A slow computation that knows local time only as the text of each quarter of an hour

const quarterMs = 15 * minuteMs
const quarters = 35 * 96
const stretches = [
  'Europe/London 2026-03-16,Europe/London 2026-10-12,America/New_York 2026-02-23,America/New_York 2026-10-19',
  'Africa/Lagos 2026-05-04,Africa/Cairo 2026-04-10,Africa/Cairo 2026-10-16,Asia/Kathmandu 2026-06-01',
  'Pacific/Apia 2011-12-15,America/Santiago 2026-08-24,Australia/Lord_Howe 2026-03-23,Asia/Beirut 2026-03-16',
].flatMap((line) => line.split(','))

function stretchOf(name: string) {
  const [timeZone = '', day = ''] = name.split(' ')
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const timesMs = Array.from({ length: quarters }, (_, quarter) => Date.parse(day) + quarter * quarterMs)
  const labels = timesMs.map((atMs) => format.format(atMs))
  const dates = [...new Set(labels.map((label) => label.slice(0, 10)))]
  return { timeZone, timesMs, labels, dates }
}
type Stretch = ReturnType<typeof stretchOf>

/** The first occurrence of a local time. A skipped one is as far after the gap as it is after the gap's start. */
function slowInstant({ labels, timesMs }: Stretch, label: string): number {
  const exact = timesMs[labels.indexOf(label)]
  if (exact !== undefined) return exact
  const after = labels.findIndex((one) => one > label)
  const sinceGapMs = Date.parse(`${label}Z`) - Date.parse(`${labels[after - 1]}Z`) - quarterMs
  return (timesMs[after] ?? 0) + sinceGapMs
}

function slowWindows(stretch: Stretch, calendar: SettlementCalendar): SettlementWindow[] {
  const { weekdays, holidays, validThrough: last } = calendar
  const isWorking = (date: string): boolean =>
    weekdays.includes(new Date(date).getUTCDay() || 7) && !holidays.includes(date) && date <= (last ?? date)
  const { dates, labels, timesMs } = stretch
  // The dates at either end may be incomplete.
  return dates.slice(1, -2).flatMap((date, index) => {
    if (!isWorking(date)) return []
    const tomorrow = dates[index + 2] ?? ''
    const midnightMs = timesMs[labels.findIndex((label) => label.startsWith(tomorrow))] ?? 0
    const spans = calendar.windows.map(({ opens, cutOff }) => {
      const opensAtMs = slowInstant(stretch, `${date} ${opens}`)
      const cutOffAtMs = slowInstant(stretch, `${cutOff <= opens ? tomorrow : date} ${cutOff}`)
      return { opensAtMs, cutOffAtMs: isWorking(tomorrow) ? cutOffAtMs : Math.min(midnightMs, cutOffAtMs) }
    })
    return spans.filter(({ opensAtMs, cutOffAtMs }) => opensAtMs < cutOffAtMs)
  })
}

/** The state of a quarter of an hour; a window that opens after the stretch is unknown. */
function slowStates(stretch: Stretch, calendar: SettlementCalendar) {
  const inOrder = slowWindows(stretch, calendar).toSorted((a, b) => a.opensAtMs - b.opensAtMs)
  return (quarter: number): CalendarState | null => {
    if ((stretch.labels[quarter] ?? '').slice(0, 10) > (calendar.validThrough ?? '9999')) return null
    const nowMs = stretch.timesMs[quarter] ?? 0
    const open = inOrder.filter(({ opensAtMs, cutOffAtMs }) => opensAtMs <= nowMs && nowMs < cutOffAtMs)
    const [latest = null] = open.toSorted((a, b) => b.cutOffAtMs - a.cutOffAtMs)
    return { open: latest, next: inOrder.find(({ opensAtMs }) => opensAtMs > nowMs) ?? null }
  }
}

/** Windows that do not overlap: pairs of times in order, from the second on if the last is overnight. */
const anyWindows = fc
  .tuple(fc.uniqueArray(fc.oneof(fc.nat(95), fc.nat(16)), { minLength: 2, maxLength: 6 }), fc.boolean())
  .filter(([times]) => times.length % 2 === 0)
  .map(([times, isOvernight]) => {
    const inOrder = times.toSorted((a, b) => a - b).map((time) => iso(time * quarterMs).slice(11, 16))
    if (isOvernight) inOrder.push(inOrder.shift() ?? '')
    return windowsOf(inOrder.join(' ').replaceAll(/(\S+) (\S+)/g, '$1-$2'))
  })

test('at any time, in any order, the state is that of the slow computation', () => {
  for (const stretch of stretches.map(stretchOf)) {
    const { timeZone, timesMs, labels, dates } = stretch
    const anyCalendar = fc.record({
      weekdays: fc.oneof(fc.constant(everyDay), fc.subarray(everyDay, { minLength: 1 })),
      windows: anyWindows,
      holidays: fc.subarray(dates, { maxLength: 6 }),
      validThrough: fc.option(fc.constantFrom(...dates.slice(10, 20))),
    })
    // The clocks change around the fourteenth day.
    const anyQuarters = fc.array(fc.integer({ min: 11 * 96, max: 17 * 96 }), { minLength: 12, maxLength: 12 })
    const unknownFromMs = slowInstant(stretch, `${dates.at(-2)} 00:00`)
    const property = fc.property(anyCalendar, anyQuarters, (rest, chosen) => {
      const calendar = { ...rest, timeZone, source: null }
      assert.deepEqual(calendarFaults(calendar), [])
      const slowState = slowStates(stretch, calendar)
      for (const quarter of chosen) {
        const found = calendarAt(calendar, timesMs[quarter] ?? 0)
        const isKnown = (found?.next?.opensAtMs ?? 0) < unknownFromMs
        const state = found && { ...found, next: isKnown ? found.next : null }
        assert.deepEqual(state, slowState(quarter), `${timeZone} ${labels[quarter]}`)
      }
    })
    fc.assert(property, { numRuns: 20 })
  }
})
