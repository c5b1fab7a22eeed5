/** What the contract's names are called in the console. Whatever is not known here is shown as it came. */

import type { Override, PaymentOutcome, RecommendedAction, SignalName } from '@fairway/client'

const signals: Readonly<Record<SignalName, string>> = {
  fraud_flags: 'Fraud and AML flags',
  network_healthy: 'Settlement network',
  balance_sufficient: 'Partner liquidity',
  fx_volatility: 'FX volatility',
  operation_valid: 'Operation validity',
  historical_failure_rate: 'Recent failures',
  cop_overridden: 'Confirmation of payee',
}

const actions: Readonly<Record<RecommendedAction, string>> = {
  PROCEED: 'Proceed with the payment',
  REVIEW: 'Have a person look at it',
  REROUTE: 'Use another route',
  RETRY_LATER: 'Try again later',
  MANUAL_APPROVAL: 'Route it to manual approval',
  CONFIRM_PAYEE: 'Confirm the payee by hand before release',
  BLOCK: 'Do not send it',
  TREAT_AS_NO_DATA: 'Treat it as no data: neither a risk nor a yes',
}

export const outcomes: Readonly<Record<PaymentOutcome, string>> = {
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  REJECTED: 'Rejected',
  DELAYED: 'Delayed',
  PENDING: 'Pending',
}

/** What a person had done with a payment, against the decision. */
export const actionTaken: Readonly<Record<Override['action'], string>> = {
  EXECUTE: 'Overridden: execute',
  HOLD: 'Overridden: hold',
  REJECT: 'Overridden: reject',
}

const known = (table: Readonly<Record<string, string>>, name: string): string => table[name] ?? name

export const signalWords = (name: string): string => known(signals, name)
export const actionWords = (name: string): string => known(actions, name)

/** `HIGH_FX_VOLATILITY` as `High FX volatility`: for codes that need no words of their own. */
export function codeWords(code: string): string {
  const words = code
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bfx\b/, 'FX')
    .replace(/\bcop\b/, 'payee check')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
