/** Policies of an owner and of the installation. They only tighten: stricter caps and floors, and rules. */

import type { Currency } from '../reference/currency.ts'
import type { Circumstances, Facts } from './facts.ts'
import type { Cap } from './policy.ts'
import { degradedFloorHundredths, goFloorHundredths, type Floors, type Verdict } from './score.ts'

export interface Rule {
  readonly id: string
  /** Fires unless it returns false. An error fires, too: rules fail closed. */
  readonly when: (facts: Facts) => unknown
  readonly then: Exclude<Verdict, 'GO'>
  readonly message: string
}

/** A policy whose rules can be evaluated. */
export interface PaymentPolicy extends Floors {
  readonly policyId: string
  readonly name: string
  readonly caps: ReadonlyMap<Currency, Cap>
  readonly rules: readonly Rule[]
}

/** Both apply, and the stricter verdict wins. */
export interface Policies<Policy = PaymentPolicy> {
  readonly owner: Policy | null
  readonly installation: Policy | null
}

export interface Tightening {
  readonly policies: Policies
  readonly circumstances: Circumstances
}

export interface FiredRule {
  readonly policyId: string
  readonly rule: Pick<Rule, 'id' | 'then' | 'message'>
  /** The rule could not be evaluated for this payment. */
  readonly failed: boolean
}

export const contractFloors: Floors = { goFloor: goFloorHundredths, degradedFloor: degradedFloorHundredths }

const inForce = ({ owner, installation }: Policies): readonly PaymentPolicy[] =>
  [owner, installation].filter((policy) => policy !== null)

export const haveRules = (policies: Policies): boolean =>
  inForce(policies).some(({ rules }) => rules.length > 0)

export function floorsUnder(policies: Policies): Floors {
  let { goFloor, degradedFloor } = contractFloors
  for (const policy of inForce(policies)) {
    goFloor = Math.max(goFloor, policy.goFloor)
    degradedFloor = Math.max(degradedFloor, policy.degradedFloor)
  }
  return { goFloor, degradedFloor }
}

export function capUnder(policies: Policies, currency: Currency, base: Cap): Cap {
  let { reviewAbove, blockAbove } = base
  for (const { caps } of inForce(policies)) {
    const own = caps.get(currency)
    if (own === undefined) continue
    reviewAbove = Math.min(reviewAbove, own.reviewAbove)
    blockAbove = Math.min(blockAbove, own.blockAbove)
  }
  return { reviewAbove, blockAbove }
}

export function firedRules(policies: Policies, facts: Facts): FiredRule[] {
  const fired: FiredRule[] = []
  for (const { policyId, rules } of inForce(policies)) {
    for (const rule of rules) {
      const result = evaluate(rule, facts)
      if (result !== false) fired.push({ policyId, rule, failed: result !== true })
    }
  }
  return fired
}

/** Null if it cannot be evaluated. */
function evaluate({ when }: Rule, facts: Facts): boolean | null {
  try {
    const result = when(facts)
    return typeof result === 'boolean' ? result : null
  } catch {
    return null
  }
}

const strictness: Readonly<Record<Verdict, number>> = { GO: 0, DEGRADED: 1, 'NO-GO': 2 }

export const isStricter = (left: Verdict, right: Verdict): boolean => strictness[left] > strictness[right]

export function strictest(verdict: Verdict, fired: readonly FiredRule[]): Verdict {
  let result = verdict
  for (const { rule } of fired) if (isStricter(rule.then, result)) result = rule.then
  return result
}
