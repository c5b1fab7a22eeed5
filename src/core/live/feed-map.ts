/** Maps a provider's value to a signal's scale. The operator declares the map, which must be monotonic. */

import type { SignalName } from '../decision/signals.ts'

export type FeedValue = number | boolean | string

/** The scale of a signal: a count of flags, a failure rate in thousandths, or a risk value in thousandths. */
export type FeedScale = 'flags' | 'rate' | 'risk'

export const scaleOf: Readonly<Record<SignalName, FeedScale>> = {
  fraud_flags: 'flags',
  network_healthy: 'risk',
  balance_sufficient: 'risk',
  fx_volatility: 'risk',
  operation_valid: 'risk',
  historical_failure_rate: 'rate',
  cop_overridden: 'risk',
}

/** A larger number is not accepted as a count of flags. */
export const flagsMax = 1_000

const scaleMax: Readonly<Record<FeedScale, number>> = { flags: flagsMax, rate: 1, risk: 1 }

/** Null if the value is already on the scale. */
export type FeedMap =
  | { readonly kind: 'points'; readonly points: readonly (readonly [value: number, onScale: number])[] }
  | {
      readonly kind: 'cases'
      readonly cases: readonly (readonly [value: string | boolean, onScale: number])[]
    }
  | null

export interface MapFault {
  /** The index of the point or case, from 0; null for the map itself. */
  readonly place: number | null
  readonly message: string
}

/** The first fault of a map, or null. Points must have ascending values, and scale values must be monotonic. */
export function mapFault(map: NonNullable<FeedMap>, scale: FeedScale): MapFault | null {
  const entries: readonly (readonly [FeedValue, number])[] = map.kind === 'points' ? map.points : map.cases
  const least = map.kind === 'points' ? 2 : 1
  if (entries.length < least) {
    return { place: null, message: `must have at least ${least} ${least === 1 ? 'entry' : 'entries'}` }
  }
  const values = new Set<FeedValue>()
  let direction = 0
  for (const [place, [value, onScale]] of entries.entries()) {
    const before = entries[place - 1]
    if (!(onScale >= 0 && onScale <= scaleMax[scale])) {
      return { place, message: `must map to a number from 0 to ${scaleMax[scale]}` }
    }
    if (scale === 'flags' && !Number.isInteger(onScale)) return { place, message: 'must map to an integer' }
    if (values.has(value)) return { place, message: 'repeats a value' }
    values.add(value)
    if (before === undefined) continue
    if (map.kind === 'points' && !Number.isFinite(Number(value) - Number(before[0]))) {
      return { place, message: 'is too far from the previous point' }
    }
    if (map.kind === 'points' && !(Number(value) > Number(before[0]))) {
      return { place, message: 'must have a larger value than the previous point' }
    }
    const step = Math.sign(onScale - before[1])
    if (step !== 0 && direction !== 0 && step !== direction) {
      return { place, message: 'changes direction: a map must only rise or only fall' }
    }
    direction = step === 0 ? direction : step
  }
  return null
}

export type Scaled =
  | { readonly kind: 'scaled'; readonly scaled: number }
  | { readonly kind: 'wrong_type' }
  | { readonly kind: 'out_of_range' }

/** The value on the scale, as an integer rounded to the worse side: flags or thousandths. */
export function scaledBy(map: FeedMap, scale: FeedScale, value: FeedValue): Scaled {
  const onScale = map === null ? value : mapped(map, value)
  if (onScale === null) return outOfRange
  if (typeof onScale !== 'number' || !Number.isFinite(onScale)) return wrongType
  if (onScale < 0 || onScale > scaleMax[scale]) return outOfRange
  if (map === null && scale === 'flags' && !Number.isInteger(onScale)) return wrongType
  return { kind: 'scaled', scaled: rounded(onScale, scale) }
}

const wrongType: Scaled = { kind: 'wrong_type' }
const outOfRange: Scaled = { kind: 'out_of_range' }

/** Null if the value is outside the map; undefined if its type does not fit. */
function mapped(map: NonNullable<FeedMap>, value: FeedValue): number | null | undefined {
  if (map.kind === 'points') return typeof value === 'number' ? interpolated(map.points, value) : undefined
  const [first] = map.cases[0] ?? []
  if (typeof value !== typeof first) return undefined
  return map.cases.find(([one]) => one === value)?.[1] ?? null
}

function interpolated(
  points: readonly (readonly [number, number])[],
  value: number,
): number | null | undefined {
  if (!Number.isFinite(value)) return undefined
  const above = points.findIndex(([at]) => value <= at)
  const [high, onHigh] = points[above] ?? [0, 0]
  if (above < 0) return null
  if (value === high) return onHigh
  const [low, onLow] = points[above - 1] ?? [Number.NaN, 0]
  if (Number.isNaN(low)) return null
  // Computes the fraction first: it stays between 0 and 1 despite rounding, so the result stays between the points.
  return onLow + (onHigh - onLow) * ((value - low) / (high - low))
}

/** Absorbs floating-point error before rounding. */
const noise = 1e-6

/** Rounds flags and failure rates up and risk values down, since a risk value of 1 is clear. */
function rounded(onScale: number, scale: FeedScale): number {
  const units = scale === 'flags' ? onScale : onScale * 1000
  // Avoids -0.
  return (scale === 'risk' ? Math.floor(units + noise) : Math.ceil(units - noise)) + 0
}
