/** Whose key this is, and the way out. */

import { Link } from 'wouter'
import { useAsk } from './ask.ts'
import { useSession } from './session.tsx'
import { Button } from './ui/button.tsx'
import { Chip } from './ui/verdict.tsx'

/** `onGo`: what stands around it, a menu perhaps, has served. */
export function WhoIsSignedIn({ onGo }: { readonly onGo?: () => void }) {
  const { signOut } = useSession()
  const { data } = useAsk(['settings'], (client) => client.organisationSettings())
  return (
    <div className="stack" style={{ gap: 'var(--s2)' }}>
      {data !== undefined && (
        <p className="row">
          <Link href="/sign-in" className="anywhere" title="Your key">
            {data.organisation}
          </Link>
          <Chip tone={data.key.environment === 'production' ? 'degraded' : 'info'}>
            {data.key.environment}
          </Chip>
        </p>
      )}
      <Button
        small
        onClick={() => {
          signOut()
          onGo?.()
        }}
      >
        Sign out
      </Button>
    </div>
  )
}
