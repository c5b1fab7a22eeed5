/** One delivery opened: its attempts with the receiver's answers, the body, and the way to send it again. */

import type { DeliveryDetail } from '@fairway/client'
import { useEffect, useState } from 'react'
import { useSWRConfig } from 'swr'
import { Link } from 'wouter'
import { useAction } from '../../action.ts'
import { formatMs } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useQuery } from '../../query.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { attemptLabel } from '../webhooks/labels.ts'

/** An attempt takes five seconds at most. */
const pendingEveryMs = 1_000

type Attempt = DeliveryDetail['attempts'][number]

function AttemptItem({ of: attempt }: { readonly of: Attempt }) {
  const { attempt: number, outcome, duration_ms: ms, at, answer } = attempt
  return (
    <li className={`attempt-${outcome}`}>
      <Icon name={outcome === 'delivered' ? 'check' : 'stop'} size={16} />
      <div>
        {attemptLabel(attempt)}
        <span className="hook-note">
          Attempt {number} · {formatMs(ms)} · <Time at={at} />
        </span>
        {answer !== null && (
          <>
            <span className="hook-note">The receiver’s answer</span>
            <pre className="attempt-answer" tabIndex={0} aria-label={`Answer to attempt ${number}`}>
              {answer}
            </pre>
          </>
        )}
      </div>
    </li>
  )
}

function Attempts({ of: { attempts, next_attempt: next } }: { readonly of: DeliveryDetail }) {
  return (
    <ol className="attempts" aria-label="Attempts">
      {attempts.map((attempt) => (
        <AttemptItem key={attempt.attempt} of={attempt} />
      ))}
      {next !== null && (
        <li className="attempt-next">
          <Icon name="clock" size={16} />
          <span>
            Attempt {next.attempt}
            <span className="hook-note">
              Due <Time at={next.due_at} />
            </span>
          </span>
        </li>
      )}
    </ol>
  )
}

/** As people read it; a body that is no JSON is shown as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function SendAgain({ id, eventId, onSent }: { id: string; eventId: string; onSent: () => void }) {
  const [isSent, setSent] = useState(false)
  const action = useAction(
    (client) => client.resendDelivery(id, eventId),
    () => {
      setSent(true)
      onSent()
    },
  )
  return (
    <>
      <div className="row">
        <Button small icon="bolt" busy={action.busy} onClick={action.run}>
          Send again
        </Button>
        <span className="small soft" role="status">
          {isSent ? 'Sent again: one further attempt, with the same event id.' : ''}
        </span>
      </div>
      {action.error !== null && <Problem error={action.error} />}
    </>
  )
}

function Body({ of: { body } }: { readonly of: DeliveryDetail }) {
  return body === null ? (
    <p className="soft">The decision is archived, so the body cannot be made again.</p>
  ) : (
    <Code title="Body, as an attempt would send it now" text={pretty(body)} />
  )
}

export function DeliveryDetails({ id, eventId }: { readonly id: string; readonly eventId: string }) {
  const { mutate: mutateAll } = useSWRConfig()
  const query = useQuery(['delivery', id, eventId], (client) => client.webhookDelivery(id, eventId))
  const { data, mutate } = query
  const isPending = data?.status === 'pending'
  useEffect(() => {
    if (!isPending) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) void mutate()
    }, pendingEveryMs)
    return () => clearInterval(timer)
  }, [isPending, mutate])
  function sent(): void {
    void mutate()
    void mutateAll((key) => Array.isArray(key) && key.includes('deliveries') && key.includes(id))
  }
  return (
    <div className="details-of-row">
      <QueryResult query={query} skeleton={<Skeleton height={160} label="Loading delivery" />}>
        {(detail) => (
          <div className="delivery-details">
            <div className="stack">
              <Attempts of={detail} />
              {detail.body !== null && <SendAgain id={id} eventId={eventId} onSent={sent} />}
              <p className="small soft anywhere">
                Event <code>{eventId}</code>
                {detail.request_id !== null && (
                  <>
                    {' '}
                    · <Link href={`/verifications/${encodeURIComponent(detail.request_id)}`}>Decision</Link>
                  </>
                )}
              </p>
            </div>
            <Body of={detail} />
          </div>
        )}
      </QueryResult>
    </div>
  )
}
