/** Parses the command line, runs one command, and reports a failure as one line and an exit code. */

import { Command, CommanderError } from 'commander'
import { releaseVersion } from '../core/operate/release.ts'
import { registerAccess } from './operator/identity/access.ts'
import { registerArchives } from './operator/archives.ts'
import { registerAssess } from './operator/assess.ts'
import { registerBackup } from './operator/backup.ts'
import { registerCip } from './operator/cip.ts'
import { failureCode, failureLine } from './failure-line.ts'
import { registerConfig } from './operator/config.ts'
import { registerDoctor } from './operator/doctor.ts'
import { registerErase } from './operator/erasure/erase.ts'
import { registerRetention } from './operator/erasure/retention.ts'
import { registerFeeds } from './operator/feeds.ts'
import { registerKeys } from './operator/identity/keys.ts'
import { registerPeople } from './operator/identity/people.ts'
import { registerPartitions } from './operator/partitions.ts'
import { CommandFailure, plain, type CliDeps, type Output } from './deps.ts'
import { clean, withoutSecrets } from './redact.ts'
import { registerServe } from './operator/serve.ts'
import { registerStream } from './operator/stream.ts'
import { registerUserCommands } from './user/register.ts'
import type { ExitStatus } from './user/session/session.ts'
import { registerWebhooks } from './operator/webhooks.ts'

/** Removes secrets and control characters but keeps the line breaks. */
const sanitized = (text: string): string => withoutSecrets(text).split('\n').map(plain).join('\n')

export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  const { stdout, stderr } = deps.process
  // A reader such as head may close the pipe early: not an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    stderr.write(`fairway: cannot write the output: ${error.message}\n`)
    deps.process.exit(1)
  })
  // The terminal is closed: there is nowhere left to report to.
  stderr.on('error', () => {})
  const exitStatus = { exitCode: 0 }
  const program = programOf(deps, exitStatus)
  try {
    // Commander would take it for a mistake.
    if (argv.length === 2) program.outputHelp()
    else {
      if (argv[2] === 'help') refuseUnknown(program, argv[3] ?? '')
      await program.parseAsync(argv)
    }
    return exitStatus.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    stderr.write(`fairway: ${clean(failureLine(error))}\n`)
    const details = error instanceof CommandFailure ? error.details : []
    for (const detail of details) stderr.write(`  ${clean(detail)}\n`)
    return failureCode(error)
  }
}

/** 80 columns is commander's own default. */
const helpWidth = ({ isTTY, columns }: Output): number => (isTTY ? columns : undefined) ?? 80

/** The command tree, user commands first. */
export function programOf(deps: CliDeps, exitStatus: ExitStatus): Command {
  const { stdout, stderr } = deps.process
  const program = new Command('fairway')
    .description('Verify a payment corridor before money moves.')
    .version(releaseVersion, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help')
    .showHelpAfterError('(run fairway --help for the list of commands)')
    .exitOverride()
    // An option belongs to the command before it, even if a parent command has an option of the same name.
    .enablePositionalOptions()
    .configureOutput({
      // Commander repeats invalid input, which may hold a secret.
      outputError: (text, write) => write(sanitized(text)),
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => helpWidth(stdout),
      getErrHelpWidth: () => helpWidth(stderr),
    })
    .addHelpText(
      'after',
      '\nExample:\n  fairway quickstart\n  fairway serve\n  fairway verify GB-NG 1000 --currency GBP',
    )
  program.commandsGroup('User commands (call a server with an API key):')
  registerUserCommands(program, { deps, exitStatus })
  program.commandsGroup('Operator commands (use the settings and database of a server):')
  registerServe(program, deps)
  registerConfig(program, deps)
  registerDoctor(program, { deps, exitStatus })
  registerKeys(program, deps)
  registerAccess(program, deps)
  registerPeople(program, deps)
  registerAssess(program, deps)
  registerBackup(program, deps)
  registerArchives(program, deps)
  registerCip(program, deps)
  registerFeeds(program, deps)
  registerPartitions(program, deps)
  registerStream(program, deps)
  registerErase(program, deps)
  registerRetention(program, deps)
  registerWebhooks(program, deps)
  program.commandsGroup('Help:')
  for (const group of [program, ...program.commands.filter(({ commands }) => commands.length > 0)])
    group.helpCommand('help [command]', 'Show help for a command')
  return program
}

/** Rejects `help` for an unknown command, which commander ignores. */
function refuseUnknown(program: Command, word: string): void {
  const isRegistered = ['help', ...program.commands.map((command) => command.name())].includes(word)
  if (word !== '' && !word.startsWith('-') && !isRegistered)
    program.error(`error: unknown command '${plain(word)}'`)
}
