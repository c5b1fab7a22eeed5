/** Counterfactuals of a decision: changes one input and decides again. */

import { verdictOf, type Decision } from '../decision/decide.ts'
import { contractFloors, haveRules } from '../decision/tightening.ts'
import { recomputeDecision, isReproducible, type RecordedDecision } from './recorded-decision.ts'
import { profileGoFloorHundredths, profileLabels, profileNames, viewIn } from '../decision/profiles.ts'
import { policySides, policyTitle } from './policy-reasons.ts'
import { joinList, moneyText } from './wording.ts'
import type { Verdict } from '../decision/score.ts'
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
  readonly kind: 'signal' | 'partner' | 'telemetry' | 'policy' | 'amount' | 'profile'
  /** The change, as a sentence. */
  readonly change: string
  readonly verdict: Verdict
  readonly scoreHundredths: number
  /** Only by a profile: its `GO` ignores the review cap. */
  readonly capNotApplied?: boolean
}

/**
 * Readings for other amounts: simulated, simulated with a test amount's faults, held as recorded, or those of each partner
 * with its liquidity. Not searched: rules of policies are in force, which may depend on the amount in any way.
 */
type AmountBasis = 'simulated' | 'simulated_with_faults' | 'held' | 'by_partner' | 'not_searched'

export interface Counterfactuals {
  readonly items: readonly Counterfactual[]
  /** Signals that change the decision when only they are healthy, with the resulting verdict. */
  readonly decisive: readonly { readonly signal: SignalName; readonly verdict: Verdict }[]
  /** In whole units of the request's currency; null when no amount is `GO`, or none was searched. */
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
  items.push(...policyItems(recorded))
  const { readingsAt, basis } = otherAmounts(recorded)
  const largest =
    basis === 'by_partner'
      ? largestGoByPartner(recorded)
      : basis === 'not_searched'
        ? null
        : largestGo(recorded, readingsAt)
  if (largest !== null) items.push(amountItem(recorded, largest))
  return {
    items: [...items, ...profileItems(recorded)],
    decisive,
    largestGoAmount: largest?.amount ?? null,
    amountBasis: basis,
  }
}

/**
 * Whether healthier signals could change the decision: it is not `GO`, and no cap, missing partner or missing data alone
 * holds it down. A fired rule may depend on any signal that was read.
 */
function isSettledBySignals({ decision, source }: RecordedDecision): boolean {
  const { evidence } = decision
  if (decision.verdict === 'GO') return false
  const isByRule = evidence.fired.length > 0 && source !== 'none'
  return isByRule || verdictOf({ ...evidence, band: 'GO' }) !== verdictOf(evidence)
}

type ReadingsAt = (amount: number) => Readings

/** The simulation gives readings for any amount; live readings are held constant for other amounts. */
function otherAmounts(recorded: RecordedDecision): { readingsAt: ReadingsAt; basis: AmountBasis } {
  const held: ReadingsAt = () => recorded.readings
  const { tightening } = recorded
  if (tightening !== null && haveRules(tightening.policies))
    return { readingsAt: held, basis: 'not_searched' }
  const scenario = recorded.hasTestAmounts ? scenarioOf(recorded.amount) : null
  const { corridor, currency } = recorded
  const readingsAt: ReadingsAt = (amount) => simulate({ corridor, amount, currency }, scenario)
  const isSimulated =
    recorded.source === 'simulation' && isSame(simulate(recorded, scenario), recorded.readings)
  if (recorded.decision.evidence.isTooLarge) return { readingsAt: held, basis: 'by_partner' }
  if (!isSimulated) return { readingsAt: held, basis: 'held' }
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
  /** Set if it is that of one partner. */
  readonly partner?: string
}

/** Each partner at the most that it takes: its readings are held, so a smaller amount would be no different. */
function largestGoByPartner(recorded: RecordedDecision): GoAmount | null {
  const { reviewAbove } = recorded.decision.evidence.cap
  let best: GoAmount | null = null
  for (const { partner, amountMax, readingsWithin: readings } of recorded.partners?.ranked ?? []) {
    if (readings === undefined) continue
    const amount = Math.floor(Math.min(amountMax ?? Infinity, reviewAbove))
    const { verdict, scoreHundredths } = recomputeDecision(recorded, { amount, readings })
    if (verdict === 'GO' && amount > (best?.amount ?? -1)) best = { amount, scoreHundredths, partner }
  }
  return best
}

/** Binary search: no amount above the review cap is `GO`, and the score never rises with the amount. */
function largestGo(recorded: RecordedDecision, readingsAt: ReadingsAt): GoAmount | null {
  const scoreIfGo = (amount: number): number | null => {
    const { verdict, scoreHundredths } = recomputeDecision(recorded, { amount, readings: readingsAt(amount) })
    return verdict === 'GO' ? scoreHundredths : null
  }
  // Tries the two ends first: mostly the cap itself is GO, and if 0 is not GO, no amount is.
  let tooMuch = Math.floor(Math.min(recorded.decision.evidence.cap.reviewAbove, largestTakenForGo(recorded)))
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
function largestTakenForGo({ partners, decision }: RecordedDecision): number {
  if (partners === null) return Infinity
  const { goFloor } = decision.evidence.floors
  const fit = partners.ranked.filter(({ scoreHundredths }) => scoreHundredths >= goFloor)
  return Math.max(0, ...fit.map(({ amountMax }) => amountMax ?? Infinity))
}

function amountItem(
  { currency }: RecordedDecision,
  { amount, scoreHundredths, partner }: GoAmount,
): Counterfactual {
  const through = partner === undefined ? '' : ` through ${partner}`
  const change = `With ${moneyText(amount, currency)}${through}, the largest whole amount that would have been GO.`
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

/** The decision without each policy in force. It stays with its partner: the readings of the others are not held. */
function policyItems(recorded: RecordedDecision): Counterfactual[] {
  const { tightening, partners } = recorded
  if (tightening === null) return []
  const { policies } = tightening
  const [first, ...others] = partners?.ranked ?? []
  const through = first === undefined || others.length === 0 ? '' : `, through ${first.partner}`
  return policySides.flatMap((side): Counterfactual[] => {
    const policy = policies[side]
    if (policy === null) return []
    const without = { ...tightening, policies: { ...policies, [side]: null } }
    const { verdict, scoreHundredths } = recomputeDecision(recorded, { tightening: without })
    const change = `Without ${policyTitle(side, policy.name)}${through}.`
    return [{ kind: 'policy', change, verdict, scoreHundredths }]
  })
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
      const left = notApplied(decision)
      return {
        kind: 'profile',
        change: `In the ${profileLabels[profile].toLowerCase()} profile, by its threshold alone: GO from ${from}.${cap}${left}`,
        verdict: view.verdict,
        scoreHundredths: decision.scoreHundredths,
        capNotApplied,
      }
    })
}

/** Names the parts of policies that acted on the decision, and do not in a profile. */
function notApplied({ evidence: { floors, fired } }: Decision): string {
  const isStricter =
    floors.goFloor > contractFloors.goFloor || floors.degradedFloor > contractFloors.degradedFloor
  const parts = [...(isStricter ? ['floors'] : []), ...(fired.length > 0 ? ['rules'] : [])]
  if (parts.length === 0) return ''
  const names = joinList(parts)
  return ` ${names.charAt(0).toUpperCase()}${names.slice(1)} of policies were not applied here.`
}
