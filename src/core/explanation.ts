/** A decision in words: one paragraph that a payments operator understands, and a sentence for each signal. */

import type { Counterfactuals } from './counterfactuals.ts'
import type { KeptDecision } from './kept-decision.ts'
import { listed } from './profiles.ts'
import { signalReasonCode, thousands } from './reasons.ts'
import { degradedFloorHundredths, goFloorHundredths, penaltyFlagCount, type Factor } from './score.ts'
import { labelOf, titleOf } from './signals.ts'

/** Null for `counterfactuals`: none can be told. */
export function summaryOf(kept: KeptDecision, counterfactuals: Counterfactuals | null): string {
  const sentences = [opening(kept), ...signalSentences(kept), ...ruleSentences(kept)]
  if (counterfactuals !== null) sentences.push(...otherwise(kept, counterfactuals))
  return sentences.join(' ')
}

export function factorMessage(factor: Factor, { decision, weightPercent }: KeptDecision): string {
  const code = signalReasonCode[factor.signal]
  const flagged = decision.reasons.find((reason) => reason.code === code)
  if (flagged !== undefined) return flagged.message
  const most = weightPercent[factor.signal] / 100
  const title = titleOf[factor.signal]
  const state = `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${labelOf(factor.riskThousandths)} at ${risk(factor)}`
  return `${state}, which adds ${share(factor.contribution)} of at most ${most}.`
}

function opening({ corridor, amount, currency, decision }: KeptDecision): string {
  const { verdict, scoreHundredths } = decision
  const what =
    amount === null
      ? `A payment on ${corridor}`
      : `This payment of ${thousands(amount)} ${currency} on ${corridor}`
  return `${verdict}: ${what} scored ${points(scoreHundredths)} of 1.00, where ${bandText(scoreHundredths)}.`
}

function bandText(scoreHundredths: number): string {
  if (scoreHundredths >= goFloorHundredths) return `GO starts at ${points(goFloorHundredths)}`
  if (scoreHundredths >= degradedFloorHundredths) {
    return `${points(degradedFloorHundredths)} to ${points(goFloorHundredths - 1)} is DEGRADED`
  }
  return `anything below ${points(degradedFloorHundredths)} is NO-GO`
}

function signalSentences({ decision, weightPercent }: KeptDecision): string[] {
  const { factors, score, supported } = decision.evidence
  if (!supported) return []
  const flagged = factors.filter((factor) => factor.flagged)
  if (flagged.length === 0) return [`No signal is flagged; ${costliest(factors, weightPercent)}.`]
  const names = flagged.map((factor) => `${titleOf[factor.signal]} (${risk(factor)})`)
  const told = `Flagged ${flagged.length === 1 ? 'is' : 'are'} the ${listed(names)}; ${costliest(factors, weightPercent)}.`
  if (!score.penaltyApplied) return [told]
  return [told, `With ${penaltyFlagCount} or more flagged at once, a quarter of the score is taken off.`]
}

/** The signal that keeps the most of its share from the score. */
function costliest(factors: readonly Factor[], weightPercent: KeptDecision['weightPercent']): string {
  const lost = (factor: Factor): number => weightPercent[factor.signal] * 1000 - factor.contribution
  const worst = factors.reduce((most, factor) => (lost(factor) > lost(most) ? factor : most))
  return lost(worst) === 0
    ? 'every one adds all that it can'
    : `most is lost to the ${titleOf[worst.signal]}, ${share(lost(worst))}`
}

function ruleSentences({ corridor, currency, decision, telemetry }: KeptDecision): string[] {
  const { gate, cap, supported, band } = decision.evidence
  const told: string[] = []
  if (telemetry !== null) {
    told.push(`Corridor telemetry is ${telemetry.weightPercent}% of this score.`)
  }
  if (!supported) {
    told.push(
      `There is no data for ${corridor}, which is no sign of risk: it is DEGRADED by rule, whatever the score.`,
    )
  }
  if (gate === 'block') told.push(`Above ${thousands(cap.blockAbove)} ${currency} every payment is NO-GO.`)
  else if (gate === 'review') {
    const most = band === 'GO' ? 'so GO became DEGRADED' : 'which changed nothing here'
    told.push(`Above ${thousands(cap.reviewAbove)} ${currency} no payment is GO without approval, ${most}.`)
  } else if (supported) told.push('No policy cap applies.')
  return told
}

function otherwise({ decision, currency }: KeptDecision, found: Counterfactuals): string[] {
  const told: string[] = []
  const { decisive, largestGoAmount } = found
  if (decision.verdict !== 'GO') {
    const names = decisive.map((signal) => titleOf[signal])
    told.push(
      names.length === 0
        ? 'No single signal, had it been healthy, would have changed the decision.'
        : `Had the ${names.join(', or the ')} been healthy, the decision would have been another.`,
    )
  }
  told.push(
    largestGoAmount === null
      ? 'No amount would have been GO.'
      : `Up to ${thousands(largestGoAmount)} ${currency} it would have been GO.`,
  )
  return told
}

const points = (hundredths: number): string => (hundredths / 100).toFixed(2)
const risk = (factor: Factor): string => String(factor.riskThousandths / 1000)
/** Of the score, from hundred-thousandths. */
const share = (contribution: number): string => String(contribution / 100_000)
