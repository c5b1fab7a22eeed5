/** The decision's effect on the risk of its payment. */

import type { Impact } from '@fairway/client'
import { formatScore } from '../../format.ts'
import { Pairs } from '../../ui/card.tsx'
import type { DecisionQueries } from './queries.ts'
import { Part, Section } from './section.tsx'

const interventions: Readonly<Record<Impact['intervention_type'], string>> = {
  PASS_THROUGH: 'Let the payment through',
  CONDITIONAL_HOLD: 'Hold until resolved',
  BLOCK: 'Block the payment',
}

export function ImpactSection({ queries }: { readonly queries: DecisionQueries }) {
  return (
    <Section id="impact" title="Impact">
      <Part query={queries.impact} height={150}>
        {(impact) => (
          <>
            <Pairs
              of={[
                ['Intervention', interventions[impact.intervention_type]],
                [
                  'Risk avoided',
                  <span className="impact" key="risk">
                    <strong className="figures">{formatScore(impact.risk_reduction)}</strong>
                    <span className="bar" aria-hidden="true">
                      <span style={{ width: `${impact.risk_reduction * 100}%` }} />
                    </span>
                  </span>,
                ],
                ['Confidence', impact.confidence],
              ]}
            />
            <p className="decision-prose soft">{impact.calculation_basis}</p>
          </>
        )}
      </Part>
    </Section>
  )
}
