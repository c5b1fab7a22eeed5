/** `fairway reviews claim`, `release`, `comment` and `propose`: the work of a reviewer. */

import type { Command } from 'commander'
import { overrideActions, type OverrideAction } from '../../../core/events/override.ts'
import { oneOf } from '../../arguments.ts'
import { show } from '../session/answer-checks.ts'
import { runUser, withSharedOptions, type SharedOptions, type UserCli } from '../session/session.ts'
import { dueText, subjectText } from './review-lines.ts'
import { exampleId, withReviewId } from './review-id.ts'
import { actOnce } from './server-reviews.ts'

interface CommentOptions extends SharedOptions {
  readonly text: string
}

interface ProposeOptions extends SharedOptions {
  readonly action: OverrideAction
  readonly reason: string
  readonly justification: string
}

export function registerClaim(reviews: Command, cli: UserCli): void {
  withSharedOptions(withReviewId(reviews.command('claim').description('Claim a review')))
    .addHelpText(
      'after',
      `
One claim wins: that of another principal is refused. Your own again changes nothing.

Example:
  fairway reviews claim ${exampleId}`,
    )
    .action((reviewId: string, options: SharedOptions) =>
      runUser(cli, options, async (session) => {
        const { screen, hint } = session
        const review = await actOnce(session, reviewId, 'it was claimed', (client) =>
          client.claimReview(reviewId),
        )
        show(screen, review, () => [
          `Claimed ${screen.cell(reviewId)}, due ${dueText(review, cli.deps.clock.nowMs())}.`,
          screen.cell(subjectText(review)),
          '',
          `Next: ${screen.cell(hint('reviews', 'propose', reviewId, '--action', 'ACTION', '--reason', 'CODE', '--justification', 'TEXT'))}`,
        ])
        return 0
      }),
    )
}

export function registerRelease(reviews: Command, cli: UserCli): void {
  withSharedOptions(withReviewId(reviews.command('release').description('Give a review back to the queue')))
    .addHelpText(
      'after',
      `
Withdraws your proposal. A key with review:approve also releases what another has claimed, unless it has a proposal.

Example:
  fairway reviews release ${exampleId}`,
    )
    .action((reviewId: string, options: SharedOptions) =>
      runUser(cli, options, async (session) => {
        const { screen } = session
        const review = await actOnce(session, reviewId, 'it was released', (client) =>
          client.releaseReview(reviewId),
        )
        show(screen, review, () => [`Released ${screen.cell(reviewId)}. Anybody may claim it.`])
        return 0
      }),
    )
}

export function registerComment(reviews: Command, cli: UserCli): void {
  withSharedOptions(
    withReviewId(reviews.command('comment').description('Comment on a review')).requiredOption(
      '--text <text>',
      'Comment, recorded permanently',
    ),
  )
    .addHelpText('after', `\nExample:\n  fairway reviews comment ${exampleId} --text "Called the payee."`)
    .action((reviewId: string, options: CommentOptions) =>
      runUser(cli, options, async (session) => {
        const { screen } = session
        const review = await actOnce(session, reviewId, 'the comment was recorded', (client) =>
          client.commentReview(reviewId, { text: options.text }),
        )
        show(screen, review, () => [`Commented on ${screen.cell(reviewId)}.`])
        return 0
      }),
    )
}

export function registerPropose(reviews: Command, cli: UserCli): void {
  withSharedOptions(
    withReviewId(reviews.command('propose').description('Propose what to do instead'))
      .requiredOption('--action <action>', 'EXECUTE, HOLD or REJECT', oneOf(overrideActions))
      .requiredOption('--reason <code>', 'Reason code, such as PAYEE_CALLED')
      .requiredOption('--justification <text>', 'Explanation for the approver and for auditors'),
  )
    .addHelpText(
      'after',
      `
Also claims a review that nobody has. Nothing happens to the decision until the proposal is approved. To change it,
release the review and propose again.

Example:
  fairway reviews propose ${exampleId} --action EXECUTE --reason PAYEE_CALLED \\
    --justification "The payee was called and confirmed."`,
    )
    .action((reviewId: string, options: ProposeOptions) =>
      runUser(cli, options, async (session) => {
        const { screen, hint } = session
        const { action, reason, justification } = options
        const review = await actOnce(session, reviewId, 'it was proposed', (client) =>
          client.proposeReview(reviewId, { action, reason_code: reason, justification }),
        )
        const approve = ['reviews', 'approve', reviewId, '--proposal', review.proposal?.proposal_id ?? '']
        show(screen, review, () => [
          `Proposed ${action} for ${screen.cell(reviewId)}. Nothing happens until it is approved.`,
          screen.cell(subjectText(review)),
          '',
          `For the approver: ${screen.cell(hint(...approve))}`,
        ])
        return 0
      }),
    )
}
