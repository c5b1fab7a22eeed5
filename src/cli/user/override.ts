/** `fairway override`: a person's word on a decision, once and for ever. */

import type { Command } from 'commander'
import {
  ConnectionError,
  FairwayError,
  ServerError,
  UnexpectedAnswerError,
  type Override,
  type OverrideRequest,
} from '../../../client/src/index.ts'
import { overrideActions, type OverrideAction } from '../../core/events/override.ts'
import { CommandFailure } from '../deps.ts'
import { checked, show } from './session/answer-checks.ts'
import { holdExitCode } from './session/exit-codes.ts'
import { messageOf } from './session/failure.ts'
import { oneOf } from '../arguments.ts'
import { timeText, type Screen } from './session/screen.ts'
import {
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'

interface OverrideOptions extends SharedOptions {
  readonly action: OverrideAction
  readonly reason: string
  readonly justification: string
  readonly yes?: true
}

export function registerOverride(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('override')
      .description('override a DEGRADED or NO-GO decision, once and for ever')
      .argument('<request-id>', 'the id of the decision, SVC-…')
      .requiredOption('--action <action>', 'what is done: EXECUTE, HOLD or REJECT', oneOf(overrideActions))
      .requiredOption('--reason <code>', 'in capitals, like COMPLIANCE_APPROVED')
      .requiredOption('--justification <text>', 'why, in words; an auditor reads it')
      .option('--yes', 'do not ask whether it is meant; needed where nobody can be asked'),
  )
    .addHelpText(
      'after',
      `
The decision itself never changes: the override is put beside it. It cannot be taken back: you are asked first, and where
nobody can be asked, as in a script, nothing is done without --yes.

Example:
  fairway override SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N --action EXECUTE --reason COMPLIANCE_APPROVED \\
    --justification "The payee was called and confirmed."`,
    )
    .action((requestId: string, options: OverrideOptions) =>
      runUser(cli, options, async (session) => {
        const { action, reason, justification } = options
        const body = { request_id: requestId, action, reason_code: reason, justification }
        if (options.yes !== true) await askWhetherMeant(cli, body)
        const made = await overridden(session, body)
        show(session.screen, made, () => overrideLines(session.screen, made))
        return 0
      }),
    )
}

/** Ends the command unless somebody says yes. */
async function askWhetherMeant({ parts }: UserCli, { request_id: id, action }: OverrideRequest) {
  const { terminal } = parts.user
  if (!terminal.isInputTerminal || !terminal.isErrorTerminal) {
    throw new CommandFailure(
      'an override is for ever, and nobody can be asked here whether it is meant: give --yes. Nothing was overridden',
    )
  }
  const answer = await terminal.askLine(`Override ${id} with ${action}? It cannot be taken back. [y/N] `)
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw new CommandFailure('nothing was overridden')
}

/** Tried once: where the answer is lost, or is none, nobody knows whether it was done. */
async function overridden(session: Session, body: OverrideRequest): Promise<Override> {
  try {
    const made = checked(await session.keyed().override(body), { override_id: 'text', request_id: 'text' })
    if (made.request_id === body.request_id) return made
    throw new UnexpectedAnswerError("This is not an answer of Fairway's: it is about another decision.")
  } catch (error) {
    const isLost =
      error instanceof ServerError ||
      error instanceof ConnectionError ||
      error instanceof UnexpectedAnswerError
    if (!isLost) throw error
    const look = session.hint('audit', body.request_id)
    const told = `${messageOf(error)} Whether the override was made is not known: ${look} shows it.`
    // Programs are told the same.
    const cause = new FairwayError(told, error, { cause: error })
    throw Object.assign(new CommandFailure(told, holdExitCode), { cause })
  }
}

export function overrideLines(screen: Screen, made: Override): string[] {
  return [
    `Overridden: ${screen.cell(made.original_decision)} with ${screen.cell({ text: made.action, format: 'bold' })}.`,
    '',
    ...screen.facts([
      ['Request', made.request_id],
      ['Override', made.override_id],
      ['Reason', made.reason_code],
      ['Because', made.justification],
      ['Made', timeText(made.created_at)],
    ]),
  ]
}
