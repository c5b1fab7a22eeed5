/** The settlement window of an answer: the open one of the corridor's calendar, or the next. */

import { calendarAt } from '../../core/live/calendar.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import { iso } from '../../core/time/durations.ts'
import type { SettlementWindowWire, Warning } from './answer.ts'

interface Settlement {
  /** Undefined without a calendar, null if it is expired. */
  readonly window?: SettlementWindowWire | null
  readonly warnings: readonly Warning[]
}

const noCalendar: Settlement = { warnings: [] }

/** A calendar never changes a verdict: it tells when the money can move. */
export function windowAt(corridor: LiveCorridor | undefined, nowMs: number): Settlement {
  const calendar = corridor?.calendar ?? null
  if (calendar === null) return noCalendar
  const state = calendarAt(calendar, nowMs)
  if (state === null) {
    const message = `The settlement calendar of ${corridor?.corridor} was valid through ${calendar.validThrough}.`
    return { window: null, warnings: [{ code: 'CALENDAR_EXPIRED', message }] }
  }
  const { open, next } = state
  const shown = open ?? next
  return {
    window: {
      open: open !== null,
      opens_at: iso(shown?.opensAtMs ?? null),
      cut_off_at: iso(shown?.cutOffAtMs ?? null),
    },
    warnings: [],
  }
}
