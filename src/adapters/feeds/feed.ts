/** One signal's feed: its source behind a cache, a single flight for each question, and a circuit breaker. */

import type {
  BreakerState,
  FeedFault,
  FeedReading,
  FeedResult,
  FeedState,
  SignalQuery,
} from '../../app/ports/feeds.ts'
import type { After, Clock } from '../../app/ports/system.ts'
import type { SignalName } from '../../core/decision/signals.ts'
import { createBreaker } from './breaker.ts'
import { FeedError, type Source } from './source.ts'

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
  readonly reading: FeedReading
  readonly untilMs: number
}

/** Questions have amounts in them, so that there may be any number of them. */
const cachedMax = 1_000

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
  readonly after: After
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

export function createFeed(signal: SignalName, source: Source, deps: FeedDeps): Feed {
  const { clock, after, deadlineMs, onTurn } = deps
  const breaker = createBreaker(source.breaker, clock)
  const cache = new Map<string, Cached>()
  const flights = new Map<string, Promise<FeedResult>>()
  const seen: Seen = { readAtMs: null, observedAtMs: null, fault: null }
  const judge = (reading: FeedReading): FeedResult => judged(reading, source.aheadMsMax, clock.nowMs())

  function note(fault: FeedFault | null, detail: string, error?: unknown): void {
    if (fault !== seen.fault) onTurn({ signal, fault, detail, error })
    seen.fault = fault
  }

  /** Only what is good now is kept, and told as read. */
  function take(key: string, reading: FeedReading, startedMs: number): FeedResult {
    const result = judge(reading)
    note(result.kind === 'failed' ? result.fault : null, result.kind === 'failed' ? result.detail : '')
    if (result.kind === 'failed') return result
    if (source.cacheMs > 0) keep(cache, key, { reading, untilMs: startedMs + source.cacheMs })
    seen.readAtMs = clock.nowMs()
    seen.observedAtMs = reading.observedAtMs
    return result
  }

  async function fly(key: string, query: SignalQuery): Promise<FeedResult> {
    const startedMs = clock.monotonicMs()
    const { kind: feed, maxAgeMs } = source
    try {
      const fetched = await breaker.run(() => within(after, deadlineMs, (end) => source.fetch(query, end)))
      const latencyMs = clock.monotonicMs() - startedMs
      return take(key, { kind: 'read', feed, ...fetched, maxAgeMs, latencyMs }, startedMs)
    } catch (error) {
      const { fault, message: detail, about } = error instanceof FeedError ? error : unforeseen
      if (about !== 'question') note(fault, detail, error instanceof FeedError ? undefined : error)
      return { kind: 'failed', feed, fault, detail, latencyMs: clock.monotonicMs() - startedMs }
    } finally {
      flights.delete(key)
    }
  }

  return {
    signal,
    source,
    state: () => stateOf(signal, source, breaker.state(), seen),
    read(query) {
      const key = source.keyOf(query)
      const cached = cache.get(key)
      // One that has become too old meanwhile is asked for again.
      const known =
        cached !== undefined && clock.monotonicMs() < cached.untilMs ? judge(cached.reading) : null
      if (known?.kind === 'read') return known
      const flight = flights.get(key) ?? fly(key, query)
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

/** An answer, unless it is too old by now, or from a time that is still to come. */
function judged(reading: FeedReading, aheadMsMax: number, nowMs: number): FeedResult {
  const { feed, observedAtMs, maxAgeMs, latencyMs } = reading
  const ageMs = observedAtMs === null ? 0 : nowMs - observedAtMs
  if (ageMs < -aheadMsMax) {
    const detail = `is from ${Math.round(-ageMs / 1000)} s ahead of our clock`
    return { kind: 'failed', feed, fault: 'out_of_range', detail, latencyMs }
  }
  if (ageMs <= maxAgeMs) return reading
  const detail = `is ${Math.round(ageMs / 1000)} s old, of at most ${maxAgeMs / 1000} s`
  return { kind: 'failed', feed, fault: 'stale', detail, latencyMs }
}

/** The oldest makes room. */
function keep(cache: Map<string, Cached>, key: string, cached: Cached): void {
  cache.delete(key)
  if (cache.size >= cachedMax) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, cached)
}

const timedOut = (): FeedError => new FeedError('timeout', 'did not answer in time', 'provider')

/** Ends in time, whether or not the work heeds the signal. */
async function within<Result>(
  after: After,
  ms: number,
  work: (end: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const end = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = after(ms, () => {
    end.abort()
    reject(timedOut())
  })
  try {
    return await Promise.race([work(end.signal), late])
  } finally {
    cancel()
  }
}

const unforeseen = new FeedError('unreadable', 'failed in an unforeseen way', 'provider')
