/** Policies and their reports as callers see them, at the API and at the command line. */

import type { PolicyDocument } from '../../core/policy/document.ts'
import { iso } from '../../core/time/durations.ts'
import type { Actor } from '../ports/records.ts'
import type { CandidateReport, ListedPolicy } from './policies.ts'

export function policyView(policy: ListedPolicy) {
  return {
    policy_id: policy.policyId,
    status: policy.status,
    created_at: iso(policy.createdAtMs),
    created_by: actorView(policy.createdBy),
    document: JSON.parse(policy.document) as PolicyDocument,
    sha256: policy.sha256,
    changes: policy.changes.map(({ kind, atMs, by, reason }) => ({
      kind,
      at: iso(atMs),
      by: actorView(by),
      reason,
    })),
  }
}

const actorView = ({ kind, id, name }: Actor) => ({ kind, id, name })

export const candidateView = ({ sinceMs, untilMs, report }: CandidateReport) => ({
  since: iso(sinceMs),
  until: iso(untilMs),
  ...report,
})
