/** What a decision did about the risk of its payment, beside a world in which nobody had asked. */

import { decideAgain, isReproducible, type RecordedDecision } from './recorded-decision.ts'
import { joinList } from './wording.ts'
import type { OverrideAction } from '../events/override.ts'
import type { Verdict } from '../decision/score.ts'
import { healed, labelOf, titleOf, type SignalName } from '../decision/signals.ts'

export const interventions = ['PASS_THROUGH', 'CONDITIONAL_HOLD', 'BLOCK'] as const

type Intervention = (typeof interventions)[number]

export interface Impact {
  /** What the decision called for. */
  readonly intervention: Intervention
  /** The share of the risk that was not taken, 0 to 100. */
  readonly riskReductionHundredths: number
  readonly confidence: 'high' | 'medium'
  /** How the figure came about: a sentence or two. */
  readonly basis: string
}

const byVerdict: Readonly<Record<Verdict, Intervention>> = {
  GO: 'PASS_THROUGH',
  DEGRADED: 'CONDITIONAL_HOLD',
  'NO-GO': 'BLOCK',
}

/** What a person made of it. */
const byAction: Readonly<Record<OverrideAction, Intervention>> = {
  EXECUTE: 'PASS_THROUGH',
  HOLD: 'CONDITIONAL_HOLD',
  REJECT: 'BLOCK',
}

/** From this confidence of the decision on, its impact is told with high confidence. */
const highConfidenceHundredths = 90

export function impactOf(kept: RecordedDecision, overridden: OverrideAction | null): Impact {
  const { decision } = kept
  const intervention = byVerdict[decision.verdict]
  const effective = overridden === null ? intervention : byAction[overridden]
  const { hundredths, basis } = reductionBy[effective](kept)
  const told =
    overridden === null ? '' : `A person overrode the decision with ${overridden}, which is what counts. `
  return {
    intervention,
    riskReductionHundredths: hundredths,
    confidence: decision.confidenceHundredths >= highConfidenceHundredths ? 'high' : 'medium',
    basis: told + basis,
  }
}

interface Reduction {
  readonly hundredths: number
  readonly basis: string
}

/** The risk of a payment is what its score lacks to 1. */
const reductionBy: Readonly<Record<Intervention, (kept: RecordedDecision) => Reduction>> = {
  PASS_THROUGH: () => ({ hundredths: 0, basis: 'The payment was let through, so no risk was kept away.' }),
  BLOCK: ({ decision }) =>
    decision.evidence.supported
      ? {
          hundredths: 100 - decision.scoreHundredths,
          basis: 'The payment was stopped, and with it the whole of its risk: 1 less the score.',
        }
      : { hundredths: 0, basis: `The payment was stopped. ${noData}` },
  CONDITIONAL_HOLD: heldBack,
}

const noData = 'There is no data for this corridor, so what that avoided is not known.'

/** A hold gives time to mend what is not clear; the one scorer says what that is worth. */
function heldBack(kept: RecordedDecision): Reduction {
  const { decision } = kept
  const { factors, supported } = decision.evidence
  if (!supported) return { hundredths: 0, basis: `The payment was held. ${noData}` }
  if (!isReproducible(kept)) {
    return { hundredths: 0, basis: `Decided by engine ${kept.engine}, for which this one does not speak.` }
  }
  const mended: SignalName[] = []
  for (const { signal, riskThousandths, flagged } of factors) {
    if (flagged || labelOf(riskThousandths) !== 'CLEAR') mended.push(signal)
  }
  if (mended.length === 0) {
    return {
      hundredths: 0,
      basis: 'The payment was held; every signal is clear, so there is nothing to mend.',
    }
  }
  const { scoreHundredths } = decideAgain(kept, { readings: healed(kept.readings, mended) })
  const names = joinList(mended.map((signal) => titleOf[signal]))
  const scores = [scoreHundredths, decision.scoreHundredths].map((one) => (one / 100).toFixed(2))
  return {
    hundredths: Math.max(0, scoreHundredths - decision.scoreHundredths),
    basis: `The payment was held. With everything mended that is not clear (${names}) it would score ${scores.join(' instead of ')}.`,
  }
}
