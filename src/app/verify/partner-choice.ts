/** Decides on what was read: once, or for each partner of a declared corridor, of which the best is the answer. */

import type { DecideInput, DecideStage, Decision } from '../../core/decision/decide.ts'
import { decide, isBlockedWithoutRules } from '../../core/decision/decide.ts'
import type { Circumstances } from '../../core/decision/facts.ts'
import { signalNames, type Reading, type SignalName } from '../../core/decision/signals.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { PoliciesInForce } from '../policy/in-force.ts'
import { feeAmount, type FeeRule } from '../../core/live/fee.ts'
import { largestTaken, rankReadings, type RankedPartner } from '../../core/live/partner-order.ts'
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
  /** The policies that it was made under, if there are any. */
  readonly under: Under | null
  /** `NO-GO` also without the rules of policies, through whichever partner. */
  readonly isBlocked: boolean
}

/** Policies in force, and the circumstances that their rules may ask for. */
export interface Under {
  readonly policies: PoliciesInForce
  readonly circumstances: Circumstances
}

/** The circumstances that do not come from a report of signals. */
interface Moment extends Pick<Circumstances, 'mode' | 'isCalendarOpen' | 'atMs'> {
  readonly policies: PoliciesInForce | null
}

export interface Payment extends Omit<
  DecideInput,
  'readings' | 'supported' | 'amountMax' | 'telemetry' | 'tightening'
> {
  /** Absent where policies do not act. */
  readonly moment?: Moment
}

