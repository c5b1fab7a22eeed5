/** Reason codes, their messages, and the recommended action of a decision. Codes are contract values. */

import type { Corridor } from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import type { Revision } from './engine.ts'
import type { Cap, Gate } from './policy.ts'
import type { Factor, Verdict } from './score.ts'
import { labelOf, type SignalName } from './signals.ts'
import type { FiredRule } from './tightening.ts'
import { moneyText } from '../explain/wording.ts'

export const signalReasonCode = {
  fraud_flags: 'HIGH_FRAUD_SIGNAL',
  network_healthy: 'NETWORK_DEGRADED',
  balance_sufficient: 'INSUFFICIENT_BALANCE',
  fx_volatility: 'HIGH_FX_VOLATILITY',
  operation_valid: 'OPERATION_INVALID',
  historical_failure_rate: 'HIGH_FAILURE_RATE',
  cop_overridden: 'COP_OVERRIDE_ACTIVE',
} as const satisfies Record<SignalName, string>

export const reasonCodes = [
  'HEALTHY_PARTNER',
  ...Object.values(signalReasonCode),
  'CORRIDOR_UNSUPPORTED',
  'POLICY_CAP_APPLIED',
  'BELOW_GO_THRESHOLD',
  'POLICY_RULE_APPLIED',
  'NO_PARTNER_AVAILABLE',
] as const

export type ReasonCode = (typeof reasonCodes)[number]

export interface Reason {
  readonly code: ReasonCode
  readonly message: string
}

export const recommendedActions = [
  'PROCEED',
  'REVIEW',
  'REROUTE',
  'RETRY_LATER',
  'MANUAL_APPROVAL',
  'CONFIRM_PAYEE',
  'BLOCK',
  'TREAT_AS_NO_DATA',
] as const

export type RecommendedAction = (typeof recommendedActions)[number]

const actionFor: Readonly<Record<ReasonCode, RecommendedAction>> = {
  HEALTHY_PARTNER: 'PROCEED',
  HIGH_FRAUD_SIGNAL: 'BLOCK',
  NETWORK_DEGRADED: 'REROUTE',
  INSUFFICIENT_BALANCE: 'RETRY_LATER',
  HIGH_FX_VOLATILITY: 'REVIEW',
  OPERATION_INVALID: 'REVIEW',
  HIGH_FAILURE_RATE: 'REROUTE',
  COP_OVERRIDE_ACTIVE: 'CONFIRM_PAYEE',
  CORRIDOR_UNSUPPORTED: 'TREAT_AS_NO_DATA',
  POLICY_CAP_APPLIED: 'MANUAL_APPROVAL',
  BELOW_GO_THRESHOLD: 'REVIEW',
  POLICY_RULE_APPLIED: 'MANUAL_APPROVAL',
  NO_PARTNER_AVAILABLE: 'REROUTE',
}

export interface ReasonContext {
  readonly corridor: Corridor
  readonly currency: Currency
  readonly factors: readonly Factor[]
  readonly fraudFlagCount: number
  readonly failureRatePermille: number
  readonly supported: boolean
  readonly gate: Gate
  readonly cap: Cap
  /** No declared partner takes the amount; the largest that one takes. */
  readonly isTooLarge: boolean
  readonly amountMax: number | null
  /** Rules of policies that fired. */
  readonly fired: readonly FiredRule[]
  readonly verdict: Verdict
  readonly revision: Revision
}

/**
 * Flagged signals in weight order, then the lack of a partner, the policy cap, one for each fired rule, and corridor
 * support; if there are none, what the score alone says.
 */
export function reasonsFor(context: ReasonContext): Reason[] {
  const reasons: Reason[] = []
  const add = (code: Exclude<ReasonCode, 'POLICY_RULE_APPLIED'>): void =>
    void reasons.push({ code, message: messages[code](context) })
  for (const factor of context.factors) if (factor.flagged) add(signalReasonCode[factor.signal])
  if (context.isTooLarge) add('NO_PARTNER_AVAILABLE')
  if (context.gate !== 'none') add('POLICY_CAP_APPLIED')
  for (const { rule } of context.fired) reasons.push({ code: 'POLICY_RULE_APPLIED', message: rule.message })
  if (!context.supported) add('CORRIDOR_UNSUPPORTED')
  // Before revision 2 a low score without flags was called healthy, too.
  const isHealthy = context.verdict === 'GO' || context.revision === 1
  if (reasons.length === 0) add(isHealthy ? 'HEALTHY_PARTNER' : 'BELOW_GO_THRESHOLD')
  return reasons
}

