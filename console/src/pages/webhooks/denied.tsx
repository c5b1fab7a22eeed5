/** The errors of webhook requests, including a key without the required scope. */

import { PermissionError, type FairwayError } from '@fairway/client'
import { Problem } from '../../problem.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'

export function WebhookProblem({
  error,
  onRetry,
}: {
  readonly error: FairwayError
  readonly onRetry: () => void
}) {
  if (!(error instanceof PermissionError)) return <Problem error={error} onRetry={onRetry} />
  return (
    <Notice tone="degraded" title="This key cannot manage webhooks" live>
      <p>
        It lacks the scope <code>webhook:manage</code>. Sign in with a key that has it, or ask the operator
        for one.
      </p>
      <LinkButton href="/sign-in" small icon="key">
        Sign in with another key
      </LinkButton>
    </Notice>
  )
}
