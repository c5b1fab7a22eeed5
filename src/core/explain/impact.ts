/** Estimates the risk that a decision avoided, compared with executing the payment unverified. */

import { recomputeDecision, isReproducible, type RecordedDecision } from './recorded-decision.ts'
import { joinList } from './wording.ts'
import type { OverrideAction } from '../events/override.ts'
import type { ActualOutcome } from '../live/outcome.ts'
import type { RecommendedAction } from '../decision/reasons.ts'
import type { Verdict } from '../decision/score.ts'
import { withHealthy, labelOf, titleOf, type SignalName } from '../decision/signals.ts'

export const interventions = ['PASS_THROUGH', 'CONDITIONAL_HOLD', 'BLOCK'] as const

type Intervention = (typeof interventions)[number]

export interface Impact {
  readonly intervention: Intervention
  /** The risk avoided, 0 to 100. */
  readonly riskReductionHundredths: number
  readonly confidence: 'high' | 'medium'
  /** The basis of the figure, in one or two sentences. */
  readonly basis: string
}

const byVerdict: Readonly<Record<Verdict, Intervention>> = {
  GO: 'PASS_THROUGH',
  DEGRADED: 'CONDITIONAL_HOLD',
  'NO-GO': 'BLOCK',
}

const byAction: Readonly<Record<OverrideAction, Intervention>> = {
  EXECUTE: 'PASS_THROUGH',
  HOLD: 'CONDITIONAL_HOLD',
  REJECT: 'BLOCK',
}

/** The impact has high confidence when the decision has at least this confidence. */
const highConfidenceHundredths = 90

export function impactOf(
  recorded: RecordedDecision,
  overridden: OverrideAction | null,
  outcome: ActualOutcome | null = null,
): Impact {
  const { decision } = recorded
  const intervention = byVerdict[decision.verdict]
  const effective = overridden === null ? intervention : byAction[overridden]
  const isSent = outcome !== null && sentOutcomes.has(outcome) && effective !== 'PASS_THROUGH'
  if (isSent) return { ...impactOf(recorded, 'EXECUTE', null), basis: sentBasis(outcome) }
  const { hundredths, basis } = overridden === 'EXECUTE' ? executed : reductionBy[effective](recorded)
  const override =
    overridden === null
      ? ''
      : `A person overrode the decision with ${overridden}. These figures are for the override. `
  return {
    intervention,
    riskReductionHundredths: hundredths,
    confidence: decision.confidenceHundredths >= highConfidenceHundredths ? 'high' : 'medium',
    basis: override + basis,
  }
}

/** A payment with one of these outcomes was sent, whatever was decided. */
const sentOutcomes: ReadonlySet<ActualOutcome> = new Set(['COMPLETED', 'FAILED', 'DELAYED'])

const sentBasis = (outcome: ActualOutcome): string =>
  `No risk avoided: the payment was sent all the same, and its outcome is ${outcome}.`

interface Reduction {
  readonly hundredths: number
  readonly basis: string
}

const executed: Reduction = { hundredths: 0, basis: 'No risk avoided: the payment was let through.' }

/** The risk of a payment is 1 minus its score. */
const reductionBy: Readonly<Record<Intervention, (recorded: RecordedDecision) => Reduction>> = {
  PASS_THROUGH: ({ decision }) => ({
    hundredths: 0,
    basis: `No risk avoided: the payment may pass${conditionOf[decision.recommendedAction]}.`,
  }),
  BLOCK: ({ decision }) =>
    decision.evidence.supported
      ? {
          hundredths: 100 - decision.scoreHundredths,
          basis: 'The payment was blocked. All of its risk was avoided: 1 minus the score.',
        }
      : { hundredths: 0, basis: `The payment was blocked. ${noData}` },
  CONDITIONAL_HOLD: holdReduction,
}

/** The condition of a `GO`, by its action. */
const conditionOf: Readonly<Record<RecommendedAction, string>> = {
  PROCEED: '',
  REVIEW: ' once a person has reviewed it',
  REROUTE: ', preferably by another route',
  RETRY_LATER: ' once there is liquidity, or through another partner',
  MANUAL_APPROVAL: ' once it is approved',
  CONFIRM_PAYEE: ' once the payee is confirmed',
  BLOCK: '',
  TREAT_AS_NO_DATA: ', by your own rules',
}

const noData = 'There is no data for this corridor, so the risk avoided is unknown.'

/** A hold gives time to resolve signals that are not clear: the reduction is the rise in score if they were. */
function holdReduction(recorded: RecordedDecision): Reduction {
  const { decision } = recorded
  const { factors, supported, isTooLarge } = decision.evidence
  const held = isTooLarge
    ? 'The payment was held: no declared partner takes its amount.'
    : 'The payment was held.'
  if (!supported) return { hundredths: 0, basis: `The payment was held. ${noData}` }
  if (!isReproducible(recorded)) {
    return {
      hundredths: 0,
      basis: `Decided by engine ${recorded.engine}, which this engine cannot recompute.`,
    }
  }
  const unclear: SignalName[] = []
  for (const { signal, healthThousandths, flagged } of factors) {
    if (flagged || labelOf(healthThousandths) !== 'CLEAR') unclear.push(signal)
  }
  if (unclear.length === 0) {
    return {
      hundredths: 0,
      basis: `${held} Every signal is clear, so there is nothing to resolve.`,
    }
  }
  const { scoreHundredths } = recomputeDecision(recorded, {
    readings: withHealthy(recorded.readings, unclear),
  })
  const names = joinList(unclear.map((signal) => titleOf[signal]))
  const scores = [scoreHundredths, decision.scoreHundredths].map((one) => (one / 100).toFixed(2))
  return {
    hundredths: Math.max(0, scoreHundredths - decision.scoreHundredths),
    basis: `${held} With the ${names} clear, it would score ${scores.join(' instead of ')}.`,
  }
}
