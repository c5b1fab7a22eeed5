/** `fairway reviews approve` and `reject`: the work of an approver. */

import type { Command } from 'commander'
import { definedMembers } from '../../arguments.ts'
import { CommandFailure } from '../../deps.ts'
import { shaped, show } from '../session/answer-checks.ts'
import {
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from '../session/session.ts'
import { approvedLines, proposalLines, rejectedLines } from './review-lines.ts'
import { exampleId, withReviewId } from './review-id.ts'
import { actOnce, readReview } from './server-reviews.ts'

interface ApproveOptions extends SharedOptions {
  readonly reason?: string
  readonly proposal?: string
  readonly yes?: true
}

interface RejectOptions extends SharedOptions {
  readonly reason: string
  readonly proposal?: string
}

const proposalHelp = 'Only if this is still the proposal, rvc_…'

export function registerApprove(reviews: Command, cli: UserCli): void {
  withSharedOptions(
    withReviewId(reviews.command('approve').description('Approve the proposal of a review'))
      .option('--reason <text>', 'Reason, recorded permanently')
      .option('--proposal <proposal-id>', proposalHelp)
      .option('--yes', 'Skip the confirmation on a terminal'),
  )
    .addHelpText(
      'after',
      `
Records the override permanently, with both principals. Another principal than the proposer must approve, unless the
amount is small enough (FAIRWAY_FOUR_EYES_ABOVE of the server). On a terminal the command shows the proposal and asks first.

Example:
  fairway reviews approve ${exampleId} --reason "Checked the invoice."`,
    )
    .action((reviewId: string, options: ApproveOptions) =>
      runUser(cli, options, async (session) => {
        const { screen } = session
        const { reason, proposal, yes } = options
        const shown = yes === true ? undefined : await confirmed(cli, session, reviewId)
        const body = definedMembers({ reason, proposal_id: proposal ?? shown })
        const review = await actOnce(session, reviewId, 'it was approved', (client) =>
          client.approveReview(reviewId, body),
        )
        show(screen, review, () => approvedLines(screen, review))
        return 0
      }),
    )
}

/**
 * Ends the command unless the user confirms. Returns the proposal that was shown, so that no other is approved. A script
 * has no terminal, and has been reviewed.
 */
async function confirmed({ deps }: UserCli, session: Session, reviewId: string): Promise<string | undefined> {
  const { terminal } = deps.user
  if (!terminal.isInputTerminal || !terminal.isErrorTerminal) return undefined
  const { screen } = session
  const review = await readReview(session, reviewId)
  const { proposal, status } = review
  // The service says why there is nothing to approve.
  if (proposal === null || status !== 'proposed') return undefined
  const lines = shaped(() => proposalLines(screen, review, proposal))
  // The JSON output is one value, the approved review.
  if (screen.isJson) for (const line of lines) screen.note(line)
  else screen.lines(lines)
  const answer = await terminal.promptLine(
    `Approve ${screen.cell(proposal.action)} for ${reviewId}? This cannot be undone. [y/N] `,
  )
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw new CommandFailure('nothing was approved')
  return proposal.proposal_id
}

export function registerReject(reviews: Command, cli: UserCli): void {
  withSharedOptions(
    withReviewId(reviews.command('reject').description('Reject the proposal of a review'))
      .requiredOption('--reason <text>', 'What the next proposal should do better, recorded permanently')
      .option('--proposal <proposal-id>', proposalHelp),
  )
    .addHelpText(
      'after',
      `
The review is open again for another proposal, by anybody.

Example:
  fairway reviews reject ${exampleId} --reason "Call the payee first."`,
    )
    .action((reviewId: string, options: RejectOptions) =>
      runUser(cli, options, async (session) => {
        const { screen } = session
        const { reason, proposal } = options
        const body = { reason, ...definedMembers({ proposal_id: proposal }) }
        const review = await actOnce(session, reviewId, 'it was rejected', (client) =>
          client.rejectReview(reviewId, body),
        )
        show(screen, review, () => rejectedLines(screen, review))
        return 0
      }),
    )
}
