/** What would have been decided otherwise: one thing changed, and the one scorer asked again. */

import { verdictOf } from '../decision/decide.ts'
import { decideAgain, isReproducible, type RecordedDecision } from './recorded-decision.ts'
import { profileGoFloorHundredths, profileLabels, profileNames, viewIn } from '../decision/profiles.ts'
import { moneyText } from './wording.ts'
import type { Verdict } from '../decision/score.ts'
import { cureOf, healed, signalNames, type Readings, type SignalName } from '../decision/signals.ts'
import { simulate } from '../shadow/simulation.ts'
import { scenarioOf } from '../shadow/test-amounts.ts'

interface Counterfactual {
  readonly kind: 'signal' | 'telemetry' | 'amount' | 'profile'
  /** A sentence. */
  readonly change: string
  readonly verdict: Verdict
  readonly scoreHundredths: number
}

/** How the readings of another amount are known; a test amount goes on with its faults. */
type AmountBasis = 'simulated' | 'simulated_with_faults' | 'held'

export interface Counterfactuals {
  readonly items: readonly Counterfactual[]
  /** The signals each of which, made healthy alone, changes the decision, and to what. */
  readonly decisive: readonly { readonly signal: SignalName; readonly verdict: Verdict }[]
  /** In whole units of the request's currency; null where no amount is `GO`. */
  readonly largestGoAmount: number | null
  readonly amountBasis: AmountBasis
}

/** Null where this engine is not the one that decided: it cannot speak for another. */
export function counterfactualsOf(kept: RecordedDecision): Counterfactuals | null {
  if (!isReproducible(kept)) return null
  const decisive: { signal: SignalName; verdict: Verdict }[] = []
  const items: Counterfactual[] = []
  for (const signal of isSettledBySignals(kept) ? signalNames : []) {
    const other = decideAgain(kept, { readings: healed(kept.readings, [signal]) })
    if (other.verdict === kept.decision.verdict) continue
    decisive.push({ signal, verdict: other.verdict })
    items.push({
      kind: 'signal',
      change: `With ${cureOf[signal]} (${signal} at 1).`,
      verdict: other.verdict,
      scoreHundredths: other.scoreHundredths,
    })
  }
  if (kept.telemetry !== null) items.push(telemetryItem(kept))
  const { readingsAt, basis } = otherAmounts(kept)
  const largest = largestGo(kept, readingsAt)
  if (largest !== null) items.push(amountItem(kept, largest))
  return {
    items: [...items, ...profileItems(kept)],
    decisive,
    largestGoAmount: largest?.amount ?? null,
    amountBasis: basis,
  }
}

/** Signals can only lift a decision, and only where no rule holds it down: a cap, or missing data. */
function isSettledBySignals({ decision }: RecordedDecision): boolean {
  const { band, gate, supported } = decision.evidence
  return decision.verdict !== 'GO' && verdictOf('GO', gate, supported) !== verdictOf(band, gate, supported)
}

type ReadingsAt = (amount: number) => Readings

/** The shadow world can be asked again for any amount; what a live feed said of one amount is held for the others. */
function otherAmounts(kept: RecordedDecision): { readingsAt: ReadingsAt; basis: AmountBasis } {
  const scenario = scenarioOf(kept.amount)
  const { corridor, currency } = kept
  const readingsAt: ReadingsAt = (amount) => simulate({ corridor, amount, currency }, scenario)
  const isOurs = kept.source === 'simulation' && isSame(simulate(kept, scenario), kept.readings)
  if (!isOurs) return { readingsAt: () => kept.readings, basis: 'held' }
  return { readingsAt, basis: scenario === null ? 'simulated' : 'simulated_with_faults' }
}

/** An open fraud flag bounds its own value, so what was weighed may be less than what was read. */
function isSame(left: Readings, right: Readings): boolean {
  return (
    left.fraudFlagCount === right.fraudFlagCount &&
    signalNames.every(
      (signal) =>
        left[signal].riskThousandths === right[signal].riskThousandths ||
        (signal === 'fraud_flags' && left.fraudFlagCount > 0),
    )
  )
}

interface GoAmount {
  readonly amount: number
  readonly scoreHundredths: number
}

/**
 * No amount above the review cap is `GO`, and the score never rises with the amount: so the largest one is found by
 * halving what is left.
 */
function largestGo(kept: RecordedDecision, readingsAt: ReadingsAt): GoAmount | null {
  const scoreIfGo = (amount: number): number | null => {
    const { verdict, scoreHundredths } = decideAgain(kept, { amount, readings: readingsAt(amount) })
    return verdict === 'GO' ? scoreHundredths : null
  }
  // The cap itself is most often what binds; and where nothing at all is GO, no amount is.
  let tooMuch = Math.floor(kept.decision.evidence.cap.reviewAbove)
  const most = scoreIfGo(tooMuch)
  if (most !== null) return { amount: tooMuch, scoreHundredths: most }
  const least = scoreIfGo(0)
  if (least === null) return null
  let best: GoAmount = { amount: 0, scoreHundredths: least }
  while (tooMuch - best.amount > 1) {
    const amount = Math.floor((best.amount + tooMuch) / 2)
    const scoreHundredths = scoreIfGo(amount)
    if (scoreHundredths === null) tooMuch = amount
    else best = { amount, scoreHundredths }
  }
  return best
}

function amountItem({ currency }: RecordedDecision, { amount, scoreHundredths }: GoAmount): Counterfactual {
  const change = `With ${moneyText(amount, currency)}, the largest whole amount that would have been GO.`
  return { kind: 'amount', change, verdict: 'GO', scoreHundredths }
}

function telemetryItem(kept: RecordedDecision): Counterfactual {
  const { verdict, scoreHundredths } = decideAgain(kept, { telemetry: null })
  return { kind: 'telemetry', change: 'Without corridor telemetry.', verdict, scoreHundredths }
}

/** The decision itself is that of the balanced profile. Thresholds alone are compared, as the demo does. */
function profileItems({ decision }: RecordedDecision): Counterfactual[] {
  return profileNames
    .filter((profile) => profile !== 'balanced')
    .map((profile) => ({
      kind: 'profile',
      change: `In the ${profileLabels[profile].toLowerCase()} profile, by its threshold alone: GO from ${(profileGoFloorHundredths[profile] / 100).toFixed(2)}.`,
      verdict: viewIn(profile, decision).verdict,
      scoreHundredths: decision.scoreHundredths,
    }))
}
