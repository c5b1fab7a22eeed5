/** Observations of the corridors that are not simulated, so that telemetry may have a weight. */

import assert from 'node:assert/strict'
import type { Observation, ProbeFindings } from '../../src/app/ports/cip.ts'
import { feedsAdapter, simulationAdapter, type TelemetryScope } from '../../src/core/live/cip.ts'
import { dayMs } from '../../src/core/time/durations.ts'
import { supportedCorridors, type Corridor } from '../../src/core/reference/corridor.ts'
import type { Harness } from './harness.ts'

/** The observations that count with live feeds, and those that count without. */
export const feedsScope: TelemetryScope = { adapter: feedsAdapter, corridors: supportedCorridors }
export const simulationScope: TelemetryScope = { adapter: simulationAdapter, corridors: supportedCorridors }

export const observationOf = (corridor: Corridor, observedAtMs: number, composite = 96_000): Observation => ({
  corridor,
  observedAtMs,
  adapter: feedsAdapter,
  healthThousandths: [970, 960, 970, 930, 990, 940, 990],
  composite,
  durationUs: 42,
})

/** A turn of the probe that found these and nothing else. */
export const findingsOf = (observations: readonly Observation[]): ProbeFindings => ({
  observations,
  partners: [],
  statuses: [],
  gone: [],
  acts: [],
})

/** Observes every supported corridor now. */
export async function observeFeeds({ store, clock }: Pick<Harness, 'store' | 'clock'>): Promise<void> {
  const lease = `lease_${crypto.randomUUID()}`
  const nowMs = clock.nowMs()
  assert.equal(await store.cip.claimTurn({ lease, nowMs, everyMs: 0 }), true)
  const observations = supportedCorridors.map((corridor) => observationOf(corridor, nowMs))
  assert.equal(await store.cip.record(lease, findingsOf(observations)), true)
}

/** Observes every supported corridor once a day; the last day is today. */
export async function observeDays(
  harness: Pick<Harness, 'store' | 'clock'>,
  days: number,
  observe: () => Promise<void> = () => observeFeeds(harness),
): Promise<void> {
  for (let day = 1; day <= days; day += 1) {
    await observe()
    if (day < days) harness.clock.advance(dayMs)
  }
}
