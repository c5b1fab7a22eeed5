/** `fairway override`: records a permanent override of a decision. */

import type { Command } from 'commander'
import { UnexpectedAnswerError, type Override, type OverrideRequest } from '../../../client/src/index.ts'
import { overrideActions, type OverrideAction } from '../../core/events/override.ts'
import { CommandFailure } from '../deps.ts'
import { checked, show } from './session/answer-checks.ts'
import { lostResult } from './session/failure.ts'
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
      .description('Override a DEGRADED or NO-GO decision permanently')
      .argument('<request-id>', 'Id of the decision, SVC-…')
      .requiredOption('--action <action>', 'New action: EXECUTE, HOLD or REJECT', oneOf(overrideActions))
      .requiredOption('--reason <code>', 'Reason code, such as COMPLIANCE_APPROVED')
      .requiredOption('--justification <text>', 'Explanation for auditors')
      .option('--yes', 'Skip the confirmation; required without a terminal'),
  )
    .addHelpText(
      'after',
      `
The decision itself never changes: the override is recorded with it and cannot be undone. The command asks for
confirmation; without a terminal, as in a script, it requires --yes.

Example:
  fairway override SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N --action EXECUTE --reason COMPLIANCE_APPROVED \\
    --justification "The payee was called and confirmed."`,
    )
    .action((requestId: string, options: OverrideOptions) =>
      runUser(cli, options, async (session) => {
        const { action, reason, justification } = options
        const body = { request_id: requestId, action, reason_code: reason, justification }
        if (options.yes !== true) await confirm(cli, body)
        const recorded = await sendOverride(session, body)
        show(session.screen, recorded, () => overrideLines(session.screen, recorded))
        return 0
      }),
    )
}

/** Ends the command unless the user confirms. */
async function confirm({ deps }: UserCli, { request_id: id, action }: OverrideRequest) {
  const { terminal } = deps.user
  if (!terminal.isInputTerminal || !terminal.isErrorTerminal) {
    throw new CommandFailure(
      'an override is permanent and there is no terminal to confirm it: use --yes. Nothing was overridden',
    )
  }
  const answer = await terminal.promptLine(`Override ${id} with ${action}? This cannot be undone. [y/N] `)
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw new CommandFailure('nothing was overridden')
}

/** Never retried: after a lost or invalid response it is unknown whether the override was recorded. */
async function sendOverride(session: Session, body: OverrideRequest): Promise<Override> {
  try {
    const recorded = checked(await session.keyed().override(body), {
      override_id: 'text',
      request_id: 'text',
    })
    if (recorded.request_id === body.request_id) return recorded
    throw new UnexpectedAnswerError('Unexpected response: it names another decision.')
  } catch (error) {
    const auditCommand = session.hint('audit', body.request_id)
    throw lostResult(error, `whether the override was recorded. To check, run: ${auditCommand}`)
  }
}

export function overrideLines(screen: Screen, override: Override): string[] {
  return [
    `Overridden: ${screen.cell(override.original_decision)} with ${screen.cell({ text: override.action, format: 'bold' })}.`,
    '',
    ...screen.facts([
      ['Request', override.request_id],
      ['Override', override.override_id],
      ['Reason', override.reason_code],
      ['Justification', override.justification],
      ['Created', timeText(override.created_at)],
    ]),
  ]
}
