/** The policies that a decision was made under, with the rules that fired. */

import type { Decision, Explanation } from '@fairway/client'
import { Link } from 'wouter'
import { formatAmount } from '../../format.ts'
import { bandOf, boundsOf } from '../../rules.ts'
import { Chip, toneOf, Verdict } from '../../ui/verdict.tsx'

type DecisionPolicy = NonNullable<NonNullable<Explanation['policies']>['owner']>
type FiredRule = DecisionPolicy['rules_fired'][number]

export const ownPolicyOf = ({ policies }: Explanation): DecisionPolicy | null => policies?.owner ?? null

const strictness = Object.keys(toneOf) as readonly Decision[]

const gateVerdicts: Readonly<Record<Explanation['policy_gate']['rule'], Decision>> = {
  none: 'GO',
  review_above_cap: 'DEGRADED',
  block_above_cap: 'NO-GO',
}

/** Whether score and caps alone would have given a laxer decision. */
export function isDecidedByRule(explanation: Explanation): boolean {
  const { policies, score, decision, policy_gate: gate, corridor_supported: supported } = explanation
  const hasFired = [policies?.owner, policies?.installation].some(
    (policy) => (policy?.rules_fired.length ?? 0) > 0,
  )
  if (!hasFired || !supported) return false
  const without = [bandOf(score, boundsOf(explanation)), gateVerdicts[gate.rule]].map((verdict) =>
    strictness.indexOf(verdict),
  )
  return strictness.indexOf(decision) > Math.max(...without)
}

function Fired({ rule }: { readonly rule: FiredRule }) {
  return (
    <li>
      <span className="row">
        <code>{rule.rule_id}</code>
        <Verdict of={rule.then} />
        {rule.could_not_be_evaluated && <Chip tone="degraded">Could not be evaluated, so it fired</Chip>}
      </span>
      <span>{rule.message}</span>
      {rule.when !== null && <code className="small soft anywhere">{rule.when}</code>}
    </li>
  )
}

const strictestOf = (rules: readonly FiredRule[]): Decision =>
  rules.some((rule) => rule.then === 'NO-GO') ? 'NO-GO' : 'DEGRADED'

/** Only the owner's policies have a page here. */
function PolicyBlock({ of, isOwn }: { readonly of: DecisionPolicy; readonly isOwn: boolean }) {
  const { policy_id: id, name, rules_fired: rules } = of
  const count = rules.length
  return (
    <div className="decision-block">
      <h3 className="row">
        <span>
          {isOwn ? 'Policy: ' : 'Policy of the installation: '}
          {isOwn ? <Link href={`/policies/${encodeURIComponent(id)}`}>{name}</Link> : name}
        </span>
        <Chip {...(count > 0 && { tone: toneOf[strictestOf(rules)] })}>
          {count === 0 ? 'No rule fired' : `${count} ${count === 1 ? 'rule' : 'rules'} fired`}
        </Chip>
      </h3>
      {count > 0 && (
        <ul className="fired-rules" aria-label={`Rules of ${name} that fired`}>
          {rules.map((rule) => (
            <Fired key={rule.rule_id} rule={rule} />
          ))}
        </ul>
      )}
      <code className="small soft anywhere">{id}</code>
    </div>
  )
}

export function DecisionPolicies({ of: { policies } }: { readonly of: Explanation }) {
  const { owner = null, installation = null } = policies ?? {}
  if (owner === null && installation === null) return <p className="small soft">No policy was in force.</p>
  return (
    <>
      {owner !== null && <PolicyBlock of={owner} isOwn />}
      {installation !== null && <PolicyBlock of={installation} isOwn={false} />}
    </>
  )
}

/** The rules that fired: they set the decision, or helped to. */
export function FiredPolicies({ of: { policies } }: { readonly of: Explanation }) {
  const { owner = null, installation = null } = policies ?? {}
  return (
    <>
      {owner !== null && owner.rules_fired.length > 0 && <PolicyBlock of={owner} isOwn />}
      {installation !== null && installation.rules_fired.length > 0 && (
        <PolicyBlock of={installation} isOwn={false} />
      )}
    </>
  )
}

export function Gate({ of: gate }: { readonly of: Explanation['policy_gate'] }) {
  const caps = [gate.degraded_above, gate.no_go_above].map((cap) => formatAmount(cap, gate.currency))
  return (
    <div className="decision-block">
      <h3 className="row">
        Policy gate
        {gate.applied ? (
          <Chip tone={toneOf[gateVerdicts[gate.rule]]}>
            {gate.changed_decision ? 'Changed the decision' : 'Applied, no change'}
          </Chip>
        ) : (
          <Chip>Not applied</Chip>
        )}
      </h3>
      <p>{gate.message}</p>
      <p className="small soft">
        Payments above {caps[0]} need manual approval. Payments above {caps[1]} are blocked.
      </p>
    </div>
  )
}
