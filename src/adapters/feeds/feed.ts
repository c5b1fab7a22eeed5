/** One signal's feed: its source behind a cache, single-flight reads and a circuit breaker. */

import type {
  BreakerState,
  FeedFault,
  FeedReading,
  FeedResult,
  FeedPlace,
  FeedState,
  RouteQuery,
} from '../../app/ports/feeds.ts'
import type { After, Clock } from '../../app/ports/system.ts'
import type { SpanOptions, Tracing } from '../../app/ports/tracing.ts'
import type { SignalName } from '../../core/decision/signals.ts'
import { createBreaker } from './breaker.ts'
import { FeedError, type Source } from './source.ts'

export interface Feed {
  readonly signal: SignalName
  readonly place: FeedPlace
  readonly source: Source
  state(): FeedState
  /** Synchronous if the result is cached; never rejects. */
  read(query: RouteQuery): FeedResult | Promise<FeedResult>
}

/** A reading and its expiry by the monotonic clock. */
interface Cached {
  readonly reading: FeedReading
  readonly untilMs: number
}

/** Cache keys may contain amounts, so their number is unlimited. */
const cachedMax = 1_000

/** A feed started to fail, changed its fault, or recovered (null). */
export interface FeedStateChange extends FeedPlace {
  readonly signal: SignalName
  readonly fault: FeedFault | null
  readonly detail: string
  /** The error behind an unexpected fault. */
  readonly error?: unknown
}

export interface FeedDeps {
  readonly clock: Clock
  readonly after: After
  readonly tracing: Tracing | null
  readonly onStateChange: (change: FeedStateChange) => void
  /** For one flight. A caller that joins it later waits less. */
  readonly deadlineMs: number
}

/** The signal of a feed, and the place of its declaration. */
export type FeedName = Pick<Feed, 'signal' | 'place'>

/** The latest state of a feed in this instance. */
interface Latest {
  readAtMs: number | null
  observedAtMs: number | null
  fault: FeedFault | null
}

export function createFeed({ signal, place }: FeedName, source: Source, deps: FeedDeps): Feed {
  const { clock, after, deadlineMs, onStateChange } = deps
  const breaker = createBreaker(source.breaker, clock)
  // Made when it is needed: a file may declare thousands of feeds.
  let cache: Map<string, Cached> | null = null
  const flights = new Map<string, Promise<FeedResult>>()
  const latest: Latest = { readAtMs: null, observedAtMs: null, fault: null }
  const checked = (reading: FeedReading): FeedResult => checkAge(reading, source.aheadMsMax, clock.nowMs())

  function recordFault(fault: FeedFault | null, detail: string, error?: unknown): void {
    if (fault !== latest.fault) onStateChange({ signal, ...place, fault, detail, error })
    latest.fault = fault
  }

  /** Only a valid reading is cached and counted as read. */
  function accept(key: string, reading: FeedReading, startedMs: number): FeedResult {
    const result = checked(reading)
    recordFault(result.kind === 'failed' ? result.fault : null, result.kind === 'failed' ? result.detail : '')
    if (result.kind === 'failed') return result
    if (source.cacheMs > 0)
      store((cache ??= new Map()), key, { reading, untilMs: startedMs + source.cacheMs })
    latest.readAtMs = clock.nowMs()
    latest.observedAtMs = reading.observedAtMs
    return result
  }

  async function fetchOnce(key: string, query: RouteQuery): Promise<FeedResult> {
    const startedMs = clock.monotonicMs()
    const { kind: feed, maxAgeMs } = source
    try {
      const fetched = await breaker.run(() => within(after, deadlineMs, (end) => source.fetch(query, end)))
      const latencyMs = clock.monotonicMs() - startedMs
      return accept(key, { kind: 'read', feed, ...fetched, maxAgeMs, latencyMs }, startedMs)
    } catch (error) {
      const { fault, message: detail, about } = error instanceof FeedError ? error : unexpected
      if (about !== 'query') recordFault(fault, detail, error instanceof FeedError ? undefined : error)
      return { kind: 'failed', feed, fault, detail, latencyMs: clock.monotonicMs() - startedMs }
    } finally {
      flights.delete(key)
    }
  }

  const name = { signal, place, source }
  const fetch = traced(fetchOnce, name, deps.tracing)
  return {
    ...name,
    state: () => ({ signal, ...place, ...stateOf(source, breaker.state(), latest) }),
    read(query) {
      const key = source.keyOf(query)
      const cached = cache?.get(key)
      // A reading that has become too old meanwhile is fetched again.
      const hit =
        cached !== undefined && clock.monotonicMs() < cached.untilMs ? checked(cached.reading) : null
      if (hit?.kind === 'read') return hit
      const flight = flights.get(key) ?? fetch(key, query)
      flights.set(key, flight)
      return flight
    },
  }
}

type Fetch = (key: string, query: RouteQuery) => Promise<FeedResult>
type Named = Pick<Feed, 'signal' | 'place' | 'source'>

/** A span for each flight, in the trace of the request that started it. */
function traced(fetch: Fetch, { signal, place, source }: Named, tracing: Tracing | null): Fetch {
  if (tracing === null) return fetch
  const { corridor, partner } = place
  const options: SpanOptions = {
    kind: 'client',
    attributes: {
      'fairway.feed_kind': source.kind,
      ...(corridor === null ? {} : { 'fairway.corridor': corridor }),
      ...(partner === null ? {} : { 'fairway.partner': partner }),
    },
  }
  return (key, query) =>
    tracing.run(`feed ${signal}`, options, async (span) => {
      if (span === null) return fetch(key, query)
      const result = await fetch(key, { ...query, headers: span.headers() })
      if (result.kind === 'failed') span.fail(result.fault)
      return result
    })
}

function stateOf({ kind }: Source, breaker: BreakerState, latest: Latest) {
  const { readAtMs: lastReadAtMs, observedAtMs: lastObservedAtMs, fault: lastFault } = latest
  return { kind, breaker, lastReadAtMs, lastObservedAtMs, lastFault }
}

/** The reading, or a fault if it is too old or from the future. */
function checkAge(reading: FeedReading, aheadMsMax: number, nowMs: number): FeedResult {
  const { feed, observedAtMs, maxAgeMs, latencyMs } = reading
  const ageMs = observedAtMs === null ? 0 : nowMs - observedAtMs
  if (ageMs < -aheadMsMax) {
    const detail = `is dated ${Math.round(-ageMs / 1000)} s in the future`
    return { kind: 'failed', feed, fault: 'out_of_range', detail, latencyMs }
  }
  if (ageMs <= maxAgeMs) return reading
  const detail = `is ${Math.round(ageMs / 1000)} s old, the maximum is ${maxAgeMs / 1000} s`
  return { kind: 'failed', feed, fault: 'stale', detail, latencyMs }
}

/** Evicts the oldest entry when the cache is full. */
function store(cache: Map<string, Cached>, key: string, cached: Cached): void {
  cache.delete(key)
  if (cache.size >= cachedMax) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, cached)
}

const timedOut = (): FeedError => new FeedError('timeout', 'did not answer in time', 'provider')

/** Ends after `ms`, even if the work ignores the signal. */
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

const unexpected = new FeedError('unreadable', 'failed with an unexpected error', 'provider')
