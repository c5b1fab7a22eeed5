/** Derives a corridor's health from its signals: a status, and a bucket per signal category. */

import type { Corridor } from '../reference/corridor.ts'
import type { Decision } from '../decision/decide.ts'
import { joinList } from './wording.ts'
import { penaltyFlagCount, type Factor, type Verdict } from '../decision/score.ts'
import {
  categoryOf,
  labelOf,
  signalCategories,
  signalNames,
  titleOf,
  type SignalCategory,
  type SignalLabel,
  type SignalName,
} from '../decision/signals.ts'

export const corridorStatuses = ['OPERATIONAL', 'DEGRADED', 'IMPAIRED'] as const

type CorridorStatus = (typeof corridorStatuses)[number]

/** Takes the label and risk value of its worst signal. */
interface Bucket {
  readonly label: SignalLabel
  readonly healthThousandths: number
  readonly signals: readonly SignalName[]
}

export interface CorridorHealth {
  readonly status: CorridorStatus
  /** Null for an unsupported corridor; a single bucket is null when one of its signals is unavailable. */
  readonly buckets: Readonly<Record<SignalCategory, Bucket | null>> | null
  readonly advisory: string
}

/**
 * `IMPAIRED` when the score alone is `NO-GO`, when enough signals are flagged for the penalty, or when one is
 * `CRITICAL`; `DEGRADED` when any is flagged or the score alone is not `GO`; otherwise `OPERATIONAL`. An unsupported
 * corridor is `DEGRADED`, like every decision on it. A corridor with an unavailable live signal is `IMPAIRED`, since
 * live decisions are on hold until the signal returns. Policy caps concern single payments and are ignored.
 */
export function healthOf(
  corridor: Corridor,
  { evidence }: Decision,
  unavailable: readonly SignalName[] = [],
): CorridorHealth {
  const { band, supported } = evidence
  const factors = evidence.factors.filter(({ signal }) => !unavailable.includes(signal))
  if (!supported) {
    const advisory = `There is no data for ${corridor}: the corridor is not supported. This is not a sign of risk, but no payment on it is GO.`
    return { status: 'DEGRADED', buckets: null, advisory }
  }
  if (unavailable.length > 0) {
    const advisory = `${corridor} cannot be assessed: ${unavailablePhrase(unavailable)}, so live decisions are on hold.`
    return { status: 'IMPAIRED', buckets: bucketsOf(factors, unavailable), advisory }
  }
  const flagged = factors.filter((factor) => factor.flagged)
  const critical = factors.filter((factor) => labelOf(factor.healthThousandths) === 'CRITICAL')
  const isImpaired = band === 'NO-GO' || flagged.length >= penaltyFlagCount || critical.length > 0
  const isDegraded = band === 'DEGRADED' || flagged.length > 0
  const status = isImpaired ? 'IMPAIRED' : isDegraded ? 'DEGRADED' : 'OPERATIONAL'
  return {
    status,
    buckets: bucketsOf(factors),
    advisory: advice(corridor, status, band, flagged.concat(critical)),
  }
}

function unavailablePhrase(unavailable: readonly SignalName[]): string {
  if (unavailable.length === signalNames.length) return 'none of its signals can be read from a live feed'
  return `the ${joinList(unavailable.map((signal) => titleOf[signal]))} cannot be read`
}

/** A bucket with an unavailable signal is null: its other signals alone could make it look healthy. */
function bucketsOf(
  factors: readonly Factor[],
  unavailable: readonly SignalName[] = [],
): Record<SignalCategory, Bucket | null> {
  const buckets = {} as Record<SignalCategory, Bucket | null>
  for (const category of signalCategories) {
    const members = factors.filter(({ signal }) => categoryOf[signal] === category)
    const healthThousandths = Math.min(...members.map((factor) => factor.healthThousandths))
    const signals = members.map(({ signal }) => signal)
    buckets[category] = unavailable.some((signal) => categoryOf[signal] === category)
      ? null
      : { label: labelOf(healthThousandths), healthThousandths, signals }
  }
  return buckets
}

/** `worst` may contain a signal twice. */
function advice(corridor: Corridor, status: CorridorStatus, band: Verdict, worst: readonly Factor[]): string {
  const names = [...new Set(worst.map(({ signal }) => titleOf[signal]))]
  const cause =
    names.length === 0
      ? 'No signal is flagged, but the score is too low for GO.'
      : `Check the ${joinList(names)}.`
  const score = `Based on signals alone, a payment would be ${band}.`
  switch (status) {
    case 'OPERATIONAL':
      return `${corridor} is healthy: verify each payment as usual.`
    case 'DEGRADED':
      return `${corridor} is degraded: proceed with care. ${cause} ${score}`
    case 'IMPAIRED':
      return `${corridor} is impaired: hold or reroute payments that can wait. ${cause} ${score}`
  }
}
