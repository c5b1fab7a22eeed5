/** The interface of a signal's source, its errors, and shared helpers. */

import type { FeedFault, FeedKind, RouteQuery } from '../../app/ports/feeds.ts'
import { scaledBy, scaleOf, type FeedMap, type FeedValue } from '../../core/live/feed-map.ts'
import type { SignalName } from '../../core/decision/signals.ts'

/**
 * The cause of a fault. `provider`: an outage, which counts towards the breaker. `answer`: an unusable value, which is
 * reported to the operator. `query`: no answer to this query, which concerns only its caller.
 */
export type FaultAbout = 'provider' | 'answer' | 'query'

/** A signal cannot be read. The message is a short phrase for operators and contains no secret. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
  readonly fault: FeedFault
  readonly about: FaultAbout

  constructor(fault: FeedFault, detail: string, about: FaultAbout) {
    super(detail)
    this.fault = fault
    this.about = about
  }
}

export interface Fetched {
  readonly value: FeedValue
  readonly scaled: number
  /** Null for a value that was not observed. */
  readonly observedAtMs: number | null
  readonly history: { readonly have: number; readonly need: number } | null
}

export interface Source {
  readonly kind: FeedKind
  readonly maxAgeMs: number
  /** How far in the future an observation may be dated. */
  readonly aheadMsMax: number
  /** How long a value is cached for queries with the same key. */
  readonly cacheMs: number
  readonly breaker: BreakerRule
  /** Whether the answer depends on the partner; otherwise partners share a read. */
  readonly isPerPartner: boolean
  /** Whether it can be read without a payment: it needs no amount and no owner, and it is observed. */
  readonly isProbed: boolean
  /** Queries with the same key have the same answer. */
  keyOf(query: RouteQuery): string
  /** Throws `FeedError`; ends when the signal aborts. */
  fetch(query: RouteQuery, signal: AbortSignal): Promise<Fetched>
}

export interface BreakerRule {
  readonly failures: number
  readonly resetMs: number
}

const breakerDefault: BreakerRule = { failures: 5, resetMs: 5_000 }

export function breakerRule(
  spec: { readonly failures?: number; readonly reset_ms?: number } | undefined,
): BreakerRule {
  return {
    failures: spec?.failures ?? breakerDefault.failures,
    resetMs: spec?.reset_ms ?? breakerDefault.resetMs,
  }
}

const textLengthMax = 64

/** A provider's value on the signal's scale. */
export function scaledValue(
  signal: SignalName,
  map: FeedMap,
  raw: unknown,
): Pick<Fetched, 'value' | 'scaled'> {
  const isUsable =
    typeof raw === 'number' ||
    typeof raw === 'boolean' ||
    (typeof raw === 'string' && raw.length <= textLengthMax)
  if (!isUsable) throw new FeedError('wrong_type', `returned ${kindOf(raw)}`, 'answer')
  const result = scaledBy(map, scaleOf[signal], raw)
  if (result.kind === 'scaled') return { value: raw, scaled: result.scaled }
  if (result.kind === 'wrong_type') throw new FeedError('wrong_type', `returned ${kindOf(raw)}`, 'answer')
  throw new FeedError('out_of_range', `returned ${JSON.stringify(raw)}`, 'answer')
}

function kindOf(raw: unknown): string {
  if (raw === null) return 'null'
  if (Array.isArray(raw)) return 'an array'
  if (typeof raw === 'object') return 'an object'
  return typeof raw === 'string' && raw.length > textLengthMax
    ? `a string of more than ${textLengthMax} characters`
    : `a ${typeof raw}`
}
