/** Explains a decision in text: a summary paragraph, and a sentence for each signal. */

import type { Counterfactuals } from './counterfactuals.ts'
import { recordedAmountMax, type RecordedDecision } from './recorded-decision.ts'
import { partnerSentences } from './partner-reasons.ts'
import { policySentences } from './policy-reasons.ts'
import { joinList, moneyText } from './wording.ts'
import { signalReasonCode } from '../decision/reasons.ts'
import { penaltyFlagCount, type Factor, type Floors, type Verdict } from '../decision/score.ts'
import { healthyPhraseOf, labelOf, titleOf } from '../decision/signals.ts'

/**
 * Audit exports include this text and the factor messages. Verification compares them with the current wording, and
 * reports a difference as a notice. `counterfactuals` is null when there are none to report.
 */
export function summaryOf(recorded: RecordedDecision, counterfactuals: Counterfactuals | null): string {
  const sentences = [
    opening(recorded),
    ...ruleSentences(recorded),
    ...policySentences(recorded),
    ...signalSentences(recorded),
  ]
  if (recorded.partners !== null) sentences.push(...partnerSentences(recorded.partners))
  if (counterfactuals !== null) sentences.push(...alternativeSentences(recorded, counterfactuals))
  return sentences.join(' ')
}

export function factorMessage(factor: Factor, { decision, weightPercent, source }: RecordedDecision): string {
  const code = signalReasonCode[factor.signal]
  const flagged = decision.reasons.find((reason) => reason.code === code)
  if (flagged !== undefined) return flagged.message
  if (source === 'none') return `There is no data on the ${titleOf[factor.signal]}.`
  const most = weightPercent[factor.signal] / 100
  const title = titleOf[factor.signal]
  const state = `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${labelOf(factor.healthThousandths)} at ${risk(factor)}`
  return `${state}, which adds ${share(factor.contribution)} of at most ${most}.`
}

function opening({ corridor, amount, currency, decision }: RecordedDecision): string {
  const payment =
    amount === null ? 'a payment of no stated amount' : `a payment of ${moneyText(amount, currency)}`
  return `${decision.verdict}: ${payment} on ${corridor}, with a score of ${points(decision.scoreHundredths)}.`
}

function ruleSentences(recorded: RecordedDecision): string[] {
  return [...contractSentences(recorded), ...partnerRuleSentences(recorded)]
}

function partnerRuleSentences(recorded: RecordedDecision): string[] {
  if (!recorded.decision.evidence.isTooLarge) return []
  const most = moneyText(recordedAmountMax(recorded) ?? 0, recorded.currency)
  return [`No declared partner takes more than ${most}, and without a partner no payment is GO.`]
}

/** The contract's rule for the decision: a cap or missing data if one applies, otherwise the band of the score. */
function contractSentences(recorded: RecordedDecision): string[] {
  const { corridor, currency, decision } = recorded
  const { gate, cap, supported, band, floors, isTooLarge } = decision.evidence
  const review = `no payment above ${moneyText(cap.reviewAbove, currency)} is GO`
  const reviewToo = `Also, ${review}.`
  if (gate === 'block') {
    const block = `Every payment above ${moneyText(cap.blockAbove, currency)} is NO-GO, whatever its score.`
    return supported ? [block] : [block, `There is no data for ${corridor}, which is not a sign of risk.`]
  }
  if (!supported) {
    const none = `There is no data for ${corridor}, which is not a sign of risk: without data no payment is GO.`
    return gate === 'none' ? [none] : [none, reviewToo]
  }
  if (gate === 'none') return [bandText(band, floors), 'No policy cap applies.']
  // A rule of a policy may still block it, and no approval brings a partner.
  const approval = decision.verdict === 'NO-GO' || isTooLarge ? '' : ': it needs manual approval'
  return band === 'GO'
    ? [`By its score it is GO, but ${review}${approval}.`]
    : [bandText(band, floors), reviewToo]
}

function bandText(band: Verdict, { goFloor, degradedFloor }: Floors): string {
  if (band === 'GO') return `GO starts at ${points(goFloor)}.`
  return band === 'DEGRADED'
    ? `A score from ${points(degradedFloor)} to ${points(goFloor - 1)} is DEGRADED.`
    : `A score below ${points(degradedFloor)} is NO-GO.`
}

