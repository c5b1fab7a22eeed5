/** Failure rates with their intervals: how they read beside a prediction, their texts, and the scale of their axis. */

import type { Calibration } from '@fairway/client'
import { formatAlignedShare, formatCount, formatShare } from '../format.ts'

export type Bin = Calibration['reliability'][number]
/** Null rates are of too few records: they say nothing. */
export type Rate = Pick<Bin, 'records' | 'failures' | 'rate' | 'low' | 'high'>

/** A rate that is known. */
export interface KnownRate {
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The server gives no rate below this. */
export const recordsMin = 20

export function knownOf({ rate, low, high }: Rate): KnownRate | null {
  return rate === null || low === null || high === null ? null : { rate, low, high }
}

/** The share of failures, if there are enough outcomes for one. */
export function failureNote(failures: number, ended: number): string {
  if (ended === 0) return 'no final outcomes'
  if (ended < recordsMin) return `fewer than ${recordsMin} outcomes: no rate`
  return `${formatShare(failures, ended)} failed or were rejected`
}

/** How a bin reads: whether its interval meets the range that was predicted. */
export type Reading = 'few' | 'expected' | 'more' | 'less'

export const readings: Readonly<Record<Reading, string>> = {
  expected: 'As predicted',
  more: 'More often than predicted',
  less: 'Less often than predicted',
  few: 'Too few records',
}

export function readingOf(bin: Bin): Reading {
  const known = knownOf(bin)
  if (known === null) return 'few'
  if (known.low > bin.to) return 'more'
  return known.high < bin.from ? 'less' : 'expected'
}

const percent = (share: number): string => formatAlignedShare(share, 1)

export const rateText = (rate: Rate): string => {
  const known = knownOf(rate)
  return known === null ? '—' : percent(known.rate)
}

export const intervalText = (rate: Rate): string => {
  const known = knownOf(rate)
  return known === null ? 'too few records' : `${percent(known.low)} to ${percent(known.high)}`
}

export const failedText = ({ records, failures }: Rate): string =>
  records === 0 ? 'no payments' : `${formatCount(failures)} of ${formatCount(records)} failed`

/** `10% to 20%`. */
export const predictedText = ({ from, to }: Bin): string => `${formatShare(from, 1)} to ${formatShare(to, 1)}`

/** One bin in words, for those who do not see the curve. */
export function binText(bin: Bin): string {
  const known = knownOf(bin)
  const failed =
    known === null
      ? `too few records (${formatCount(bin.records)})`
      : `${percent(known.rate)} of ${formatCount(bin.records)} failed, interval ${intervalText(bin)}`
  return `Predicted ${predictedText(bin)}: ${failed}.`
}

/** The finding of the curve, in one sentence. */
export function curveText(bins: readonly Bin[]): string {
  const all = bins.map(readingOf)
  const known = all.filter((reading) => reading !== 'few').length
  if (known === 0) return `No bin has ${recordsMin} records yet, so none has a rate.`
  const found = (['expected', 'more', 'less'] as const).flatMap((reading) => {
    const count = all.filter((one) => one === reading).length
    return count === 0 ? [] : [`${findings[reading]} in ${formatCount(count)}`]
  })
  return `${formatCount(known)} of ${all.length} bins ${known === 1 ? 'has' : 'have'} ${recordsMin} records or more: payments failed ${found.join(', ')}.`
}

const findings = { expected: 'as often as predicted', more: 'more often', less: 'less often' } as const

export const brierText = (brier: number): string => brier.toFixed(3)
export const brierScale = '0 is perfect, a coin has 0.25'

/** The ends of an axis, and the number of equal steps that have round figures. */
const axes = [
  [0.05, 5],
  [0.1, 5],
  [0.2, 4],
  [0.3, 3],
  [0.5, 5],
  [1, 4],
] as const

/** The end of an axis that shows every interval. */
export function axisEndOf(rates: readonly Rate[]): number {
  const highest = Math.max(0, ...rates.map(({ high }) => high ?? 0))
  return axes.find(([end]) => highest <= end)?.[0] ?? 1
}

export const axisStepsOf = (end: number): number => axes.find(([one]) => one === end)?.[1] ?? 4

/** About so many of the places, evenly: the first, then every n-th. */
export function everyFew(count: number, shownMax: number): readonly number[] {
  const every = Math.max(1, Math.ceil(count / shownMax))
  return Array.from({ length: Math.ceil(count / every) }, (_, place) => place * every)
}
