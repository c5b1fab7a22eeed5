/** The signed-in organisation and the sign-out button. */

import { Link } from 'wouter'
import { useQuery } from './query.ts'
import { useSession } from './session.tsx'
import { Button } from './ui/button.tsx'
import { Chip } from './ui/verdict.tsx'

/** `onNavigate` closes the surrounding menu. */
export function Account({ onNavigate }: { readonly onNavigate?: () => void }) {
  const { signOut } = useSession()
  const { data } = useQuery(['settings'], (client) => client.organisationSettings())
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
          onNavigate?.()
        }}
      >
        Sign out
      </Button>
    </div>
  )
}
