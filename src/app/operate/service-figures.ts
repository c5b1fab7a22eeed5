/** The figures of the service that lie in its database, as they are shown: a store that is away is a figure as well. */

import { readNote } from '../log/checkpoint.ts'
import { singleFlight } from './single-flight.ts'
import type { Clock } from '../ports/system.ts'
import type { ServiceFigures } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'

/** Whoever asks again so soon is told the same: a page of figures must not become a load. */
const keptMs = 1_000

export interface FiguresDeps {
  readonly store: Pick<Store, 'figures'>
  readonly clock: Clock
  readonly cooldownMs: number
}

/** Null where the store does not answer. */
export function createServiceFigures({
  store,
  clock,
  cooldownMs,
}: FiguresDeps): () => Promise<ServiceFigures | null> {
  let kept: { readonly atMs: number; readonly figures: ServiceFigures | null } | null = null
  const read = singleFlight(async () => {
    const figures = await ask().catch(() => null)
    kept = { atMs: clock.monotonicMs(), figures }
    return figures
  })

  async function ask(): Promise<ServiceFigures> {
    const askedMs = clock.monotonicMs()
    const nowMs = clock.nowMs()
    const found = await store.figures(nowMs, cooldownMs)
    const age = (atMs: number): number => Math.max(0, nowMs - atMs) / 1000
    const { note, outboxOldestAtMs: oldestAtMs, hasLogBacklog } = found
    const checkpoint = note === null ? null : readNote(note)
    return {
      answerSeconds: (clock.monotonicMs() - askedMs) / 1000,
      records: found.records,
      cooldownsOpen: found.cooldownsOpen,
      outboxPending: found.outboxPending,
      outboxOldestAge: oldestAtMs === null ? 0 : age(oldestAtMs),
      logSize: found.logSize,
      logWaiting: found.logWaiting,
      logBacklog: hasLogBacklog ? 1 : 0,
      logCheckpointAge: checkpoint === null ? null : age(checkpoint.madeAtMs),
    }
  }

  return () =>
    kept !== null && clock.monotonicMs() - kept.atMs < keptMs ? Promise.resolve(kept.figures) : read()
}
