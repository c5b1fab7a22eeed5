/** The one instruction of a decision, and the effect that the decision has on its payment. */

import type {
  AuditRecord,
  Decision,
  Impact,
  Override,
  PaymentOutcome,
  RecommendedAction,
} from '@fairway/client'
import { actionLabel } from '../../labels.ts'
import { answerText, type DecisionQueries } from './queries.ts'

const byOutcome: Readonly<Record<PaymentOutcome, string>> = {
  COMPLETED: 'Nothing to do: the payment was completed.',
  FAILED: 'Nothing to do: the payment failed.',
  REJECTED: 'Nothing to do: the payment was rejected.',
  DELAYED: 'Nothing to do: the payment was delayed.',
  PENDING: 'Wait for the payment to end, then report its outcome.',
}

const byOverride: Readonly<Record<Override['action'], string>> = {
  EXECUTE: 'Send the payment: a person has overridden the decision.',
  HOLD: 'Hold the payment: a person has overridden the decision.',
  REJECT: 'Do not send the payment: a person has overridden the decision.',
}

/** The outcome comes before the override, and the override before the recommended action. */
function textOf(
  outcome: AuditRecord['outcome'],
  override: Override | null,
  action: string | null,
): string | null {
  if (outcome !== null) return byOutcome[outcome.outcome]
  if (override !== null) return byOverride[override.action]
  return action === null ? null : `${actionLabel(action)}.`
}

/** Null until it is known. A key without the scope for the audit still sees the override. */
export function instructionOf(queries: DecisionQueries): string | null {
  const { data: audit } = queries.audit
  const override = audit?.human_override ?? queries.impact.data?.human_override ?? null
  if (audit === undefined && queries.audit.error === undefined) return null
  return textOf(audit?.outcome ?? null, override, answerText(queries, 'recommended_action'))
}

type Effects = Readonly<Record<RecommendedAction, string>>

const goEffects: Effects = {
  PROCEED: 'May pass',
  REVIEW: 'May pass once reviewed',
  REROUTE: 'May pass, preferably by another route',
  RETRY_LATER: 'May pass once there is liquidity',
  MANUAL_APPROVAL: 'May pass once approved',
  CONFIRM_PAYEE: 'May pass once the payee is confirmed',
  BLOCK: 'Not to be sent',
  TREAT_AS_NO_DATA: 'May pass once decided manually',
}

const degradedEffects: Effects = {
  PROCEED: 'Held until reviewed',
  REVIEW: 'Held until reviewed',
  REROUTE: 'Held until rerouted',
  RETRY_LATER: 'Held for a later attempt',
  MANUAL_APPROVAL: 'Held until approved',
  CONFIRM_PAYEE: 'Held until the payee is confirmed',
  BLOCK: 'Held, not to be sent',
  TREAT_AS_NO_DATA: 'Held until decided manually',
}

const effects: Readonly<Record<Decision, (action: string | null) => string>> = {
  GO: (action) => goEffects[action as RecommendedAction] ?? 'May pass after the recommended action',
  DEGRADED: (action) => degradedEffects[action as RecommendedAction] ?? 'Held',
  'NO-GO': () => 'Blocked',
}

const overrideEffects: Readonly<Record<Override['action'], string>> = {
  EXECUTE: 'Released by an override',
  HOLD: 'Held by an override',
  REJECT: 'Rejected by an override',
}

const outcomeEffects: Readonly<Record<PaymentOutcome, string>> = {
  COMPLETED: 'Sent, and completed',
  FAILED: 'Sent, and failed',
  DELAYED: 'Sent, and delayed',
  REJECTED: 'Rejected',
  PENDING: 'Sent, not ended yet',
}

/** States the effect and gives no instruction, so that it agrees with the one instruction. */
export function effectOf(
  { decision, human_override: override }: Impact,
  action: string | null,
  outcome: PaymentOutcome | null,
): string {
  if (outcome !== null) return outcomeEffects[outcome]
  return override === null ? effects[decision](action) : overrideEffects[override.action]
}
