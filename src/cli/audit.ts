/** `fairway audit`: checks an exported evidence bundle, without a server. */

import type { Command } from 'commander'
import { NoBundle } from '../app/audit/csv-form.ts'
import { verifyBundle, type Verified } from '../app/audit/verify.ts'
import { CommandFailure, plain, type CliParts } from './parts.ts'

/** A bundle has some twenty kilobytes. */
const fileBytesMax = 8 * 1024 * 1024

/** What was found is told on standard output; the code tells a script. */
const changedExitCode = 65

export function registerAudit(program: Command, parts: CliParts): void {
  const audit = program.command('audit').description('check evidence')
  audit
    .command('verify <file>')
    .description('check an audit export offline: do its hashes hold, and does it follow from its evidence?')
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
FILE is what GET /api/v1/audit/export/{id} gave, as JSON or CSV; - reads standard input. The exit code is 0 where it
is intact and 65 where something was changed.

Example:
  fairway audit verify audit-SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N.json`,
    )
    .action(async (file: string, options: { json?: true }) => {
      const { name, text } = await readText(parts, file)
      const verified = check(text, name)
      process.stdout.write(`${options.json ? asJson(verified) : asText(verified)}\n`)
      const { length } = verified.findings
      if (length > 0) {
        throw new CommandFailure(
          `${name} was changed in ${length} ${length === 1 ? 'place' : 'places'}`,
          changedExitCode,
        )
      }
    })
}

async function readText(parts: CliParts, path: string): Promise<{ name: string; text: string }> {
  const input = await parts.openInput(path, new AbortController().signal)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of input.pieces) {
    bytes += piece.byteLength
    if (bytes > fileBytesMax) throw new CommandFailure(`${input.name} is larger than any audit export`)
    pieces.push(piece)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    return { name: input.name, text }
  } catch {
    throw new CommandFailure(`${input.name} is not UTF-8`)
  }
}

function check(text: string, name: string): Verified {
  try {
    return verifyBundle(text)
  } catch (error) {
    if (error instanceof NoBundle) throw new CommandFailure(`${name} ${error.message}`)
    throw error
  }
}

function asJson({ requestId, recordHash, computedHash, findings, notDecidedAgain }: Verified): string {
  return JSON.stringify({
    intact: findings.length === 0,
    request_id: requestId,
    record_hash: recordHash,
    computed_hash: computedHash,
    decided_again: notDecidedAgain === null,
    findings,
  })
}

function asText({ requestId, recordHash, computedHash, findings, notDecidedAgain }: Verified): string {
  if (findings.length > 0) {
    return [
      `CHANGED: ${plain(requestId)}`,
      ...findings.map(({ path, message }) => `  ${plain(path)} ${plain(message)}`),
      `record_hash in the file:  ${plain(recordHash)}`,
      `record_hash of the file:  ${computedHash}`,
    ].join('\n')
  }
  const again =
    notDecidedAgain === null
      ? 'From its evidence the engine comes to the same decision, and explanation and timeline follow from it.'
      : `The decision was not made again: ${notDecidedAgain}.`
  return [
    `INTACT: ${plain(requestId)}`,
    again,
    `record_hash: ${computedHash}`,
    'Every export of this decision has this hash: compare it with the service to know that the file is not made up.',
  ].join('\n')
}
