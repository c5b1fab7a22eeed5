/** Shows a sign-in form in place of a page that needs a key, so that the URL stays the same. */

import { Fragment, type ReactNode } from 'react'
import { useSession } from './session.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { Card } from './ui/card.tsx'
import { Notice } from './ui/state.tsx'

export function KeyRejectedNotice() {
  return (
    <Notice tone="degraded" title="Your key is no longer accepted" live>
      <p>It was revoked or has expired. Sign in with another key to continue.</p>
    </Notice>
  )
}

export function Keyed({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { client, number, keyRejected } = useSession()
  // Remounts for each key, so that one key's data is never shown to another.
  if (client !== null) return <Fragment key={number}>{children}</Fragment>
  return (
    <div className="stack" style={{ maxWidth: 560 }}>
      {keyRejected && <KeyRejectedNotice />}
      <Card title={`Sign in to see ${what}`}>
        <SignInForm />
      </Card>
    </div>
  )
}
