/** The partners that the decision ranked, best first, each with its comparison to the first. */

import type { Explanation } from '@fairway/client'
import { Fee, PartnerScore, PartnerVerdict } from '../../partner.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { Section } from './section.tsx'

type Ranked = NonNullable<Explanation['partners']>[number]

/** Empty for a corridor without partners. */
export const partnersOf = ({ partners }: Explanation): readonly Ranked[] => partners ?? []

const columnsOf = (first: Ranked | undefined): readonly StackColumn<Ranked>[] => [
  {
    name: 'Partner',
    fluid: 2,
    cell: (one) => (
      <span className="row">
        <code className="anywhere">{one.partner}</code>
        {one === first && one.available && <Chip tone="info">Best</Chip>}
      </span>
    ),
  },
  { name: 'Decision', place: 'plain', cell: (one) => <PartnerVerdict of={one} otherwise="" /> },
  { name: 'Score', number: true, cell: (one) => <PartnerScore of={one} /> },
  { name: 'Fee', number: true, cell: (one) => <Fee of={one} /> },
  {
    name: 'Comparison',
    place: 'plain',
    fluid: 3,
    cell: ({ comparison }) => comparison ?? <span className="soft">–</span>,
  },
]

export function PartnersSection({ of }: { readonly of: Explanation }) {
  const partners = partnersOf(of)
  if (partners.length === 0) return null
  return (
    <Section
      id="partners"
      title="Partners"
      note="Best first: by decision, then by score, then by fee. The decision is that of the first."
    >
      <StackTable
        caption="Partners of this decision"
        columns={columnsOf(partners[0])}
        rows={partners}
        keyOf={({ partner }) => partner}
      />
    </Section>
  )
}
