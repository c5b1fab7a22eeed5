/** Seven live feeds that answer at the schedule's time, fail, hang or go stale as they are told. */

import type { FeedFailure, FeedReading, FeedResult, LiveFeeds } from '../../src/app/ports/feeds.ts'
import { scaleOf } from '../../src/core/live/feed-map.ts'
import { signalNames, type SignalName } from '../../src/core/decision/signals.ts'
import type { Chance } from '../random.ts'
import type { Life, Schedule } from './schedule.ts'

export type FeedMood = 'well' | 'failing' | 'hanging' | 'stale'

export const feedMoods: readonly FeedMood[] = ['failing', 'hanging', 'stale']

/** By which all feeds have answered, or count as failed. */
const deadlineMs = 800
const maxAgeMs = 30_000

/** How each feed is; it outlives the service. */
export class Providers {
  readonly #moods = new Map<SignalName, FeedMood>()

  set(signal: SignalName, mood: FeedMood): void {
    this.#moods.set(signal, mood)
  }

  moodOf(signal: SignalName): FeedMood {
    return this.#moods.get(signal) ?? 'well'
  }

  get areAllWell(): boolean {
    return signalNames.every((signal) => this.moodOf(signal) === 'well')
  }
}

export interface FeedDeps {
  readonly providers: Providers
  readonly schedule: Schedule
  readonly life: Life
  readonly chance: Chance
}

export function simulatedFeeds({ providers, schedule, life, chance }: FeedDeps): LiveFeeds {
  const state = (signal: SignalName) => ({
    signal,
    kind: 'http' as const,
    breaker: 'closed' as const,
    lastReadAtMs: null,
    lastObservedAtMs: null,
    lastFault: null,
  })
  return {
    states: () => signalNames.map(state),
    partnerFor: () => null,
    read() {
      // As they are when they are asked: a provider that recovers meanwhile has not heard the question.
      const moods = signalNames.map((signal) => [signal, providers.moodOf(signal)] as const)
      const hangs = moods.some(([, mood]) => mood === 'hanging')
      const latencyMs = hangs ? deadlineMs : chance.below(60)
      return new Promise((resolve) => {
        const answer = (): void => {
          const nowMs = schedule.clock.nowMs()
          const results = moods.map(([signal, mood]) => [signal, resultOf(signal, mood, nowMs, latencyMs)])
          resolve(Object.fromEntries(results))
        }
        schedule.after(latencyMs, answer, { life })
      })
    },
  }
}

const calm = { flags: 0, rate: 5, risk: 960 } as const

function resultOf(signal: SignalName, mood: FeedMood, nowMs: number, latencyMs: number): FeedResult {
  if (mood === 'failing') return failure('bad_status', latencyMs)
  if (mood === 'hanging') return failure('timeout', latencyMs)
  const scaled = calm[scaleOf[signal]]
  const observedAtMs = mood === 'stale' ? nowMs - maxAgeMs - 1 : nowMs
  const reading: FeedReading = {
    kind: 'read',
    feed: 'http',
    value: scaled,
    scaled,
    observedAtMs,
    maxAgeMs,
    history: null,
    latencyMs,
  }
  return reading
}

function failure(fault: FeedFailure['fault'], latencyMs: number): FeedFailure {
  return { kind: 'failed', feed: 'http', fault, detail: 'simulated', latencyMs }
}
