/** From a provider's value to a signal's own scale: declared by the operator, and monotonic, or it is not taken. */

import type { SignalName } from '../decision/signals.ts'

/** What a provider may give. */
export type FeedValue = number | boolean | string

/**
 * What a signal is measured in. `flags` are counted; a `rate` is a share of failures; anything else is a risk value.
 * The last two are kept in thousandths.
 */
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

/** More flags than this are no count of flags. */
export const flagsMax = 1_000

const scaleMax: Readonly<Record<FeedScale, number>> = { flags: flagsMax, rate: 1, risk: 1 }

/** Null: the value is on the scale already. */
export type FeedMap =
  | { readonly kind: 'points'; readonly points: readonly (readonly [value: number, onScale: number])[] }
  | {
      readonly kind: 'cases'
      readonly cases: readonly (readonly [value: string | boolean, onScale: number])[]
    }
  | null

export interface MapFault {
  /** Of the point or the case, from 0; null for the whole. */
  readonly place: number | null
  readonly message: string
}

/** What is wrong with a map, or null. Points rise in their values, and both kinds go one way on the scale. */
export function mapFault(map: NonNullable<FeedMap>, scale: FeedScale): MapFault | null {
  const entries: readonly (readonly [FeedValue, number])[] = map.kind === 'points' ? map.points : map.cases
  const least = map.kind === 'points' ? 2 : 1
  if (entries.length < least) return { place: null, message: `needs at least ${least} of them` }
  const seen = new Set<FeedValue>()
  let way = 0
  for (const [place, [value, onScale]] of entries.entries()) {
    const before = entries[place - 1]
    if (!(onScale >= 0 && onScale <= scaleMax[scale])) {
      return { place, message: `must lead to a number from 0 to ${scaleMax[scale]}` }
    }
    if (scale === 'flags' && !Number.isInteger(onScale))
      return { place, message: 'must lead to a whole number' }
    if (seen.has(value)) return { place, message: 'names a value twice' }
    seen.add(value)
    if (before === undefined) continue
    if (map.kind === 'points' && !Number.isFinite(Number(value) - Number(before[0]))) {
      return { place, message: 'is too far from the one before' }
    }
    if (map.kind === 'points' && !(Number(value) > Number(before[0]))) {
      return { place, message: 'must have a larger value than the one before' }
    }
    const step = Math.sign(onScale - before[1])
    if (step !== 0 && way !== 0 && step !== way) {
      return { place, message: 'turns back: a map goes one way, up or down' }
    }
    way = step === 0 ? way : step
  }
  return null
}

export type Scaled =
  | { readonly kind: 'scaled'; readonly scaled: number }
  | { readonly kind: 'wrong_type' }
  | { readonly kind: 'out_of_range' }

/** The value on the scale: whole flags, or thousandths. Where it falls between two, the worse of them counts. */
export function scaledBy(map: FeedMap, scale: FeedScale, value: FeedValue): Scaled {
  const found = map === null ? value : mapped(map, value)
  if (found === null) return outOfRange
  if (typeof found !== 'number' || !Number.isFinite(found)) return wrongType
  if (found < 0 || found > scaleMax[scale]) return outOfRange
  if (map === null && scale === 'flags' && !Number.isInteger(found)) return wrongType
  return { kind: 'scaled', scaled: whole(found, scale) }
}

const wrongType: Scaled = { kind: 'wrong_type' }
const outOfRange: Scaled = { kind: 'out_of_range' }

/** Null where the map does not reach; undefined where it takes no such kind of value. */
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
  // The share first: it is between 0 and 1 whatever the rounding, so that the result never leaves the two points.
  return onLow + (onHigh - onLow) * ((value - low) / (high - low))
}

/** A thousandth of a thousandth is the noise of floating point, and decides nothing. */
const noise = 1e-6

/** Flags and failures are rounded up, risk values, of which one is clear, down. */
function whole(found: number, scale: FeedScale): number {
  const units = scale === 'flags' ? found : found * 1000
  // Never minus zero.
  return (scale === 'risk' ? Math.floor(units + noise) : Math.ceil(units - noise)) + 0
}
