/** Queries of policies. All are named alike, so that a change can refresh them together. */

import type { FairwayClient, Policy } from '@fairway/client'
import { useCallback } from 'react'
import { useSWRConfig } from 'swr'
import { useQuery, type Query } from '../../query.ts'
import type { PolicyStatus } from './labels.ts'

const group = 'policies'

/** Null disables it. */
export function usePolicy(id: string | null): Query<Policy> {
  return useQuery(id === null ? null : [group, 'one', id], (client) => client.policy(id ?? ''))
}

/** The first policy of a status that only one can have; null if none has it. */
export function useTheOne(status: 'active' | 'candidate'): Query<Policy | null> {
  return useQuery([group, 'the', status], async (client) => {
    const { policies } = await client.policies({ status, limit: 1 })
    return policies[0] ?? null
  })
}

export function usePolicyPage(status: PolicyStatus | null, cursor: string | null, limit: number) {
  const query = {
    limit,
    ...(status !== null && { status }),
    ...(cursor !== null && { cursor }),
  }
  return useQuery([group, 'page', status, cursor, limit], (client) => client.policies(query), {
    keepPrevious: true,
  })
}

/** Refetches everything about policies. */
export function useRefreshPolicies(): () => void {
  const { mutate } = useSWRConfig()
  return useCallback(() => void mutate((key) => Array.isArray(key) && key.includes(group)), [mutate])
}

const pageLength = 100

async function allOf(client: FairwayClient, status: PolicyStatus): Promise<Policy[]> {
  const found: Policy[] = []
  let cursor: string | null = null
  do {
    const page = await client.policies({ status, limit: pageLength, ...(cursor !== null && { cursor }) })
    found.push(...page.policies)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

/** The policies that a rollback would return to, one after the other: the last is the one in force. */
function inForceOf(policies: readonly Policy[]): readonly Policy[] {
  const changes = policies
    .flatMap((policy) => policy.changes.map(({ kind, at }) => ({ policy, kind, at })))
    .toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at))
  const inForce: Policy[] = []
  for (const { policy, kind } of changes) {
    if (kind === 'promoted') inForce.push(policy)
    else if (kind === 'rolled_back') inForce.pop()
  }
  return inForce
}

/** The policy that a rollback puts in force again; null for none. Loaded only if wanted. */
export function usePrevious(isWanted: boolean): Query<Policy | null> {
  return useQuery(isWanted ? [group, 'previous'] : null, async (client) => {
    // A retired policy may be the candidate again.
    const found = await Promise.all(
      (['active', 'retired', 'candidate'] as const).map((status) => allOf(client, status)),
    )
    return inForceOf(found.flat()).at(-2) ?? null
  })
}
