/** The decision's effect on the risk of its payment. */

import { formatScore } from '../../format.ts'
import { Pairs } from '../../ui/card.tsx'
import { effectOf } from './instruction.ts'
import type { DecisionQueries } from './queries.ts'
import { Part, Section } from './section.tsx'

export function ImpactSection({ queries }: { readonly queries: DecisionQueries }) {
  return (
    <Section id="impact" title="Impact">
      <Part query={queries.impact} height={150}>
        {(impact) => (
          <>
            <Pairs
              of={[
                ['Effect', effectOf(impact, queries)],
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
