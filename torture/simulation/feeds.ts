/** Seven simulated live feeds that can be healthy, failing, hanging or stale. */

import type {
  FeedFailure,
  FeedReading,
  FeedResult,
  FeedResults,
  FeedSet,
  LiveFeeds,
} from '../../src/app/ports/feeds.ts'
import { contractWorld } from '../../src/core/live/world.ts'
import { scaleOf } from '../../src/core/live/feed-map.ts'
import { signalNames, type SignalName } from '../../src/core/decision/signals.ts'
import type { Rng } from '../random.ts'
import type { Life, Schedule } from './schedule.ts'

export type FeedCondition = 'healthy' | 'failing' | 'hanging' | 'stale'

export const feedConditions: readonly FeedCondition[] = ['failing', 'hanging', 'stale']

/** After this time feeds count as failed. */
const deadlineMs = 800
const maxAgeMs = 30_000

/** The condition of each feed, which outlives the service. */
export class Providers {
  readonly #conditions = new Map<SignalName, FeedCondition>()

  set(signal: SignalName, condition: FeedCondition): void {
    this.#conditions.set(signal, condition)
  }

  conditionOf(signal: SignalName): FeedCondition {
    return this.#conditions.get(signal) ?? 'healthy'
  }

  get areAllHealthy(): boolean {
    return signalNames.every((signal) => this.conditionOf(signal) === 'healthy')
  }
}

export interface FeedDeps {
  readonly providers: Providers
  readonly schedule: Schedule
  readonly life: Life
  readonly rng: Rng
}

export function simulatedFeeds({ providers, schedule, life, rng }: FeedDeps): LiveFeeds {
  const state = (signal: SignalName) => ({
    signal,
    corridor: null,
    partner: null,
    kind: 'http' as const,
    breaker: 'closed' as const,
    lastReadAtMs: null,
    lastObservedAtMs: null,
    lastFault: null,
  })
  function read(): Promise<FeedResults> {
    // The conditions at the time of the request count: a provider that recovers later never received it.
    const conditions = signalNames.map((signal) => [signal, providers.conditionOf(signal)] as const)
    const hangs = conditions.some(([, condition]) => condition === 'hanging')
    const latencyMs = hangs ? deadlineMs : rng.below(60)
    return new Promise((resolve) => {
      const answer = (): void => {
        const nowMs = schedule.clock.nowMs()
        const results = conditions.map(([signal, condition]) => [
          signal,
          resultOf(signal, condition, nowMs, latencyMs),
        ])
        resolve(Object.fromEntries(results) as FeedResults)
      }
      schedule.after(latencyMs, answer, { life })
    })
  }
  const set: FeedSet = {
    isConfigured: true,
    world: contractWorld(),
    states: () => signalNames.map(state),
    signalsOf: () => signalNames,
    read: async () => [{ partner: null, results: await read() }],
    probe: async () => [{ partner: null, results: await read() }],
    isProbed: () => true,
  }
  return { current: () => set }
}

const calm = { flags: 0, rate: 5, risk: 960 } as const

function resultOf(
  signal: SignalName,
  condition: FeedCondition,
  nowMs: number,
  latencyMs: number,
): FeedResult {
  if (condition === 'failing') return failure('bad_status', latencyMs)
  if (condition === 'hanging') return failure('timeout', latencyMs)
  // Like a real feed, refused when it is read: the clock may be set back while the value is on its way.
  if (condition === 'stale') return failure('stale', latencyMs)
  const scaled = calm[scaleOf[signal]]
  const reading: FeedReading = {
    kind: 'read',
    feed: 'http',
    value: scaled,
    scaled,
    observedAtMs: nowMs,
    maxAgeMs,
    history: null,
    latencyMs,
  }
  return reading
}

function failure(fault: FeedFailure['fault'], latencyMs: number): FeedFailure {
  return { kind: 'failed', feed: 'http', fault, detail: 'simulated', latencyMs }
}
