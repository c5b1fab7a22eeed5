/** The corridors to show: the supported ones, and those with traffic. */

import type { CorridorHealth, VerificationsSummary } from '@fairway/client'
import { healthOf, type Health } from '../../health.tsx'

type Sums = VerificationsSummary['corridors'][number]

export interface Lane {
  readonly corridor: string
  readonly health: Health
  /** Null without traffic in the time range. */
  readonly sums: Sums | null
}

/** Supported corridors first, then the others by traffic, whose health needs no query. */
export function lanesOf(healths: readonly CorridorHealth[], sums: readonly Sums[]): Lane[] {
  const supported = healths.map((answer) => ({
    corridor: answer.corridor,
    health: healthOf(answer),
    sums: sums.find(({ corridor }) => corridor === answer.corridor) ?? null,
  }))
  const others = sums
    .filter(({ corridor }) => !healths.some((answer) => answer.corridor === corridor))
    .map((one) => ({ corridor: one.corridor, health: 'NO_DATA' as const, sums: one }))
  return [...supported, ...others]
}

export const trafficOf = ({ sums }: Lane): number => sums?.total ?? 0
