/** All that is asked about one decision, each on its own: what one key may not see, another may. */

import { NotFoundError } from '@fairway/client'
import { useAsk } from '../../ask.ts'

export function useDecision(id: string) {
  return {
    audit: useAsk(['audit', id], (client) => client.audit(id)),
    explanation: useAsk(['explanation', id], (client) => client.explainDecision(id)),
    provenance: useAsk(['provenance', id], (client) => client.signalProvenance(id)),
    timeline: useAsk(['timeline', id], (client) => client.decisionTimeline(id)),
    impact: useAsk(['impact', id], (client) => client.decisionImpact(id)),
    // Of the answer as it was sent only the export has all.
    evidence: useAsk(['evidence', id], (client) => client.exportAudit(id)),
  }
}

export type AboutDecision = ReturnType<typeof useDecision>

export const isUnknown = ({ audit, explanation }: AboutDecision): boolean =>
  audit.error instanceof NotFoundError || explanation.error instanceof NotFoundError

/** What kept both from being answered: then there is nothing to show, and one word about it is enough. */
export function wholeError({ audit, explanation }: AboutDecision): unknown {
  const isNothing = audit.data === undefined && explanation.data === undefined
  return isNothing && audit.error !== undefined && explanation.error !== undefined ? audit.error : null
}

/** What may be another after somebody has added to the record. */
export function askAgain({ audit, impact, evidence }: AboutDecision): void {
  void Promise.all([audit.mutate(), impact.mutate(), evidence.mutate()])
}

/** A member of the answer as it was sent, where it is a text. */
export function answered({ evidence }: AboutDecision, member: string): string | null {
  const value = evidence.data?.record.answer[member]
  return typeof value === 'string' ? value : null
}
