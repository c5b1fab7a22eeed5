/** Whose key this is, and the way out. */

import { Link } from 'wouter'
import { useAsk } from './ask.ts'
import { useSession } from './session.tsx'
import { Button } from './ui/button.tsx'
import { Chip } from './ui/verdict.tsx'

export function WhoIsSignedIn() {
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
      <Button small onClick={signOut}>
        Sign out
      </Button>
    </div>
  )
}
