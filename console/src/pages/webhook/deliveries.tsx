/** The deliveries of an endpoint: each with its attempts and the time of the next one. */

import type { Delivery } from '@fairway/client'
import { useEffect, type ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { QueryResult } from '../../query-result.tsx'
import { useQuery } from '../../query.ts'
import { formatMs } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Segments } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty } from '../../ui/state.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { DeliveryState } from '../webhooks/state.tsx'
import { attemptLabel, eventLabels } from '../webhooks/labels.ts'

/** Polling intervals; pending deliveries refresh more often. */
const refreshMs = 5_000
const pendingEveryMs = 2_000
const pageLength = 25
/** The API's fixed number of attempts. */
const attemptsMax = 5

function Attempts({ of: { attempts, next_attempt: next } }: { readonly of: Delivery }) {
  return (
    <ol className="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.attempt} className={`attempt-${attempt.outcome}`}>
          <Icon name={attempt.outcome === 'delivered' ? 'check' : 'stop'} size={16} />
          <span>
            {attemptLabel(attempt)}
            <span className="hook-note">
              Attempt {attempt.attempt} · {formatMs(attempt.duration_ms)} · <Time at={attempt.at} />
            </span>
          </span>
        </li>
      ))}
      {next !== null && (
        <li className="attempt-next">
          <Icon name="clock" size={16} />
          {attempts.length === 0 ? (
            <span>Attempt 1 in progress</span>
          ) : (
            <span>
              Attempt {next.attempt} of {attemptsMax}
              <span className="hook-note">
                Scheduled for <Time at={next.due_at} />
              </span>
            </span>
          )}
        </li>
      )}
    </ol>
  )
}

const columns: readonly Column<Delivery>[] = [
  {
    name: 'Event',
    cell: ({ event, event_id: eventId, created_at: at, request_id: requestId }) => (
      <>
        {eventLabels[event]}
        <span className="hook-note">
          <Time at={at} />
        </span>
        <span className="delivery-id soft">{eventId}</span>
        {requestId !== null && (
          <Link className="delivery-id" href={`/verifications/${encodeURIComponent(requestId)}`}>
            {requestId}
          </Link>
        )}
      </>
    ),
  },
  { name: 'State', cell: (delivery) => <DeliveryState of={delivery} /> },
  { name: 'Attempts', cell: (delivery) => <Attempts of={delivery} /> },
]

const kinds = [
  ['all', 'All'],
  ['dropped', 'Failed'],
] as const

function NoDeliveries({
  isDropped,
  isLater,
  test,
}: {
  isDropped: boolean
  isLater: boolean
  test: ReactNode
}) {
  if (isDropped) return <Empty icon="check" title="No failed deliveries" />
  if (isLater) return <Empty icon="list" title="No older deliveries" />
  return (
    <Empty icon="hook" title="No deliveries yet" action={test}>
      Fairway sends an event after each decision or override. Send a test event to check the endpoint.
    </Empty>
  )
}

function useDeliveries(id: string, cursor: string | null, isDropped: boolean) {
  const query = useQuery(
    ['deliveries', id, cursor, isDropped],
    (client) =>
      client
        .webhookDeliveries(id, {
          limit: pageLength,
          ...(cursor !== null && { cursor }),
          ...(isDropped && { status: 'dropped' }),
        })
        .page(),
    { refreshMs },
  )
  const { data, mutate } = query
  const isPending = data?.items.some(({ status }) => status === 'pending') === true
  useEffect(() => {
    if (!isPending) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) void mutate()
    }, pendingEveryMs)
    return () => clearInterval(timer)
  }, [isPending, mutate])
  return query
}

/** `test` is the button that sends a test event. */
export function Deliveries({ id, test }: { readonly id: string; readonly test: ReactNode }) {
  const [params, setParams] = useSearchParams()
  const cursor = params.get('cursor')
  const isDropped = params.get('status') === 'dropped'
  const query = useDeliveries(id, cursor, isDropped)
  const here = `/webhooks/${encodeURIComponent(id)}`
  const filter = isDropped ? { status: 'dropped' } : {}
  const href = (more: Record<string, string>): string =>
    `${here}?${new URLSearchParams({ ...filter, ...more }).toString()}`
  return (
    <Card
      title="Deliveries"
      actions={
        <Segments
          label="Delivery filter"
          options={kinds}
          value={isDropped ? 'dropped' : 'all'}
          onChange={(kind) => setParams(kind === 'dropped' ? { status: kind } : {})}
        />
      }
    >
      <p className="card-note">
        Newest first. A delivery fails after {attemptsMax} attempts. Successful deliveries are shown for 30
        days.
      </p>
      <QueryResult query={query}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <NoDeliveries isDropped={isDropped} isLater={cursor !== null} test={test} />
            ) : (
              <StackTable
                caption="Deliveries"
                columns={columns}
                rows={items}
                keyOf={({ event_id: event }) => event}
                named={false}
              />
            )}
            {(cursor !== null || nextCursor !== null) && (
              <nav className="row" aria-label="Delivery pages">
                {cursor !== null && (
                  <LinkButton href={href({})} small icon="back">
                    Newest
                  </LinkButton>
                )}
                {nextCursor !== null && (
                  <LinkButton href={href({ cursor: nextCursor })} small icon="arrow">
                    Older
                  </LinkButton>
                )}
              </nav>
            )}
          </>
        )}
      </QueryResult>
    </Card>
  )
}
