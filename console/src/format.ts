/** Formats numbers and times for display, in the browser's locale. */

import { decimalsOf } from './money.ts'

const integer = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const alignedPercent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

export const formatCount = (count: number): string => integer.format(count)
export const formatRows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`
export const formatShare = (part: number, all: number): string => percent.format(all === 0 ? 0 : part / all)
/** Always one decimal place, so that columns align. */
export const formatAlignedShare = (part: number, all: number): string =>
  alignedPercent.format(all === 0 ? 0 : part / all)
/** Scores, confidences and risk values: always two decimal places. */
export const formatScore = (score: number): string => score.toFixed(2)

/** `1,000.00 GBP`, `1,000 JPY`. */
export function formatAmount(amount: number | null, currency: string): string {
  return amount === null ? 'no amount' : `${formatAlignedAmount(amount, currency)} ${currency}`
}

/** `1,000.00`: the currency's decimal places, so that columns align; further places are shown too. */
export function formatAlignedAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat(undefined, {
    minimumFractionDigits: decimalsOf(currency),
    maximumFractionDigits: 20,
  }).format(amount)
}

export function formatMs(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1_000)} µs`
  return ms < 1_000 ? `${Number(ms.toPrecision(3))} ms` : `${Number((ms / 1_000).toPrecision(3))} s`
}

/** `1 second`, `14 minutes`: a wait, rounded up so that it is never too short. */
export function formatWait(seconds: number): string {
  const [size, unit] = seconds < 100 ? [1, 'second'] : seconds < 6_000 ? [60, 'minute'] : [3_600, 'hour']
  const count = Math.ceil(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export function formatTime(at: string | number, seconds = true): string {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: 'medium',
    timeStyle: seconds ? 'medium' : 'short',
  }).format(new Date(at))
}

export function formatClock(at: number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(new Date(at))
}

/** The zone of every time on a page. */
export const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

/** `15 Nov`: a day of a time zone. */
export function formatZonedDay(at: string | number, zone: string): string {
  return new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: zone }).format(
    new Date(at),
  )
}

export function formatUtc(at: string | number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime())
    ? String(at)
    : `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`
}

/** `14:00`, the start of an hour. */
export function formatHour(at: string | number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(at))
}

/** `15 Nov`, of days that are counted in UTC. */
export const formatUtcDay = (at: string | number): string => formatZonedDay(at, 'UTC')

/** `15 Nov 2026`: a UTC day, with its year. */
export function formatUtcDate(at: string | number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at))
}

/** `40 seconds ago`, `3 hours ago`; a future time, from clock skew, is `now`. */
export function formatAge(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 'second']
  const count = Math.max(0, Math.floor(seconds / size))
  return count === 0 ? 'now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** `20 s`, `22 h`: a compact age. */
export function formatShortAge(ms: number): string {
  const units = [
    [172_800_000, 86_400_000, 'd'],
    [6_000_000, 3_600_000, 'h'],
    [100_000, 60_000, 'min'],
  ] as const
  const [, size, unit] = units.find(([least]) => ms >= least) ?? [0, 1_000, 's']
  return ms < 1_000 ? '< 1 s' : `${Math.floor(ms / size)} ${unit}`
}

/** `18 Nov 2026, 08:00 Africa/Nairobi`: a time in another time zone. */
export function formatZoned(at: string, zone: string): string {
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return `${format.format(new Date(at))} ${zone}`
}

/** `Fri, 25 Dec 2026`: a day without a time zone. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(day))
}
