/** The what-if analysis: the engine's decision with one input changed. */

import type { Explanation } from '@fairway/client'
import { formatAmount, formatScore } from '../../format.ts'
import { ThresholdGo, Verdict } from '../../ui/verdict.tsx'
import { DecisionLink, Section } from './section.tsx'

type Counterfactual = Explanation['counterfactuals'][number]

const kinds: Readonly<Record<Counterfactual['kind'], string>> = {
  signal: 'Healthy signal',
  partner: 'Different partner',
  telemetry: 'No telemetry',
  policy: 'Without a policy',
  amount: 'Different amount',
  profile: 'Different profile',
}

/** Records of earlier versions do not say that the cap was not applied to a profile. */
const isCapped = ({ kind, decision, cap_not_applied: capped }: Counterfactual, of: Explanation): boolean =>
  decision === 'GO' && (capped === true || (kind === 'profile' && of.policy_gate.applied))

function Changes({ of }: { readonly of: Explanation }) {
  const { counterfactuals, cooldown, decision, largest_go_amount: largest } = of
  if (cooldown !== undefined) {
    return (
      <p>
        This decision repeats an earlier one. See the what-if analysis of{' '}
        <DecisionLink id={cooldown.source_request_id} />.
      </p>
    )
  }
  return (
    <>
      {largest !== null && (
        <p>
          Largest amount for GO: <strong>{formatAmount(largest, of.policy_gate.currency)}</strong>.
        </p>
      )}
      {!counterfactuals.some((one) => one.decision !== decision && !isCapped(one, of)) && (
        <p>None of the tested changes alters the decision.</p>
      )}
      <ul className="changes">
        {counterfactuals.map((one) => (
          <li key={one.change}>
            <span className="change-text">
              {one.change}
              <span className="decision-second">{kinds[one.kind]}</span>
            </span>
            {isCapped(one, of) ? <ThresholdGo /> : <Verdict of={one.decision} />}
            <span className="num">{formatScore(one.score)}</span>
          </li>
        ))}
      </ul>
      <p className="small soft">{of.counterfactual_basis}</p>
    </>
  )
}

export function Change({ of }: { readonly of: Explanation }) {
  return (
    <Section id="change" title="What-if analysis">
      <Changes of={of} />
    </Section>
  )
}