export function decideOn(
  report: Exclude<SignalReport, { kind: 'unavailable' }>,
  payment: Payment,
  mark?: (stage: DecideStage) => void,
): Chosen {
  const { telemetry = null } = report
  const tightening = payment.moment === undefined ? null : tighteningOf(report, payment.moment)
  if (report.kind === 'read') {
    const { supported, readings } = report
    const decision = decide({ ...payment, tightening, supported, readings, telemetry }, mark)
    return { decision, read: report, under: tightening, isBlocked: isBlockedWithoutRules(decision) }
  }
  const ranked = rankChoice(report, { ...payment, tightening, telemetry }, mark)
  const [best] = ranked
  if (best === undefined) throw new Error('a report of partners has at least one')
  const { partner, readings, feeds } = best.read
  return {
    decision: best.decision,
    under: tightening === null ? null : withPartner(tightening, partner),
    isBlocked: ranked.every((one) => isBlockedWithoutRules(one.decision)),
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

/** Null if no policy is in force. */
export function tighteningOf(
  report: Exclude<SignalReport, { kind: 'unavailable' }>,
  { policies, mode, isCalendarOpen, atMs }: Moment,
): Under | null {
  if (policies === null) return null
  const isRead = report.kind === 'read'
  const circumstances: Circumstances = {
    mode,
    isCalendarOpen,
    atMs,
    source: isRead ? report.source : 'live',
    volatility: report.volatility,
    // Each partner's own, if there are several.
    partner: isRead && report.supported ? report.recommendedPartner : null,
  }
  return { policies, circumstances }
}

function withPartner({ policies, circumstances }: Under, partner: string): Under {
  return { policies, circumstances: { ...circumstances, partner } }
}

/** Best first. */
export function rankChoice(
  { candidates, leftOut, toleranceHundredths }: PartnerChoice,
  payment: Omit<DecideInput, 'readings' | 'supported' | 'amountMax'>,
  mark?: (stage: DecideStage) => void,
): RankedPartner<Candidate>[] {
  const amountMax = largestTaken([...candidates, ...leftOut])
  return rankReadings({ ...payment, supported: true, amountMax }, candidates, toleranceHundredths, mark)
}

function sharedOf({ volatility, settlementCurrency, corridor, telemetry }: PartnersRead) {
  return {
    volatility,
    settlementCurrency,
    ...(corridor === undefined ? {} : { corridor }),
    ...(telemetry === undefined ? {} : { telemetry }),
  }
}

/** The recorded results of all partners. */
export interface PartnersEvidence {
  readonly tolerance_hundredths: number
  /** No partner takes the amount, so liquidity counts as none and nobody is recommended. From revision 6 on, no `GO`. */
  readonly too_large?: true
  /** Best first: the first is the answer, and its readings are those of the record. */
  readonly ranked: readonly RankedEvidence[]
  readonly left_out: readonly {
    readonly partner: string
    /** Set if the amount was above it. */
    readonly amount_max?: number
    readonly unavailable: readonly SignalName[]
  }[]
}

interface RankedEvidence {
  readonly partner: string
  readonly decision: Verdict
  readonly score_hundredths: number
  /** Null if no fee is declared. `amount` is null if it is not known for this payment. */
  readonly fee:
    | (Pick<FeeRule, 'fixed' | 'percent'> & { readonly currency: Currency; readonly amount: number | null })
    | null
  /** Absent if it takes any amount. */
  readonly amount_max?: number
  /** As it was read. Set only if the amount is too large for all partners; absent before revision 6. */
  readonly liquidity_thousandths?: number
  /** Absent for the first. */
  readonly own?: OwnReadings
}

interface OwnReadings {
  readonly fraud_flags: number
  readonly failure_permille: number
  /** In the order of `signalNames`; null if it is that of the first partner. */
  readonly readings: readonly (OwnReading | null)[]
}

/** Short, because a record has seven for each partner. */
type OwnReading = readonly [
  riskThousandths: number,
  confidencePercent: number,
  kind: FeedEvidence['kind'],
  value: FeedEvidence['value'],
  observedAtMs: number | null,
  history?: NonNullable<FeedEvidence['history']>,
]

/** The readings of a partner, and the values of its feeds. */
type Read = Pick<Candidate, 'readings' | 'feeds'>

function evidenceOf(
  ranked: readonly RankedPartner<Candidate>[],
  { toleranceHundredths, isTooLarge, leftOut }: PartnerChoice,
): PartnersEvidence {
  const [first] = ranked
  return {
    tolerance_hundredths: toleranceHundredths,
    ...(isTooLarge ? { too_large: true as const } : {}),
    ranked: ranked.map((one) => ({
      partner: one.read.partner,
      decision: one.decision.verdict,
      score_hundredths: one.decision.scoreHundredths,
      fee: feeMember(one),
      ...(one.read.amountMax === null ? {} : { amount_max: one.read.amountMax }),
      ...(one.read.liquidityThousandths === undefined
        ? {}
        : { liquidity_thousandths: one.read.liquidityThousandths }),
      ...(first === undefined || one === first ? {} : { own: ownReadings(one.read, first.read) }),
    })),
    left_out: leftOut.map(({ partner, amountMax, signals }) => ({
      partner,
      ...(amountMax === null ? {} : { amount_max: amountMax }),
      unavailable: signals,
    })),
  }
}

const feeMember = ({ read: { feeRule }, fee }: RankedPartner): RankedEvidence['fee'] =>
  feeRule === null ? null : { ...feeRule, amount: fee === null ? null : feeAmount(fee) }

function ownReadings(own: Read, first: Read): OwnReadings {
  return {
    fraud_flags: own.readings.fraudFlagCount,
    failure_permille: own.readings.failureRatePermille,
    readings: signalNames.map((signal, place) =>
      isShared(own, first, signal, place) ? null : ownReading(own, signal, place),
    ),
  }
}

function isShared(own: Read, first: Read, signal: SignalName, place: number): boolean {
  const [mine, other] = [own.feeds[place], first.feeds[place]]
  return (
    own.readings[signal].healthThousandths === first.readings[signal].healthThousandths &&
    own.readings[signal].confidencePercent === first.readings[signal].confidencePercent &&
    mine?.kind === other?.kind &&
    mine?.value === other?.value &&
    mine?.observed_at_ms === other?.observed_at_ms &&
    mine?.history?.have === other?.history?.have &&
    mine?.history?.need === other?.history?.need
  )
}

function ownReading({ readings, feeds }: Read, signal: SignalName, place: number): OwnReading {
  const { healthThousandths, confidencePercent } = readings[signal]
  const { kind, value, observed_at_ms: observedAtMs, history } = feeds[place] ?? noFeed
  const short = [healthThousandths, confidencePercent, kind, value, observedAtMs] as const
  return history === undefined ? short : [...short, history]
}

/** Every ranked partner has a value of each feed. */
const noFeed: FeedEvidence = { kind: 'constant', value: 0, observed_at_ms: null }

/** The inverse of `evidenceOf`: the choice that led to the recorded results. */
export function choiceOf(
  { tolerance_hundredths: tolerance, too_large: tooLarge, ranked, left_out: leftOut }: PartnersEvidence,
  first: Read,
): PartnerChoice {
  return {
    toleranceHundredths: tolerance,
    isTooLarge: tooLarge === true,
    candidates: ranked.map(
      ({ partner, fee, amount_max: amountMax = null, liquidity_thousandths: liquidity, own }) => ({
        partner,
        amountMax,
        ...(liquidity === undefined ? {} : { liquidityThousandths: liquidity }),
        feeRule: fee === null ? null : { fixed: fee.fixed, percent: fee.percent, currency: fee.currency },
        ...(own === undefined ? first : readOf(own, first)),
      }),
    ),
    leftOut: leftOut.map(({ partner, amount_max: amountMax = null, unavailable }) => ({
      partner,
      amountMax,
      signals: unavailable,
    })),
  }
}

function readOf(own: OwnReadings, first: Read) {
  const readings = {} as Record<SignalName, Reading>
  const feeds = signalNames.map((signal, place): FeedEvidence => {
    const [healthThousandths, confidencePercent, kind, value, observedAtMs, history] =
      own.readings[place] ?? ownReading(first, signal, place)
    readings[signal] = { healthThousandths, confidencePercent }
    return { kind, value, observed_at_ms: observedAtMs, ...(history === undefined ? {} : { history }) }
  })
  const counts = { fraudFlagCount: own.fraud_flags, failureRatePermille: own.failure_permille }
  return { readings: { ...readings, ...counts }, feeds }
}
