/** How a corridor is doing, from its signals: one status, and a bucket for each thing that they speak of. */

import type { Corridor } from '../reference/corridor.ts'
import type { Decision } from '../decision/decide.ts'
import { joinList } from './wording.ts'
import { penaltyFlagCount, type Factor, type Verdict } from '../decision/score.ts'
import {
  categoryOf,
  labelOf,
  signalCategories,
  titleOf,
  type SignalCategory,
  type SignalLabel,
  type SignalName,
} from '../decision/signals.ts'

export const corridorStatuses = ['OPERATIONAL', 'DEGRADED', 'IMPAIRED'] as const

type CorridorStatus = (typeof corridorStatuses)[number]

/** A bucket is as good as its worst signal. */
interface Bucket {
  readonly label: SignalLabel
  readonly riskThousandths: number
  readonly signals: readonly SignalName[]
}

export interface CorridorHealth {
  readonly status: CorridorStatus
  /** Null where there is no data, of one or of all. */
  readonly buckets: Readonly<Record<SignalCategory, Bucket | null>> | null
  readonly advisory: string
}

/**
 * The rule: `IMPAIRED` when the score alone is `NO-GO`, when as many signals are flagged as bring the penalty, or when
 * one is `CRITICAL`; `DEGRADED` when any is flagged or the score alone is not `GO`; otherwise `OPERATIONAL`. Without data
 * it is `DEGRADED`, as every decision there. Where a live signal cannot be read, it is `IMPAIRED`: no live decision is made
 * until it can. Caps on the amount speak of payments and have no part in it.
 */
export function healthOf(
  corridor: Corridor,
  { evidence }: Decision,
  unread: readonly SignalName[] = [],
): CorridorHealth {
  const { band, supported } = evidence
  const factors = evidence.factors.filter(({ signal }) => !unread.includes(signal))
  if (!supported) {
    const advisory = `There is no data for ${corridor}: it is not a supported corridor. That is neither a sign of trouble nor of health; no payment on it is GO.`
    return { status: 'DEGRADED', buckets: null, advisory }
  }
  if (unread.length > 0) {
    const advisory = `${corridor} cannot be judged: the ${joinList(unread.map((signal) => titleOf[signal]))} cannot be read, so live decisions are on hold.`
    return { status: 'IMPAIRED', buckets: bucketsOf(factors, unread), advisory }
  }
  const flagged = factors.filter((factor) => factor.flagged)
  const critical = factors.filter((factor) => labelOf(factor.riskThousandths) === 'CRITICAL')
  const isImpaired = band === 'NO-GO' || flagged.length >= penaltyFlagCount || critical.length > 0
  const isDegraded = band === 'DEGRADED' || flagged.length > 0
  const status = isImpaired ? 'IMPAIRED' : isDegraded ? 'DEGRADED' : 'OPERATIONAL'
  return {
    status,
    buckets: bucketsOf(factors),
    advisory: advice(corridor, status, band, flagged.concat(critical)),
  }
}

/** A bucket of which a signal is not known is not known: the rest must not look like a clean bill. */
function bucketsOf(
  factors: readonly Factor[],
  unread: readonly SignalName[] = [],
): Record<SignalCategory, Bucket | null> {
  const buckets = {} as Record<SignalCategory, Bucket | null>
  for (const category of signalCategories) {
    const members = factors.filter(({ signal }) => categoryOf[signal] === category)
    const riskThousandths = Math.min(...members.map((factor) => factor.riskThousandths))
    const signals = members.map(({ signal }) => signal)
    buckets[category] = unread.some((signal) => categoryOf[signal] === category)
      ? null
      : { label: labelOf(riskThousandths), riskThousandths, signals }
  }
  return buckets
}

/** `worst`: the signals to look at; one may be named twice. */
function advice(corridor: Corridor, status: CorridorStatus, band: Verdict, worst: readonly Factor[]): string {
  const names = [...new Set(worst.map(({ signal }) => titleOf[signal]))]
  const seen =
    names.length === 0
      ? 'No signal is flagged, but together they fall short.'
      : `Look at the ${joinList(names)}.`
  const score = `By its signals alone a payment would be ${band}.`
  switch (status) {
    case 'OPERATIONAL':
      return `${corridor} is healthy: verify each payment as usual.`
    case 'DEGRADED':
      return `${corridor} works, with care. ${seen} ${score}`
    case 'IMPAIRED':
      return `${corridor} is impaired: hold or reroute what can wait. ${seen} ${score}`
  }
}
