/** `fairway calibration`: compares scores with how payments ended, and saves the suggested policy. */

import type { Command } from 'commander'
import type { Calibration, Mode } from '../../../client/src/index.ts'
import { definedMembers, oneOf, parseTimeText } from '../arguments.ts'
import { CommandFailure } from '../deps.ts'
import { calibrationLines } from './calibration-lines.ts'
import { checked, show } from './session/answer-checks.ts'
import { faultExitCode } from './session/exit-codes.ts'
import { quoted } from './session/hints.ts'
import {
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'

interface CalibrationOptions extends SharedOptions {
  readonly from?: string
  readonly to?: string
  readonly mode?: Mode
  readonly corridor?: string
  readonly suggestion?: string
  readonly force?: true
}

export function registerCalibration(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('calibration')
      .description('Compare scores with how payments ended')
      .option(
        '--from <time>',
        'Recorded at or after this time, or date; default: 365 days before',
        parseTimeText,
      )
      .option('--to <time>', 'Recorded before this time, or date; default: now', parseTimeText)
      .option('--mode <mode>', 'Only shadow or live decisions', oneOf(['shadow', 'live']))
      .option('--corridor <corridor>', 'Only decisions on this corridor')
      .option('--suggestion <file>', 'Write the suggested policy to this file')
      .option('--force', 'Overwrite the file'),
  )
    .addHelpText(
      'after',
      `
A score predicts failure with a probability of 1 - score. Outcomes come from fairway outcomes import, or from the API.
With --suggestion the exit code is 1 if the outcomes support no change.

Example:
  fairway calibration --from 2026-10-01 --corridor GB-NG
  fairway calibration --suggestion policy.json
  fairway policy create policy.json`,
    )
    .action((options: CalibrationOptions) =>
      runUser(cli, options, async (session) => {
        const client = session.keyed()
        const { from, to, mode, corridor } = options
        const query = definedMembers({ from, to, mode, corridor })
        const calibration = checked(await session.call(() => client.calibration(query)), {
          from: 'text',
          to: 'text',
          reliability: 'list',
          signals: 'list',
          suggestion_reason: 'text',
        })
        if (options.suggestion !== undefined)
          return writeSuggestion(cli, session, calibration, options.suggestion, options.force === true)
        const { screen, hint } = session
        const repeated = Object.entries(query).flatMap(([name, value]) => [`--${name}`, value])
        const save = hint('calibration', ...repeated, '--suggestion', 'policy.json')
        show(screen, calibration, () => calibrationLines(screen, calibration, { mode, corridor, save }))
        return 0
      }),
    )
}

async function writeSuggestion(
  { deps }: UserCli,
  { screen, hint }: Session,
  { suggestion, suggestion_reason: reason }: Calibration,
  path: string,
  overwrite: boolean,
): Promise<number> {
  if (suggestion === null)
    throw new CommandFailure(`no suggestion, so no file was written. ${reason}`, faultExitCode)
  await deps.user.writeFile(path, `${JSON.stringify(suggestion, null, 2)}\n`, overwrite)
  show(screen, { file: path, suggestion, suggestion_reason: reason }, () => [
    `Wrote ${screen.cell(quoted(path))}.`,
    ...screen.prose(reason),
    '',
    `Next: ${screen.cell(hint('policy', 'create', path))}`,
  ])
  return 0
}