/** Each code once: several rules of policies can fire. */
export const codesOf = (reasons: readonly Reason[]): ReasonCode[] => [
  ...new Set(reasons.map(({ code }) => code)),
]

/**
 * Precedence: a `NO-GO`, fraud, the lack of a partner, a fired rule, missing data, the review cap, then the flagged signal
 * of largest weight. An approval or a later attempt does not help where no partner takes the amount.
 */
export function actionOf(verdict: Verdict, reasons: readonly Reason[]): RecommendedAction {
  if (verdict === 'NO-GO') return 'BLOCK'
  const codes = reasons.map((reason) => reason.code)
  for (const code of actsFirst) {
    if (codes.includes(code)) return actionFor[code]
  }
  const action = actionFor[codes[0] ?? 'HEALTHY_PARTNER']
  // Only in records of revision 1.
  return action === 'PROCEED' && verdict !== 'GO' ? 'REVIEW' : action
}

const actsFirst = [
  'HIGH_FRAUD_SIGNAL',
  'NO_PARTNER_AVAILABLE',
  'POLICY_RULE_APPLIED',
  'CORRIDOR_UNSUPPORTED',
  'POLICY_CAP_APPLIED',
] as const

const belowGo = ({ corridor }: Pick<ReasonContext, 'corridor'>): string =>
  `No signal of ${corridor} is flagged, but together they do not reach the score for GO.`

/** Stored with each record, and compared when an audit export is verified: a change of text adds a notice there. */
const messages: Readonly<
  Record<Exclude<ReasonCode, 'POLICY_RULE_APPLIED'>, (context: ReasonContext) => string>
> = {
  HEALTHY_PARTNER: ({ corridor, verdict }) =>
    verdict === 'GO' ? `All seven signals of ${corridor} are healthy.` : belowGo({ corridor }),
  HIGH_FRAUD_SIGNAL: ({ fraudFlagCount }) =>
    `${fraudFlagCount} open fraud or AML ${fraudFlagCount === 1 ? 'flag' : 'flags'}: block and escalate, do not retry the same payload.`,
  NETWORK_DEGRADED: (context) =>
    `The settlement network of ${context.corridor} is degraded (${labelIn(context, 'network_healthy')}): retry after a delay or reroute.`,
  INSUFFICIENT_BALANCE: (context) =>
    context.isTooLarge
      ? 'Partner liquidity counts as none, because no declared partner takes this amount.'
      : `Partner liquidity for this amount is short (${labelIn(context, 'balance_sufficient')}): use another partner or retry later.`,
  HIGH_FX_VOLATILITY: (context) =>
    `FX spread or rate volatility is high (${labelIn(context, 'fx_volatility')}): proceed with caution or wait.`,
  OPERATION_INVALID: ({ corridor, currency }) =>
    `The operation or its currency ${currency} is not valid for ${corridor}: check it and resubmit.`,
  HIGH_FAILURE_RATE: ({ failureRatePermille }) =>
    `${(failureRatePermille / 10).toFixed(1)}% of recent settlements failed: use another route or time.`,
  COP_OVERRIDE_ACTIVE: () =>
    'Confirmation of Payee was bypassed upstream: confirm the payee by hand before release.',
  CORRIDOR_UNSUPPORTED: ({ corridor }) =>
    `There is no data for ${corridor}: this is not a sign of risk, and not a sign of health either.`,
  BELOW_GO_THRESHOLD: belowGo,
  POLICY_CAP_APPLIED: ({ gate, cap, currency }) =>
    gate === 'block'
      ? `The amount is above the block cap of ${moneyText(cap.blockAbove, currency)}.`
      : `The amount is above the review cap of ${moneyText(cap.reviewAbove, currency)}: route it to manual approval.`,
  NO_PARTNER_AVAILABLE: ({ amountMax, currency }) =>
    `No declared partner takes more than ${moneyText(amountMax ?? 0, currency)}: split the payment, or send it another way.`,
}

function labelIn(context: ReasonContext, signal: SignalName): string {
  const factor = context.factors.find((candidate) => candidate.signal === signal)
  return labelOf(factor?.healthThousandths ?? 0)
}
