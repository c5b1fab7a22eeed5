/** The deliveries of an endpoint: each with its last attempt and the time of the next one. */

import type { Delivery } from '@fairway/client'
import { useEffect, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useAddress } from '../../address.ts'
import { CursorPages } from '../../cursor-pages.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useQuery } from '../../query.ts'
import { formatMs } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Segments } from '../../ui/field.tsx'
import { Empty } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { Time } from '../../ui/time.tsx'
import { DeliveryState } from '../webhooks/state.tsx'
import { attemptLabel, eventLabels } from '../webhooks/labels.ts'
import { DeliveryDetails } from './delivery.tsx'

/** Polling intervals; pending deliveries refresh more often. */
const refreshMs = 5_000
const pendingEveryMs = 2_000
const pageLength = 25
/** The API's fixed number of attempts. */
const attemptsMax = 5

/** The newest attempt in words, and the time of the next one. */
function LastAttempt({ of: { attempts, next_attempt: next } }: { readonly of: Delivery }) {
  const last = attempts.at(-1)
  if (last === undefined) return <span className="soft">Attempt 1 in progress</span>
  return (
    <span>
      {attemptLabel(last)}{' '}
      <span className="soft">
        attempt {last.attempt} · {formatMs(last.duration_ms)}
        {next !== null && (
          <>
            {' '}
            · attempt {next.attempt} of {Math.max(attemptsMax, next.attempt)} due{' '}
            <Time at={next.due_at} seconds={false} />
          </>
        )}
      </span>
    </span>
  )
}

const columnsOf = (
  openId: string | null,
  onOpen: (eventId: string | null) => void,
): readonly StackColumn<Delivery>[] => [
  {
    name: 'Event',
    cell: ({ event, event_id: id }) => (
      <button
        {...rowLink}
        type="button"
        className="link-button"
        aria-expanded={id === openId}
        aria-label={`${eventLabels[event]}, details of ${id}`}
        onClick={() => onOpen(id === openId ? null : id)}
      >
        {eventLabels[event]}
      </button>
    ),
  },
  { name: 'State', place: 'plain', cell: (delivery) => <DeliveryState of={delivery} /> },
  { name: 'Last attempt', place: 'plain', fluid: 1, cell: (delivery) => <LastAttempt of={delivery} /> },
  { name: 'Time', place: 'plain', cell: ({ created_at: at }) => <Time at={at} /> },
  {
    name: 'Decision',
    place: 'plain',
    cell: ({ request_id: requestId }) =>
      requestId === null ? (
        <span className="soft">none</span>
      ) : (
        <Link className="delivery-id" href={`/verifications/${encodeURIComponent(requestId)}`}>
          {requestId}
        </Link>
      ),
  },
]

const kinds = [
  ['all', 'All'],
  ['dropped', 'Failed'],
  ['suspended', 'Suspended'],
] as const

type Ended = 'dropped' | 'suspended' | null

function NoDeliveries({ ended, isLater, test }: { ended: Ended; isLater: boolean; test: ReactNode }) {
  if (ended !== null)
    return <Empty icon="check" title={`No ${ended === 'dropped' ? 'failed' : 'suspended'} deliveries`} />
  if (isLater) return <Empty icon="list" title="No older deliveries" />
  return (
    <Empty icon="hook" title="No deliveries yet" action={test}>
      Fairway sends an event after each decision or override. Send a test event to check the endpoint.
    </Empty>
  )
}

function useDeliveries(id: string, cursor: string | null, ended: Ended) {
  const query = useQuery(
    ['deliveries', id, cursor, ended],
    (client) =>
      client
        .webhookDeliveries(id, {
          limit: pageLength,
          ...(cursor !== null && { cursor }),
          ...(ended !== null && { status: ended }),
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

/** The details of a delivery to this endpoint. */
const detailsOf = (id: string) => (delivery: Delivery) => (
  <DeliveryDetails id={id} eventId={delivery.event_id} />
)

/** `test` is the button that sends a test event. */
export function Deliveries({ id, test }: { readonly id: string; readonly test: ReactNode }) {
  const [params, change] = useAddress()
  const cursor = params.get('cursor')
  const openId = params.get('event')
  const status = params.get('status')
  const ended = status === 'dropped' || status === 'suspended' ? status : null
  const query = useDeliveries(id, cursor, ended)
  return (
    <Card
      title="Deliveries"
      actions={
        <Segments
          label="Delivery filter"
          options={kinds}
          value={ended ?? 'all'}
          onChange={(kind) =>
            change({ status: kind === 'all' ? null : kind, cursor: null, event: null }, { replace: false })
          }
        />
      }
    >
      <p className="card-note">
        Newest first. A delivery fails after {attemptsMax} attempts. While a host keeps failing, its events
        wait, and none is dropped for it. Successful deliveries are shown for 30 days. An event opens with its
        attempts, the receiver’s answers and the body.
      </p>
      <QueryResult query={query}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <NoDeliveries ended={ended} isLater={cursor !== null} test={test} />
            ) : (
              <StackTable
                caption="Deliveries"
                columns={columnsOf(openId, (event) => change({ event }))}
                rows={items}
                keyOf={({ event_id: event }) => event}
                isOpen={({ event_id: event }) => event === openId}
                below={detailsOf(id)}
              />
            )}
            <CursorPages label="Delivery pages" next={nextCursor} />
          </>
        )}
      </QueryResult>
    </Card>
  )
}
