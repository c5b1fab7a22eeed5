/** Shows the ways to sign in in place of a page that needs it, so that the URL stays the same. */

import { Fragment, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useIsAdmin, useMe } from './caller.ts'
import { mayOpen, pageScope } from './page-scopes.ts'
import { ChooseOwner } from './people/owner-chooser.tsx'
import { AllWays } from './people/ways.tsx'
import { Problem } from './problem.tsx'
import { MissingPageScope } from './scope-problem.tsx'
import { useSession } from './session.tsx'
import { Card } from './ui/card.tsx'
import { Notice, Skeleton } from './ui/state.tsx'

const endedTexts = {
  key: [
    'Your key is no longer accepted',
    'It was revoked or has expired. Sign in with another key to continue.',
  ],
  session: [
    'Your session has ended',
    'You signed out in another tab, or it expired or was ended by an admin. Sign in again to continue.',
  ],
} as const

/** Nothing unless the server stopped accepting the caller. */
export function EndedNotice() {
  const { ended } = useSession()
  if (ended === null) return null
  const [title, text] = endedTexts[ended]
  return (
    <Notice tone="degraded" title={title} live>
      <p>{text}</p>
    </Notice>
  )
}

export function PendingSession() {
  return (
    <div aria-busy="true">
      <Skeleton height={280} label="Loading page" />
    </div>
  )
}

export function Keyed({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { client, number, isPending, choosesOwner } = useSession()
  const [here] = useLocation()
  const scopes = useMe()?.scopes
  // Remounts for each caller, so that one caller's data is never shown to another.
  if (client !== null) {
    const scope = pageScope(here)
    // One sentence instead of the refusals of every part of the page.
    return scope !== null && !mayOpen(here, scopes) ? (
      <MissingPageScope scope={scope} title={`This key may not see ${what}`} tone="info" />
    ) : (
      <Fragment key={number}>{children}</Fragment>
    )
  }
  if (isPending) return <PendingSession />
  if (choosesOwner) return <ChooseOwner />
  return <SignInFirst what={what} />
}

function SignInFirst({ what }: { readonly what: string }) {
  const { problem, askAgain } = useSession()
  const { pathname, search, hash } = window.location
  return (
    <div className="stack" style={{ maxWidth: 560 }}>
      <EndedNotice />
      {problem !== null && <Problem error={problem} onRetry={askAgain} />}
      <Card title={`Sign in to see ${what}`} isPrimary>
        <AllWays from={pathname + search + hash} />
      </Card>
    </div>
  )
}

/** For pages of the administration, which concern no owner. */
export function AdminOnly({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { ownClient, number, isPending } = useSession()
  const isAdmin = useIsAdmin()
  if (isAdmin) return <Fragment key={number}>{children}</Fragment>
  if (isPending) return <PendingSession />
  if (ownClient === null) return <SignInFirst what={what} />
  return (
    <Notice
      tone="info"
      title="This page is for admins of the installation: people with the role Admin and no owner."
    />
  )
}
