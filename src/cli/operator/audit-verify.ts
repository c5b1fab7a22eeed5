/** `fairway audit verify`: checks an exported evidence bundle, without a server. */

import type { Command } from 'commander'
import type { Verified } from '../../app/audit/verify.ts'
import { readVerifierKey, type Verifier } from '../../app/log/checkpoint.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { readSmallText } from '../small-file.ts'
import { counted } from '../../core/explain/wording.ts'

/** What was found is told on standard output; the code tells a script. */
const changedExitCode = 65
/** The hashes hold, but another engine decided: nothing more could be checked. */
const hashesOnlyExitCode = 3

export function registerAuditVerify(audit: Command, parts: CliDeps): void {
  audit
    .command('verify <file>')
    .description('check an audit export offline: do its hashes hold, and does it follow from its evidence?')
    .option('--trust <key>', 'demand that the proof in it is signed by this verifier key')
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
    .action(async (file: string, options: { json?: true; trust?: string }) => {
      const { name, text } = await readSmallText(parts, file, 'audit export')
      const verified = await check(text, name, options.trust ?? null)
      parts.process.stdout.write(`${options.json ? asJson(verified) : asText(verified)}\n`)
      const { length } = verified.findings
      if (length > 0) {
        throw new CommandFailure(`${name} was changed in ${counted(length, 'place')}`, changedExitCode)
      }
      if (verified.notDecidedAgain !== null) {
        throw new CommandFailure(
          `the hashes of ${name} hold, but ${verified.notDecidedAgain}`,
          hashesOnlyExitCode,
        )
      }
    })
}

async function check(text: string, name: string, key: string | null): Promise<Verified> {
  // Here, since no other command needs them.
  const { NoBundle } = await import('../../app/audit/csv-form.ts')
  const { verifyBundle } = await import('../../app/audit/verify.ts')
  try {
    return verifyBundle(text, key === null ? null : verifierOf(key))
  } catch (error) {
    if (error instanceof NoBundle) throw new CommandFailure(`${name} ${error.message}`)
    throw error
  }
}

function asJson({ record, told, computed, findings, notices, notDecidedAgain, seal }: Verified): string {
  return JSON.stringify({
    intact: findings.length === 0,
    request_id: record['request_id'],
    record_hash: told.record_hash,
    computed_hash: computed.record_hash,
    bundle_hash: computed.bundle_hash,
    decided_again: notDecidedAgain === null,
    seal:
      seal === null
        ? null
        : {
            leaf_index: seal.leafIndex,
            tree_size: seal.checkpoint.size,
            root_hash: seal.checkpoint.root,
            made_at: new Date(seal.checkpoint.madeAtMs).toISOString(),
            verifier_key: seal.verifierKey,
            override_pending: seal.isOverridePending,
          },
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

/** A signature says who vouches for it; whether that key is the service's, only somebody else can say. */
function sealLines({ seal }: Verified): string[] {
  if (seal === null) {
    return [
      'It shows no place in the log: that it was not made up is known by comparing the hashes with a fresh export.',
    ]
  }
  const { checkpoint, leafIndex, verifierKey, isOverridePending } = seal
  return [
    `Sealed as leaf ${leafIndex} of ${checkpoint.size} in ${plain(checkpoint.origin)}, signed ${new Date(checkpoint.madeAtMs).toISOString()}`,
    ...(isOverridePending ? ['The override was not sealed yet: nothing here shows that it was made'] : []),
    `verifier key: ${plain(verifierKey)}`,
  ]
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
    ...sealLines(verified),
  ].join('\n')
}

/** The key that somebody trusts, as it is given on the command line. */
export function verifierOf(text: string): Verifier {
  const verifier = readVerifierKey(text.trim())
  if (verifier === null) throw new CommandFailure('--trust must be a verifier key, NAME+HASH+KEY')
  return verifier
}
