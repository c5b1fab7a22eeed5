/** What was sent to an endpoint: each event with every attempt, its reason in words, and when the next one comes. */

import type { Delivery } from '@fairway/client'
import { useEffect, type ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Answered } from '../../answer.tsx'
import { useAsk } from '../../ask.ts'
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
import { attemptWords, eventWords } from '../webhooks/words.ts'

/** New events come by themselves; what is under way is looked after sooner. */
const everyMs = 5_000
const pendingEveryMs = 2_000
const pageLength = 25
/** As the contract has it. */
const triesMax = 5

function Attempts({ of: { attempts, next_attempt: next } }: { readonly of: Delivery }) {
  return (
    <ol className="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.attempt} className={`attempt-${attempt.outcome}`}>
          <Icon name={attempt.outcome === 'delivered' ? 'check' : 'stop'} size={16} />
          <span>
            {attemptWords(attempt)}
            <span className="hook-note">
              Try {attempt.attempt} · {formatMs(attempt.duration_ms)} · <Time at={attempt.at} />
            </span>
          </span>
        </li>
      ))}
      {next !== null && (
        <li className="attempt-next">
          <Icon name="clock" size={16} />
          {attempts.length === 0 ? (
            <span>The first try is under way</span>
          ) : (
            <span>
              Try {next.attempt} of {triesMax}
              <span className="hook-note">
                Comes at <Time at={next.due_at} />
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
        {eventWords[event]}
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
  ['dropped', 'Given up'],
] as const

function None({ isDropped, isLater, test }: { isDropped: boolean; isLater: boolean; test: ReactNode }) {
  if (isDropped) return <Empty icon="check" title="No event was given up" />
  if (isLater) return <Empty icon="list" title="There are no older events" />
  return (
    <Empty icon="hook" title="Nothing sent yet" action={test}>
      An event is sent after every decision or override that the endpoint is told of.
    </Empty>
  )
}

function useDeliveries(id: string, cursor: string | null, isDropped: boolean) {
  const asked = useAsk(
    ['deliveries', id, cursor, isDropped],
    (client) =>
      client
        .webhookDeliveries(id, {
          limit: pageLength,
          ...(cursor !== null && { cursor }),
          ...(isDropped && { status: 'dropped' }),
        })
        .page(),
    { everyMs },
  )
  const { data, mutate } = asked
  const isPending = data?.items.some(({ status }) => status === 'pending') === true
  useEffect(() => {
    if (!isPending) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) void mutate()
    }, pendingEveryMs)
    return () => clearInterval(timer)
  }, [isPending, mutate])
  return asked
}

/** `test` is the button that sends a test event. */
export function Deliveries({ id, test }: { readonly id: string; readonly test: ReactNode }) {
  const [params, setParams] = useSearchParams()
  const cursor = params.get('cursor')
  const isDropped = params.get('status') === 'dropped'
  const asked = useDeliveries(id, cursor, isDropped)
  const here = `/webhooks/${encodeURIComponent(id)}`
  const kept = isDropped ? { status: 'dropped' } : {}
  const href = (more: Record<string, string>): string =>
    `${here}?${new URLSearchParams({ ...kept, ...more }).toString()}`
  return (
    <Card
      title="Deliveries"
      actions={
        <Segments
          label="Which deliveries"
          options={kinds}
          value={isDropped ? 'dropped' : 'all'}
          onChange={(kind) => setParams(kind === 'dropped' ? { status: kind } : {})}
        />
      }
    >
      <p className="card-note">
        Newest first. After {triesMax} tries an event is given up; delivered ones are shown for 30 days.
      </p>
      <Answered asked={asked}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <None isDropped={isDropped} isLater={cursor !== null} test={test} />
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
              <nav className="row" aria-label="Pages of deliveries">
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
      </Answered>
    </Card>
  )
}
