/** Requests to verify that got no decision, by reason. */

import type { Holds } from '@fairway/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../../format.ts'
import { holdReasonLabel, signalLabel } from '../../labels.ts'
import type { ModeChoice } from '../../mode-choice.ts'
import { signalCount } from '../../mode.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'

type Hold = Holds['holds'][number]

const rowsMax = 20
const dayHours = 24

function Reason({ of: { reason, unavailable_signals: signals } }: { readonly of: Hold }) {
  return (
    <>
      {holdReasonLabel(reason)}
      {signals.length > 0 && (
        <span className="second">
          {signals.length === signalCount ? 'All seven signals' : signals.map(signalLabel).join(', ')}
        </span>
      )}
    </>
  )
}

const columnsOf = (mode: ModeChoice): readonly StackColumn<Hold>[] => [
  {
    name: 'Corridor',
    cell: ({ corridor }) =>
      corridor === null ? (
        <span className="soft">Request not read</span>
      ) : (
        <Link {...rowLink} className="nowrap" href={`/corridors/${encodeURIComponent(corridor)}`}>
          {corridor}
        </Link>
      ),
  },
  ...(mode === '' ? [{ name: 'Mode', cell: ({ mode: ofHold }: Hold) => ofHold }] : []),
  { name: 'Reason', place: 'plain', fluid: 1, cell: (hold) => <Reason of={hold} /> },
  { name: 'Requests', number: true, cell: ({ requests }) => formatCount(requests) },
  { name: 'First', cell: ({ first_at: at }) => <Time at={at} seconds={false} /> },
  { name: 'Last', cell: ({ last_at: at }) => <Time at={at} /> },
  {
    name: 'Now',
    place: 'plain',
    cell: ({ held_now: isNow }) =>
      isNow ? <Chip tone="degraded">Held now</Chip> : <span className="soft">Not for 5 minutes</span>,
  },
]

const keyOf = ({ corridor, mode, reason, unavailable_signals: signals }: Hold): string =>
  [corridor, mode, reason, ...signals].join(' ')

function List({ holds, mode }: { readonly holds: readonly Hold[]; readonly mode: ModeChoice }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? holds : holds.slice(0, rowsMax)
  return (
    <>
      <StackTable caption="Holds" columns={columnsOf(mode)} rows={shown} keyOf={keyOf} />
      {shown.length < holds.length && (
        <div>
          <Button small onClick={() => setIsWhole(true)}>
            Show all {formatCount(holds.length)}
          </Button>
        </div>
      )}
    </>
  )
}

export function HoldsCard({
  of: { requests, holds },
  hours,
  mode,
}: {
  readonly of: Holds
  readonly hours: number
  readonly mode: ModeChoice
}) {
  const time = hours === dayHours ? 'the last 24 hours' : 'the last 7 days'
  const count = `${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'}`
  const isOfFeeds = holds.some((hold) => hold.mode === 'live' && hold.unavailable_signals.length > 0)
  return (
    <div id="holds" className="overview-anchor">
      <Card
        title="Holds"
        note={
          holds.length === 0
            ? 'A request that cannot be decided is answered with 503 and not recorded. It is counted here.'
            : `${count} in ${time} got no decision: answered with 503, not recorded. The latest first.`
        }
        {...(isOfFeeds && { actions: <Link href="/status#feeds">Show feeds</Link> })}
      >
        {holds.length === 0 ? (
          <p className="overview-none">
            <Icon name="check" />
            No request was held in {time}
          </p>
        ) : (
          <List holds={holds} mode={mode} />
        )}
      </Card>
    </div>
  )
}
