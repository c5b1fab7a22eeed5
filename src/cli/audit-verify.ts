/** `fairway audit verify`: checks an exported evidence bundle, without a server. */

import type { Command } from 'commander'
import type { Verified } from '../app/audit/verify.ts'
import { CommandFailure, plain, type CliParts } from './parts.ts'

/** A bundle has some twenty kilobytes. */
const fileBytesMax = 1024 * 1024

/** What was found is told on standard output; the code tells a script. */
const changedExitCode = 65
/** The hashes hold, but another engine decided: nothing more could be checked. */
const hashesOnlyExitCode = 3

export function registerAuditVerify(audit: Command, parts: CliParts): void {
  audit
    .command('verify <file>')
    .description('check an audit export offline: do its hashes hold, and does it follow from its evidence?')
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
FILE is what fairway audit ID --export FILE wrote, or GET /api/v1/audit/export/{id} gave, as JSON or CSV; - reads standard input. The exit code is 0 where it
is intact, 65 where something was changed, and 3 where the hashes hold but another engine version decided, so that the
decision could not be made again.

Example:
  fairway audit verify audit-SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N.json`,
    )
    .action(async (file: string, options: { json?: true }) => {
      const { name, text } = await readText(parts, file)
      const verified = await check(text, name)
      process.stdout.write(`${options.json ? asJson(verified) : asText(verified)}\n`)
      const { length } = verified.findings
      if (length > 0) {
        throw new CommandFailure(
          `${name} was changed in ${length} ${length === 1 ? 'place' : 'places'}`,
          changedExitCode,
        )
      }
      if (verified.notDecidedAgain !== null) {
        throw new CommandFailure(
          `the hashes of ${name} hold, but ${verified.notDecidedAgain}`,
          hashesOnlyExitCode,
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

async function check(text: string, name: string): Promise<Verified> {
  // Here, since no other command needs them.
  const { NoBundle } = await import('../app/audit/csv-form.ts')
  const { verifyBundle } = await import('../app/audit/verify.ts')
  try {
    return verifyBundle(text)
  } catch (error) {
    if (error instanceof NoBundle) throw new CommandFailure(`${name} ${error.message}`)
    throw error
  }
}

function asJson({ record, told, computed, findings, notices, notDecidedAgain }: Verified): string {
  return JSON.stringify({
    intact: findings.length === 0,
    request_id: record['request_id'],
    record_hash: told.record_hash,
    computed_hash: computed.record_hash,
    bundle_hash: computed.bundle_hash,
    decided_again: notDecidedAgain === null,
    findings,
    notices,
  })
}

/** Nothing in a file can break out of its line. */
const shown = (value: unknown): string =>
  plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

/** What the file says, so that a reader sees what was checked. */
function whatIsTold({ record, humanOverride, outcome }: Verified): string[] {
  const amount =
    record['amount'] === null ? 'no stated amount' : `${shown(record['amount'])} ${shown(record['currency'])}`
  const decision = `${shown(record['decision'])} at ${shown(record['score'])}, for ${amount} on ${shown(record['corridor'])}`
  const lines = [`${decision}, at ${shown(record['evaluated_at'])}`]
  if (humanOverride !== null && humanOverride !== undefined) lines.push(`Overridden: ${shown(humanOverride)}`)
  if (outcome !== null && outcome !== undefined) lines.push(`Outcome: ${shown(outcome)}`)
  return lines
}

function asText(verified: Verified): string {
  const { record, told, computed, findings, notices, notDecidedAgain } = verified
  const listed = (found: Verified['findings']): string[] =>
    found.map(({ path, message }) => `  ${plain(path)} ${plain(message)}`)
  const id = shown(record['request_id'])
  if (findings.length > 0) {
    return [
      `CHANGED: ${id}`,
      ...listed(findings),
      `record_hash in the file:  ${plain(told.record_hash)}`,
      `record_hash of the file:  ${computed.record_hash}`,
    ].join('\n')
  }
  const again =
    notDecidedAgain === null
      ? 'From its evidence the engine comes to the same answer; explanation and timeline follow from it.'
      : 'The decision was not made again.'
  const reworded =
    notices.length === 0 ? [] : ['Worded otherwise than this release would:', ...listed(notices)]
  return [
    `${notDecidedAgain === null ? 'INTACT' : 'HASHES HOLD'}: ${id}`,
    ...whatIsTold(verified),
    again,
    ...reworded,
    `record_hash: ${computed.record_hash}`,
    `bundle_hash: ${computed.bundle_hash}`,
    'That the file was not made up is known by comparing these with a fresh export of the decision.',
  ].join('\n')
}
