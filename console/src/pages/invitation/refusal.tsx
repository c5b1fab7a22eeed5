/** Why an invitation cannot be used, and what to do. */

import { RateLimitError, UnprocessableError, type FairwayError } from '@fairway/client'
import { Problem, RetryCountdown } from '../../problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'

/** The link was used or replaced, or has expired: the server does not say which. */
function EndedLink() {
  return (
    <Notice tone="nogo" title="This link can no longer be used" live>
      <p>
        It was used or replaced, or has expired. If you have set your password, sign in. Otherwise ask an
        admin for a new link.
      </p>
      <LinkButton href="/sign-in" small>
        Go to sign-in
      </LinkButton>
    </Notice>
  )
}

export function Refusal({ error, onRetry }: { readonly error: FairwayError; readonly onRetry?: () => void }) {
  if (error instanceof UnprocessableError) return <EndedLink />
  if (!(error instanceof RateLimitError)) return <Problem error={error} {...(onRetry && { onRetry })} />
  return (
    <Notice tone="degraded" title="Too many attempts from this address" live>
      <RetryCountdown key={error.requestId} seconds={error.retryAfterSeconds ?? 60} />
      {onRetry !== undefined && (
        <Button small onClick={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}
