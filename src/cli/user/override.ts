/** `fairway override`: a person's word on a decision, once and for ever. */

import type { Command } from 'commander'
import {
  ConnectionError,
  ServerError,
  type Override,
  type OverrideRequest,
} from '../../../client/src/index.ts'
import { overrideActions, type OverrideAction } from '../../core/override.ts'
import { CommandFailure } from '../parts.ts'
import { holdExitCode } from './exit-codes.ts'
import { oneOf } from './forms.ts'
import { timeText, type Screen } from './screen.ts'
import { runUser, withSharedOptions, type Session, type SharedOptions, type UserCli } from './session.ts'

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
      .option('--yes', 'do not ask whether it is meant; where nobody can be asked, nobody is'),
  )
    .addHelpText(
      'after',
      `
The decision itself never changes: the override is put beside it. It cannot be taken back.

Example:
  fairway override SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N --action EXECUTE --reason COMPLIANCE_APPROVED \\
    --justification "The payee was called and confirmed."`,
    )
    .action((requestId: string, options: OverrideOptions) =>
      runUser(cli, options, async (session) => {
        const { action, reason, justification } = options
        const body = { request_id: requestId, action, reason_code: reason, justification }
        if (options.yes !== true && !(await isMeant(cli, body)))
          throw new CommandFailure('nothing was overridden')
        const made = await overridden(session, body)
        if (session.screen.isJson) session.screen.json(made)
        else session.screen.lines(overrideLines(session.screen, made))
        return 0
      }),
    )
}

async function isMeant({ parts }: UserCli, { request_id: id, action }: OverrideRequest): Promise<boolean> {
  const { terminal } = parts.user
  if (!terminal.isInputTerminal || !terminal.isErrorTerminal) return true
  const answer = await terminal.askLine(`Override ${id} with ${action}? It cannot be taken back. [y/N] `)
  return /^y(?:es)?$/i.test(answer?.trim() ?? '')
}

/** Tried once: where the answer is lost, nobody knows whether it was done. */
async function overridden(session: Session, body: OverrideRequest): Promise<Override> {
  try {
    return await session.keyed().override(body)
  } catch (error) {
    const isLost = error instanceof ServerError || error instanceof ConnectionError
    if (!isLost) throw error
    const told = `${error.message} Whether the override was made is not known: fairway audit ${body.request_id} shows it.`
    throw Object.assign(new CommandFailure(told, holdExitCode), { cause: error })
  }
}

function overrideLines(screen: Screen, made: Override): string[] {
  return [
    `Overridden: ${made.original_decision} with ${screen.cell({ text: made.action, format: 'bold' })}.`,
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
