/** The overview's filters: time range, corridor and mode. They are part of the address, so that links share them. */

import type { Decision, Mode, SummaryQuery } from '@fairway/client'
import { timeZone } from '../../format.ts'
import { modeIn, type ModeChoice } from '../../mode-choice.ts'
import { isoOf, localInputOf } from '../../local-time.ts'
import { addressOf, noFilters, type Filters as DeskFilters } from '../reviews/filters.ts'

/** The polling interval of all figures. */
export const refreshMs = 10_000

export const ranges = [
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
  ['90d', '90 d'],
  ['custom', 'Custom'],
] as const

export type Range = (typeof ranges)[number][0]

export interface Filters {
  readonly range: Range
  /** ISO 8601, of a custom range. Copied from the address unchecked: the server validates them. */
  readonly from: string
  readonly to: string
  readonly corridor: string
  readonly mode: ModeChoice
}

export function filtersOf(params: URLSearchParams): Filters {
  const text = (name: string): string => params.get(name) ?? ''
  const known = ranges.find(([range]) => range === text('range'))?.[0]
  const from = text('from')
  const to = text('to')
  return {
    range: known ?? (from === '' && to === '' ? '24h' : 'custom'),
    from,
    to,
    corridor: text('corridor'),
    mode: modeIn(params),
  }
}

/** The shortest query string for these filters. */
export function paramsOf({ range, from, to, corridor, mode }: Filters): URLSearchParams {
  const isCustom = range === 'custom'
  const params = { range: range === '24h' ? '' : range, ...(isCustom && { from, to }), corridor, mode }
  return new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''))
}

const hourMs = 60 * 60 * 1_000

/** The start of a range of complete hours or local days, the current one included, so that no other bar covers less. */
function fromOf(range: Exclude<Range, 'custom'>, nowMs: number): number {
  if (range === '24h') return (Math.floor(nowMs / hourMs) - 23) * hourMs
  const first = new Date(nowMs)
  first.setHours(0, 0, 0, 0)
  first.setDate(first.getDate() - Number.parseInt(range, 10) + 1)
  // Decisions are counted by hours: where a day starts within one, it counts from the next.
  return Math.ceil(first.getTime() / hourMs) * hourMs
}

/** A custom range starts as the range that was shown before. */
export function withRange(range: Range, before: Filters, nowMs: number): Partial<Filters> {
  if (range !== 'custom' || before.range === 'custom') return { range }
  return { range, from: new Date(fromOf(before.range, nowMs)).toISOString(), to: '' }
}

export function queryOf({ range, from, to, corridor, mode }: Filters, nowMs: number): SummaryQuery {
  const time =
    range === 'custom'
      ? { ...(from !== '' && { from }), ...(to !== '' && { to }) }
      : { from: new Date(fromOf(range, nowMs)).toISOString() }
  return { ...time, time_zone: timeZone, ...(corridor !== '' && { corridor }), ...modeQuery(mode) }
}

export const modeQuery = (mode: ModeChoice): { readonly mode?: Mode } => (mode === '' ? {} : { mode })

/** Holds are kept for a week and end now, so a custom range has those of the last day. */
export const holdHours = (range: Range): number => (range === '24h' || range === 'custom' ? 24 : 168)

/** The address of the records behind a figure. */
export function recordsHref(query: {
  readonly decision?: Decision
  readonly corridor?: string
  readonly from?: string
  readonly to?: string
}): string {
  const params = Object.entries(query).filter(([, value]) => value !== '')
  return `/verifications?${new URLSearchParams(params).toString()}`
}

/** The desk with the reviews behind a figure: all that wait, unless a status is given. */
export const reviewsHref = (filters: Partial<DeskFilters>): string => addressOf({ ...noFilters, ...filters })

/** The value of a `datetime-local` input, to the minute; empty for an invalid time. */
export const inputTime = (iso: string): string => localInputOf(iso).replace(/(T\d\d:\d\d).*$/, '$1')

/** An unedited input keeps the original time: it shows no seconds, and not which of two repeated hours it means. */
export const isoTime = (typed: string, before: string): string =>
  typed !== '' && typed === inputTime(before) ? before : isoOf(typed)
