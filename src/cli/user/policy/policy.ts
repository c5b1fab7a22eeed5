/** `fairway policy`: rules that tighten decisions, from the draft to the rollback. */

import { Option, type Command } from 'commander'
import type { Policy } from '../../../../client/src/index.ts'
import { policyStatuses } from '../../../core/policy/life.ts'
import { show } from '../session/answer-checks.ts'
import type { UserCli } from '../session/session.ts'
import { registerBacktest } from './backtest.ts'
import { registerCheck } from './check.ts'
import {
  registerCandidate,
  registerCreate,
  registerPromote,
  registerReport,
  registerRollback,
} from './life.ts'
import { policyLines, policyListLines } from './policy-lines.ts'
import { runOnPolicies, withTargetOptions, type TargetOptions } from './run-on.ts'

interface ListOptions extends TargetOptions {
  readonly status?: Policy['status']
}

export function registerPolicy(program: Command, cli: UserCli): void {
  const policy = program
    .command('policy')
    .description('Tighten decisions with rules: check, backtest, promote')
    .addHelpText(
      'after',
      `
With --installation a command works on the policies of the installation, in the database of DATABASE_URL; changes then
need --reference CHANGE-ID. Docs: docs/cli.md

Example:
  fairway policy create policy.json
  fairway policy backtest pol_01ka2b3c4d5e6f7g8h9j0k1m2n --from 2026-10-01 --to 2026-11-01`,
    )
  registerList(policy, cli)
  registerShow(policy, cli)
  registerCreate(policy, cli)
  registerCheck(policy, cli)
  registerBacktest(policy, cli)
  registerCandidate(policy, cli)
  registerReport(policy, cli)
  registerPromote(policy, cli)
  registerRollback(policy, cli)
}

function registerList(policy: Command, cli: UserCli): void {
  withTargetOptions(
    policy
      .command('list')
      .description('List policies, newest first')
      .addOption(
        new Option('--status <status>', `Only ${policyStatuses.join(', ')}`).choices([...policyStatuses]),
      ),
  )
    .addHelpText('after', '\nExample:\n  fairway policy list --status active')
    .action((options: ListOptions) =>
      runOnPolicies(cli, options, { changes: false }, async ({ target, screen }) => {
        const policies = await target.list(options.status ?? null)
        const create = target.hint('policy', 'create', 'FILE')
        show(screen, policies, () => policyListLines(screen, policies, create))
        return 0
      }),
    )
}

function registerShow(policy: Command, cli: UserCli): void {
  withTargetOptions(
    policy
      .command('show')
      .description('Show a policy, its rules and its life')
      .argument('<policy-id>', 'Id of the policy, pol_…'),
  )
    .addHelpText('after', '\nExample:\n  fairway policy show pol_01ka2b3c4d5e6f7g8h9j0k1m2n')
    .action((id: string, options: TargetOptions) =>
      runOnPolicies(cli, options, { changes: false }, async ({ target, screen }) => {
        const found = await target.find(id)
        show(screen, found, () => policyLines(screen, found))
        return 0
      }),
    )
}
