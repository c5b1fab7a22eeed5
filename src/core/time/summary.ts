/** What a summary of a time is made of: which buckets it needs, what its steps are, averages and percentiles. */

import { dayMs, downTo, hourMs, upTo } from './durations.ts'
import { latencyBoundsUs } from './rollup.ts'

/** From the first moment up to, and without, the last. */
export interface Range {
  readonly fromMs: number
  readonly toMs: number
}

export type Step = 'hour' | 'day'

export const stepMs: Readonly<Record<Step, number>> = { hour: hourMs, day: dayMs }

/** The longest range that is shown hour by hour. */
const hourlyRangeMsMax = 72 * hourMs
/** The longest that may be asked for. */
export const rangeMsMax = 366 * dayMs

/** Whole hours: what the buckets can tell. */
export function inWholeHours({ fromMs, toMs }: Range): Range {
  return { fromMs: downTo(hourMs, fromMs), toMs: upTo(hourMs, toMs) }
}

/** The last moment that may end a range: widened to whole hours it is still of a year with four digits. */
export const rangeEndMsMax = Date.UTC(9999, 11, 31, 23)

/** Of the hour that a moment is in: what is recorded at that very moment is before it. */
export function endOfHour(atMs: number): number {
  return downTo(hourMs, atMs) + hourMs
}

/** Of a range as it was asked for, before it is widened: who asks for 72 hours gets hours, however they lie. */
export function stepOf({ fromMs, toMs }: Range): Step {
  return toMs - fromMs <= hourlyRangeMsMax ? 'hour' : 'day'
}

/** Three that follow each other and are the whole range: hours, whole days, hours. Each may be empty. */
export interface Pieces {
  readonly head: Range
  readonly days: Range
  readonly tail: Range
}

/** Of whole hours. By the hour, all of it is hours; else only what is left of a day at either end. */
export function piecesOf({ fromMs, toMs }: Range, step: Step): Pieces {
  const firstDayMs = step === 'hour' ? toMs : Math.min(toMs, upTo(dayMs, fromMs))
  const lastDayMs = Math.max(firstDayMs, downTo(dayMs, toMs))
  const daysEndMs = step === 'hour' ? toMs : Math.min(toMs, lastDayMs)
  return {
    head: { fromMs, toMs: firstDayMs },
    days: { fromMs: firstDayMs, toMs: daysEndMs },
    tail: { fromMs: daysEndMs, toMs },
  }
}

/** Where each step of a range begins: on its hour or day in UTC, the first one perhaps within. */
export function stepStarts({ fromMs, toMs }: Range, step: Step): number[] {
  const starts: number[] = []
  for (let atMs = downTo(stepMs[step], fromMs); atMs < toMs; atMs += stepMs[step])
    starts.push(Math.max(atMs, fromMs))
  return starts
}

/** In hundredths, half up; null of nothing. In integers, so that no half is ever missed. */
export function averageHundredths(sumHundredths: number, total: number): number | null {
  return total === 0 ? null : Math.floor((2 * sumHundredths + total) / (2 * total))
}

/**
 * The latency that so many percent did not exceed, in microseconds: by the nearest rank, taken to lie in its bin as evenly as
 * the others do. Of those beyond the last bound it is that bound. Null of nothing.
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
