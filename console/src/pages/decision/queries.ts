/** The queries of the decision page. They are separate because a caller may have the scopes for only some of them. */

import {
  NotFoundError,
  type AuditRecord,
  type Explanation,
  type FairwayClient,
  type ReviewDetail,
  type VerifyResponse,
} from '@fairway/client'
import { useQuery, type Query } from '../../query.ts'

const requestIdDigits = 26

/** The id of the review of a decision, with its digits. A decision that a cooldown repeated is in that of its source. */
export const reviewIdOf = (requestId: string, source: string | null | undefined): string =>
  `rev_${(source ?? requestId).slice(-requestIdDigits).toLowerCase()}`

/** Null for a decision that needs no review. */
async function readReview(client: FairwayClient, reviewId: string): Promise<ReviewDetail | null> {
  try {
    return await client.review(reviewId)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Waits for one of the two, which name the source. */
function useReview(
  id: string,
  { data: audit }: Query<AuditRecord>,
  { data: explanation }: Query<Explanation>,
): Query<ReviewDetail | null> {
  const source = audit?.cooldown_source_request_id ?? explanation?.cooldown?.source_request_id
  const reviewId = reviewIdOf(id, source)
  const isKnown = audit !== undefined || explanation !== undefined
  return useQuery(isKnown ? ['review-of', reviewId] : null, (client) => readReview(client, reviewId))
}

export function useDecisionQueries(id: string) {
  const audit = useQuery(['audit', id], (client) => client.audit(id))
  const explanation = useQuery(['explanation', id], (client) => client.explainDecision(id))
  return {
    audit,
    explanation,
    review: useReview(id, audit, explanation),
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
export function refresh({ audit, impact, evidence, review }: DecisionQueries): void {
  void Promise.all([audit.mutate(), impact.mutate(), evidence.mutate(), review.mutate()])
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
