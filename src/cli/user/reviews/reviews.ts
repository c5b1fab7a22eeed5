/** `fairway reviews`: the queue of payments that need a person, and what people do about them. */

import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Decision, Mode, ReviewsQuery } from '../../../../client/src/index.ts'
import { reviewStatuses, waitingStatuses } from '../../../core/review/life.ts'
import { definedMembers, oneOf, parseCount, parseList } from '../../arguments.ts'
import { show } from '../session/answer-checks.ts'
import { runUser, withSharedOptions, type SharedOptions, type UserCli } from '../session/session.ts'
import { registerApprove, registerReject } from './settle.ts'
import { registerClaim, registerComment, registerPropose, registerRelease } from './handle.ts'
import { queueLines, reviewLines } from './review-lines.ts'
import { exampleId, withReviewId } from './review-id.ts'
import { readQueue, readReview } from './server-reviews.ts'

interface ListOptions extends SharedOptions {
  readonly status: string
  readonly corridor?: string
  readonly decision?: Decision
  readonly mode?: Mode
  readonly mine?: true
  readonly unclaimed?: true
  readonly overdue?: true
  readonly limit: number
}

export function registerReviews(program: Command, cli: UserCli): void {
  const reviews = program
    .command('reviews')
    .description('Work the queue of payments that need a person')
    .addHelpText(
      'after',
      `
A review takes the id of its decision, too. Docs: docs/reviews.md

Example:
  fairway reviews list --unclaimed
  fairway reviews claim ${exampleId}`,
    )
  registerList(reviews, cli)
  registerShow(reviews, cli)
  registerClaim(reviews, cli)
  registerRelease(reviews, cli)
  registerComment(reviews, cli)
  registerPropose(reviews, cli)
  registerApprove(reviews, cli)
  registerReject(reviews, cli)
}

const waiting = waitingStatuses.join(',')

/** The statuses as the API takes them. */
function parseStatuses(text: string): string {
  if (text === 'all') return reviewStatuses.join(',')
  const names = parseList(text)
  const known: readonly string[] = reviewStatuses
  if (names.every((name) => known.includes(name))) return [...new Set(names)].join(',')
  throw new InvalidArgumentError(`Expected all, or some of ${reviewStatuses.join(',')}.`)
}

function registerList(reviews: Command, cli: UserCli): void {
  withSharedOptions(
    reviews
      .command('list')
      .description('List reviews that wait, oldest due first')
      .option('--status <statuses>', 'Only these, comma-separated, or all', parseStatuses, waiting)
      .option('--corridor <corridor>', 'Only reviews of this corridor')
      .option('--decision <decision>', 'Only GO, DEGRADED or NO-GO', oneOf(['GO', 'DEGRADED', 'NO-GO']))
      .option('--mode <mode>', 'Only shadow or live decisions', oneOf(['shadow', 'live']))
      .addOption(new Option('--mine', 'Only reviews that you have claimed').conflicts('unclaimed'))
      .option('--unclaimed', 'Only reviews that nobody has claimed')
      .option('--overdue', 'Only reviews that wait for too long')
      .option('--limit <count>', 'Maximum number of reviews', parseCount, 50),
  )
    .addHelpText(
      'after',
      '\nExample:\n  fairway reviews list --mine\n  fairway reviews list --status approved,expired --json',
    )
    .action((options: ListOptions) =>
      runUser(cli, options, async (session) => {
        const { screen } = session
        const queue = await readQueue(session, session.keyed(), queryOf(options), options.limit)
        const nowMs = cli.deps.clock.nowMs()
        show(screen, queue.reviews, () => queueLines(screen, queue, nowMs))
        return 0
      }),
    )
}

function queryOf({ status, corridor, decision, mode, mine, unclaimed, overdue }: ListOptions): ReviewsQuery {
  const claimedBy = mine ? ('me' as const) : unclaimed ? ('nobody' as const) : undefined
  const late = overdue === true ? ('true' as const) : undefined
  return { status, ...definedMembers({ corridor, decision, mode, claimed_by: claimedBy, overdue: late }) }
}

function registerShow(reviews: Command, cli: UserCli): void {
  withSharedOptions(
    withReviewId(reviews.command('show').description('Show a review, its comments and its history')),
  )
    .addHelpText('after', `\nExample:\n  fairway reviews show ${exampleId}`)
    .action((reviewId: string, options: SharedOptions) =>
      runUser(cli, options, async (session) => {
        const { screen } = session
        const review = await readReview(session, reviewId)
        const nowMs = cli.deps.clock.nowMs()
        show(screen, review, () => reviewLines(screen, review, nowMs))
        return 0
      }),
    )
}
