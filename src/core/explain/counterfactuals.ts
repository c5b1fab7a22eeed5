/** Counterfactuals of a decision: changes one input and decides again. */

import { verdictOf } from '../decision/decide.ts'
import { recomputeDecision, isReproducible, type RecordedDecision } from './recorded-decision.ts'
import { profileGoFloorHundredths, profileLabels, profileNames, viewIn } from '../decision/profiles.ts'
import { moneyText } from './wording.ts'
import { goFloorHundredths, type Verdict } from '../decision/score.ts'
import {
  healthyPhraseOf,
  withHealthy,
  signalNames,
  type Readings,
  type SignalName,
} from '../decision/signals.ts'
import { simulate } from '../shadow/simulation.ts'
import { scenarioOf } from '../shadow/test-amounts.ts'

interface Counterfactual {
  readonly kind: 'signal' | 'partner' | 'telemetry' | 'amount' | 'profile'
  /** The change, as a sentence. */
  readonly change: string
  readonly verdict: Verdict
  readonly scoreHundredths: number
  /** Only by a profile: its `GO` ignores the review cap. */
  readonly capNotApplied?: boolean
}

/** Readings for other amounts: simulated, simulated with a test amount's faults, or held as recorded. */
type AmountBasis = 'simulated' | 'simulated_with_faults' | 'held'

export interface Counterfactuals {
  readonly items: readonly Counterfactual[]
  /** Signals that change the decision when only they are healthy, with the resulting verdict. */
  readonly decisive: readonly { readonly signal: SignalName; readonly verdict: Verdict }[]
  /** In whole units of the request's currency; null when no amount is `GO`. */
  readonly largestGoAmount: number | null
  readonly amountBasis: AmountBasis
}

/** Null when this engine does not reproduce the decision. */
export function counterfactualsOf(recorded: RecordedDecision): Counterfactuals | null {
  if (!isReproducible(recorded)) return null
  const decisive: { signal: SignalName; verdict: Verdict }[] = []
  const items: Counterfactual[] = []
  for (const signal of isSettledBySignals(recorded) ? signalNames : []) {
    const other = recomputeDecision(recorded, { readings: withHealthy(recorded.readings, [signal]) })
    if (other.verdict === recorded.decision.verdict) continue
    decisive.push({ signal, verdict: other.verdict })
    items.push({
      kind: 'signal',
      change: `With ${healthyPhraseOf[signal]} (${signal} at 1).`,
      verdict: other.verdict,
      scoreHundredths: other.scoreHundredths,
    })
  }
  items.push(...partnerItems(recorded))
  if (recorded.telemetry !== null) items.push(telemetryItem(recorded))
  const { readingsAt, basis } = otherAmounts(recorded)
  const largest = largestGo(recorded, readingsAt)
  if (largest !== null) items.push(amountItem(recorded, largest))
  return {
    items: [...items, ...profileItems(recorded)],
    decisive,
    largestGoAmount: largest?.amount ?? null,
    amountBasis: basis,
  }
}

/** Whether healthier signals could raise the decision: it is not `GO`, and no cap or missing data holds it down. */
function isSettledBySignals({ decision }: RecordedDecision): boolean {
  const { band, gate, supported } = decision.evidence
  return decision.verdict !== 'GO' && verdictOf('GO', gate, supported) !== verdictOf(band, gate, supported)
}

type ReadingsAt = (amount: number) => Readings

/** The simulation gives readings for any amount; live readings are held constant for other amounts. */
function otherAmounts(recorded: RecordedDecision): { readingsAt: ReadingsAt; basis: AmountBasis } {
  const scenario = recorded.hasTestAmounts ? scenarioOf(recorded.amount) : null
  const { corridor, currency } = recorded
  const readingsAt: ReadingsAt = (amount) => simulate({ corridor, amount, currency }, scenario)
  const isSimulated =
    recorded.source === 'simulation' && isSame(simulate(recorded, scenario), recorded.readings)
  if (!isSimulated) return { readingsAt: () => recorded.readings, basis: 'held' }
  return { readingsAt, basis: scenario === null ? 'simulated' : 'simulated_with_faults' }
}

/** Ignores the risk value of an open fraud flag: the scorer caps it, so the recorded value may be lower. */
function isSame(left: Readings, right: Readings): boolean {
  return (
    left.fraudFlagCount === right.fraudFlagCount &&
    signalNames.every(
      (signal) =>
        left[signal].healthThousandths === right[signal].healthThousandths ||
        (signal === 'fraud_flags' && left.fraudFlagCount > 0),
    )
  )
}

interface GoAmount {
  readonly amount: number
  readonly scoreHundredths: number
}

/** Binary search: no amount above the review cap is `GO`, and the score never rises with the amount. */
function largestGo(recorded: RecordedDecision, readingsAt: ReadingsAt): GoAmount | null {
  const scoreIfGo = (amount: number): number | null => {
    const { verdict, scoreHundredths } = recomputeDecision(recorded, { amount, readings: readingsAt(amount) })
    return verdict === 'GO' ? scoreHundredths : null
  }
  // Tries the two ends first: mostly the cap itself is GO, and if 0 is not GO, no amount is.
  let tooMuch = Math.floor(Math.min(recorded.decision.evidence.cap.reviewAbove, largestTaken(recorded)))
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

/** The largest amount that a partner with the score for `GO` takes. */
function largestTaken({ partners }: RecordedDecision): number {
  if (partners === null) return Infinity
  const fit = partners.ranked.filter(({ scoreHundredths }) => scoreHundredths >= goFloorHundredths)
  return Math.max(0, ...fit.map(({ amountMax }) => amountMax ?? Infinity))
}

function amountItem({ currency }: RecordedDecision, { amount, scoreHundredths }: GoAmount): Counterfactual {
  const change = `With ${moneyText(amount, currency)}, the largest whole amount that would have been GO.`
  return { kind: 'amount', change, verdict: 'GO', scoreHundredths }
}

/** The results of the other partners, as they were ranked. */
function partnerItems({ partners }: RecordedDecision): Counterfactual[] {
  return (partners?.ranked.slice(1) ?? []).map(({ partner, verdict, scoreHundredths }) => ({
    kind: 'partner',
    change: `Through ${partner}.`,
    verdict,
    scoreHundredths,
  }))
}

function telemetryItem(recorded: RecordedDecision): Counterfactual {
  const { verdict, scoreHundredths } = recomputeDecision(recorded, { telemetry: null })
  return { kind: 'telemetry', change: 'Without corridor telemetry.', verdict, scoreHundredths }
}

/** Decisions use the balanced profile, so only the others are listed. Only thresholds are compared, as in the demo. */
function profileItems({ decision, revision }: RecordedDecision): Counterfactual[] {
  return profileNames
    .filter((profile) => profile !== 'balanced')
    .map((profile) => {
      const view = viewIn(profile, decision)
      // Exports of revision 1 do not say so, and must stay verifiable.
      const capNotApplied = view.capNotApplied && revision > 1
      const from = (profileGoFloorHundredths[profile] / 100).toFixed(2)
      const cap = capNotApplied
        ? ' The review cap was not applied here; with it the payment is DEGRADED.'
        : ''
      return {
        kind: 'profile',
        change: `In the ${profileLabels[profile].toLowerCase()} profile, by its threshold alone: GO from ${from}.${cap}`,
        verdict: view.verdict,
        scoreHundredths: decision.scoreHundredths,
        capNotApplied,
      }
    })
}
