/** What every source of a signal is: something that can be asked, and that says why when it cannot answer. */

import type { FeedFault, FeedKind, SignalQuery } from '../../app/ports/feeds.ts'
import { scaledBy, scaleOf, type FeedMap, type FeedValue } from '../../core/live/feed-map.ts'
import type { SignalName } from '../../core/decision/signals.ts'

/**
 * What a fault speaks of. The provider is unwell, which counts towards the breaker; or its answer is no good, which an operator
 * should know; or there is none to this one question, which is the business of whoever asked.
 */
export type FaultAbout = 'provider' | 'answer' | 'question'

/** A signal cannot be had. The message is a few words for an operator, and holds nothing secret. */
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
  /** Null for what nobody observed. */
  readonly observedAtMs: number | null
  readonly history: { readonly have: number; readonly need: number } | null
}

export interface Source {
  readonly kind: FeedKind
  readonly maxAgeMs: number
  /** How far ahead of our clock an observation may seem. */
  readonly aheadMsMax: number
  /** For so long an answer serves further questions of the same key. */
  readonly cacheMs: number
  readonly breaker: BreakerRule
  /** Questions with one key have one answer. */
  keyOf(query: SignalQuery): string
  /** Throws `FeedError`; ends when the signal is given. */
  fetch(query: SignalQuery, signal: AbortSignal): Promise<Fetched>
  close(): Promise<void>
}

export interface BreakerRule {
  readonly failures: number
  readonly resetMs: number
}

const breakerDefault: BreakerRule = { failures: 5, resetMs: 5_000 }

export function breakerRule(
  given: { readonly failures?: number; readonly reset_ms?: number } | undefined,
): BreakerRule {
  return {
    failures: given?.failures ?? breakerDefault.failures,
    resetMs: given?.reset_ms ?? breakerDefault.resetMs,
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
  if (!isUsable) throw new FeedError('wrong_type', `gave ${kindOf(raw)}`, 'answer')
  const found = scaledBy(map, scaleOf[signal], raw)
  if (found.kind === 'scaled') return { value: raw, scaled: found.scaled }
  if (found.kind === 'wrong_type') throw new FeedError('wrong_type', `gave ${kindOf(raw)}`, 'answer')
  throw new FeedError('out_of_range', `gave ${JSON.stringify(raw)}`, 'answer')
}

function kindOf(raw: unknown): string {
  if (raw === null) return 'null'
  if (Array.isArray(raw)) return 'an array'
  if (typeof raw === 'object') return 'an object'
  return typeof raw === 'string' && raw.length > textLengthMax ? 'a long text' : `a ${typeof raw}`
}
