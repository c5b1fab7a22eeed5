/** The endpoint page: its settings, deliveries and actions. */

import { NotFoundError, type Webhook } from '@fairway/client'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { useSWRConfig } from 'swr'
import { useAction } from '../../action.ts'
import { formatCount, formatShare } from '../../format.ts'
import { useNowMs } from '../../now.ts'
import { useQuery } from '../../query.ts'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, Pairs, Tile, Tiles } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Ago, Time } from '../../ui/time.tsx'
import { WebhookProblem } from '../webhooks/denied.tsx'
import { EndpointState } from '../webhooks/health.tsx'
import { eventLabels } from '../webhooks/labels.ts'
import { Remove, Resend, Rotate } from './actions.tsx'
import { Deliveries } from './deliveries.tsx'
import '../webhooks/webhooks.css'

/** The health follows the deliveries. */
const refreshMs = 10_000

/** Reloads this endpoint's deliveries. */
function useRefreshDeliveries(id: string): () => void {
  const { mutate } = useSWRConfig()
  return () => void mutate((key) => Array.isArray(key) && key.includes('deliveries') && key.includes(id))
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id, url, events, description, created_at: at } = webhook
  return (
    <Pairs
      of={[
        ['URL', <code key="url">{url}</code>],
        ['State', <EndpointState key="state" of={webhook} />],
        ['Events', events.map((event) => eventLabels[event]).join(', ')],
        ...(description === null || description === '' ? [] : [['Description', description] as const]),
        ['Registered', <Time key="at" at={at} />],
        [
          'Id',
          <span key="id" className="row">
            <code>{id}</code>
            <CopyButton text={id} label="Copy" />
          </span>,
        ],
      ]}
    />
  )
}

function SuspendedNotice({ at, since }: { readonly at: string; readonly since: string | null }) {
  return (
    <Notice tone="nogo" title="Suspended: nothing is sent to this endpoint">
      <p>
        {since !== null && (
          <>
            Every attempt since <Time at={since} /> failed.{' '}
          </>
        )}
        It is suspended since <Time at={at} />. Its events are recorded. After the receiver is mended, send
        them again: that ends the suspension, as does a test event.
      </p>
    </Notice>
  )
}

function FailingNotice({
  webhook: { health, suspended_at: suspendedAt, failing_since: since },
}: {
  readonly webhook: Webhook
}) {
  if (suspendedAt !== null) return <SuspendedNotice at={suspendedAt} since={since} />
  if (health.state !== 'failing') return null
  return (
    <Notice tone="nogo" title={`Failing: the last ${health.failures_in_a_row} attempts failed`}>
      <p>
        {health.last_delivered_at === null ? (
          'No event has arrived yet. '
        ) : (
          <>
            The last event arrived <Time at={health.last_delivered_at} />.{' '}
          </>
        )}
        Open a delivery to see the receiver’s answer. While the host keeps failing, its events wait. After the
        receiver is mended, send again what failed.
      </p>
    </Notice>
  )
}

function Health({ of: health }: { readonly of: Webhook['health'] }) {
  const { events, delivered, dropped, waiting, last_delivered_at: at } = health
  return (
    <Tiles>
      <Tile
        name="Delivered"
        value={health.success_rate === null ? 'none' : formatShare(delivered, events)}
        note={`${formatCount(delivered)} of ${formatCount(events)} recent events`}
      />
      <Tile name="Waiting" value={formatCount(waiting)} note="To be sent, or sent again" />
      <Tile name="Dropped" value={formatCount(dropped)} note="No attempt arrived" />
      <Tile name="Last delivery" value={at === null ? 'never' : <LastDelivery at={at} />} />
    </Tiles>
  )
}

function LastDelivery({ at }: { readonly at: string }) {
  return <Ago at={at} nowMs={useNowMs(10_000)} />
}

function Endpoint({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id } = webhook
  const [, navigate] = useLocation()
  const { mutate } = useSWRConfig()
  const refresh = useRefreshDeliveries(id)
  const [sent, setSent] = useState<string | null>(null)
  const test = useAction(
    (client) => client.testWebhook(id),
    ({ event_id: event }) => {
      setSent(event)
      refresh()
    },
  )
  function leave(): void {
    void mutate((key) => Array.isArray(key) && key.includes('webhooks'))
    navigate('/webhooks')
  }
  const send = (
    <Button variant="primary" icon="bolt" busy={test.busy} onClick={test.run}>
      Send test event
    </Button>
  )
  return (
    <>
      <FailingNotice webhook={webhook} />
      <Health of={webhook.health} />
      <Card title="Endpoint" isPrimary>
        <Facts webhook={webhook} />
        <div className="row">
          {send}
          <Resend webhook={webhook} onSent={refresh} />
          <Rotate id={id} />
          <Remove id={id} onRemoved={leave} />
        </div>
        {test.error !== null && <Problem error={test.error} />}
        {sent !== null && (
          <Notice tone="info" title="Test event sent" live>
            <p>
              Event <code className="anywhere">{sent}</code>: see its delivery below.
            </p>
          </Notice>
        )}
      </Card>
      <Deliveries id={id} test={send} />
    </>
  )
}

function LoadedEndpoint({ id }: { readonly id: string }) {
  const { data, error, mutate } = useQuery(['webhook', id], (client) => client.webhook(id), {
    refreshMs,
  })
  if (error instanceof NotFoundError) {
    return (
      <Card>
        <Empty
          icon="search"
          title="Endpoint not found"
          action={<LinkButton href="/webhooks">View endpoints</LinkButton>}
        >
          It was removed, or it belongs to another owner.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {error !== undefined && <WebhookProblem error={error} onRetry={() => void mutate()} />}
      {data === undefined ? (
        error === undefined && <Skeleton height={240} label="Loading endpoint" />
      ) : (
        <Endpoint webhook={data} />
      )}
    </>
  )
}

export default function WebhookPage() {
  const { webhook_id: id = '' } = useParams()
  return (
    <Page title="Webhook endpoint" lead={<Link href="/webhooks">All endpoints</Link>}>
      <Keyed what="this endpoint">
        <LoadedEndpoint id={id} />
      </Keyed>
    </Page>
  )
}
