/** Shows the ways to sign in in place of a page that needs it, so that the URL stays the same. */

import { Fragment, type ReactNode } from 'react'
import { ChooseOwner } from './people/owner-chooser.tsx'
import { AllWays } from './people/ways.tsx'
import { Problem } from './problem.tsx'
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
  const { client, number, isPending, problem, choosesOwner, askAgain } = useSession()
  // Remounts for each caller, so that one caller's data is never shown to another.
  if (client !== null) return <Fragment key={number}>{children}</Fragment>
  if (isPending) return <PendingSession />
  if (choosesOwner) return <ChooseOwner />
  const { pathname, search, hash } = window.location
  return (
    <div className="stack" style={{ maxWidth: 560 }}>
      <EndedNotice />
      {problem !== null && <Problem error={problem} onRetry={askAgain} />}
      <Card title={`Sign in to see ${what}`}>
        <AllWays from={pathname + search + hash} />
      </Card>
    </div>
  )
}
