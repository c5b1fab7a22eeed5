/** The errors of webhook requests. */

import type { FairwayError } from '@fairway/client'
import { ScopeProblem } from '../../scope-problem.tsx'

export function WebhookProblem(problem: { readonly error: FairwayError; readonly onRetry: () => void }) {
  return <ScopeProblem {...problem} scope="webhook:manage" title="This key cannot manage webhooks" />
}
