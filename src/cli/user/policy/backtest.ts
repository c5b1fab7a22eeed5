/** `fairway policy backtest`: decides a stretch of history again under a policy, with a progress bar. */

import type { Command } from 'commander'
import type { Mode } from '../../../../client/src/index.ts'
import { parseIsoTime } from '../../../core/time/iso-time.ts'
import { oneOf, parseTimeText } from '../../arguments.ts'
import { countBar } from '../../progress.ts'
import { stoppable } from '../../stop-signals.ts'
import { show } from '../session/answer-checks.ts'
import { faultExitCode } from '../session/exit-codes.ts'
import { timeText, type Screen } from '../session/screen.ts'
import type { UserCli } from '../session/session.ts'
import { reportLines } from './report-lines.ts'
import { runOnPolicies, withTargetOptions, type TargetOptions } from './run-on.ts'
import type { FinishedBacktest } from './target.ts'

interface BacktestOptions extends TargetOptions {
  readonly from: string
  readonly to: string
  readonly mode?: Mode
}

export function registerBacktest(policy: Command, cli: UserCli): void {
  withTargetOptions(
    policy
      .command('backtest')
      .description('Decide past payments again under a policy')
      .argument('<policy-id>', 'Id of the policy, pol_…')
      .requiredOption('--from <time>', 'Recorded at or after this time, or date', parseTimeText)
      .requiredOption('--to <time>', 'Recorded before this time, or date', parseTimeText)
      .option('--mode <mode>', 'Only shadow or live decisions', oneOf(['shadow', 'live'])),
  )
    .addHelpText(
      'after',
      `
Nothing is changed. Ctrl-C cancels the backtest. With --installation it runs in this process, on the records of all
owners, and nothing of it is stored. The exit code is 1 if there are no records: nothing can then be said.

Example:
  fairway policy backtest pol_01ka2b3c4d5e6f7g8h9j0k1m2n --from 2026-10-01 --to 2026-11-01`,
    )
    .action((id: string, options: BacktestOptions, command: Command) => {
      const { from, to, mode = null } = options
      if ((parseIsoTime(from) ?? 0) >= (parseIsoTime(to) ?? 0))
        command.error('error: --from must be before --to')
      return runOnPolicies(cli, options, { changes: false }, async ({ target, screen }) => {
        const { process } = cli.deps
        const bar = countBar('records', process.stderr)
        try {
          const finished = await stoppable(process, (signal) =>
            target.backtest(
              id,
              { from, to, mode },
              { signal, onProgress: (done, total) => bar.update(done, total) },
            ),
          )
          bar.stop()
          show(screen, finished, () => finishedLines(screen, finished))
          return finished.report.records === 0 ? faultExitCode : 0
        } finally {
          bar.stop()
        }
      })
    })
}

function finishedLines(
  screen: Screen,
  { policy_id: id, from, to, mode, report }: FinishedBacktest,
): string[] {
  const stretch = `from ${timeText(from)} to ${timeText(to)}`
  return [
    `Backtest of ${screen.cell(id)}, ${screen.cell(stretch)}, ${mode === null ? 'both modes' : `${mode} mode`}`,
    ...reportLines(screen, report),
  ]
}
