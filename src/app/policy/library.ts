/** Compiled policies by their id. A policy never changes, so each is compiled once. */

import type { PolicyStore } from '../ports/policies.ts'
import { compilePolicy, type CompiledPolicy } from './compile.ts'
import type { PoliciesEvidence, PoliciesInForce } from './in-force.ts'

/** More than are in use at once on most installations. */
const cachedMax = 2_048

/** A policy that is in force or recorded cannot be read. Nothing may be decided without it. */
class PolicyUnreadable extends Error {
  override readonly name = 'PolicyUnreadable'
}

export interface PolicyLibrary {
  /** Null if it is not compiled yet. */
  known(policyId: string): CompiledPolicy | null
  /** Fails if there is no such policy. */
  find(policyId: string): Promise<CompiledPolicy>
  /** Those that a decision was made under; null if there were none. */
  recorded(evidence: PoliciesEvidence | undefined): Promise<PoliciesInForce | null>
}

export function createPolicyLibrary(store: Pick<PolicyStore, 'find'>): PolicyLibrary {
  const cached = new Map<string, CompiledPolicy>()
  const find = async (policyId: string): Promise<CompiledPolicy> => {
    const known = cached.get(policyId)
    if (known !== undefined) return known
    const stored = await store.find(policyId)
    const compiled = stored === null ? null : compilePolicy(JSON.parse(stored.document))
    if (compiled === null || compiled.kind === 'faulty')
      throw new PolicyUnreadable(`policies: ${policyId} is missing, or cannot be compiled`)
    const policy = compiled.as(policyId)
    const [oldest] = cached.keys()
    if (oldest !== undefined && cached.size >= cachedMax) cached.delete(oldest)
    cached.set(policyId, policy)
    return policy
  }
  const findOrNull = (reference: { policy_id: string } | null) =>
    reference === null ? null : find(reference.policy_id)
  return {
    known: (policyId) => cached.get(policyId) ?? null,
    find,
    async recorded(evidence) {
      if (evidence === undefined) return null
      const { owner, installation } = evidence
      return { owner: await findOrNull(owner), installation: await findOrNull(installation) }
    },
  }
}
