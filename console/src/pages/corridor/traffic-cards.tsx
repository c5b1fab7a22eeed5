/** Your decisions on a corridor: totals for a time range, and the latest decisions. */

import { DecisionTable } from '../../decision-table.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useQuery } from '../../query.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { RangeChoice, useTraffic } from '../corridors/range.tsx'
import { OverTime, Reasons, Shares, SummaryTiles } from '../overview/charts.tsx'

const latestMax = 10

export function TrafficFigures({ corridor }: { readonly corridor: string }) {
  const traffic = useTraffic(corridor)
  return (
    <section className="page" aria-label="Your traffic">
      <div className="section-head">
        <h2>Your traffic</h2>
        <RangeChoice />
      </div>
      <QueryResult query={traffic} skeleton={<Skeleton height={320} />}>
        {(summary) =>
          summary.total === 0 ? (
            <Card>
              <Empty
                icon="chart"
                title="No decisions in this time range"
                action={
                  <LinkButton href={`/?corridor=${encodeURIComponent(corridor)}`}>
                    Verify a payment
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
      </QueryResult>
    </section>
  )
}

export function LatestDecisions({ corridor }: { readonly corridor: string }) {
  const latest = useQuery(
    ['latest', corridor],
    async (client) => (await client.verifications({ corridor, limit: latestMax }).page()).items,
    { refreshMs: 30_000 },
  )
  return (
    <Card
      title="Latest decisions"
      actions={
        <LinkButton small href={`/verifications?corridor=${encodeURIComponent(corridor)}`}>
          Show all verifications
        </LinkButton>
      }
    >
      <QueryResult query={latest} skeleton={<Skeleton height={160} />}>
        {(items) =>
          items.length === 0 ? (
            <p className="soft">No decisions on this corridor yet. Verify a payment to see it here.</p>
          ) : (
            <DecisionTable
              caption={`Latest ${items.length === 1 ? 'decision' : `${items.length} decisions`}, newest first`}
              items={items}
              sorter={null}
            />
          )
        }
      </QueryResult>
    </Card>
  )
}
