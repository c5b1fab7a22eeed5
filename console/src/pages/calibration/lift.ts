/** The lift of a signal: how much more often payments fail that it flags. */

import type { Calibration } from '@fairway/client'
import { knownOf } from '../../charts/rates.ts'

export type SignalRates = Calibration['signals'][number]

/** Null without both rates, and where nothing fails without the flag. */
export function liftOf({ flagged, clear }: Pick<SignalRates, 'flagged' | 'clear'>): number | null {
  const [with_, without] = [knownOf(flagged), knownOf(clear)]
  return with_ === null || without === null || without.rate === 0 ? null : with_.rate / without.rate
}

/** Whether the intervals are apart. */
export type Difference = 'more' | 'less' | 'unclear' | 'few'

export function differenceOf({ flagged, clear }: Pick<SignalRates, 'flagged' | 'clear'>): Difference {
  const [with_, without] = [knownOf(flagged), knownOf(clear)]
  if (with_ === null || without === null) return 'few'
  if (with_.low > without.high) return 'more'
  return with_.high < without.low ? 'less' : 'unclear'
}

/** The highest lift first; signals without one are last, in the order of the API. */
export function byLift(signals: readonly SignalRates[]): readonly SignalRates[] {
  const order = (one: SignalRates): number => liftOf(one) ?? -1
  return signals.toSorted((left, right) => order(right) - order(left))
}
