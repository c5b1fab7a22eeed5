/** One endpoint: what it is told of, what was sent to it, and what can be done to it. */

import { NotFoundError, type Webhook } from '@fairway/client'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { useSWRConfig } from 'swr'
import { useAsk } from '../../ask.ts'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { codeWords } from '../../words.ts'
import { WebhookProblem } from '../webhooks/denied.tsx'
import { eventWords } from '../webhooks/words.ts'
import { Remove, Rotate, useAct } from './actions.tsx'
import { Deliveries } from './deliveries.tsx'
import '../webhooks/webhooks.css'

/** Whatever is remembered of this endpoint is asked for again. */
function useFreshDeliveries(id: string): () => void {
  const { mutate } = useSWRConfig()
  return () => void mutate((key) => Array.isArray(key) && key.includes('deliveries') && key.includes(id))
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id, url, events, description, status, created_at: at } = webhook
  return (
    <Pairs
      of={[
        ['URL', <code key="url">{url}</code>],
        [
          'Status',
          <Chip key="status" tone="go">
            {codeWords(status)}
          </Chip>,
        ],
        ['Events', events.map((event) => eventWords[event]).join(', ')],
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

function Endpoint({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id } = webhook
  const [, navigate] = useLocation()
  const { mutate } = useSWRConfig()
  const refresh = useFreshDeliveries(id)
  const [sent, setSent] = useState<string | null>(null)
  const test = useAct(
    (client) => client.testWebhook(id),
    ({ event_id: event }) => {
      setSent(event)
      refresh()
    },
  )
  function gone(): void {
    void mutate((key) => Array.isArray(key) && key.includes('webhooks'))
    navigate('/webhooks')
  }
  const send = (
    <Button look="primary" icon="bolt" busy={test.busy} onClick={test.run}>
      Send a test event
    </Button>
  )
  return (
    <>
      <Card title="Endpoint">
        <Facts webhook={webhook} />
        <div className="row">
          {send}
          <Rotate id={id} />
          <Remove id={id} onGone={gone} />
        </div>
        {test.error !== null && <Problem error={test.error} />}
        {sent !== null && (
          <Notice tone="info" title="A test event was sent" live>
            <p>
              It is <code className="anywhere">{sent}</code>; its delivery is below.
            </p>
          </Notice>
        )}
      </Card>
      <Deliveries id={id} test={send} />
    </>
  )
}

function EndpointOf({ id }: { readonly id: string }) {
  const { data, error, mutate } = useAsk(['webhook', id], (client) => client.webhook(id))
  if (error instanceof NotFoundError) {
    return (
      <Card>
        <Empty
          icon="search"
          title="There is no such endpoint"
          action={<LinkButton href="/webhooks">See your endpoints</LinkButton>}
        >
          It was removed, or it belongs to another owner than this key does.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {error !== undefined && <WebhookProblem error={error} onRetry={() => void mutate()} />}
      {data === undefined ? (
        error === undefined && <Skeleton height={240} label="Loading the endpoint" />
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
        <EndpointOf id={id} />
      </Keyed>
    </Page>
  )
}
