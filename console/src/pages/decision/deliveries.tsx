/** The webhook deliveries for this decision. */

import type { Delivery, FairwayClient, Webhook } from '@fairway/client'
import { Link } from 'wouter'
import { useQuery } from '../../query.ts'
import { formatCount, formatMs } from '../../format.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { attemptLabel, deliveryState } from '../webhooks/labels.ts'
import type { DecisionQueries } from './queries.ts'
import { Part, Section } from './section.tsx'

interface EndpointDelivery {
  readonly endpoint: Webhook
  readonly delivery: Delivery
}

interface SearchResult {
  readonly endpoints: number
  readonly matches: readonly EndpointDelivery[]
  /** Endpoints with more deliveries since the decision than the search reads. */
  readonly incomplete: readonly Webhook[]
}

const pageDeliveries = 100
const pagesMax = 5

/** Searches each endpoint's deliveries back to the decision: the API lists them by endpoint, newest first. */
async function findDeliveries(client: FairwayClient, id: string, since: string): Promise<SearchResult> {
  const endpoints = await client.webhooks()
  const matches: EndpointDelivery[] = []
  const incomplete: Webhook[] = []
  for (const endpoint of endpoints) {
    let pages = 0
    let oldest = ''
    for await (const items of client
      .webhookDeliveries(endpoint.webhook_id, { limit: pageDeliveries })
      .pages()) {
      for (const delivery of items) if (delivery.request_id === id) matches.push({ endpoint, delivery })
      pages += 1
      oldest = items.length < pageDeliveries ? '' : (items.at(-1)?.created_at ?? '')
      if (oldest < since || pages === pagesMax) break
    }
    if (oldest >= since && oldest !== '') incomplete.push(endpoint)
  }
  return { endpoints: endpoints.length, matches, incomplete }
}

function LastAttempt({ of: { attempts, next_attempt: next } }: { readonly of: Delivery }) {
  const last = attempts.at(-1)
  return (
    <>
      {last === undefined ? (
        <span className="soft">No attempts yet</span>
      ) : (
        <>
          {attemptLabel(last)} in {formatMs(last.duration_ms)}
          <span className="decision-second">
            <Time at={last.at} />
          </span>
        </>
      )}
      {next !== null && (
        <span className="decision-second">
          Attempt {next.attempt} due <Time at={next.due_at} />
        </span>
      )}
    </>
  )
}

const columns: readonly Column<EndpointDelivery>[] = [
  {
    name: 'Endpoint',
    cell: ({ endpoint }) => (
      <Link href={`/webhooks/${encodeURIComponent(endpoint.webhook_id)}`} className="anywhere">
        {endpoint.description ?? endpoint.url}
      </Link>
    ),
  },
  { name: 'Event', cell: ({ delivery }) => <code className="nowrap">{delivery.event}</code> },
  {
    name: 'Status',
    cell: ({ delivery }) => {
      const { label, tone } = deliveryState(delivery)
      return <Chip tone={tone}>{label}</Chip>
    },
  },
  { name: 'Attempts', number: true, cell: ({ delivery }) => delivery.attempts.length },
  { name: 'Last response', cell: ({ delivery }) => <LastAttempt of={delivery} /> },
]

function Deliveries({ of: { endpoints, matches, incomplete } }: { readonly of: SearchResult }) {
  if (endpoints === 0) {
    return (
      <>
        <p className="soft">No endpoints are registered. Register one to receive webhooks.</p>
        <div>
          <LinkButton href="/webhooks" small icon="hook">
            Register an endpoint
          </LinkButton>
        </div>
      </>
    )
  }
  return (
    <>
      {matches.length === 0 ? (
        <p className="soft">No webhooks were sent for this decision.</p>
      ) : (
        <Table
          caption="Deliveries for this decision"
          columns={columns}
          rows={matches}
          keyOf={({ delivery, endpoint }) => endpoint.webhook_id + delivery.event_id}
        />
      )}
      {incomplete.length > 0 && (
        <p className="small soft">
          Only the last {formatCount(pagesMax * pageDeliveries)} deliveries of each endpoint were searched.
          Earlier ones are on the endpoint’s page.
        </p>
      )}
    </>
  )
}

export function DeliveriesSection({
  id,
  queries,
}: {
  readonly id: string
  readonly queries: DecisionQueries
}) {
  const { data, error } = queries.audit
  const since = data?.evaluated_at ?? (error === undefined ? null : '')
  const query = useQuery(since === null ? null : ['deliveries-of', id, since], (client) =>
    findDeliveries(client, id, since ?? ''),
  )
  return (
    <Section id="webhooks" title="Webhook deliveries">
      <Part query={query} height={120}>
        {(result) => (
          <>
            <Deliveries of={result} />
            {result.endpoints > 0 && (
              <div>
                <Button small busy={query.isValidating} onClick={() => void query.mutate()}>
                  Refresh
                </Button>
              </div>
            )}
          </>
        )}
      </Part>
    </Section>
  )
}
