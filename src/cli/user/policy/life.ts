/** `fairway policy create`, `candidate`, `report`, `promote` and `rollback`: the life of a policy. */

import type { Command } from 'commander'
import type { PolicyCandidateReport } from '../../../../client/src/index.ts'
import { plainText } from '../../arguments.ts'
import { CommandFailure } from '../../deps.ts'
import { shaped, show } from '../session/answer-checks.ts'
import { timeText, type Screen } from '../session/screen.ts'
import type { UserCli } from '../session/session.ts'
import { readDocumentFile } from './faults.ts'
import { mainLines, reportLines } from './report-lines.ts'
import {
  runOnPolicies,
  withChangeOptions,
  withTargetOptions,
  type PolicyWork,
  type TargetOptions,
} from './run-on.ts'

const idHelp = 'Id of the policy, pol_…'
const exampleId = 'pol_01ka2b3c4d5e6f7g8h9j0k1m2n'
const reasonLengthMax = 1_000

interface ReasonOptions extends TargetOptions {
  readonly reason: string
}

interface PromoteOptions extends ReasonOptions {
  readonly yes?: true
}

export function registerCreate(policy: Command, cli: UserCli): void {
  withChangeOptions(
    policy
      .command('create')
      .description('Create a policy as a draft')
      .argument('<file>', 'JSON document of the policy; - reads standard input'),
  )
    .addHelpText('after', '\nExample:\n  fairway policy create examples/policies/hard-stops.json')
    .action((path: string, options: TargetOptions) =>
      runOnPolicies(cli, options, { changes: true }, async ({ target, screen }) => {
        const { document } = await readDocumentFile(cli.deps, path)
        const created = await target.create(document)
        const { policy_id: id } = created
        show(screen, { ...created, ...target.recorded }, () => [
          `Created ${screen.cell(id)} as a draft. It decides nothing yet.`,
          ...target.notice,
          '',
          `Next: ${screen.cell(target.hint('policy', 'backtest', id, '--from', 'TIME', '--to', 'TIME'))}`,
          `      ${screen.cell(target.hint('policy', 'candidate', id))}`,
        ])
        return 0
      }),
    )
}

export function registerCandidate(policy: Command, cli: UserCli): void {
  withChangeOptions(
    policy
      .command('candidate')
      .description('Evaluate a policy on every new decision')
      .argument('<policy-id>', idHelp),
  )
    .addHelpText(
      'after',
      `
The decisions do not change. There is one candidate at a time: the one before it is a draft again.

Example:
  fairway policy candidate ${exampleId}`,
    )
    .action((id: string, options: TargetOptions) =>
      runOnPolicies(cli, options, { changes: true }, async ({ target, screen }) => {
        const changed = await target.candidate(id)
        show(screen, { ...changed, ...target.recorded }, () => [
          `${screen.cell(id)} is the candidate. It is evaluated on every new decision, which it does not change.`,
          ...target.notice,
          '',
          `Next: ${screen.cell(target.hint('policy', 'report', id))}`,
        ])
        return 0
      }),
    )
}

export function registerReport(policy: Command, cli: UserCli): void {
  withTargetOptions(
    policy.command('report').description('Show the report of a candidate').argument('<policy-id>', idHelp),
  )
    .addHelpText('after', `\nExample:\n  fairway policy report ${exampleId}`)
    .action((id: string, options: TargetOptions) =>
      runOnPolicies(cli, options, { changes: false }, async ({ target, screen }) => {
        const report = await target.report(id)
        show(screen, report, () => candidateLines(screen, id, report))
        return 0
      }),
    )
}

function candidateLines(screen: Screen, id: string, report: PolicyCandidateReport): string[] {
  const { since, until } = report
  const stretch =
    until === null ? `since ${timeText(since)}` : `from ${timeText(since)} to ${timeText(until)}`
  return [`${screen.cell(id)} as the candidate, ${screen.cell(stretch)}`, ...reportLines(screen, report)]
}

export function registerPromote(policy: Command, cli: UserCli): void {
  withChangeOptions(
    policy
      .command('promote')
      .description('Put a policy in force')
      .argument('<policy-id>', idHelp)
      .requiredOption('--reason <text>', 'Reason, recorded permanently', plainText(reasonLengthMax))
      .option('--yes', 'Skip the confirmation on a terminal'),
  )
    .addHelpText(
      'after',
      `
Shows the main figures of the report first. Another principal than the author must promote a policy: with another key of
the same owner. With --installation there are no four eyes, and that is recorded.

Example:
  fairway policy promote ${exampleId} --reason "Reviewed by the risk committee"`,
    )
    .action((id: string, options: PromoteOptions) =>
      runOnPolicies(cli, options, { changes: true }, async (work) => {
        const { target, screen } = work
        await showFigures(cli, work, id)
        if (options.yes !== true) await confirm(cli, id)
        const changed = await target.promote(id, options.reason)
        show(screen, { ...changed, ...target.recorded }, () => [
          `${screen.cell(id)} is in force. Every instance applies it within a second.`,
          ...target.notice,
        ])
        return 0
      }),
    )
}

/** The JSON output is one value, the promoted policy: the figures are then for the terminal alone. */
async function showFigures({ deps }: UserCli, { target, screen }: PolicyWork, id: string): Promise<void> {
  if (screen.isJson && !deps.user.terminal.isErrorTerminal) return
  const { title, report } = await target.latestReport(id)
  const lines = [title, ...(report === null ? [] : shaped(() => mainLines(screen, report))), '']
  if (screen.isJson) for (const line of lines) screen.note(line)
  else screen.lines(lines)
}

/** Ends the command unless the user confirms. A script has no terminal, and has been reviewed. */
async function confirm({ deps }: UserCli, id: string): Promise<void> {
  const { terminal } = deps.user
  if (!terminal.isInputTerminal || !terminal.isErrorTerminal) return
  const answer = await terminal.promptLine(`Put ${id} in force? [y/N] `)
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw new CommandFailure('nothing was promoted')
}

export function registerRollback(policy: Command, cli: UserCli): void {
  withChangeOptions(
    policy
      .command('rollback')
      .description('Take the active policy out of force')
      .requiredOption('--reason <text>', 'Reason, recorded permanently', plainText(reasonLengthMax)),
  )
    .addHelpText(
      'after',
      `
The policy that was active before, or none, is active again. A second rollback goes one further back.

Example:
  fairway policy rollback --reason "Too many payments wait for a person"`,
    )
    .action((options: ReasonOptions) =>
      runOnPolicies(cli, options, { changes: true }, async ({ target, screen }) => {
        const changed = await target.rollback(options.reason)
        const { rolled_back: from, active } = changed
        const now = active === null ? 'no policy is' : `${screen.cell(active)} is`
        show(screen, { ...changed, ...target.recorded }, () => [
          `${screen.cell(from)} is out of force; ${now} in force now. Every instance applies it within a second.`,
          ...target.notice,
        ])
        return 0
      }),
    )
}
