/** The corridors to show: the supported ones, and those with traffic. */

import type { CorridorHealth, FairwayClient, VerificationsSummary } from '@fairway/client'
import { healthOf, type Health } from '../../health.tsx'
import type { SupportedCorridor } from '../../supported.tsx'

type Sums = VerificationsSummary['corridors'][number]

export interface Lane {
  readonly corridor: string
  /** Null until it is known. */
  readonly health: Health | null
  /** Null without traffic in the time range. */
  readonly sums: Sums | null
  /** Declared partners; null for a corridor that is not supported. */
  readonly partners: number | null
}

export const trafficOf = ({ sums }: Pick<Lane, 'sums'>): number => sums?.total ?? 0

/** Supported corridors first, each kind by traffic. A corridor that is not supported has no data. */
export function lanesOf(supported: readonly SupportedCorridor[], sums: readonly Sums[]): readonly Lane[] {
  const codes = new Set(supported.map(({ corridor }) => corridor))
  const byCorridor = new Map(sums.map((one) => [one.corridor, one]))
  const known = supported.map(({ corridor, partners }) => ({
    corridor,
    health: null,
    sums: byCorridor.get(corridor) ?? null,
    partners: partners.length,
  }))
  const others = sums
    .filter(({ corridor }) => !codes.has(corridor))
    .map((one) => ({ corridor: one.corridor, health: 'NO_DATA' as const, sums: one, partners: null }))
  return [...known.toSorted((left, right) => trafficOf(right) - trafficOf(left)), ...others]
}

export function withHealth(lanes: readonly Lane[], healths: readonly CorridorHealth[] = []): readonly Lane[] {
  const byCorridor = new Map(healths.map((one) => [one.corridor, healthOf(one)]))
  return lanes.map((lane) => ({ ...lane, health: lane.health ?? byCorridor.get(lane.corridor) ?? null }))
}

/** Each request reads every feed of its corridor, so only a few run at a time. */
const concurrentMax = 4

export async function readHealths(
  client: FairwayClient,
  corridors: readonly string[],
): Promise<CorridorHealth[]> {
  const waiting = [...corridors]
  const healths: CorridorHealth[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      healths.push(await client.corridorHealth(next))
    }
  }
  await Promise.all(Array.from({ length: concurrentMax }, work))
  return healths
}
