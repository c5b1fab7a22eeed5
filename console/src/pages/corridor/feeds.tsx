/** The feeds of a corridor: the age, fault and breaker of each, by partner if there are any. */

import type { CorridorHealth, CorridorPartner } from '@fairway/client'
import { formatShortAge } from '../../format.ts'
import { codeLabel, signalLabel } from '../../labels.ts'
import { Card } from '../../ui/card.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'

type Feed = CorridorHealth['feeds'][number]

const Breaker = ({ of: { breaker } }: { readonly of: Feed }) =>
  breaker !== null &&
  breaker !== 'closed' && <span className="small soft">Breaker {breaker.replace('_', ' ')}</span>

/** A compact cell: the age, or why there is no value. */
function Reading({ of: feed }: { readonly of: Feed | undefined }) {
  if (feed === undefined) return '–'
  const { age_ms: age, fault } = feed
  return (
    <span className="partner-out">
      {fault !== null ? (
        <Chip tone="nogo">{codeLabel(fault)}</Chip>
      ) : age === null ? (
        <span className="soft">assumed</span>
      ) : (
        <span className="nowrap figures">{formatShortAge(age)}</span>
      )}
      <Breaker of={feed} />
    </span>
  )
}

const signalColumn: Column<Feed> = { name: 'Signal', cell: ({ signal }) => signalLabel(signal) }

const columns: readonly Column<Feed>[] = [
  signalColumn,
  { name: 'Status', cell: ({ status }) => codeLabel(status) },
  { name: 'Kind', cell: ({ kind }) => kind ?? 'none' },
  {
    name: 'Observed',
    cell: ({ observed_at: at }) => (at === null ? <span className="soft">never</span> : <Time at={at} />),
  },
  { name: 'Age', number: true, cell: ({ age_ms: age }) => (age === null ? '–' : formatShortAge(age)) },
  { name: 'Fault', cell: ({ fault }) => (fault === null ? '–' : codeLabel(fault)) },
  { name: 'Breaker', cell: ({ breaker }) => (breaker === null ? '–' : codeLabel(breaker)) },
]

/** The feeds of a corridor without partners. */
export function CorridorFeeds({ health: { feeds, partners } }: { readonly health: CorridorHealth }) {
  if (feeds.length === 0 || partners.length > 0) return null
  return (
    <>
      <h3>Live feeds</h3>
      <StackTable caption="Live feeds" columns={columns} rows={feeds} keyOf={({ signal }) => signal} />
    </>
  )
}

const partnerColumn = ({ name, feeds }: CorridorPartner): Column<Feed> => ({
  name,
  cell: ({ signal }) => <Reading of={feeds.find((one) => one.signal === signal)} />,
})

/** More partners need the width of the page. */
const besideMax = 3

export function PartnerFeeds({ health: { feeds, partners } }: { readonly health: CorridorHealth }) {
  if (partners.length === 0) return null
  return (
    <div className={partners.length > besideMax ? 'corridor-wide' : ''}>
      <Card title="Feed ages" note="The age of each value by partner, or why there is none.">
        <Table
          caption="Feed ages by partner"
          columns={[signalColumn, ...partners.map(partnerColumn)]}
          rows={feeds}
          keyOf={({ signal }) => signal}
        />
      </Card>
    </div>
  )
}
