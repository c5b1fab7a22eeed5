/** The scorer: takes readings and returns a decision with its evidence. Every kind of verification calls it. */

import type { Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import { currentRevision, partnerRequiredFrom, type Revision } from './engine.ts'
import { factsOf, type FactsInput } from './facts.ts'
import { capFor, gateFor, takesAmount, type Cap, type Gate, type Policy } from './policy.ts'
import { actionOf, reasonsFor, type Reason, type RecommendedAction } from './reasons.ts'
import {
  bandOf,
  scoreOf,
  factorsOf,
  type Factor,
  type Floors,
  type Score,
  type Telemetry,
  type Verdict,
} from './score.ts'
import {
  capUnder,
  contractFloors,
  firedRules,
  floorsUnder,
  haveRules,
  strictest,
  type FiredRule,
  type Tightening,
} from './tightening.ts'
import { isFlagged, signalNames, weightPercent, type Readings } from './signals.ts'

export interface DecideInput {
  readonly corridor: Corridor
  /** Whether there is data on the corridor: a simulation, or declared feeds in live mode. */
  readonly supported: boolean
  /** Null when the caller gave no amount; null is not zero. */
  readonly amount: number | null
  readonly currency: Currency
  readonly readings: Readings
  /** The largest amount that a declared partner takes; null or absent without such a limit. */
  readonly amountMax?: number | null
  /** The caps of the contract and of the settings. */
  readonly policy: Policy
  /** Set if a policy of the owner or of the installation is in force. */
  readonly tightening?: Tightening | null
  /** Set only for a live decision in which telemetry has a weight. */
  readonly telemetry?: Telemetry | null
  /** That of the recorded decision, if it is made again. */
  readonly revision?: Revision
}

interface Evidence {
  readonly factors: readonly Factor[]
  readonly score: Score
  readonly floors: Floors
  /** The verdict by score alone. */
  readonly band: Verdict
  readonly gate: Gate
  readonly cap: Cap
  /** The cap without policies. */
  readonly baseCap: Cap
  readonly supported: boolean
  /** No declared partner takes the amount. Always false before revision 6. */
  readonly isTooLarge: boolean
  readonly fired: readonly FiredRule[]
}

export interface Decision {
  readonly verdict: Verdict
  readonly scoreHundredths: number
  readonly confidenceHundredths: number
  readonly reasons: readonly Reason[]
  readonly recommendedAction: RecommendedAction
  readonly evidence: Evidence
}

/** The timed stages of a decision, in the order in which they end. */
export type DecideStage = 'score_computed' | 'policy_applied' | 'reasons_derived'

/** Confidence in an unsupported corridor, as a percentage of that in a supported one. */
const unsupportedConfidencePercent = 40

/** Calls `mark` as each stage ends, so that the caller can time it: the core has no clock. */
export function decide(input: DecideInput, mark: (stage: DecideStage) => void = ignore): Decision {
  const { corridor, supported, amount, currency, readings, policy } = input
  const { amountMax = null, revision = currentRevision } = input

  const factors = factorsOf(readings, (signal) => supported && isFlagged(signal, readings))
  const score = scoreOf(factors, input.telemetry)
  const confidenceHundredths = confidenceOf(readings, supported)
  mark('score_computed')

  const { tightening = null } = input
  const floors = tightening === null ? contractFloors : floorsUnder(tightening.policies)
  const band = bandOf(score.hundredths, floors.goFloor, floors.degradedFloor)
  const baseCap = capFor(policy, currency)
  const cap = tightening === null ? baseCap : capUnder(tightening.policies, currency, baseCap)
  const gate = gateFor(amount, cap)
  const isTooLarge = revision >= partnerRequiredFrom && !takesAmount({ amountMax }, amount)
  const fired =
    tightening === null
      ? noneFired
      : rulesFiredBy(
          { ...input, factors, scoreHundredths: score.hundredths, confidenceHundredths },
          tightening,
        )
  const verdict = strictest(verdictOf({ band, gate, supported, isTooLarge }), fired)
  mark('policy_applied')

  const { fraudFlagCount, failureRatePermille } = readings
  const reasonContext = {
    corridor,
    currency,
    factors,
    fraudFlagCount,
    failureRatePermille,
    supported,
    gate,
    cap,
    isTooLarge,
    amountMax,
    fired,
    verdict,
    revision,
  }
  const reasons = reasonsFor(reasonContext)
  const recommendedAction = actionOf(verdict, reasons)
  mark('reasons_derived')

  return {
    verdict,
    scoreHundredths: score.hundredths,
    confidenceHundredths,
    reasons,
    recommendedAction,
    evidence: { factors, score, floors, band, gate, cap, baseCap, supported, isTooLarge, fired },
  }
}

const noneFired: readonly FiredRule[] = []

function rulesFiredBy(input: FactsInput, { policies, circumstances }: Tightening): readonly FiredRule[] {
  return haveRules(policies) ? firedRules(policies, factsOf(input, circumstances)) : noneFired
}

/** Whether the verdict is `NO-GO` by score, caps or missing data, and not by rules of a policy alone. */
export function isBlockedWithoutRules({ evidence }: Decision): boolean {
  return verdictOf(evidence) === 'NO-GO'
}

type VerdictParts = Pick<Evidence, 'band' | 'gate' | 'supported' | 'isTooLarge'>

/**
 * The verdict without rules of policies. The block cap outweighs missing data, and missing data outweighs the score. The
 * review cap and the lack of a partner only prevent `GO`.
 */
export function verdictOf({ band, gate, supported, isTooLarge }: VerdictParts): Verdict {
  if (gate === 'block') return 'NO-GO'
  if (!supported) return 'DEGRADED'
  return band === 'GO' && (gate === 'review' || isTooLarge) ? 'DEGRADED' : band
}

/** The weighted mean of the readings' confidence; independent of the score. */
function confidenceOf(readings: Readings, supported: boolean): number {
  let sum = 0
  for (const signal of signalNames) sum += weightPercent[signal] * readings[signal].confidencePercent
  return Math.floor((sum * (supported ? 100 : unsupportedConfidencePercent)) / 10_000)
}

function ignore(): void {}
