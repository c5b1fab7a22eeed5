/** The command line: parses, runs one command, and turns every failure into one clear line and exit code 1. */

import { Command, CommanderError } from 'commander'
import { FileFault, StoreUnavailable } from '../app/ports.ts'
import { BadSetting } from '../config.ts'
import { engineVersion } from '../core/engine.ts'
import { webhookSecretPattern } from '../core/webhook.ts'
import { registerAccess } from './access.ts'
import { registerAssess } from './assess.ts'
import { registerAudit } from './audit.ts'
import { registerCip } from './cip.ts'
import { registerFeeds } from './feeds.ts'
import { registerKeys } from './keys.ts'
import { CommandFailure, plain, type CliParts } from './parts.ts'
import { registerServe } from './serve.ts'
import { registerWebhooks } from './webhooks.ts'

const everySecret = new RegExp(webhookSecretPattern.source, 'g')

export async function runCli(argv: readonly string[], parts: CliParts): Promise<number> {
  // Whoever reads our output may stop reading, as head does: that is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`fairway: cannot write the answer: ${error.message}\n`)
    process.exit(1)
  })
  // A terminal that was closed cannot be told anything.
  process.stderr.on('error', () => {})
  const program = new Command('fairway')
    .description('Payment corridor verification: one decision before money moves.')
    .version(engineVersion)
    .showHelpAfterError('(fairway --help shows what there is)')
    .exitOverride()
    // Commander repeats what it refuses: a secret in the wrong place does not belong on the terminal.
    .configureOutput({ outputError: (text, write) => write(text.replaceAll(everySecret, '[secret]')) })
  registerServe(program, parts)
  registerKeys(program, parts)
  registerAccess(program, parts)
  registerAssess(program, parts)
  registerAudit(program, parts)
  registerCip(program, parts)
  registerFeeds(program, parts)
  registerWebhooks(program, parts)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    process.stderr.write(`fairway: ${plain(explain(error))}\n`)
    return error instanceof CommandFailure ? error.exitCode : 1
  }
}

function explain(error: unknown): string {
  if (error instanceof BadSetting || error instanceof CommandFailure || error instanceof FileFault) {
    return error.message
  }
  const failure = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in failure ? String(failure.code) : ''
  if (code === 'EADDRINUSE')
    return 'the address is in use: set PORT to a free port, or stop the other process'
  const listening =
    'syscall' in failure && (failure.syscall === 'listen' || failure.syscall === 'getaddrinfo')
  if (listening && (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')) {
    return `cannot listen on the given HOST and PORT (${code})`
  }
  if (failure instanceof StoreUnavailable) {
    return `the database cannot be reached: ${oneLine(failure)}. Check DATABASE_URL`
  }
  return oneLine(failure)
}

/** Some network errors have no message of their own, only that of their causes. */
function oneLine(error: Error): string {
  const { cause } = error
  const inner = cause instanceof AggregateError ? cause.errors : cause instanceof Error ? [cause] : []
  const text = error.message !== '' ? error.message : inner.map((one: Error) => one.message).join('; ')
  return text.split('\n')[0] ?? error.name
}
