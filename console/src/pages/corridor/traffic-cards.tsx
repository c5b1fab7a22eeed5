/** What the key itself decided on a corridor: the sums of a time, and the last decisions. */

import type { Verification } from '@fairway/client'
import { Link } from 'wouter'
import { Answered } from '../../answer.tsx'
import { useAsk } from '../../ask.ts'
import { formatAmount, formatScore } from '../../format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { outcomes } from '../../words.ts'
import { RangeChoice, useTraffic } from '../corridors/range.tsx'
import { OverTime, Reasons, Shares, SummaryTiles } from '../overview/figures.tsx'

const lastMax = 10

const columns: readonly Column<Verification>[] = [
  {
    name: 'Recorded',
    cell: ({ request_id: id, recorded_at: at }) => (
      <Link href={`/verifications/${encodeURIComponent(id)}`}>
        <Time at={at} />
      </Link>
    ),
  },
  { name: 'Verdict', cell: ({ decision }) => <Verdict of={decision} /> },
  { name: 'Score', number: true, cell: ({ score }) => formatScore(score) },
  {
    name: 'Amount',
    number: true,
    cell: ({ amount, currency }) => <span className="nowrap">{formatAmount(amount, currency)}</span>,
  },
  { name: 'Outcome', cell: ({ outcome }) => (outcome === null ? '–' : outcomes[outcome.outcome]) },
  { name: 'Request', cell: ({ request_id: id }) => <span className="mono nowrap">{id}</span> },
]

export function TrafficFigures({ corridor }: { readonly corridor: string }) {
  const traffic = useTraffic(corridor)
  return (
    <section className="page" aria-label="Your traffic here">
      <div className="section-head">
        <h2>Your traffic here</h2>
        <RangeChoice />
      </div>
      <Answered asked={traffic} skeleton={<Skeleton height={320} />}>
        {(summary) =>
          summary.total === 0 ? (
            <Card>
              <Empty
                icon="chart"
                title="No decisions in this time"
                action={
                  <LinkButton href={`/?corridor=${encodeURIComponent(corridor)}`}>
                    Verify a payment here
                  </LinkButton>
                }
              />
            </Card>
          ) : (
            <>
              <SummaryTiles summary={summary} />
              <OverTime summary={summary} corridor={corridor} />
              <div className="columns">
                <Shares summary={summary} corridor={corridor} />
                <Reasons summary={summary} />
              </div>
            </>
          )
        }
      </Answered>
    </section>
  )
}

export function LastDecisions({ corridor }: { readonly corridor: string }) {
  const last = useAsk(
    ['last', corridor],
    async (client) => (await client.verifications({ corridor, limit: lastMax }).page()).items,
    { everyMs: 30_000 },
  )
  return (
    <Card
      title="Last decisions"
      actions={
        <LinkButton small href={`/verifications?corridor=${encodeURIComponent(corridor)}`}>
          All verifications here
        </LinkButton>
      }
    >
      <Answered asked={last} skeleton={<Skeleton height={160} />}>
        {(items) =>
          items.length === 0 ? (
            <p className="soft">You have verified no payment on this corridor yet.</p>
          ) : (
            <Table
              caption={`The last ${items.length === 1 ? 'decision' : `${items.length} decisions`}, newest first`}
              columns={columns}
              rows={items}
              keyOf={({ request_id: id }) => id}
            />
          )
        }
      </Answered>
    </Card>
  )
}
