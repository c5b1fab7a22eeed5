/** `fairway audit verify-log`: checks the complete log against all records. For operators and auditors. */

import type { Command } from 'commander'
import {
  checkLog,
  covered,
  notCovered,
  readSavedCheckpoint,
  storedVerifiers,
  verifiedView,
} from '../../../app/audit/check-log.ts'
import type { Checkpoint, Verifier } from '../../../app/log/checkpoint.ts'
import { findingsMax, type VerifiedLog } from '../../../app/log/verify-log.ts'
import type { Store } from '../../../app/ports/store.ts'
import { counted } from '../../../core/explain/wording.ts'
import { CommandFailure, plain, type CliDeps } from '../../deps.ts'
import { countBar } from '../../progress.ts'
import { readSmallText } from '../../small-file.ts'
import { verifierOf } from './audit-verify.ts'

interface Options {
  readonly checkpoint?: readonly string[]
  readonly trust?: readonly string[]
  readonly json?: true
}

const changedExitCode = 65
/** Nothing was changed that could be checked, but not all could be. */
const incompleteExitCode = 3

export function registerAuditVerifyLog(audit: Command, deps: CliDeps): void {
  const several = (value: string, before: readonly string[] = []): string[] => [...before, value]
  audit
    .command('verify-log')
    .description('Check the log, its checkpoints and all records')
    .option('--checkpoint <file>', 'A saved checkpoint that the log must extend; repeatable', several)
    .option('--trust <key>', 'Trust this verifier key instead of those in the database; repeatable', several)
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
For operators: reads the database of DATABASE_URL; a server may be running. A checkpoint file holds the response of
GET /api/v1/audit/checkpoint as JSON, or its note as text. The exit code is 0 if nothing was changed, 65 if anything
was, and 3 if records in detached months could not be compared. Only a checkpoint saved elsewhere reveals a log that was truncated together with its records.
Docs: docs/tamper-evidence.md

Example:
  fairway audit verify-log --checkpoint saved.txt`,
    )
    .action(async (options: Options) => {
      const store = await deps.openStore(deps.config())
      try {
        report(deps, await check(store, deps, options), options)
      } finally {
        await store.close()
      }
    })
}

async function check(store: Store, deps: CliDeps, options: Options): Promise<VerifiedLog> {
  const verifiers = options.trust === undefined ? await storedVerifiers(store) : options.trust.map(verifierOf)
  const savedCheckpoints: Checkpoint[] = []
  for (const path of options.checkpoint ?? [])
    savedCheckpoints.push(await readCheckpoint(deps, path, verifiers))
  const bar = countBar('leaves', deps.process.stderr)
  const onProgress = (done: number, all: number): void => bar.update(done, all)
  try {
    return await checkLog(store, { verifiers, savedCheckpoints, onProgress })
  } finally {
    bar.stop()
  }
}

async function readCheckpoint(
  deps: CliDeps,
  path: string,
  verifiers: readonly Verifier[],
): Promise<Checkpoint> {
  const { name, text } = await readSmallText(deps, path, 'checkpoint')
  const checkpoint = readSavedCheckpoint(text, verifiers)
  if (checkpoint === 'contains no checkpoint') throw new CommandFailure(`${name} contains no checkpoint`)
  if (typeof checkpoint === 'string') throw new CommandFailure(`the checkpoint in ${name} ${checkpoint}`)
  return checkpoint
}

const selfTrustNotice =
  'Signatures were checked with keys from the database itself; use --trust KEY with a key from another source.'

function report(
  { process: { stdout, stderr } }: CliDeps,
  verified: VerifiedLog,
  { json, trust }: Options,
): void {
  stdout.write(`${json ? JSON.stringify(verifiedView(verified)) : asText(verified)}\n`)
  if (!json && trust === undefined) stderr.write(`${selfTrustNotice}\n`)
  const { length } = verified.findings
  if (length === 0) {
    if (verified.away === 0) return
    const message = `${counted(verified.away, 'record')} in detached months could not be compared: attach the months to check them`
    throw new CommandFailure(message, incompleteExitCode)
  }
  const count = `${counted(length, 'place')}${length === findingsMax ? ' or more' : ''}`
  throw new CommandFailure(`the log or the records were changed in ${count}`, changedExitCode)
}

function asText({
  size,
  root,
  records,
  overrides,
  outcomes,
  acts,
  reviews,
  checkpoints,
  erased,
  waiting,
  away,
  archived,
  findings,
}: VerifiedLog): string {
  const listed = findings.map(({ place, message }) => `  ${plain(place)}: ${plain(message)}`)
  return [
    findings.length === 0 ? 'INTACT' : 'CHANGED',
    ...listed,
    `${counted(size, 'leaf', 'leaves')}: ${counted(records, 'record')}, ${counted(overrides, 'override')}, ${counted(outcomes, 'outcome')}, ${counted(acts, 'act')} of operators and ${counted(reviews, 'change')} of reviews, ${counted(checkpoints, 'signed checkpoint')}`,
    ...(erased > 0
      ? [`${counted(erased, 'personal text was', 'personal texts were')} erased, each by an act in the log`]
      : []),
    ...(away > 0
      ? [`${counted(away, 'record is', 'records are')} in detached months and could not be compared`]
      : []),
    ...(archived > 0
      ? [
          `${counted(archived, 'record is', 'records are')} of dropped months: check their archives with fairway archive verify`,
        ]
      : []),
    ...(waiting > 0 ? [`${counted(waiting, 'entry is', 'entries are')} not sealed yet`] : []),
    `root: ${root}`,
    `Covered: ${covered.join('; ')}`,
    `Not covered: ${notCovered.join('; ')}`,
  ].join('\n')
}
