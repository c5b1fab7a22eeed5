/** What each reason means and what to do about it, as the report of `fairway assess` has it. */

import type { ReasonCode } from '@fairway/client'

const meanings: Readonly<Record<ReasonCode, string>> = {
  HEALTHY_PARTNER: 'No signal is flagged. Proceed.',
  HIGH_FRAUD_SIGNAL: 'There is at least one open fraud or AML flag. Block and escalate.',
  NETWORK_DEGRADED: 'The settlement network of the corridor is degraded. Retry after a delay, or reroute.',
  INSUFFICIENT_BALANCE:
    'The partner’s liquidity is short for the amount. Use another partner, or retry later.',
  HIGH_FX_VOLATILITY: 'The FX spread or the volatility of the rate is high. Proceed with caution, or wait.',
  OPERATION_INVALID:
    'The operation or its currency is not valid for the corridor. Check the operation type and resubmit.',
  HIGH_FAILURE_RATE: 'Many recent settlements on the corridor failed. Use an alternate route or time.',
  COP_OVERRIDE_ACTIVE:
    'Confirmation of Payee was bypassed upstream. Confirm the payee by hand before release.',
  CORRIDOR_UNSUPPORTED: 'There is no data for the corridor. Treat as no data: neither risk nor health.',
  POLICY_CAP_APPLIED: 'The amount is above a policy cap. Route to manual approval.',
}

/** Empty for a reason of a later release. */
export const reasonMeaning = (code: string): string =>
  (meanings as Readonly<Record<string, string>>)[code] ?? ''
