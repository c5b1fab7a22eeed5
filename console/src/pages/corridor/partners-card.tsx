/** The declared partners of a corridor: results, fees, availability and status, best first. */

import type { CorridorHealth, CorridorPartner } from '@fairway/client'
import { codeLabel } from '../../labels.ts'
import { formatAmount, formatShare } from '../../format.ts'
import { Fee, PartnerName, PartnerScore, PartnerVerdict } from '../../partner.tsx'
import { useQuery } from '../../query.ts'
import { Card } from '../../ui/card.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'

const tones: Readonly<Record<NonNullable<CorridorPartner['status']>, Tone>> = {
  OPERATIONAL: 'go',
  IMPAIRED: 'nogo',
  CLOSED: 'info',
}

/** A ranking takes 2 to 50 partners. */
const rankedMax = 50

interface Row extends CorridorPartner {
  /** Null until the ranking is known. */
  readonly rank: number | null
  readonly isRecommended: boolean
}

/** Share of the last 24 hours' observations in which every probed signal could be read. */
function availabilityOf({ last_24_hours: hours }: CorridorPartner): string {
  const all = hours.reduce((sum, { observations }) => sum + observations, 0)
  const read = hours.reduce((sum, { observations, availability }) => sum + observations * availability, 0)
  return all === 0 ? '–' : formatShare(read, all)
}

function Status({ of: { status, status_since: since } }: { readonly of: CorridorPartner }) {
  if (status === null) return <span className="soft">Not observed yet</span>
  return (
    <span className="partner-out">
      <Chip tone={tones[status]}>{codeLabel(status)}</Chip>
      {since !== null && (
        <span className="small soft">
          since <Time at={since} seconds={false} />
        </span>
      )}
    </span>
  )
}

function columnsIn(currency: string): readonly Column<Row>[] {
  return [
    { name: 'Partner', cell: (row) => <PartnerName {...row} /> },
    {
      name: 'Decision',
      cell: (row) => (
        <PartnerVerdict of={row} otherwise={`Takes at most ${formatAmount(row.amount_max, currency)}.`} />
      ),
    },
    { name: 'Score', number: true, cell: (row) => <PartnerScore of={row} /> },
    { name: 'Fee', number: true, cell: (row) => <Fee of={row} /> },
    {
      name: 'Available, 24 h',
      number: true,
      cell: (row) => <span className="figures">{availabilityOf(row)}</span>,
    },
    { name: 'Status', cell: (row) => <Status of={row} /> },
  ]
}

/** The server ranks: by decision, score and fee within its cost tolerance. */
function useRows({ corridor, amount, currency, partners }: CorridorHealth): readonly Row[] {
  const ids = partners.map(({ partner }) => partner)
  const isRanked = ids.length > 1 && ids.length <= rankedMax
  const { data } = useQuery(
    isRanked ? ['ranks', corridor, amount, currency, ...ids] : null,
    (client) =>
      client.comparePartners({ corridor, currency, partners: ids, ...(amount !== null && { amount }) }),
    { refreshMs: 30_000 },
  )
  const single = partners.length === 1 ? partners[0] : undefined
  const recommended =
    single === undefined
      ? data?.recommended_partner
      : single.decision !== null && single.decision !== 'NO-GO' && single.partner
  const rankOf = (id: string): number | null =>
    single === undefined ? (data?.ranked_partners.find(({ partner }) => partner === id)?.rank ?? null) : 1
  return partners
    .map((one) => ({
      ...one,
      rank: one.available ? rankOf(one.partner) : null,
      isRecommended: one.available && one.partner === recommended,
    }))
    .toSorted((left, right) => (left.rank ?? Infinity) - (right.rank ?? Infinity))
}

export function PartnersCard({ health }: { readonly health: CorridorHealth }) {
  const rows = useRows(health)
  if (rows.length === 0) return null
  return (
    <Card
      title="Partners"
      note={`Best first, as verify ranks them. ${health.amount === null ? 'Enter an amount to see fees.' : 'Fees are for this amount.'}`}
    >
      <StackTable
        caption="Partners of this corridor"
        columns={columnsIn(health.currency)}
        rows={rows}
        keyOf={({ partner }) => partner}
      />
    </Card>
  )
}
