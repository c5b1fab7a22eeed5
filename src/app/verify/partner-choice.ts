/** Decides on what was read: once, or for each partner of a declared corridor, of which the best is the answer. */

import type { DecideInput, DecideStage, Decision } from '../../core/decision/decide.ts'
import { decide } from '../../core/decision/decide.ts'
import { signalNames, type Readings, type SignalName } from '../../core/decision/signals.ts'
import type { Verdict } from '../../core/decision/score.ts'
import { feeAmount, type FeeRule } from '../../core/live/fee.ts'
import { rankReadings, type RankedPartner } from '../../core/live/partner-order.ts'
import type { Currency } from '../../core/reference/currency.ts'
import type {
  Candidate,
  FeedEvidence,
  PartnerChoice,
  PartnersRead,
  SignalReport,
  SignalsRead,
} from '../ports/signals.ts'

/** A decision with the readings that it was made on. */
export interface Chosen {
  readonly decision: Decision
  readonly read: SignalsRead
  /** Set for a corridor with declared partners. */
  readonly partners?: PartnersEvidence
}

type Payment = Omit<DecideInput, 'readings' | 'supported' | 'telemetry'>

export function decideOn(
  report: Exclude<SignalReport, { kind: 'unavailable' }>,
  payment: Payment,
  mark?: (stage: DecideStage) => void,
): Chosen {
  const { telemetry = null } = report
  if (report.kind === 'read') {
    const { supported, readings } = report
    return { decision: decide({ ...payment, supported, readings, telemetry }, mark), read: report }
  }
  const ranked = rankChoice(report, { ...payment, telemetry }, mark)
  const [best] = ranked
  if (best === undefined) throw new Error('a report of partners has at least one')
  const { partner, readings, feeds } = best.read
  return {
    decision: best.decision,
    read: {
      ...sharedOf(report),
      kind: 'read',
      source: 'live',
      supported: true,
      readings,
      feeds,
      recommendedPartner: report.isTooLarge ? null : partner,
    },
    partners: evidenceOf(ranked, report),
  }
}

/** Best first. */
export function rankChoice(
  { candidates, toleranceHundredths }: PartnerChoice,
  payment: Omit<DecideInput, 'readings' | 'supported'>,
  mark?: (stage: DecideStage) => void,
): RankedPartner<Candidate>[] {
  return rankReadings({ ...payment, supported: true }, candidates, toleranceHundredths, mark)
}

function sharedOf({ volatility, settlementCurrency, corridor, telemetry }: PartnersRead) {
  return {
    volatility,
    settlementCurrency,
    ...(corridor === undefined ? {} : { corridor }),
    ...(telemetry === undefined ? {} : { telemetry }),
  }
}

/** The recorded results of all partners. Lists of seven are in the order of `signalNames`. */
export interface PartnersEvidence {
  readonly tolerance_hundredths: number
  /** No partner takes the amount, so liquidity counts as none and nobody is recommended. */
  readonly too_large?: true
  /** Best first: the first is the answer. */
  readonly ranked: readonly {
    readonly partner: string
    readonly decision: Verdict
    readonly score_hundredths: number
    /** Null if no fee is declared. `amount` is null if it is not known for this payment. */
    readonly fee: {
      readonly fixed: number
      readonly percent: number
      readonly currency: Currency
      readonly amount: number | null
    } | null
    /** Absent if it takes any amount. */
    readonly amount_max?: number
    readonly fraud_flags: number
    readonly failure_permille: number
    readonly risk_thousandths: readonly number[]
    readonly confidence_percent: readonly number[]
    readonly feeds: readonly FeedEvidence[]
  }[]
  readonly left_out: readonly {
    readonly partner: string
    /** Set if the amount was above it. */
    readonly amount_max?: number
    readonly unavailable: readonly SignalName[]
  }[]
}

function evidenceOf(
  ranked: readonly RankedPartner<Candidate>[],
  { toleranceHundredths, isTooLarge, leftOut }: PartnerChoice,
): PartnersEvidence {
  return {
    tolerance_hundredths: toleranceHundredths,
    ...(isTooLarge ? { too_large: true as const } : {}),
    ranked: ranked.map(({ read, fee, decision }) => ({
      partner: read.partner,
      decision: decision.verdict,
      score_hundredths: decision.scoreHundredths,
      fee: read.feeRule === null ? null : { ...read.feeRule, amount: fee === null ? null : feeAmount(fee) },
      ...(read.amountMax === null ? {} : { amount_max: read.amountMax }),
      fraud_flags: read.readings.fraudFlagCount,
      failure_permille: read.readings.failureRatePermille,
      risk_thousandths: signalNames.map((signal) => read.readings[signal].healthThousandths),
      confidence_percent: signalNames.map((signal) => read.readings[signal].confidencePercent),
      feeds: read.feeds,
    })),
    left_out: leftOut.map(({ partner, amountMax, signals }) => ({
      partner,
      ...(amountMax === null ? {} : { amount_max: amountMax }),
      unavailable: signals,
    })),
  }
}

/** The inverse of `evidenceOf`: the choice that led to the recorded results. */
export function choiceOf(evidence: PartnersEvidence): PartnerChoice {
  return {
    toleranceHundredths: evidence.tolerance_hundredths,
    isTooLarge: evidence.too_large === true,
    candidates: evidence.ranked.map(({ partner, fee, feeds, amount_max: amountMax = null, ...recorded }) => ({
      partner,
      amountMax,
      feeRule: fee === null ? null : feeRuleOf(fee),
      readings: readingsOf(recorded),
      feeds,
    })),
    leftOut: evidence.left_out.map(({ partner, amount_max: amountMax = null, unavailable }) => ({
      partner,
      amountMax,
      signals: unavailable,
    })),
  }
}

const feeRuleOf = ({ fixed, percent, currency }: FeeRule): FeeRule => ({ fixed, percent, currency })

function readingsOf(
  recorded: Pick<
    PartnersEvidence['ranked'][number],
    'risk_thousandths' | 'confidence_percent' | 'fraud_flags' | 'failure_permille'
  >,
): Readings {
  const bySignal = signalNames.map((signal, place) => [
    signal,
    {
      healthThousandths: recorded.risk_thousandths[place] ?? 0,
      confidencePercent: recorded.confidence_percent[place] ?? 0,
    },
  ])
  return {
    ...(Object.fromEntries(bySignal) as Omit<Readings, 'fraudFlagCount' | 'failureRatePermille'>),
    fraudFlagCount: recorded.fraud_flags,
    failureRatePermille: recorded.failure_permille,
  }
}
