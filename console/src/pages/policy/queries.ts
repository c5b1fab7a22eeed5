/** The reports of a policy: the candidate's, and its backtests. */

import type { Policy, PolicyBacktest, PolicyCandidateReport } from '@fairway/client'
import { useEffect } from 'react'
import { useQuery, type Query } from '../../query.ts'

const candidateEveryMs = 5_000
const progressEveryMs = 1_000

export const wasCandidate = ({ changes }: Policy): boolean => changes.some(({ kind }) => kind === 'candidate')

/** Disabled for a policy that never was a candidate. */
export function useCandidateReport(policy: Policy): Query<PolicyCandidateReport> {
  const { policy_id: id, status } = policy
  return useQuery(
    wasCandidate(policy) ? ['policies', 'report', id, status] : null,
    (client) => client.policyReport(id),
    status === 'candidate' ? { refreshMs: candidateEveryMs } : {},
  )
}

export function useBacktests(policyId: string): Query<readonly PolicyBacktest[]> {
  return useQuery(
    ['policies', 'backtests', policyId],
    async (client) => (await client.backtests(policyId)).backtests,
  )
}

export const isWaiting = ({ status }: PolicyBacktest): boolean => status === 'queued' || status === 'running'

/** Follows one backtest to its end: the list has every report, so it is too long to be polled. */
export function useProgress(listed: PolicyBacktest, onEnd: () => void): PolicyBacktest {
  const { policy_id: policyId, backtest_id: id } = listed
  const { data } = useQuery(
    isWaiting(listed) ? ['policies', 'backtest', policyId, id] : null,
    (client) => client.backtest(policyId, id),
    { refreshMs: progressEveryMs },
  )
  const hasEnded = isWaiting(listed) && data !== undefined && !isWaiting(data)
  useEffect(() => {
    if (hasEnded) onEnd()
  }, [hasEnded, onEnd])
  return data ?? listed
}
