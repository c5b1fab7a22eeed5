/** The policies in force: which they are, and their form in answers and evidence. */

import type { Decision } from '../../core/decision/decide.ts'
import type { Circumstances } from '../../core/decision/facts.ts'
import type { Policies } from '../../core/decision/tightening.ts'
import type { CompiledPolicy } from './compile.ts'

/** At least one is not null. */
export type PoliciesInForce = Policies<CompiledPolicy>

/** In an answer: the ids of the policies that it was decided under. */
export type PolicyVersion = Policies<string>

/** In evidence: enough to decide again, under these policies or under others. */
export interface PoliciesEvidence extends Policies<PolicyReference> {
  readonly fired: readonly FiredEvidence[]
  readonly go_floor_hundredths: number
  readonly no_go_below_hundredths: number
  /** The caps without policies. */
  readonly review_above: number
  readonly block_above: number
  readonly partner: string | null
  readonly calendar_open: boolean | null
}

interface PolicyReference {
  readonly policy_id: string
  /** Of the canonical JSON of its document, in hex. */
  readonly sha256: string
}

interface FiredEvidence {
  readonly policy_id: string
  readonly rule_id: string
  /** Set if the rule could not be evaluated. */
  readonly failed?: true
}

export function versionOf(policies: PoliciesInForce | null): PolicyVersion | null {
  if (policies === null) return null
  const { owner, installation } = policies
  return { owner: owner?.policyId ?? null, installation: installation?.policyId ?? null }
}

export function policiesEvidence(
  { evidence }: Decision,
  policies: PoliciesInForce,
  { partner, isCalendarOpen }: Circumstances,
): PoliciesEvidence {
  const { floors, baseCap, fired } = evidence
  return {
    owner: referenceTo(policies.owner),
    installation: referenceTo(policies.installation),
    fired: fired.map(({ policyId, rule, failed }) => ({
      policy_id: policyId,
      rule_id: rule.id,
      ...(failed ? { failed: true as const } : {}),
    })),
    go_floor_hundredths: floors.goFloor,
    no_go_below_hundredths: floors.degradedFloor,
    review_above: baseCap.reviewAbove,
    block_above: baseCap.blockAbove,
    partner,
    calendar_open: isCalendarOpen,
  }
}

const referenceTo = (policy: CompiledPolicy | null): PolicyReference | null =>
  policy === null ? null : { policy_id: policy.policyId, sha256: policy.sha256 }
