/** Webhooks: the endpoints that are told of decisions and overrides, and the way to a new one. */

import type { Webhook } from '@fairway/client'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useAsk, type Asked } from '../../ask.ts'
import { forgetDraft } from '../../kept-draft.ts'
import { Keyed } from '../../keyed.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { codeWords } from '../../words.ts'
import { WebhookProblem } from './denied.tsx'
import { draftName, RegisterForm } from './register.tsx'
import { useRegistration, type WithSecret } from './registration.ts'
import { SecretDialog } from './secret.tsx'
import { DeliveryState } from './state.tsx'
import { eventWords } from './words.ts'
import './webhooks.css'

/** One question for each endpoint: seldom, so that they leave the key its places. */
const everyMs = 30_000

/** How the newest event fared: whether an endpoint works is the first thing to know of it. */
function LastDelivery({ id }: { readonly id: string }) {
  const { data, error } = useAsk(
    ['newest delivery', id],
    (client) => client.webhookDeliveries(id, { limit: 1 }).page(),
    { everyMs },
  )
  if (data === undefined) return <span className="soft">{error === undefined ? '…' : 'Not known'}</span>
  const [newest] = data.items
  if (newest === undefined) return <span className="soft">Nothing sent yet</span>
  return (
    <span className="hook-last">
      <DeliveryState of={newest} />
      <span className="small soft">
        <Time at={newest.created_at} />
      </span>
    </span>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    name: 'Endpoint',
    cell: ({ webhook_id: id, url, description }) => (
      <>
        <Link className="anywhere" href={`/webhooks/${encodeURIComponent(id)}`}>
          {url}
        </Link>
        {description !== null && description !== '' && (
          <span className="hook-note anywhere">{description}</span>
        )}
      </>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Chip tone="go">{codeWords(status)}</Chip> },
  { name: 'Events', cell: ({ events }) => events.map((event) => eventWords[event]).join(', ') },
  { name: 'Last delivery', cell: ({ webhook_id: id }) => <LastDelivery id={id} /> },
  { name: 'Registered', cell: ({ created_at: at }) => <Time at={at} seconds={false} /> },
]

function Endpoints({ asked, onRegister }: { asked: Asked<readonly Webhook[]>; onRegister: () => void }) {
  const { data, error, mutate } = asked
  return (
    <>
      {error !== undefined && <WebhookProblem error={error} onRetry={() => void mutate()} />}
      {data === undefined && error === undefined && <Skeleton height={240} label="Loading your endpoints" />}
      {data !== undefined && (
        <Card title="Endpoints" {...(data.length > 0 && { note: `${data.length} of at most 20.` })}>
          {data.length === 0 ? (
            <Empty
              icon="hook"
              title="No endpoints yet"
              action={
                <Button look="primary" onClick={onRegister}>
                  Register an endpoint
                </Button>
              }
            >
              An endpoint is an address of yours that Fairway tells of every decision and override, signed,
              and again until you have taken it.
            </Empty>
          ) : (
            <StackTable
              caption="Endpoints"
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
  asked,
  isOpen,
  onOpen,
}: {
  readonly asked: Asked<readonly Webhook[]>
  readonly isOpen: boolean
  readonly onOpen: (open: boolean) => void
}) {
  const [registered, setRegistered] = useState<WithSecret | null>(null)
  const [, navigate] = useLocation()
  function done(webhook: WithSecret): void {
    forgetDraft(draftName)
    setRegistered(webhook)
    onOpen(false)
    void asked.mutate()
  }
  const registration = useRegistration(asked.data, done, () => void asked.mutate())
  function close(): void {
    registration.forget()
    onOpen(false)
  }
  function cancel(): void {
    forgetDraft(draftName)
    close()
  }
  function stored(): void {
    if (registered !== null) navigate(`/webhooks/${encodeURIComponent(registered.webhook_id)}`)
    setRegistered(null)
  }
  return (
    <>
      <Endpoints asked={asked} onRegister={() => onOpen(true)} />
      <Dialog title="Register an endpoint" open={isOpen} onClose={close}>
        <RegisterForm registration={registration} onCancel={cancel} />
      </Dialog>
      <SecretDialog title="Your endpoint is registered" secret={registered?.secret ?? null} onStored={stored}>
        <p>
          Every event is signed with it, so that your receiver can tell ours from anybody else's: see{' '}
          <a href="/docs/">the reference</a>. You can replace it at any time.
        </p>
      </SecretDialog>
    </>
  )
}

export default function WebhooksPage() {
  const { client } = useSession()
  const asked = useAsk(['webhooks'], (known) => known.webhooks())
  // Where there are none the empty list offers it, and without the scope nobody can.
  const isOffered = client !== null && asked.data !== undefined && asked.data.length > 0
  const [params, setParams] = useSearchParams()
  const isOpen = params.get('dialog') === 'register'
  const open = (opened: boolean): void =>
    setParams(opened ? { dialog: 'register' } : {}, { replace: !opened })
  return (
    <Page
      title="Webhooks"
      lead="Fairway tells your systems of decisions and overrides by a signed POST."
      actions={
        isOffered && (
          <Button look="primary" icon="hook" onClick={() => open(true)}>
            Register an endpoint
          </Button>
        )
      }
    >
      <Keyed what="your endpoints">
        <Webhooks asked={asked} isOpen={isOpen} onOpen={open} />
      </Keyed>
    </Page>
  )
}
