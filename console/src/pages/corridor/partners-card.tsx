/** The declared partners of a corridor: results, fees, availability and status, best first. */

import type { CorridorHealth, CorridorPartner } from '@fairway/client'
import { codeLabel } from '../../labels.ts'
import { formatAmount, formatShare } from '../../format.ts'
import { Fee, PartnerName, PartnerScore, PartnerVerdict } from '../../partner.tsx'
import { Card } from '../../ui/card.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'

const tones: Readonly<Record<NonNullable<CorridorPartner['status']>, Tone>> = {
  OPERATIONAL: 'go',
  IMPAIRED: 'nogo',
  CLOSED: 'info',
}

interface Row extends CorridorPartner {
  /** Null for a partner that is left out. */
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

function columnsIn(currency: string): readonly StackColumn<Row>[] {
  return [
    { name: 'Partner', fluid: 3, sort: ({ rank }) => rank, cell: (row) => <PartnerName {...row} /> },
    {
      name: 'Decision',
      place: 'plain',
      fluid: 1,
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
    { name: 'Status', place: 'plain', cell: (row) => <Status of={row} /> },
  ]
}

/** In the order of the server, which ranks as verify does. */
function rowsOf({ partners, recommended_partner: recommended }: CorridorHealth): readonly Row[] {
  return partners.map((one, place) => ({
    ...one,
    rank: one.available ? place + 1 : null,
    isRecommended: one.partner === recommended,
  }))
}

export function PartnersCard({ health }: { readonly health: CorridorHealth }) {
  const rows = rowsOf(health)
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
