/** The decision's effect on the risk of its payment. */

import type { DecisionFile } from '@fairway/client'
import { formatScore } from '../../format.ts'
import { Pairs } from '../../ui/card.tsx'
import { effectOf } from './instruction.ts'
import { Section } from './section.tsx'

export function ImpactSection({ file }: { readonly file: DecisionFile }) {
  const { risk_reduction: reduction, confidence, calculation_basis: basis } = file.impact
  return (
    <Section id="impact" title="Impact">
      <Pairs
        of={[
          ['Effect', effectOf(file)],
          [
            'Risk avoided',
            <span className="impact" key="risk">
              <strong className="figures">{formatScore(reduction)}</strong>
              <span className="bar" aria-hidden="true">
                <span style={{ width: `${reduction * 100}%` }} />
              </span>
            </span>,
          ],
          ['Confidence', confidence],
        ]}
      />
      <p className="decision-prose soft">{basis}</p>
    </Section>
  )
}
