/** `fairway audit verify`: checks an audit export without a server. */

import type { Command } from 'commander'
import type { Verified } from '../../../app/audit/verify.ts'
import { readVerifierKey, type Verifier } from '../../../app/log/checkpoint.ts'
import { isObject } from '../../../core/reference/json.ts'
import { CommandFailure, plain, type CliDeps } from '../../deps.ts'
import { readSmallText } from '../../small-file.ts'
import { counted } from '../../../core/explain/wording.ts'

/** EX_DATAERR of sysexits.h. The findings are on standard output. */
const changedExitCode = 65
/** Nothing was changed that could be checked, but not all could be: the decision, or what no signature covers. */
const hashesOnlyExitCode = 3

export function registerAuditVerify(audit: Command, deps: CliDeps): void {
  audit
    .command('verify <file>')
    .description('Verify an audit export without a server')
    .option('--trust <key>', 'Require that this verifier key signed the proof')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
FILE is an export from fairway audit ID --export FILE or from GET /api/v1/audit/export/{id}, as JSON or CSV; - reads
standard input. The exit code is 0 if the export is intact, 65 if something was changed, and 3 if not all could be
checked: another engine version decided or, with --trust, the export is of a version before 5, which nothing signs as a
whole.

Example:
  fairway audit verify audit-SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N.json`,
    )
    .action(async (file: string, options: { json?: true; trust?: string }) => {
      const { name, text } = await readSmallText(deps, file, 'audit export')
      const verified = await check(text, name, options.trust ?? null)
      deps.process.stdout.write(`${options.json ? asJson(verified) : asText(verified)}\n`)
      const { length } = verified.findings
      if (length > 0) {
        throw new CommandFailure(`${name} was changed in ${counted(length, 'place')}`, changedExitCode)
      }
      if (options.trust !== undefined && !verified.coverage.isSigned) {
        const message = `nothing proves the override, outcome and explanation in ${name}: export it again`
        throw new CommandFailure(message, hashesOnlyExitCode)
      }
      if (verified.notRecomputed !== null) {
        throw new CommandFailure(
          `the hashes of ${name} match, but ${verified.notRecomputed}`,
          hashesOnlyExitCode,
        )
      }
    })
}

async function check(text: string, name: string, key: string | null): Promise<Verified> {
  // Loaded here: no other command needs them.
  const { InvalidBundle } = await import('../../../app/audit/csv-form.ts')
  const { verifyBundle } = await import('../../../app/audit/verify.ts')
  try {
    return verifyBundle(text, key === null ? null : verifierOf(key))
  } catch (error) {
    if (error instanceof InvalidBundle) throw new CommandFailure(`${name} ${error.message}`)
    throw error
  }
}

function asJson(verified: Verified): string {
  const { record, claimed, computed, findings, notices, notRecomputed, seal, coverage } = verified
  return JSON.stringify({
    intact: findings.length === 0,
    request_id: record['request_id'],
    record_hash: claimed.record_hash,
    computed_hash: computed.record_hash,
    bundle_hash: computed.bundle_hash,
    decided_again: notRecomputed === null,
    covered: coverage.covered,
    not_covered: coverage.notCovered,
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

/** Untrusted values cannot break out of their line. */
const shown = (value: unknown): string =>
  plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

/** Whether the hash of a personal text is there without its salt. */
function isWithheld(member: unknown): boolean {
  const personal = isObject(member) ? member['personal_text'] : null
  return isObject(personal) && personal['salt'] === null
}

/** The stated decision, override and outcome, so that the reader sees what was checked. */
function recordLines({ record, humanOverride, outcome }: Verified): string[] {
  const amount =
    record['amount'] === null ? 'no stated amount' : `${shown(record['amount'])} ${shown(record['currency'])}`
  const decision = `${shown(record['decision'])} at ${shown(record['score'])}, for ${amount} on ${shown(record['corridor'])}`
  const lines = [`${decision}, at ${shown(record['evaluated_at'])}`]
  if (isWithheld(record)) lines.push('The correlation id was erased, or is withheld from this export.')
  if (isWithheld(humanOverride)) lines.push('The justification was erased, or is withheld from this export.')
  if (humanOverride !== null && humanOverride !== undefined) lines.push(`Overridden: ${shown(humanOverride)}`)
  if (outcome !== null && outcome !== undefined) lines.push(`Outcome: ${shown(outcome)}`)
  return lines
}

/** The signature names its key. Only another source can confirm that the key belongs to the service. */
function sealLines({ seal }: Verified): string[] {
  if (seal === null) {
    return ['No log proof: to confirm that the file is genuine, compare the hashes with a fresh export.']
  }
  const { checkpoint, leafIndex, verifierKey, isOverridePending } = seal
  return [
    `Sealed as leaf ${leafIndex} of ${checkpoint.size} in ${plain(checkpoint.origin)}, signed ${new Date(checkpoint.madeAtMs).toISOString()}`,
    ...(isOverridePending ? ['The override is not sealed yet: this export does not prove it'] : []),
    `verifier key: ${plain(verifierKey)}`,
  ]
}

function coverageLines({ coverage }: Verified): string[] {
  return [
    ...coverage.covered.map((part) => `Covered by a signature of that key: ${part}`),
    ...coverage.notCovered.map((part) => `Not covered: ${part}`),
  ]
}

function asText(verified: Verified): string {
  const { record, claimed, computed, findings, notices, notRecomputed } = verified
  const id = shown(record['request_id'])
  if (findings.length > 0) {
    return [
      `CHANGED: ${id}`,
      ...findings.map(({ path, message }) => `  ${plain(path)} ${plain(message)}`),
      `record_hash stated:    ${plain(claimed.record_hash)}`,
      `record_hash computed:  ${computed.record_hash}`,
    ].join('\n')
  }
  const recomputed =
    notRecomputed === null
      ? 'Recomputed from the evidence: decision, explanation and timeline match.'
      : 'The decision was not recomputed.'
  const wordingNotices =
    notices.length === 0
      ? []
      : ['This release words these texts differently:', ...notices.map(({ path }) => `  ${plain(path)}`)]
  const isWhole = notRecomputed === null && verified.coverage.isSigned
  return [
    `${isWhole ? 'INTACT' : 'HASHES MATCH'}: ${id}`,
    ...recordLines(verified),
    recomputed,
    ...wordingNotices,
    `record_hash: ${computed.record_hash}`,
    `bundle_hash: ${computed.bundle_hash}`,
    ...sealLines(verified),
    ...coverageLines(verified),
  ].join('\n')
}

/** Parses the value of --trust. */
export function verifierOf(text: string): Verifier {
  const verifier = readVerifierKey(text.trim())
  if (verifier === null) throw new CommandFailure('--trust must be a verifier key of the form NAME+HASH+KEY')
  return verifier
}
