/** A decision in words: one paragraph that a payments operator understands, and a sentence for each signal. */

import type { Counterfactuals } from './counterfactuals.ts'
import type { RecordedDecision } from './recorded-decision.ts'
import { joinList, moneyText } from './wording.ts'
import { signalReasonCode } from '../decision/reasons.ts'
import {
  degradedFloorHundredths,
  goFloorHundredths,
  penaltyFlagCount,
  type Factor,
  type Verdict,
} from '../decision/score.ts'
import { cureOf, labelOf, titleOf } from '../decision/signals.ts'

/** Null for `counterfactuals`: none can be told. */
export function summaryOf(kept: RecordedDecision, counterfactuals: Counterfactuals | null): string {
  const sentences = [opening(kept), ...ruleSentences(kept), ...signalSentences(kept)]
  if (counterfactuals !== null) sentences.push(...otherwise(kept, counterfactuals))
  return sentences.join(' ')
}

export function factorMessage(factor: Factor, { decision, weightPercent }: RecordedDecision): string {
  const code = signalReasonCode[factor.signal]
  const flagged = decision.reasons.find((reason) => reason.code === code)
  if (flagged !== undefined) return flagged.message
  const most = weightPercent[factor.signal] / 100
  const title = titleOf[factor.signal]
  const state = `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${labelOf(factor.riskThousandths)} at ${risk(factor)}`
  return `${state}, which adds ${share(factor.contribution)} of at most ${most}.`
}

function opening({ corridor, amount, currency, decision }: RecordedDecision): string {
  const what =
    amount === null ? 'a payment of no stated amount' : `a payment of ${moneyText(amount, currency)}`
  return `${decision.verdict}: ${what} on ${corridor}, with a score of ${points(decision.scoreHundredths)}.`
}

/** What settled it: a rule where one did, otherwise the band of the score. */
function ruleSentences(kept: RecordedDecision): string[] {
  const { corridor, currency, decision } = kept
  const { gate, cap, supported, band } = decision.evidence
  const review = `no payment above ${moneyText(cap.reviewAbove, currency)} is GO`
  const besides = `Besides, ${review}.`
  if (gate === 'block') {
    const block = `Every payment above ${moneyText(cap.blockAbove, currency)} is NO-GO, whatever its score.`
    return supported ? [block] : [block, `There is no data for ${corridor}, which is no sign of risk.`]
  }
  if (!supported) {
    const none = `There is no data for ${corridor}, which is no sign of risk: without data no payment is GO.`
    return gate === 'none' ? [none] : [none, besides]
  }
  if (gate === 'none') return [bandText[band], 'No policy cap applies.']
  return band === 'GO'
    ? [`By its score it is GO, but ${review}: it goes to manual approval.`]
    : [bandText[band], besides]
}

const bandText: Readonly<Record<Verdict, string>> = {
  GO: `GO starts at ${points(goFloorHundredths)}.`,
  DEGRADED: `A score from ${points(degradedFloorHundredths)} to ${points(goFloorHundredths - 1)} is DEGRADED.`,
  'NO-GO': `A score below ${points(degradedFloorHundredths)} is NO-GO.`,
}

function signalSentences(kept: RecordedDecision): string[] {
  const { factors, score, supported } = kept.decision.evidence
  if (!supported) return []
  const flagged = factors.filter((factor) => factor.flagged)
  const told = flagged.length === 0 ? [`No signal is flagged; ${costliest(kept)}.`] : [flaggedText(flagged)]
  if (score.penaltyApplied) {
    told.push(`With ${penaltyFlagCount} or more flagged at once, a quarter of the score is taken off.`)
  }
  return [...told, ...telemetrySentences(kept)]
}

function flaggedText(flagged: readonly Factor[]): string {
  const names = flagged.map((factor) => `${titleOf[factor.signal]} (risk value ${risk(factor)})`)
  return `Flagged: ${joinList(names)}.`
}

/** The signal that keeps the most of its share from the score. */
function costliest({ decision, weightPercent }: RecordedDecision): string {
  const { factors } = decision.evidence
  const lost = (factor: Factor): number => weightPercent[factor.signal] * 1000 - factor.contribution
  const worst = factors.reduce((most, factor) => (lost(factor) > lost(most) ? factor : most))
  return lost(worst) === 0
    ? 'every one adds all that it can'
    : `the ${titleOf[worst.signal]} falls short the most, by ${share(lost(worst))}`
}

function telemetrySentences({ decision, telemetry }: RecordedDecision): string[] {
  if (telemetry === null) return []
  const weight = `Corridor telemetry has a weight of ${points(telemetry.weightPercent)}`
  const shift = decision.evidence.score.telemetryShift / 10_000_000
  if (shift !== 0)
    return [`${weight} and ${shift > 0 ? 'raised' : 'lowered'} the composite by ${Math.abs(shift)}.`]
  const isFraud = decision.evidence.factors.some(({ signal, flagged }) => flagged && signal === 'fraud_flags')
  return [
    `${weight}${isFraud ? ', but it never lifts a payment with an open fraud flag' : ' and moved nothing'}.`,
  ]
}

/** What would have changed it, where the score settled it; and how far an amount could go. */
function otherwise({ decision, currency }: RecordedDecision, found: Counterfactuals): string[] {
  const { verdict, evidence } = decision
  const { decisive, largestGoAmount } = found
  if (!evidence.supported) return []
  const told: string[] = []
  if (verdict !== 'GO' && verdict === evidence.band) {
    for (const to of ['GO', 'DEGRADED'] as const) {
      const cures = decisive.filter((one) => one.verdict === to).map(({ signal }) => cureOf[signal])
      const [only, ...others] = cures
      if (only === undefined) continue
      told.push(
        others.length === 0
          ? `With ${only} it would have been ${to}.`
          : `Any one of these would have made it ${to}: ${cures.join('; ')}.`,
      )
    }
    if (decisive.length === 0)
      told.push('No single signal, had it been healthy, would have changed the decision.')
  }
  const faults = found.amountBasis === 'simulated_with_faults' ? 'With the faults of this test amount, ' : ''
  const amount =
    largestGoAmount === null
      ? `${faults === '' ? 'As it was, ' : faults}no amount would have been GO.`
      : `${faults === '' ? 'The' : `${faults}the`} largest whole amount that would have been GO is ${moneyText(largestGoAmount, currency)}.`
  told.push(amount)
  return told
}

/** Hundredths of a score, as it is published. */
function points(hundredths: number): string {
  return (hundredths / 100).toFixed(2)
}

const risk = (factor: Factor): string => String(factor.riskThousandths / 1000)
/** Of the score, from hundred-thousandths. */
const share = (contribution: number): string => String(contribution / 100_000)
