/** The queries of the decision page. They are separate because a caller may have the scopes for only some of them. */

import { NotFoundError, type VerifyResponse } from '@fairway/client'
import { useQuery } from '../../query.ts'

export function useDecisionQueries(id: string) {
  return {
    audit: useQuery(['audit', id], (client) => client.audit(id)),
    explanation: useQuery(['explanation', id], (client) => client.explainDecision(id)),
    provenance: useQuery(['provenance', id], (client) => client.signalProvenance(id)),
    timeline: useQuery(['timeline', id], (client) => client.decisionTimeline(id)),
    impact: useQuery(['impact', id], (client) => client.decisionImpact(id)),
    // Only the export contains the complete answer as sent.
    evidence: useQuery(['evidence', id], (client) => client.exportAudit(id)),
  }
}

export type DecisionQueries = ReturnType<typeof useDecisionQueries>

export const isNotFound = ({ audit, explanation }: DecisionQueries): boolean =>
  audit.error instanceof NotFoundError || explanation.error instanceof NotFoundError

/** The error if neither main query has data: the page then shows one error instead of one per section. */
export function pageError({ audit, explanation }: DecisionQueries): unknown {
  const isEmpty = audit.data === undefined && explanation.data === undefined
  return isEmpty && audit.error !== undefined && explanation.error !== undefined ? audit.error : null
}

/** Refetches the queries that an override or outcome changes. */
export function refresh({ audit, impact, evidence }: DecisionQueries): void {
  void Promise.all([audit.mutate(), impact.mutate(), evidence.mutate()])
}

/** A member of the answer as sent, if it is a string. */
export function answerText({ evidence }: DecisionQueries, member: string): string | null {
  const value = evidence.data?.record.answer[member]
  return typeof value === 'string' ? value : null
}

export type SettlementWindow = NonNullable<VerifyResponse['settlement_window']>

/** Undefined without a calendar, null if it had expired. */
export function settlementWindowOf({ evidence }: DecisionQueries): SettlementWindow | null | undefined {
  return evidence.data?.record.answer['settlement_window'] as SettlementWindow | null | undefined
}
