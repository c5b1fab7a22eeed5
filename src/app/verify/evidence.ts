/** Builds the evidence of a decision: enough to explain and audit it without recomputing it. */

import { engineVersion, validUntilFrom, type Revision } from '../../core/decision/engine.ts'
import type { Gate } from '../../core/decision/policy.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { Verdict } from '../../core/decision/score.ts'
import {
  signalNames,
  weightPercent,
  type SignalName,
  type SignalOrigin,
} from '../../core/decision/signals.ts'
import type { TraceContext } from '../../core/operate/trace-context.ts'
import type { LiveCorridor } from '../../core/live/world.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type { FeedEvidence } from '../ports/signals.ts'
import { policiesEvidence, type PoliciesEvidence } from '../policy/in-force.ts'
import type { Chosen, PartnersEvidence } from './partner-choice.ts'

/** The caller's trace, if the request named one. */
interface StoredTrace {
  readonly trace_id: string
  readonly parent_id: string
  readonly is_sampled: boolean
}

/** Lists of seven are in the order of `signalNames`, the ten offsets in the order of `timelineEvents`. */
export interface ComputedEvidence {
  readonly engine: string
  /** Absent in revision 1. */
  readonly revision?: Revision
  readonly source: SignalOrigin
  /** Set if the amount would have been a test amount, but these are switched off. */
  readonly ignored_test_amount?: true
  readonly weight_percent: readonly number[]
  readonly risk_thousandths: readonly number[]
  readonly confidence_percent: readonly number[]
  /** Hundred-thousandths of the score; their sum is `composite`. */
  readonly contributions: readonly number[]
  readonly flagged: readonly SignalName[]
  readonly composite: number
  readonly penalty_applied: boolean
  readonly band: Verdict
  readonly gate: Gate
  readonly review_above: number
  readonly block_above: number
  /** Set only if telemetry had a weight; the shift is in ten-millionths of the score. */
  readonly telemetry?: {
    readonly weight_percent: number
    readonly score_thousandths: number
    readonly shift: number
  }
  /** The value of each feed; only for a live decision. */
  readonly feeds?: readonly FeedEvidence[]
  /** Currencies of a live corridor, from revision 4 on. */
  readonly corridor?: {
    readonly settlement_currency: Currency | null
    readonly currencies: readonly Currency[]
  }
  /** The results of all partners; only for a live corridor with declared partners. */
  readonly partners?: PartnersEvidence
  /** Set if a policy was in force. */
  readonly policies?: PoliciesEvidence
  /** How long the answer is valid, unless a cut-off ends it. Absent before revision 4. */
  readonly valid_s?: number
  /** The arrival of the request by the wall clock; the offsets count from it. */
  readonly received_at_ms: number
  readonly timeline_us: readonly (number | null)[]
  readonly trace?: StoredTrace
}

/** A record repeated by a cooldown refers to its source, whose evidence it shares. */
export interface CooldownEvidence {
  readonly cooldown_source: RequestId
  /** Absent in revision 1. */
  readonly revision?: Revision
  /** The arrival of the request by the wall clock; the offsets count from it. */
  readonly received_at_ms: number
  readonly timeline_us: readonly (number | null)[]
  readonly trace?: StoredTrace
}

/** The arrival of the request, and the offset at which each step ended. */
export interface Moments {
  readonly receivedAtMs: number
  offsetsUs(): readonly (number | null)[]
  readonly context: TraceContext | null
}

/** The decision and all that its evidence is made of. */
export interface EvidenceParts extends Chosen {
  readonly moments: Moments
  readonly revision: Revision
  readonly validMs: number
}

export function cooldownEvidence(source: RequestId, moments: Moments, revision: Revision): CooldownEvidence {
  return { cooldown_source: source, ...revisionMember(revision), ...timelineOf(moments) }
}

const revisionMember = (revision: Revision) => (revision === 1 ? {} : { revision })

function timelineOf(moments: Moments) {
  const { receivedAtMs, context } = moments
  return {
    received_at_ms: receivedAtMs,
    timeline_us: moments.offsetsUs(),
    ...(context === null
      ? {}
      : {
          trace: {
            trace_id: context.traceId,
            parent_id: context.parentId,
            is_sampled: context.isSampled,
          },
        }),
  }
}

export function computedEvidence(parts: EvidenceParts): ComputedEvidence {
  const { decision, read, partners, under, moments, revision, validMs } = parts
  const { readings, source, telemetry, feeds, corridor, ignoredTestAmount } = read
  const { factors, score, band, gate, cap } = decision.evidence
  return {
    engine: engineVersion,
    ...revisionMember(revision),
    source,
    ...(ignoredTestAmount === undefined ? {} : { ignored_test_amount: ignoredTestAmount }),
    weight_percent: signalNames.map((signal) => weightPercent[signal]),
    risk_thousandths: factors.map((factor) => factor.healthThousandths),
    confidence_percent: signalNames.map((signal) => readings[signal].confidencePercent),
    contributions: factors.map((factor) => factor.contribution),
    flagged: factors.filter((factor) => factor.flagged).map((factor) => factor.signal),
    composite: score.composite,
    penalty_applied: score.penaltyApplied,
    band,
    gate,
    review_above: cap.reviewAbove,
    block_above: cap.blockAbove,
    ...(telemetry === undefined
      ? {}
      : {
          telemetry: {
            weight_percent: telemetry.weightPercent,
            score_thousandths: telemetry.scoreThousandths,
            shift: score.telemetryShift,
          },
        }),
    ...(feeds === undefined ? {} : { feeds }),
    ...(corridor === undefined || revision < validUntilFrom ? {} : { corridor: corridorMember(corridor) }),
    ...(partners === undefined ? {} : { partners }),
    ...(under === null ? {} : { policies: policiesEvidence(decision, under.policies, under.circumstances) }),
    ...(revision < validUntilFrom ? {} : { valid_s: validMs / 1000 }),
    ...timelineOf(moments),
  }
}

const corridorMember = ({
  settlementCurrency,
  currencies,
}: Pick<LiveCorridor, 'settlementCurrency' | 'currencies'>) => ({
  settlement_currency: settlementCurrency,
  currencies,
})
