/** The invitation page: whom the link is for, and the name and password that accept it. */

import type { FairwayError, Invitation, Me } from '@fairway/client'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import useSWR from 'swr'
import { useLocation } from 'wouter'
import { browserClient } from '../../clients.ts'
import { RoleList } from '../../people/role-list.tsx'
import { useSession } from '../../session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { AcceptForm } from './accept-form.tsx'
import { Refusal } from './refusal.tsx'

/** Outside of the component, because a render may be discarded and begun again. */
let taken = ''

/** Takes the token out of the address, so that it is in no history and on no screen. */
function takeToken(): string {
  const token = window.location.hash.slice(1)
  if (token !== '') {
    taken = token
    window.history.replaceState(null, '', window.location.pathname)
  }
  return taken
}

function useToken(): string {
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    // Another link that is opened on this page changes the hash alone.
    const change = (): void => setToken(takeToken())
    window.addEventListener('hashchange', change)
    return () => {
      window.removeEventListener('hashchange', change)
      taken = ''
    }
  }, [])
  return token
}

function NoToken() {
  return (
    <div className="card">
      <Empty
        icon="user"
        title="No invitation in this address"
        action={<LinkButton href="/sign-in">Go to sign-in</LinkButton>}
      >
        Open the whole link that you were given, up to its last character. After a reload, open it again.
      </Empty>
    </div>
  )
}

function Roles({ of: { roles } }: { readonly of: Invitation }) {
  return (
    <Card title="Your roles">
      <RoleList of={roles} />
    </Card>
  )
}

interface Opened {
  readonly invitation: Invitation
  /** The person who is signed in to this browser. */
  readonly current: Me | null
}

async function open(token: string): Promise<Opened> {
  const [invitation, { signed_in: current }] = await Promise.all([
    browserClient.invitation({ token }),
    browserClient.session(),
  ])
  return { invitation, current }
}

function Accept({ token, of: { invitation, current } }: { readonly token: string; readonly of: Opened }) {
  const { signInAs } = useSession()
  const [, navigate] = useLocation()
  return (
    <>
      {current !== null && (
        <Notice tone="degraded" title={`${current.name} is signed in to this browser`}>
          <p>Accepting this invitation replaces that session, in every tab.</p>
        </Notice>
      )}
      <div className="columns">
        <Card title="Your account" isPrimary>
          <AcceptForm
            token={token}
            invitation={invitation}
            onAccepted={(person) => {
              // At once, so that the next page knows who is signed in from its first render.
              flushSync(() => signInAs(person))
              navigate('/overview', { replace: true })
            }}
          />
        </Card>
        <Roles of={invitation} />
      </div>
    </>
  )
}

function Opening({ token }: { readonly token: string }) {
  const { data, error, mutate } = useSWR<Opened, FairwayError>(['invitation', token], () => open(token), {
    revalidateIfStale: false,
    revalidateOnReconnect: false,
    shouldRetryOnError: false,
  })
  if (error !== undefined) return <Refusal error={error} onRetry={() => void mutate()} />
  if (data === undefined) {
    return (
      <div aria-busy="true">
        <Skeleton height={280} label="Loading invitation" />
      </div>
    )
  }
  return <Accept token={token} of={data} />
}

export default function InvitationPage() {
  const token = useToken()
  return (
    <Page
      title="Invitation"
      hasTimes={false}
      lead="Set your name and a password to join. The link works once."
    >
      {token === '' ? <NoToken /> : <Opening key={token} token={token} />}
    </Page>
  )
}
