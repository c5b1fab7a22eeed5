/** Time ranges, steps, averages and percentiles of summaries. */

import { dayMs, floorTo, hourMs, ceilTo } from './durations.ts'
import { latencyBoundsUs } from './rollup.ts'

/** `fromMs` is inclusive, `toMs` exclusive. */
export interface Range {
  readonly fromMs: number
  readonly toMs: number
}

export type Step = 'hour' | 'day'

export const stepMs: Readonly<Record<Step, number>> = { hour: hourMs, day: dayMs }

/** The longest range with hourly steps. */
const hourlyRangeMsMax = 72 * hourMs
/** The longest range with days of a time zone, which are read as hours. Beyond it, days are UTC days. */
export const zonedRangeMsMax = 100 * dayMs
/** The longest range of a request. */
export const rangeMsMax = 366 * dayMs

/** Widens a range to whole hours, the resolution of rollups. */
export function widenToHours({ fromMs, toMs }: Range): Range {
  return { fromMs: floorTo(hourMs, fromMs), toMs: ceilTo(hourMs, toMs) }
}

/** The latest end of a range: widened to whole hours, its year still has four digits. */
export const rangeEndMsMax = Date.UTC(9999, 11, 31, 23)

/** The exclusive end of the hour that contains a time. */
export function endOfHour(atMs: number): number {
  return floorTo(hourMs, atMs) + hourMs
}

/** Takes the requested range before it is widened, so that 72 hours always get hourly steps. */
export function stepOf({ fromMs, toMs }: Range): Step {
  return toMs - fromMs <= hourlyRangeMsMax ? 'hour' : 'day'
}

/** Three consecutive ranges that make up a range: hours, whole days, hours. Each may be empty. */
export interface Pieces {
  readonly head: Range
  readonly days: Range
  readonly tail: Range
}

/** Splits a range of whole hours. With hourly steps all of it is hours; with daily steps only the partial days are. */
export function splitRange({ fromMs, toMs }: Range, step: Step): Pieces {
  const firstDayMs = step === 'hour' ? toMs : Math.min(toMs, ceilTo(dayMs, fromMs))
  const lastDayMs = Math.max(firstDayMs, floorTo(dayMs, toMs))
  const daysEndMs = step === 'hour' ? toMs : Math.min(toMs, lastDayMs)
  return {
    head: { fromMs, toMs: firstDayMs },
    days: { fromMs: firstDayMs, toMs: daysEndMs },
    tail: { fromMs: daysEndMs, toMs },
  }
}

/** The start of each step: a full UTC hour or day, except that the first may start within one. */
export function stepStarts({ fromMs, toMs }: Range, step: Step): number[] {
  const starts: number[] = []
  for (let atMs = floorTo(stepMs[step], fromMs); atMs < toMs; atMs += stepMs[step])
    starts.push(Math.max(atMs, fromMs))
  return starts
}

/** The average in hundredths, rounded half up in integers; null for no values. */
export function averageHundredths(sumHundredths: number, total: number): number | null {
  return total === 0 ? null : Math.floor((2 * sumHundredths + total) / (2 * total))
}

/**
 * The latency percentile in microseconds, by nearest rank, assuming that values are spread evenly within a bin. Returns
 * the last bound for values beyond it, and null for no values.
 */
export function percentileUs(latencies: readonly number[], percent: number): number | null {
  const total = latencies.reduce((sum, one) => sum + one, 0)
  if (total === 0) return null
  let rank = Math.max(1, Math.ceil((total * percent) / 100))
  let lowerUs = 0
  for (const [bin, upperUs] of latencyBoundsUs.entries()) {
    const inBin = latencies[bin] ?? 0
    if (rank <= inBin) return lowerUs + Math.round(((upperUs - lowerUs) * rank) / inBin)
    rank -= inBin
    lowerUs = upperUs
  }
  return lowerUs
}
