/** Runs a command of `fairway policy` on a server or, with --installation, on the database. */

import { Option, type Command } from 'commander'
import { parseChangeId } from '../../arguments.ts'
import { CommandFailure } from '../../deps.ts'
import { Screen } from '../session/screen.ts'
import {
  reporting,
  runUser,
  withSharedOptions,
  type SharedOptions,
  type UserCli,
} from '../session/session.ts'
import { serverPolicies } from './server-policies.ts'
import type { PolicyTarget } from './target.ts'

export interface TargetOptions extends SharedOptions {
  readonly installation?: true
  /** Of the commands that change something. */
  readonly reference?: string
}

const installationOption = (): Option =>
  new Option('--installation', 'For operators: the policies of the installation, in DATABASE_URL').conflicts(
    'url',
  )

/** Options of a command that only reads. */
export function withTargetOptions(command: Command): Command {
  return withSharedOptions(command.addOption(installationOption()))
}

/** Options of a command that changes something. */
export function withChangeOptions(command: Command): Command {
  return withSharedOptions(
    command
      .addOption(installationOption())
      .option('--reference <change-id>', 'With --installation: id of the approved change', parseChangeId),
  )
}

export interface PolicyWork {
  readonly target: PolicyTarget
  readonly screen: Screen
}

/** Runs a command on the policies that its options name. */
export async function runOnPolicies(
  cli: UserCli,
  options: TargetOptions,
  { changes }: { readonly changes: boolean },
  work: (work: PolicyWork) => Promise<number>,
): Promise<void> {
  const { installation, reference } = options
  if (installation !== true) {
    if (reference !== undefined) throw new CommandFailure('--reference is for --installation')
    return runUser(cli, options, (session) =>
      work({ target: serverPolicies(session), screen: session.screen }),
    )
  }
  const screen = new Screen(cli.deps.user.terminal, options)
  await reporting(screen, async () => {
    if (changes && reference === undefined) {
      throw new CommandFailure(
        '--installation needs --reference CHANGE-ID, the id of the approved change. Nothing was changed',
      )
    }
    // Loaded here: no other command needs it.
    const { onInstallation } = await import('../../operator/installation-policies.ts')
    cli.exitStatus.exitCode = await onInstallation(cli.deps, reference ?? null, (target) =>
      work({ target, screen }),
    )
  })
}
