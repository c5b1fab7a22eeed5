/** The meaning of each reason code and the recommended response, as in the `fairway assess` report. */

import type { ReasonCode } from '@fairway/client'

const meanings: Readonly<Record<ReasonCode, string>> = {
  HEALTHY_PARTNER: 'No signal is flagged. Proceed.',
  HIGH_FRAUD_SIGNAL: 'At least one fraud or AML flag is open. Block and escalate.',
  NETWORK_DEGRADED: 'The settlement network of the corridor is degraded. Retry after a delay, or reroute.',
  INSUFFICIENT_BALANCE: 'Partner liquidity is too low for the amount. Use another partner, or retry later.',
  HIGH_FX_VOLATILITY: 'The FX spread or rate volatility is high. Proceed with caution, or wait.',
  OPERATION_INVALID:
    'The operation or its currency is not valid for the corridor. Check the operation type and resubmit.',
  HIGH_FAILURE_RATE: 'Many recent settlements on the corridor failed. Use an alternate route or time.',
  COP_OVERRIDE_ACTIVE:
    'Confirmation of Payee was bypassed upstream. Confirm the payee manually before release.',
  CORRIDOR_UNSUPPORTED: 'No data for this corridor. Decide manually.',
  POLICY_CAP_APPLIED: 'The amount is above a policy cap. Route to manual approval.',
  POLICY_RULE_APPLIED: 'A rule of a policy stopped the payment. Follow its message.',
  NO_PARTNER_AVAILABLE: 'No declared partner takes the amount. Split the payment, or send it another way.',
  BELOW_GO_THRESHOLD: 'No signal is flagged, but the score is too low for GO. Review manually.',
}

/** Empty for a code of a later release. */
export const reasonMeaning = (code: string): string =>
  (meanings as Readonly<Record<string, string>>)[code] ?? ''

export const reasonCodes = Object.keys(meanings) as readonly ReasonCode[]
