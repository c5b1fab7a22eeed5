/** What of the decisions is summed up: which time, corridor and mode. It lives in the address, so that it can be passed on. */

import type { Decision, Mode, SummaryQuery } from '@fairway/client'
import { isoOf, localInputOf } from '../../local-time.ts'

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
  /** ISO 8601, of a custom range; as the address has them, since the server is the one to judge. */
  readonly from: string
  readonly to: string
  readonly corridor: string
  readonly mode: Mode | ''
}

const modes: readonly string[] = ['shadow', 'live'] satisfies readonly Mode[]

export function filtersOf(params: URLSearchParams): Filters {
  const text = (name: string): string => params.get(name) ?? ''
  const known = ranges.find(([range]) => range === text('range'))?.[0]
  const from = text('from')
  const to = text('to')
  const mode = text('mode')
  return {
    range: known ?? (from === '' && to === '' ? '24h' : 'custom'),
    from,
    to,
    corridor: text('corridor'),
    mode: modes.includes(mode) ? (mode as Mode) : '',
  }
}

/** The shortest address that says the same. */
export function paramsOf({ range, from, to, corridor, mode }: Filters): URLSearchParams {
  const isCustom = range === 'custom'
  const said = { range: range === '24h' ? '' : range, ...(isCustom && { from, to }), corridor, mode }
  return new URLSearchParams(Object.entries(said).filter(([, value]) => value !== ''))
}

const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs

/** Whole hours, or whole days in UTC, the current one with them: so many bars as are asked for, each of them whole. */
function fromOf(range: Exclude<Range, 'custom'>, nowMs: number): number {
  if (range === '24h') return (Math.floor(nowMs / hourMs) - 23) * hourMs
  const days = Number.parseInt(range, 10)
  return (Math.floor(nowMs / dayMs) - days + 1) * dayMs
}

/** A custom range begins as the one that was shown. */
export function chosen(range: Range, before: Filters, nowMs: number): Partial<Filters> {
  if (range !== 'custom' || before.range === 'custom') return { range }
  return { range, from: new Date(fromOf(before.range, nowMs)).toISOString(), to: '' }
}

export function queryOf({ range, from, to, corridor, mode }: Filters, nowMs: number): SummaryQuery {
  const time =
    range === 'custom'
      ? { ...(from !== '' && { from }), ...(to !== '' && { to }) }
      : { from: new Date(fromOf(range, nowMs)).toISOString() }
  return { ...time, ...(corridor !== '' && { corridor }), ...(mode !== '' && { mode }) }
}

/** Where the records behind a figure are. */
export function recordsHref(query: {
  readonly decision?: Decision
  readonly corridor?: string
  readonly from?: string
  readonly to?: string
}): string {
  const said = Object.entries(query).filter(([, value]) => value !== '')
  return `/verifications?${new URLSearchParams(said).toString()}`
}

/** To the minute, as a field for a local time wants it; nothing of what is no time. */
export const shownTime = (iso: string): string => localInputOf(iso).replace(/(T\d\d:\d\d).*$/, '$1')

/** What was not edited stays as it was said: the field shows neither its seconds nor which of two equal hours it was. */
export const saidTime = (typed: string, before: string): string =>
  typed !== '' && typed === shownTime(before) ? before : isoOf(typed)
