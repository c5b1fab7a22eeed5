/** Reads the service's gauges from the store for the metrics page. */

import { readNote } from '../log/checkpoint.ts'
import { singleFlight } from './single-flight.ts'
import type { Clock } from '../ports/system.ts'
import type { FollowerLag, ServiceGauges } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'

/** Cache time: frequent scrapes must not load the database. */
const cacheMs = 1_000

export interface GaugesDeps {
  readonly store: Pick<Store, 'gauges' | 'log'>
  readonly clock: Clock
  readonly cooldownMs: number
  readonly lags: () => Promise<FollowerLag[]>
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

/** The gauges are null while the store does not answer. */
export function createServiceGauges({
  store,
  clock,
  cooldownMs,
  lags,
  log,
}: GaugesDeps): () => Promise<ServiceGauges | null> {
  let cached: { readonly atMs: number; readonly gauges: ServiceGauges | null } | null = null
  let hasFailed = false
  const read = singleFlight(async () => {
    let gauges: ServiceGauges | null = null
    try {
      gauges = await query()
      if (hasFailed) log.info('metrics: those of the database are read again')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'metrics: those of the database cannot be read')
      hasFailed = true
    }
    cached = { atMs: clock.monotonicMs(), gauges }
    return gauges
  })

  async function query(): Promise<ServiceGauges> {
    const startedMs = clock.monotonicMs()
    const nowMs = clock.nowMs()
    const [stored, keys] = await Promise.all([store.gauges(nowMs, cooldownMs), store.log.keys()])
    // The first one is no change.
    const changed = keys.slice(1).at(-1)
    const age = (atMs: number): number => Math.max(0, nowMs - atMs) / 1000
    const { note, outboxOldestAtMs: oldestAtMs, hasLogBacklog, reviewsOldestDueAtMs: dueAtMs } = stored
    const checkpoint = note === null ? null : readNote(note)
    return {
      answerSeconds: (clock.monotonicMs() - startedMs) / 1000,
      recordsWriteOnce: stored.isWriteOnce ? 1 : 0,
      records: stored.records,
      cooldownsOpen: stored.cooldownsOpen,
      outboxPending: stored.outboxPending,
      outboxOldestAge: oldestAtMs === null ? 0 : age(oldestAtMs),
      endpointsSuspended: stored.endpointsSuspended,
      logSize: stored.logSize,
      logWaiting: stored.logWaiting,
      logBacklog: hasLogBacklog ? 1 : 0,
      followers: await lags(),
      logCheckpointAge: checkpoint === null ? null : age(checkpoint.madeAtMs),
      logKeyChangeAge: changed === undefined ? null : age(changed.createdAtMs),
      reviewsWaiting: stored.reviewsWaiting,
      reviewsOverdue: stored.reviewsOverdue,
      reviewsOverdueAge: dueAtMs === null ? 0 : age(dueAtMs),
    }
  }

  return () =>
    cached !== null && clock.monotonicMs() - cached.atMs < cacheMs ? Promise.resolve(cached.gauges) : read()
}
