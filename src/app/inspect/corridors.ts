/** Lists the supported corridors of a mode, and opens a corridor's calendar. */

import type { Mode } from '../../core/identity/api-key.ts'
import { calendarAt, type SettlementCalendar } from '../../core/live/calendar.ts'
import { contractWorld, type World } from '../../core/live/world.ts'
import { iso } from '../../core/time/durations.ts'

export function listCorridors(live: World, mode: Mode) {
  const { corridors } = mode === 'live' ? live : contractWorld()
  return {
    mode,
    corridors: [...corridors.values()].map((one) => ({
      corridor: String(one.corridor),
      settlement_currency: one.settlementCurrency === null ? null : String(one.settlementCurrency),
      currencies: one.currencies.map(String),
      partners: one.partners.map(({ id, name }) => ({ partner: id, name })),
      has_calendar: one.calendar !== null,
    })),
  }
}

export function calendarOf(calendar: SettlementCalendar, nowMs: number) {
  const state = calendarAt(calendar, nowMs)
  const open = state?.open ?? null
  const next = state?.next ?? null
  const shown = open ?? next
  return {
    time_zone: calendar.timeZone,
    open: state === null ? null : open !== null,
    opens_at: iso(shown?.opensAtMs ?? null),
    cut_off_at: iso(shown?.cutOffAtMs ?? null),
    next_window: next === null ? null : { opens_at: iso(next.opensAtMs), cut_off_at: iso(next.cutOffAtMs) },
    holidays: [...calendar.holidays],
    valid_through: calendar.validThrough,
    source: calendar.source,
  }
}
