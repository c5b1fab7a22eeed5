/** `fairway audit verify-log`: checks the complete log against all records. For operators and auditors. */

import type { Command } from 'commander'
import {
  isSignedBy,
  readNote,
  verifiersOf,
  type Checkpoint,
  type Verifier,
} from '../../app/log/checkpoint.ts'
import { findingsMax, verifyLog, type VerifiedLog } from '../../app/log/verify-log.ts'
import type { Store } from '../../app/ports/store.ts'
import { monthOfId } from '../../core/identity/request-id.ts'
import { counted } from '../../core/explain/wording.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { countBar } from '../progress.ts'
import { readSmallText } from '../small-file.ts'
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
  const saved: Checkpoint[] = []
  for (const path of options.checkpoint ?? []) saved.push(await readCheckpoint(deps, path, verifiers))
  const months = (await store.partitions?.list()) ?? []
  const away = new Set<string | null>(
    months.filter(({ state }) => state !== 'attached').map(({ month }) => month),
  )
  const dropped = months.filter(({ state }) => state === 'dropped').map(({ month }) => month)
  const bar = countBar('leaves', deps.process.stderr)
  try {
    return await verifyLog({
      store,
      verifiers,
      savedCheckpoints: saved,
      isDetached: (id) => away.has(monthOfId(id)),
      droppedMonths: new Set(dropped),
      onProgress: (done, all) => bar.update(done, all),
    })
  } finally {
    bar.stop()
  }
}

export async function storedVerifiers({ log }: Store): Promise<Verifier[]> {
  const { origin } = await log.head()
  const keys = await log.keys()
  return origin === null ? [] : verifiersOf(origin, keys)
}

async function readCheckpoint(
  deps: CliDeps,
  path: string,
  verifiers: readonly Verifier[],
): Promise<Checkpoint> {
  const { name, text } = await readSmallText(deps, path, 'checkpoint')
  const note = noteIn(text)
  const checkpoint = note === null ? null : readNote(note)
  if (note === null || checkpoint === null) throw new CommandFailure(`${name} contains no checkpoint`)
  if (!verifiers.some((verifier) => isSignedBy(note, verifier))) {
    throw new CommandFailure(`the checkpoint in ${name} is not signed by a trusted key`)
  }
  return checkpoint
}

/** The note, from its text or from the JSON response of the service. */
function noteIn(content: string): string | null {
  if (!content.trimStart().startsWith('{')) return content
  try {
    const { checkpoint, note } = JSON.parse(content) as { checkpoint?: { note?: unknown }; note?: unknown }
    const text = checkpoint?.note ?? note
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}

const selfTrustNotice =
  'Signatures were checked with keys from the database itself; use --trust KEY with a key from another source.'

function report(
  { process: { stdout, stderr } }: CliDeps,
  verified: VerifiedLog,
  { json, trust }: Options,
): void {
  stdout.write(`${json ? asJson(verified) : asText(verified)}\n`)
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

const covered = [
  'records, overrides, outcomes, acts of operators and changes of reviews, against their leaves',
  'personal texts, against their salted hashes, and erased ones against the acts that erased them',
  'leaves, nodes and checkpoints, against each other and their signatures',
  'keys, access decisions, transitions, policies and people, against the acts that made them',
  'reviews, against their changes, their decisions and the overrides of these',
]
const notCovered = [
  'whether a record is true',
  'a log cut short together with its records, unless you pass a checkpoint that was kept elsewhere',
  'webhook endpoints, deliveries and usage; repeats, scores and reasons shown with reviews; hashes, limits and labels of keys; passwords and provider accounts of people',
  'what was recorded before it was sealed: outcomes without an id, keys from before acts were entries',
]

function asJson({ size, root, findings, ...counts }: VerifiedLog): string {
  return JSON.stringify({
    intact: findings.length === 0,
    covered,
    not_covered: notCovered,
    tree_size: size,
    root_hash: root,
    ...counts,
    findings,
  })
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
