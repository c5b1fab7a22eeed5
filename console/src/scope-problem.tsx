/** The error of a request; a missing scope is named, with the way to another key. */

import { PermissionError, type FairwayError } from '@fairway/client'
import { Problem } from './problem.tsx'
import { LinkButton } from './ui/button.tsx'
import { Notice } from './ui/state.tsx'

export function ScopeProblem({
  error,
  scope,
  title,
  onRetry,
}: {
  readonly error: FairwayError
  readonly scope: string
  /** For a key without the scope. */
  readonly title: string
  readonly onRetry: () => void
}) {
  if (!(error instanceof PermissionError)) return <Problem error={error} onRetry={onRetry} />
  return (
    <Notice tone="degraded" title={title} live>
      <p>
        It lacks the scope <code>{scope}</code>. Sign in with a key that has it, or ask the operator for one.
      </p>
      <LinkButton href="/sign-in" small icon="key">
        Sign in with another key
      </LinkButton>
    </Notice>
  )
}
