/** The filters of the calibration page. They are part of the address, so that links share them. Days are UTC days. */

import type { CalibrationQuery } from '@fairway/client'
import { modeIn, type ModeChoice } from '../../mode-choice.ts'

export const ranges = [
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', '365 days'],
  ['dates', 'Dates'],
] as const

export type Range = (typeof ranges)[number][0]

export interface Filters {
  readonly range: Range
  /** The first and the last day, of `dates`. Copied from the address unchecked: the server validates them. */
  readonly from: string
  readonly to: string
  readonly corridor: string
  readonly mode: ModeChoice
}

/** As the API's default. */
const rangeDefault = '365d'

export const widest = { range: rangeDefault, from: '', to: '', corridor: '', mode: '' } as const

export function filtersOf(params: URLSearchParams): Filters {
  const text = (name: string): string => params.get(name) ?? ''
  const known = ranges.find(([range]) => range === text('range'))?.[0]
  const [from, to] = [text('from'), text('to')]
  return {
    range: known ?? (from === '' && to === '' ? rangeDefault : 'dates'),
    from,
    to,
    corridor: text('corridor'),
    mode: modeIn(params),
  }
}

/** The shortest query string for these filters. */
export function paramsOf({ range, from, to, corridor, mode }: Filters): URLSearchParams {
  const params = {
    range: range === rangeDefault ? '' : range,
    ...(range === 'dates' && { from, to }),
    corridor,
    mode,
  }
  return new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''))
}

export const isNarrowed = (filters: Filters): boolean => paramsOf(filters).size > 0

const dayMs = 86_400_000
const isDay = /^\d{4}-\d{2}-\d{2}$/

/** The start of a day, or of the day so many days later; other texts stay as they are, for the server to refuse. */
function startOf(day: string, daysLater: number): string {
  const atMs = isDay.test(day) ? Date.parse(day) : Number.NaN
  return Number.isNaN(atMs) ? day : new Date(atMs + daysLater * dayMs).toISOString()
}

/** The first of so many days, today included. */
function firstDayOf(range: Exclude<Range, 'dates'>, nowMs: number): number {
  return (Math.floor(nowMs / dayMs) - Number.parseInt(range, 10) + 1) * dayMs
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Dates start as the stretch that was shown before. */
export function withRange(range: Range, before: Filters, nowMs: number): Partial<Filters> {
  if (range !== 'dates' || before.range === 'dates') return { range }
  return { range, from: dayOf(firstDayOf(before.range, nowMs)), to: dayOf(nowMs) }
}

export function queryOf({ range, from, to, corridor, mode }: Filters, nowMs: number): CalibrationQuery {
  const time =
    range === 'dates'
      ? { ...(from !== '' && { from: startOf(from, 0) }), ...(to !== '' && { to: startOf(to, 1) }) }
      : { from: new Date(firstDayOf(range, nowMs)).toISOString() }
  return { ...time, ...(corridor !== '' && { corridor }), ...(mode !== '' && { mode }) }
}
