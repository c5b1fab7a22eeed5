/** What would have changed the decision: each decided again by the same engine, with one thing changed. */

import type { Explanation } from '@fairway/client'
import { formatAmount, formatScore } from '../../format.ts'
import { Verdict } from '../../ui/verdict.tsx'
import type { AboutDecision } from './asks.ts'
import { DecisionLink, Part, Section } from './section.tsx'

type Counterfactual = Explanation['counterfactuals'][number]

const kinds: Readonly<Record<Counterfactual['kind'], string>> = {
  signal: 'A healthy signal',
  telemetry: 'Without telemetry',
  amount: 'Another amount',
  profile: 'Another profile',
}

function Changes({ of }: { readonly of: Explanation }) {
  const { counterfactuals, cooldown, decision, largest_go_amount: largest } = of
  if (cooldown !== undefined) {
    return (
      <p>
        This record repeats another. What would have changed that one is told with its source,{' '}
        <DecisionLink id={cooldown.source_request_id} />.
      </p>
    )
  }
  return (
    <>
      {largest !== null && (
        <p>
          The largest amount that would have been GO:{' '}
          <strong>{formatAmount(largest, of.policy_gate.currency)}</strong>.
        </p>
      )}
      {!counterfactuals.some((one) => one.decision !== decision) && (
        <p>No single change that was tried would have made it another decision.</p>
      )}
      <ul className="changes">
        {counterfactuals.map(({ kind, change, decision: instead, score }) => (
          <li key={change}>
            <span className="change-words">
              {change}
              <span className="decision-second">{kinds[kind]}</span>
            </span>
            <Verdict of={instead} />
            <span className="num">{formatScore(score)}</span>
          </li>
        ))}
      </ul>
      <p className="small soft">{of.counterfactual_basis}</p>
    </>
  )
}

export function Change({ about }: { readonly about: AboutDecision }) {
  return (
    <Section id="change" title="What would have changed it">
      <Part asked={about.explanation} height={180}>
        {(explanation) => <Changes of={explanation} />}
      </Part>
    </Section>
  )
}
