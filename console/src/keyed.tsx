/** Pages that need a key ask for one in their own place, so that the address stays and leads on. */

import { Fragment, type ReactNode } from 'react'
import { useSession } from './session.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { Card } from './ui/card.tsx'
import { Notice } from './ui/state.tsx'

export function RefusedNotice() {
  return (
    <Notice tone="degraded" title="Your key is not accepted any more" live>
      <p>It was revoked or has expired. Sign in with another one to go on where you were.</p>
    </Notice>
  )
}

export function Keyed({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { client, number, refused } = useSession()
  // Anew for each key: nothing of one may be shown to another.
  if (client !== null) return <Fragment key={number}>{children}</Fragment>
  return (
    <div className="stack" style={{ maxWidth: 560 }}>
      {refused && <RefusedNotice />}
      <Card title={`Sign in to see ${what}`}>
        <SignInForm />
      </Card>
    </div>
  )
}
