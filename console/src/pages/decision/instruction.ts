/** The one instruction of a decision, and the effect that the decision has on its payment. */

import type { Decision, DecisionFile, Override, PaymentOutcome, RecommendedAction } from '@fairway/client'
import { actionLabel } from '../../labels.ts'

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

const byReview: Readonly<Record<Override['action'], string>> = {
  EXECUTE: 'Send the payment: it was approved in the review.',
  HOLD: 'Hold the payment, as approved in the review.',
  REJECT: 'Do not send the payment, as approved in the review.',
}

/** A GO cannot be overridden, so its review alone has the action that was approved. */
function approvedOnGo({ review }: DecisionFile): Override['action'] | null {
  if (review?.decision !== 'GO') return null
  return review.status === 'approved' ? (review.resolution?.action ?? null) : null
}

interface Acts {
  readonly outcome: PaymentOutcome | null
  readonly override: Override['action'] | null
  readonly approved: Override['action'] | null
}

/** The outcome comes before the override, and people's decisions before the recommended action. */
function textOf({ outcome, override, approved }: Acts, action: string | null): string | null {
  if (outcome !== null) return byOutcome[outcome]
  if (override !== null) return byOverride[override]
  if (approved !== null) return byReview[approved]
  return action === null ? null : `${actionLabel(action)}.`
}

/** Null without the answer. A key without the scope for the audit still sees the override. */
export function instructionOf(file: DecisionFile): string | null {
  const acts = {
    outcome: file.audit?.outcome?.outcome ?? null,
    override: file.impact.human_override?.action ?? null,
    approved: approvedOnGo(file),
  }
  return textOf(acts, file.answer?.recommended_action ?? null)
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

const reviewEffects: Readonly<Record<Override['action'], string>> = {
  EXECUTE: 'Released by its review',
  HOLD: 'Held by its review',
  REJECT: 'Rejected by its review',
}

const outcomeEffects: Readonly<Record<PaymentOutcome, string>> = {
  COMPLETED: 'Sent, and completed',
  FAILED: 'Sent, and failed',
  DELAYED: 'Sent, and delayed',
  REJECTED: 'Rejected',
  PENDING: 'Sent, not ended yet',
}

/** States the effect and gives no instruction, so that it agrees with the one instruction. */
export function effectOf(file: DecisionFile): string {
  const { decision, human_override: override } = file.impact
  const outcome = file.audit?.outcome?.outcome ?? null
  const approved = approvedOnGo(file)
  if (outcome !== null) return outcomeEffects[outcome]
  if (override !== null) return overrideEffects[override.action]
  if (approved !== null) return reviewEffects[approved]
  return effects[decision](file.answer?.recommended_action ?? null)
}