function signalSentences(recorded: RecordedDecision): string[] {
  const { factors, score, supported } = recorded.decision.evidence
  if (!supported) return []
  const flagged = factors.filter((factor) => factor.flagged)
  const sentences =
    flagged.length === 0 ? [`No signal is flagged; ${largestLoss(recorded)}.`] : [flaggedText(flagged)]
  if (score.penaltyApplied) {
    sentences.push(`With ${penaltyFlagCount} or more signals flagged, the score is reduced by a quarter.`)
  }
  return [...sentences, ...telemetrySentences(recorded)]
}

function flaggedText(flagged: readonly Factor[]): string {
  const names = flagged.map((factor) => `${titleOf[factor.signal]} (health ${risk(factor)})`)
  return `Flagged: ${joinList(names)}.`
}

/** A clause on the signal that is furthest below its full contribution. */
function largestLoss({ decision, weightPercent }: RecordedDecision): string {
  const { factors } = decision.evidence
  const lost = (factor: Factor): number => weightPercent[factor.signal] * 1000 - factor.contribution
  const worst = factors.reduce((most, factor) => (lost(factor) > lost(most) ? factor : most))
  return lost(worst) === 0
    ? 'every signal adds its full weight'
    : `the ${titleOf[worst.signal]} lowers the score the most, by ${share(lost(worst))}`
}

function telemetrySentences({ decision, telemetry }: RecordedDecision): string[] {
  if (telemetry === null) return []
  const weight = `Corridor telemetry has a weight of ${points(telemetry.weightPercent)}`
  const shift = decision.evidence.score.telemetryShift / 10_000_000
  if (shift !== 0)
    return [`${weight} and ${shift > 0 ? 'raised' : 'lowered'} the composite by ${Math.abs(shift)}.`]
  const isFraud = decision.evidence.factors.some(({ signal, flagged }) => flagged && signal === 'fraud_flags')
  return [
    `${weight}${isFraud ? ', but it never raises the score of a payment with an open fraud flag' : ' and did not change the composite'}.`,
  ]
}

/** Signals that would have changed a decision made by its score or by rules, and the largest amount that is `GO`. */
function alternativeSentences(recorded: RecordedDecision, counterfactuals: Counterfactuals): string[] {
  const { verdict, evidence } = recorded.decision
  if (!evidence.supported) return []
  const isBySignals = verdict !== 'GO' && (verdict === evidence.band || evidence.fired.length > 0)
  return [
    ...(isBySignals ? cureSentences(counterfactuals) : []),
    ...amountSentences(recorded, counterfactuals),
  ]
}

function cureSentences({ decisive }: Counterfactuals): string[] {
  if (decisive.length === 0)
    return ['No single signal, had it been healthy, would have changed the decision.']
  const sentences: string[] = []
  // A healthy signal makes a decision stricter only by a rule that asks for it.
  for (const to of ['GO', 'DEGRADED', 'NO-GO'] as const) {
    const cures = decisive.filter((one) => one.verdict === to).map(({ signal }) => healthyPhraseOf[signal])
    const [only, ...others] = cures
    if (only === undefined) continue
    sentences.push(
      others.length === 0
        ? `With ${only} it would have been ${to}.`
        : `Any one of these would have made it ${to}: ${cures.join('; ')}.`,
    )
  }
  return sentences
}

function amountSentences(
  { currency }: RecordedDecision,
  { largestGoAmount, amountBasis }: Counterfactuals,
): string[] {
  if (amountBasis === 'not_searched') return []
  const faults = amountBasis === 'simulated_with_faults' ? 'With the faults of this test amount, ' : ''
  return [
    largestGoAmount === null
      ? `${faults === '' ? 'No' : `${faults}no`} amount would have been GO.`
      : `${faults === '' ? 'The' : `${faults}the`} largest whole amount that would have been GO is ${moneyText(largestGoAmount, currency)}.`,
  ]
}

/** Formats hundredths of a score as published: `0.96`. */
function points(hundredths: number): string {
  return (hundredths / 100).toFixed(2)
}

const risk = (factor: Factor): string => String(factor.healthThousandths / 1000)
/** Formats hundred-thousandths of the score. */
const share = (contribution: number): string => String(contribution / 100_000)
