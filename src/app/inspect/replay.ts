/** Replays a past payment: the decision it would get, and whether that would have helped. Stores nothing. */

import { alignmentOf } from '../../core/assess/assessment.ts'
import { isSupported, type Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { decide } from '../../core/decision/decide.ts'
import { decisionModel } from '../../core/decision/engine.ts'
import { codesOf } from '../../core/decision/reasons.ts'
import type { Policy } from '../../core/decision/policy.ts'
import type { Verdict } from '../../core/decision/score.ts'
import { simulate } from '../../core/shadow/simulation.ts'
import type { ActualOutcome } from '../../core/live/outcome.ts'
import { probeDetailsOf } from '../verify/answer.ts'
import type { Clock } from '../ports/system.ts'

interface PastPayment {
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  /** As provided by the caller. */
  readonly occurredAt: string | null
  readonly actualOutcome: ActualOutcome | null
}

export type Replay = (payment: PastPayment) => ReturnType<typeof replayed>

/** Ignores test amounts: this is a real payment. */
export function createReplay(deps: { clock: Clock; policy: Policy }): Replay {
  return (payment) => replayed(payment, deps)
}

function replayed(payment: PastPayment, { clock, policy }: { clock: Clock; policy: Policy }) {
  const { corridor, amount, currency, occurredAt, actualOutcome } = payment
  const decision = decide({
    corridor,
    supported: isSupported(corridor),
    amount,
    currency,
    readings: simulate(payment),
    policy,
  })
  const { verdict, evidence } = decision
  const alignment = alignmentOf(verdict, actualOutcome)
  const wouldHaveFlagged = verdict !== 'GO'
  return {
    corridor,
    corridor_supported: evidence.supported,
    amount,
    currency,
    mode: 'shadow' as const,
    occurred_at: occurredAt,
    actual_outcome: actualOutcome,
    verdict: {
      would_have_flagged: wouldHaveFlagged,
      decision: verdict,
      recommended_action: decision.recommendedAction,
    },
    score: decision.scoreHundredths / 100,
    confidence: decision.confidenceHundredths / 100,
    reasons: decision.reasons.map(({ code, message }) => ({ code, message })),
    reason_codes: codesOf(decision.reasons),
    probe_details: probeDetailsOf(evidence.factors, 'simulation'),
    alignment,
    would_have_helped: alignment === null ? null : wouldHaveFlagged && alignment,
    note: noteOn(verdict, actualOutcome, alignment),
    evaluated_at: new Date(clock.nowMs()).toISOString(),
    model_version: decisionModel,
  }
}

function noteOn(verdict: Verdict, outcome: ActualOutcome | null, alignment: boolean | null): string {
  if (alignment === null) {
    return outcome === null
      ? 'No outcome was given, so it is unknown whether verification would have helped.'
      : 'The payment is still pending, so it is unknown whether verification would have helped.'
  }
  const held = verdict === 'NO-GO' ? 'blocked' : 'held for review'
  if (verdict === 'GO') {
    return alignment
      ? `It would have been let through, and it was ${outcome}: verification would have changed nothing.`
      : `It would have been let through, and it was ${outcome}: verification would not have helped.`
  }
  return alignment
    ? `It would have been ${held} before it was ${outcome}: verification would have helped.`
    : `It would have been ${held}, but it was ${outcome}: verification would have cost time.`
}
