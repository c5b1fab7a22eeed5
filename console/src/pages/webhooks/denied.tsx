/** What went wrong with a question about webhooks: of a key without the scope it is said which one it lacks. */

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
    <Notice tone="degraded" title="This key may not manage webhooks" live>
      <p>
        It lacks the scope <code>webhook:manage</code>. Sign in with a key that has it, or ask whoever issues
        your keys for one.
      </p>
      <LinkButton href="/sign-in" small icon="key">
        Sign in with another key
      </LinkButton>
    </Notice>
  )
}
