/** Who was told of this decision: the webhook deliveries that speak of it. */

import type { Delivery, FairwayClient, Webhook } from '@fairway/client'
import { Link } from 'wouter'
import { useAsk } from '../../ask.ts'
import { formatCount, formatMs } from '../../format.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { codeWords } from '../../words.ts'
import type { AboutDecision } from './asks.ts'
import { Part, Section } from './section.tsx'

interface EventDeliveries {
  readonly endpoint: Webhook
  readonly delivery: Delivery
}

interface Found {
  readonly endpoints: number
  readonly told: readonly EventDeliveries[]
  /** Endpoints with more deliveries since then than were looked through. */
  readonly unfinished: readonly Webhook[]
}

const pageDeliveries = 100
const pagesMax = 5

/** The API lists deliveries by endpoint, newest first: they are looked through back to the decision. */
async function findDeliveries(client: FairwayClient, id: string, since: string): Promise<Found> {
  const endpoints = await client.webhooks()
  const told: EventDeliveries[] = []
  const unfinished: Webhook[] = []
  for (const endpoint of endpoints) {
    let pages = 0
    let oldest = ''
    for await (const items of client
      .webhookDeliveries(endpoint.webhook_id, { limit: pageDeliveries })
      .pages()) {
      for (const delivery of items) if (delivery.request_id === id) told.push({ endpoint, delivery })
      pages += 1
      oldest = items.length < pageDeliveries ? '' : (items.at(-1)?.created_at ?? '')
      if (oldest < since || pages === pagesMax) break
    }
    if (oldest >= since && oldest !== '') unfinished.push(endpoint)
  }
  return { endpoints: endpoints.length, told, unfinished }
}

const toneOf: Readonly<Record<Delivery['status'], Tone>> = {
  delivered: 'go',
  pending: 'degraded',
  dropped: 'nogo',
}

function LastAttempt({ of: { attempts, next_attempt: next } }: { readonly of: Delivery }) {
  const last = attempts.at(-1)
  return (
    <>
      {last === undefined ? (
        <span className="soft">None yet</span>
      ) : (
        <>
          {last.status_code ?? codeWords(last.error ?? 'failed')} after {formatMs(last.duration_ms)}
          <span className="decision-second">
            <Time at={last.at} />
          </span>
        </>
      )}
      {next !== null && (
        <span className="decision-second">
          Attempt {next.attempt} not before <Time at={next.due_at} />
        </span>
      )}
    </>
  )
}

const columns: readonly Column<EventDeliveries>[] = [
  {
    name: 'Endpoint',
    cell: ({ endpoint }) => (
      <Link href={`/webhooks/${encodeURIComponent(endpoint.webhook_id)}`} className="anywhere">
        {endpoint.description ?? endpoint.url}
      </Link>
    ),
  },
  { name: 'Event', cell: ({ delivery }) => <code className="nowrap">{delivery.event}</code> },
  { name: 'Status', cell: ({ delivery: { status } }) => <Chip tone={toneOf[status]}>{status}</Chip> },
  { name: 'Attempts', number: true, cell: ({ delivery }) => delivery.attempts.length },
  { name: 'Last answer', cell: ({ delivery }) => <LastAttempt of={delivery} /> },
]

function Deliveries({ of: { endpoints, told, unfinished } }: { readonly of: Found }) {
  if (endpoints === 0) {
    return (
      <>
        <p className="soft">No endpoint is registered, so nobody was told.</p>
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
      {told.length === 0 ? (
        <p className="soft">None of your endpoints was told of this decision.</p>
      ) : (
        <Table
          caption="Deliveries of this decision"
          columns={columns}
          rows={told}
          keyOf={({ delivery, endpoint }) => endpoint.webhook_id + delivery.event_id}
        />
      )}
      {unfinished.length > 0 && (
        <p className="small soft">
          Only the last {formatCount(pagesMax * pageDeliveries)} deliveries of an endpoint were looked
          through. Earlier ones are on the endpoint’s page.
        </p>
      )}
    </>
  )
}

export function DeliveriesSection({ id, about }: { readonly id: string; readonly about: AboutDecision }) {
  const { data, error } = about.audit
  const since = data?.evaluated_at ?? (error === undefined ? null : '')
  const asked = useAsk(since === null ? null : ['deliveries-of', id, since], (client) =>
    findDeliveries(client, id, since ?? ''),
  )
  return (
    <Section id="webhooks" title="Webhook deliveries">
      <Part asked={asked} height={120}>
        {(found) => (
          <>
            <Deliveries of={found} />
            {found.endpoints > 0 && (
              <div>
                <Button small busy={asked.isValidating} onClick={() => void asked.mutate()}>
                  Look again
                </Button>
              </div>
            )}
          </>
        )}
      </Part>
    </Section>
  )
}
