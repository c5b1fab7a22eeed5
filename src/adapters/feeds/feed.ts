/** One signal's feed: its source behind a cache, a single flight for each question, and a circuit breaker. */

import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel'
import type {
  BreakerState,
  Clock,
  FeedFailure,
  FeedFault,
  FeedResult,
  FeedState,
  SignalQuery,
} from '../../app/ports.ts'
import type { SignalName } from '../../core/signals.ts'
import { FeedError, type Fetched, type Source } from './source.ts'

export interface Feed {
  readonly signal: SignalName
  readonly source: Source
  state(): FeedState
  /** At once where the answer is known; never rejects. */
  read(query: SignalQuery): FeedResult | Promise<FeedResult>
  close(): Promise<void>
}

/** An answer that serves further questions until a moment of the monotonic clock. */
interface Cached {
  readonly fetched: Fetched
  readonly latencyMs: number
  readonly untilMs: number
}

/** Questions have amounts in them, so that there may be any number of them. */
const cachedMax = 1_000

const breakerStates: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
}

/** A feed that began to fail, fails otherwise than before, or works again (null). */
export interface FeedTurn {
  readonly signal: SignalName
  readonly fault: FeedFault | null
  readonly detail: string
  /** Of a fault that nobody foresaw. */
  readonly error?: unknown
}

export interface FeedDeps {
  readonly clock: Clock
  readonly onTurn: (turn: FeedTurn) => void
  /** For one flight; whoever waits for it has waited less. */
  readonly deadlineMs: number
}

/** What this instance has seen of a feed. */
interface Seen {
  readAtMs: number | null
  observedAtMs: number | null
  fault: FeedFault | null
}

export function createFeed(
  signal: SignalName,
  source: Source,
  { clock, deadlineMs, onTurn }: FeedDeps,
): Feed {
  const breaker = breakerOf(source)
  const cache = new Map<string, Cached>()
  const flights = new Map<string, Promise<FeedResult>>()
  const seen: Seen = { readAtMs: null, observedAtMs: null, fault: null }

  function note(fault: FeedFault | null, detail: string, error?: unknown): void {
    if (fault !== seen.fault) onTurn({ signal, fault, detail, error })
    seen.fault = fault
  }

  function tell(found: Pick<Cached, 'fetched' | 'latencyMs'>): FeedResult {
    const result = judged(source, found, clock.nowMs())
    note(result.kind === 'failed' ? result.fault : null, result.kind === 'failed' ? result.detail : '')
    return result
  }

  async function fly(key: string, query: SignalQuery): Promise<FeedResult> {
    const startedMs = clock.monotonicMs()
    try {
      const fetched = await breaker.execute(() => withinMs(deadlineMs, (end) => source.fetch(query, end)))
      const latencyMs = clock.monotonicMs() - startedMs
      if (source.cacheMs > 0) keep(cache, key, { fetched, latencyMs, untilMs: startedMs + source.cacheMs })
      seen.readAtMs = clock.nowMs()
      seen.observedAtMs = fetched.observedAtMs
      return tell({ fetched, latencyMs })
    } catch (error) {
      const failure = failureOf(source, error, clock.monotonicMs() - startedMs)
      // An open breaker says nothing new of the provider.
      if (failure.fault !== 'breaker_open')
        note(failure.fault, failure.detail, error instanceof FeedError ? undefined : error)
      return failure
    } finally {
      flights.delete(key)
    }
  }

  return {
    signal,
    source,
    state: () => stateOf(signal, source, breakerStates[breaker.state], seen),
    read(query) {
      const key = source.keyOf(query)
      const cached = cache.get(key)
      if (cached !== undefined && clock.monotonicMs() < cached.untilMs) return tell(cached)
      const underWay = flights.get(key)
      if (underWay !== undefined) return underWay
      const flight = fly(key, query)
      flights.set(key, flight)
      return flight
    },
    close: () => source.close(),
  }
}

function stateOf(signal: SignalName, { kind }: Source, breaker: BreakerState, seen: Seen): FeedState {
  const { readAtMs: lastReadAtMs, observedAtMs: lastObservedAtMs, fault: lastFault } = seen
  return { signal, kind, breaker, lastReadAtMs, lastObservedAtMs, lastFault }
}

/** An answer, unless it is too old by now. */
function judged(
  { kind: feed, maxAgeMs }: Source,
  { fetched, latencyMs }: Pick<Cached, 'fetched' | 'latencyMs'>,
  nowMs: number,
): FeedResult {
  const ageMs = fetched.observedAtMs === null ? 0 : nowMs - fetched.observedAtMs
  if (ageMs <= maxAgeMs) return { kind: 'read', feed, ...fetched, maxAgeMs, latencyMs }
  const detail = `is ${Math.round(ageMs / 1000)} s old, of at most ${maxAgeMs / 1000} s`
  return { kind: 'failed', feed, fault: 'stale', detail, latencyMs }
}

/** What only tells that there is no good answer to one question says nothing against the provider. */
function breakerOf({ breaker }: Source): CircuitBreakerPolicy {
  return circuitBreaker(
    handleWhen((error) => !(error instanceof FeedError) || error.isOutage),
    { halfOpenAfter: breaker.resetMs, breaker: new ConsecutiveBreaker(breaker.failures) },
  )
}

/** The oldest makes room. */
function keep(cache: Map<string, Cached>, key: string, cached: Cached): void {
  cache.delete(key)
  if (cache.size >= cachedMax) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, cached)
}

const timedOut = (): FeedError => new FeedError('timeout', 'did not answer in time', true)

/** Ends in time, whether or not the work heeds the signal. */
async function withinMs<Result>(ms: number, work: (end: AbortSignal) => Promise<Result>): Promise<Result> {
  const end = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    end.abort()
    reject(timedOut())
  }, ms)
  try {
    return await Promise.race([work(end.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

function failureOf({ kind: feed }: Source, error: unknown, latencyMs: number): FeedFailure {
  if (error instanceof BrokenCircuitError) {
    const detail = 'failed too often, and is not asked for a while'
    return { kind: 'failed', feed, fault: 'breaker_open', detail, latencyMs }
  }
  const { fault, message } =
    error instanceof FeedError ? error : new FeedError('unreadable', 'failed in an unforeseen way', true)
  return { kind: 'failed', feed, fault, detail: message, latencyMs }
}
