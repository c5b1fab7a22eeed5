/** What the decision did about the risk of its payment. */

import type { Impact as Told } from '@fairway/client'
import { formatScore } from '../../format.ts'
import { Pairs } from '../../ui/card.tsx'
import type { AboutDecision } from './asks.ts'
import { Part, Section } from './section.tsx'

const interventions: Readonly<Record<Told['intervention_type'], string>> = {
  PASS_THROUGH: 'Let the payment pass',
  CONDITIONAL_HOLD: 'Hold it until something is mended',
  BLOCK: 'Stop it',
}

export function ImpactSection({ about }: { readonly about: AboutDecision }) {
  return (
    <Section id="impact" title="Impact">
      <Part asked={about.impact} height={150}>
        {(impact) => (
          <>
            <Pairs
              of={[
                ['Recommended', interventions[impact.intervention_type]],
                [
                  'Risk avoided',
                  <span className="impact" key="risk">
                    <strong className="figures">{formatScore(impact.risk_reduction)}</strong>
                    <span className="bar" aria-hidden="true">
                      <span style={{ width: `${impact.risk_reduction * 100}%` }} />
                    </span>
                  </span>,
                ],
                ['Told with', `${impact.confidence} confidence`],
              ]}
            />
            <p className="decision-prose soft">{impact.calculation_basis}</p>
          </>
        )}
      </Part>
    </Section>
  )
}
