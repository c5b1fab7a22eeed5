/** Labels for API names. A name without a label is shown unchanged. */

import type { Override, PaymentOutcome, RecommendedAction, ReviewStatus, SignalName } from '@fairway/client'

const signals: Readonly<Record<SignalName, string>> = {
  fraud_flags: 'Fraud and AML flags',
  network_healthy: 'Settlement network',
  balance_sufficient: 'Partner liquidity',
  fx_volatility: 'FX volatility',
  operation_valid: 'Operation validity',
  historical_failure_rate: 'Recent failures',
  cop_overridden: 'Confirmation of Payee',
}

const actions: Readonly<Record<RecommendedAction, string>> = {
  PROCEED: 'Proceed with the payment',
  REVIEW: 'Review manually',
  REROUTE: 'Use another route',
  RETRY_LATER: 'Try again later',
  MANUAL_APPROVAL: 'Send for manual approval',
  CONFIRM_PAYEE: 'Confirm the payee manually before release',
  BLOCK: 'Do not send the payment',
  TREAT_AS_NO_DATA: 'No data for this corridor: decide manually',
}

/** In a column, whose heading says that it is the instruction. */
const shortActions: typeof actions = {
  PROCEED: 'Proceed',
  REVIEW: 'Review manually',
  REROUTE: 'Use another route',
  RETRY_LATER: 'Try again later',
  MANUAL_APPROVAL: 'Manual approval',
  CONFIRM_PAYEE: 'Confirm the payee',
  BLOCK: 'Do not send',
  TREAT_AS_NO_DATA: 'Decide manually',
}

export const outcomes: Readonly<Record<PaymentOutcome, string>> = {
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  REJECTED: 'Rejected',
  DELAYED: 'Delayed',
  PENDING: 'Pending',
}

/** The action of an override. */
export const overrideLabels: Readonly<Record<Override['action'], string>> = {
  EXECUTE: 'Overridden: execute',
  HOLD: 'Overridden: hold',
  REJECT: 'Overridden: reject',
}

export const reviewStatuses: Readonly<Record<ReviewStatus, string>> = {
  open: 'Open',
  claimed: 'Claimed',
  proposed: 'Proposed',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  overridden: 'Overridden',
}

/** Why a request to verify was held, by the code of its error. */
const holdReasons: Readonly<Record<string, string>> = {
  SIGNALS_UNAVAILABLE: 'Signals could not be read',
  STORE_UNAVAILABLE: 'The database was unavailable',
  OVERLOADED: 'Fairway was overloaded',
  STOPPING: 'The instance was stopping',
}

const labelIn = (table: Readonly<Record<string, string>>, name: string): string => table[name] ?? name

export const signalLabel = (name: string): string => labelIn(signals, name)
export const holdReasonLabel = (code: string): string => labelIn(holdReasons, code)
export const shortActionLabel = (name: string): string => labelIn(shortActions, name)
export const actionLabel = (name: string): string => labelIn(actions, name)

/** `HIGH_FX_VOLATILITY` as `High FX volatility`: for codes without a label in a table. */
export function codeLabel(code: string): string {
  const label = code
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bfx\b/, 'FX')
    .replace(/\bgo\b/, 'GO')
    .replace(/\bcop\b/, 'payee check')
  return label.charAt(0).toUpperCase() + label.slice(1)
}
