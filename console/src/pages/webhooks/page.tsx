/** The webhooks page: the endpoints that receive events, and the form for a new one. */

import type { Webhook } from '@fairway/client'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useQuery, type Query } from '../../query.ts'
import { clearDraft } from '../../stored-draft.ts'
import { Keyed } from '../../keyed.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { ageOf, Time } from '../../ui/time.tsx'
import { WebhookProblem } from './denied.tsx'
import { draftName, RegisterForm } from './register.tsx'
import { useRegistration, type WithSecret } from './registration.ts'
import { SecretDialog } from '../../secret-dialog.tsx'
import { EndpointState, SuccessRate } from './health.tsx'
import { DeliveryState } from './state.tsx'
import { eventLabels } from './labels.ts'
import './webhooks.css'

/** Infrequent, because each endpoint costs a request of the key's rate limit. */
const refreshMs = 30_000

/** The state of the newest delivery, which shows whether an endpoint works. */
function LastDelivery({ id }: { readonly id: string }) {
  const { data, error } = useQuery(
    ['newest delivery', id],
    (client) => client.webhookDeliveries(id, { limit: 1 }).page(),
    { refreshMs },
  )
  if (data === undefined) return <span className="soft">{error === undefined ? '…' : 'Unknown'}</span>
  const [newest] = data.items
  if (newest === undefined) return <span className="soft">No deliveries yet</span>
  return (
    <>
      <DeliveryState of={newest} />
      <span className="second">
        <Time at={newest.created_at} seconds={false} />
      </span>
    </>
  )
}

const columns: readonly StackColumn<Webhook>[] = [
  {
    name: 'Endpoint',
    fluid: 3,
    sort: ({ url }) => url,
    cell: ({ webhook_id: id, url, description }) => (
      <>
        <Link {...rowLink} className="anywhere" href={`/webhooks/${encodeURIComponent(id)}`}>
          {url}
        </Link>
        {description !== null && description !== '' && <span className="second anywhere">{description}</span>}
      </>
    ),
  },
  {
    name: 'State',
    place: 'plain',
    sort: ({ health }) => health.state,
    cell: (webhook) => <EndpointState of={webhook} />,
  },
  {
    name: 'Delivered',
    number: true,
    sort: ({ health }) => health.success_rate,
    cell: ({ health }) => <SuccessRate of={health} />,
  },
  { name: 'Events', fluid: 2, cell: ({ events }) => events.map((event) => eventLabels[event]).join(', ') },
  { name: 'Last delivery', cell: ({ webhook_id: id }) => <LastDelivery id={id} /> },
  {
    name: 'Registered',
    sort: ({ created_at: at }) => ageOf(at),
    cell: ({ created_at: at }) => <Time at={at} seconds={false} />,
  },
]

function Endpoints({ query, onRegister }: { query: Query<readonly Webhook[]>; onRegister: () => void }) {
  const { data, error, mutate } = query
  return (
    <>
      {error !== undefined && <WebhookProblem error={error} onRetry={() => void mutate()} />}
      {data === undefined && error === undefined && <Skeleton height={240} label="Loading endpoints" />}
      {data !== undefined && (
        <Card
          isPrimary
          title="Endpoints"
          {...(data.length > 0 && { note: `${data.length} of 20 endpoints.` })}
        >
          {data.length === 0 ? (
            <Empty
              icon="hook"
              title="No endpoints yet"
              action={
                <Button variant="primary" onClick={onRegister}>
                  Register an endpoint
                </Button>
              }
            >
              Register a URL to receive every decision and override as a signed POST. Fairway retries a failed
              delivery up to four times.
            </Empty>
          ) : (
            <StackTable
              caption="Endpoints"
              order="Newest first."
              columns={columns}
              rows={data}
              keyOf={({ webhook_id: id }) => id}
            />
          )}
        </Card>
      )}
    </>
  )
}

function Webhooks({
  query,
  isOpen,
  onOpen,
}: {
  readonly query: Query<readonly Webhook[]>
  readonly isOpen: boolean
  readonly onOpen: (open: boolean) => void
}) {
  const [registered, setRegistered] = useState<WithSecret | null>(null)
  const [, navigate] = useLocation()
  function done(webhook: WithSecret): void {
    clearDraft(draftName)
    setRegistered(webhook)
    onOpen(false)
    void query.mutate()
  }
  const registration = useRegistration(query.data, done, () => void query.mutate())
  function close(): void {
    registration.clearError()
    onOpen(false)
  }
  function cancel(): void {
    clearDraft(draftName)
    close()
  }
  function stored(): void {
    if (registered !== null) navigate(`/webhooks/${encodeURIComponent(registered.webhook_id)}`)
    setRegistered(null)
  }
  return (
    <>
      <Endpoints query={query} onRegister={() => onOpen(true)} />
      <Dialog title="Register an endpoint" open={isOpen} onClose={close}>
        <RegisterForm registration={registration} onCancel={cancel} />
      </Dialog>
      <SecretDialog title="Endpoint registered" secret={registered?.secret ?? null} onStored={stored}>
        <p>
          Fairway signs every event with this secret, so that your receiver can verify it: see the{' '}
          <a href="/docs/">API reference</a>. You can rotate it at any time.
        </p>
      </SecretDialog>
    </>
  )
}

export default function WebhooksPage() {
  const { client } = useSession()
  const query = useQuery(['webhooks'], (signedIn) => signedIn.webhooks())
  // An empty list has its own button, and a key without the scope cannot register.
  const isOffered = client !== null && query.data !== undefined && query.data.length > 0
  const [params, setParams] = useSearchParams()
  const isOpen = params.get('dialog') === 'register'
  const open = (opened: boolean): void =>
    setParams(opened ? { dialog: 'register' } : {}, { replace: !opened })
  return (
    <Page
      title="Webhooks"
      lead="Fairway sends decisions and overrides to your systems as signed POST requests."
      actions={
        isOffered && (
          <Button variant="primary" icon="hook" onClick={() => open(true)}>
            Register an endpoint
          </Button>
        )
      }
    >
      <Keyed what="your endpoints">
        <Webhooks query={query} isOpen={isOpen} onOpen={open} />
      </Keyed>
    </Page>
  )
}
