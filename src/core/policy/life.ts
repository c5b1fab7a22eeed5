/** The life of policies, derived from their changes: draft, candidate, active, retired. Changes are only appended. */

export type PolicyStatus = 'draft' | 'candidate' | 'active' | 'retired'

export const policyStatuses: readonly PolicyStatus[] = ['draft', 'candidate', 'active', 'retired']

export type ChangeKind = 'candidate' | 'promoted' | 'rolled_back'

/** One change of an owner's policies, or of the installation's. */
export interface PolicyChange {
  readonly kind: ChangeKind
  /** The new candidate, the promoted policy, or the one that a rollback took out of force. */
  readonly policyId: string
}

export interface PolicyLife {
  readonly activeId: string | null
  readonly candidateId: string | null
  /** Policies in force before, oldest first: a rollback returns to the last one, or to none. */
  readonly beneath: readonly string[]
  stateOf(policyId: string): PolicyStatus
}

/** Takes the changes in their order. */
export function lifeOf(changes: Iterable<PolicyChange>): PolicyLife {
  const inForce: string[] = []
  const wasActive = new Set<string>()
  let candidateId: string | null = null
  for (const { kind, policyId } of changes) {
    if (kind === 'candidate') candidateId = policyId
    else if (kind === 'rolled_back') inForce.pop()
    else {
      inForce.push(policyId)
      wasActive.add(policyId)
    }
    // An active policy is not the candidate, too, whether it was promoted or a rollback returned to it.
    if (candidateId === inForce.at(-1)) candidateId = null
  }
  const activeId = inForce.at(-1) ?? null
  return {
    activeId,
    candidateId,
    beneath: inForce.slice(0, -1),
    stateOf(policyId) {
      if (policyId === activeId) return 'active'
      if (policyId === candidateId) return 'candidate'
      return wasActive.has(policyId) ? 'retired' : 'draft'
    },
  }
}

/** The reason why a change is refused; null if it may be made. */
export type Refusal = 'already_active' | 'already_candidate' | 'nothing_to_roll_back'

export function refusalOf(life: PolicyLife, kind: ChangeKind, policyId: string | null): Refusal | null {
  if (kind === 'rolled_back') return life.activeId === null ? 'nothing_to_roll_back' : null
  if (policyId === life.activeId) return 'already_active'
  return kind === 'candidate' && policyId === life.candidateId ? 'already_candidate' : null
}
