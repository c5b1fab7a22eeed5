/** Says which rules of policies fired, and how they acted on the decision. */

import { verdictOf, type Decision } from '../decision/decide.ts'
import type { FiredRule, Policies } from '../decision/tightening.ts'
import type { RecordedDecision } from './recorded-decision.ts'

/** In the order in which their rules are evaluated. */
export const policySides = ['owner', 'installation'] as const

type PolicySide = (typeof policySides)[number]

/** `the owner's policy “Hard stops”`. */
export function policyTitle(side: PolicySide, name: string): string {
  return `the ${side}'s policy “${name}”`
}

/** Sentences for the summary of an explanation; none if no rule fired. */
export function policySentences({ decision, tightening }: RecordedDecision): string[] {
  const { fired } = decision.evidence
  if (tightening === null || fired.length === 0) return []
  return [...fired.map((one) => firedSentence(one, tightening.policies)), effectSentence(decision)]
}

function firedSentence({ policyId, rule, failed }: FiredRule, policies: Policies): string {
  const side: PolicySide = policies.owner?.policyId === policyId ? 'owner' : 'installation'
  const title = policyTitle(side, policies[side]?.name ?? '')
  const event = failed ? 'could not be evaluated for this payment, and so counts as fired' : 'fired'
  return `Rule ${rule.id} of ${title} ${event} (${rule.then}): ${ended(rule.message)}`
}

/** The verdict by score, caps and missing data, and that of the rules. */
function effectSentence({ verdict, evidence }: Decision): string {
  const { fired } = evidence
  const without = verdictOf(evidence)
  if (without === verdict) return `Without rules of policies it is ${verdict}, too.`
  const rules = fired.length === 1 ? 'this rule makes' : 'these rules make'
  return `Without rules of policies it is ${without}; ${rules} it ${verdict}.`
}

/** Authors of rules may leave out the full stop. */
function ended(message: string): string {
  const text = message.trim()
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
