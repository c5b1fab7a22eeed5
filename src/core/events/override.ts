/** Override actions, and the decisions that may be overridden. */

import type { Verdict } from '../decision/score.ts'

export const overrideActions = ['EXECUTE', 'HOLD', 'REJECT'] as const

export type OverrideAction = (typeof overrideActions)[number]

/** Upper snake case, like `COMPLIANCE_APPROVED`. */
export const overrideReasonPattern = '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$'

/** A `GO` needs no approval. */
export function mayBeOverridden(verdict: Verdict): boolean {
  return verdict !== 'GO'
}
