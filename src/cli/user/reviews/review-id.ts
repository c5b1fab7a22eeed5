/** The argument that names a review: its own id, or that of its decision. */

import { InvalidArgumentError, type Command } from 'commander'
import { isReviewId } from '../../../core/review/terms.ts'

/** For the help texts. */
export const exampleId = 'rev_01ka2b3c4d5e6f7g8h9j0k1m2n'

/** Both ids have the same digits, so that no request is needed to find the review of a decision. */
export function parseReviewId(text: string): string {
  const id = text.toLowerCase().replace(/^svc-\d{4}-/, 'rev_')
  if (isReviewId(id)) return id
  throw new InvalidArgumentError('Expected the id of a review, rev_…, or of its decision, SVC-….')
}

export function withReviewId(command: Command): Command {
  return command.argument('<review-id>', 'Id of the review, rev_…, or of its decision, SVC-…', parseReviewId)
}
