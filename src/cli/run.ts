/** The command line: parses, runs one command, and turns every failure into one clear line and exit code 1. */

import { Command, CommanderError } from 'commander'
import { engineVersion } from '../core/decision/engine.ts'
import { registerAccess } from './operator/access.ts'
import { registerAssess } from './operator/assess.ts'
import { registerBackup } from './operator/backup.ts'
import { registerCip } from './operator/cip.ts'
import { explain } from './failure-line.ts'
import { registerFeeds } from './operator/feeds.ts'
import { registerKeys } from './operator/keys.ts'
import { registerPartitions } from './operator/partitions.ts'
import { CommandFailure, plain, type CliDeps, type Output } from './deps.ts'
import { clean, withoutSecrets } from './redact.ts'
import { registerServe } from './operator/serve.ts'
import { registerUserCommands } from './user/register.ts'
import type { Ending } from './user/session/session.ts'
import { registerWebhooks } from './operator/webhooks.ts'

/** What is said, a line after another, with nothing in them that a terminal obeys. */
const harmless = (text: string): string => withoutSecrets(text).split('\n').map(plain).join('\n')

export async function runCli(argv: readonly string[], parts: CliDeps): Promise<number> {
  const { stdout, stderr } = parts.process
  // Whoever reads our output may stop reading, as head does: that is no fault.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    stderr.write(`fairway: cannot write the answer: ${error.message}\n`)
    parts.process.exit(1)
  })
  // A terminal that was closed cannot be told anything.
  stderr.on('error', () => {})
  const ending = { exitCode: 0 }
  const program = programOf(parts, ending)
  try {
    refuseUnknown(program, argv[2] ?? '')
    if (argv[2] === 'help') refuseUnknown(program, argv[3] ?? '')
    await program.parseAsync(argv)
    return ending.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    stderr.write(`fairway: ${clean(explain(error))}\n`)
    const details = error instanceof CommandFailure ? error.details : []
    for (const detail of details) stderr.write(`  ${clean(detail)}\n`)
    return error instanceof CommandFailure ? error.exitCode : 1
  }
}

/** Commander's own, where there is no terminal. */
const helpWidth = ({ isTTY, columns }: Output): number => (isTTY ? columns : undefined) ?? 80

/** The whole tree of commands: those of users first, who are more. */
export function programOf(parts: CliDeps, ending: Ending): Command {
  const { stdout, stderr } = parts.process
  const program = new Command('fairway')
    .description('Payment corridor verification: one decision before money moves.')
    .version(engineVersion)
    .showHelpAfterError('(fairway --help shows what there is)')
    .exitOverride()
    // An option belongs to the command before it, also where the command above has one of the same name.
    .enablePositionalOptions()
    .configureOutput({
      // Commander repeats what it refuses.
      outputError: (text, write) => write(harmless(text)),
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => helpWidth(stdout),
      getErrHelpWidth: () => helpWidth(stderr),
    })
    .addHelpText('after', '\nExample:\n  fairway quickstart\n  fairway verify GB-NG 1000 --currency GBP')
  program.commandsGroup('User commands, which ask a server with a key:')
  registerUserCommands(program, { parts, ending })
  program.commandsGroup('Operator commands, which work beside a server, with its settings and its database:')
  registerServe(program, parts)
  registerKeys(program, parts)
  registerAccess(program, parts)
  registerAssess(program, parts)
  registerBackup(program, parts)
  registerCip(program, parts)
  registerFeeds(program, parts)
  registerPartitions(program, parts)
  registerWebhooks(program, parts)
  program.commandsGroup('Help:')
  return program.helpCommand('help [command]', 'show help of a command')
}

/** Serving is what happens without a command: a mistyped one would be told that it is one argument too many; `help` would help with everything. */
function refuseUnknown(program: Command, word: string): void {
  const isKnown = ['help', ...program.commands.map((command) => command.name())].includes(word)
  if (word !== '' && !word.startsWith('-') && !isKnown)
    program.error(`error: unknown command '${plain(word)}'`)
}
