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
import { Time } from '../../ui/time.tsx'
import { DeliveryState } from '../webhooks/state.tsx'
import { attemptWords, eventWords } from '../webhooks/words.ts'

/** New events come by themselves; what is under way is looked after sooner. */
const everyMs = 10_000
const pendingEveryMs = 2_000
const pageLength = 25

function Attempts({ of: { attempts, next_attempt: next } }: { readonly of: Delivery }) {
  return (
    <ol className="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.attempt} className={`attempt-${attempt.outcome}`}>
          <Icon name={attempt.outcome === 'delivered' ? 'check' : 'stop'} size={16} />
          <span>
            {attemptWords(attempt)}
            <span className="small soft">
              {' '}
              · try {attempt.attempt} · {formatMs(attempt.duration_ms)} · <Time at={attempt.at} />
            </span>
          </span>
        </li>
      ))}
      {next !== null && (
        <li className="attempt-next">
          <Icon name="clock" size={16} />
          <span className="soft">
            {attempts.length === 0 ? (
              'First try under way'
            ) : (
              <>
                Try {next.attempt} of 5 comes at <Time at={next.due_at} />
              </>
            )}
          </span>
        </li>
      )}
    </ol>
  )
}

function Row({ delivery }: { readonly delivery: Delivery }) {
  const { event, created_at: at, request_id: requestId } = delivery
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {eventWords[event]}
        <br />
        <span className="small soft">
          <Time at={at} />
        </span>
        {requestId !== null && (
          <>
            <br />
            <Link className="small mono anywhere" href={`/verifications/${encodeURIComponent(requestId)}`}>
              {requestId}
            </Link>
          </>
        )}
      </th>
      <td role="cell">
        <DeliveryState of={delivery} />
      </td>
      <td role="cell">
        <Attempts of={delivery} />
      </td>
    </tr>
  )
}

/** With roles of their own: on a narrow window its cells are blocks, and a browser then forgets that it is a table. */
function DeliveryTable({ rows }: { readonly rows: readonly Delivery[] }) {
  return (
    <div className="deliveries">
      <table className="table" role="table" aria-label="Deliveries">
        <thead role="rowgroup">
          <tr role="row">
            {['Event', 'State', 'Attempts'].map((name) => (
              <th key={name} role="columnheader" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((delivery) => (
            <Row key={delivery.event_id} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

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
    { everyMs, keepPrevious: false },
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
      note="Newest first. Five tries, then an event is given up; delivered ones are shown for 30 days."
      actions={
        <Segments
          label="Which deliveries"
          options={kinds}
          value={isDropped ? 'dropped' : 'all'}
          onChange={(kind) => setParams(kind === 'dropped' ? { status: kind } : {})}
        />
      }
    >
      <Answered asked={asked}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <None isDropped={isDropped} isLater={cursor !== null} test={test} />
            ) : (
              <DeliveryTable rows={items} />
            )}
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
          </>
        )}
      </Answered>
    </Card>
  )
}
