/** The corridors that are worth showing: those with data, and those that the key sends payments over. */

import type { CorridorHealth, VerificationsSummary } from '@fairway/client'
import { healthOf, type Health } from '../../health.tsx'

type Sums = VerificationsSummary['corridors'][number]

export interface Lane {
  readonly corridor: string
  readonly health: Health
  /** None where the key has not asked about it in this time. */
  readonly sums: Sums | null
}

/** Those with data come first, then the others by their traffic. Whatever has no data needs not be asked about. */
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
