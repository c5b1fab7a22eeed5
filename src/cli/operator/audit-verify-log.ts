/** `fairway audit verify-log`: checks the whole log against all that is recorded, for operators and auditors. */

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

export function registerAuditVerifyLog(audit: Command, parts: CliDeps): void {
  const several = (value: string, before: readonly string[] = []): string[] => [...before, value]
  audit
    .command('verify-log')
    .description(
      'check the whole log: every record and override, every hash, every signed checkpoint (for operators)',
    )
    .option(
      '--checkpoint <file>',
      'a checkpoint that was kept: the log must still begin with it; may be given again',
      several,
    )
    .option(
      '--trust <key>',
      'trust this verifier key instead of those in the database; may be given again',
      several,
    )
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Works on the database of DATABASE_URL, beside a running server or without one. A CHECKPOINT is the note of
GET /api/v1/audit/checkpoint, as text, or that answer as JSON. The exit code is 0 where all is as it was sealed, and 65 where
something was changed. Without a checkpoint that was kept elsewhere, a log whose end was cut off together with its records
cannot be told from a shorter one. Docs: docs/tamper-evidence.md

Example:
  fairway audit verify-log --checkpoint kept.txt`,
    )
    .action(async (options: Options) => {
      const store = await parts.openStore(parts.config())
      try {
        report(parts, await check(store, parts, options), options)
      } finally {
        await store.close()
      }
    })
}

async function check(store: Store, parts: CliDeps, options: Options): Promise<VerifiedLog> {
  const verifiers = options.trust === undefined ? await knownVerifiers(store) : options.trust.map(verifierOf)
  const kept: Checkpoint[] = []
  for (const path of options.checkpoint ?? []) kept.push(await keptCheckpoint(parts, path, verifiers))
  const months = (await store.partitions?.list()) ?? []
  const away = new Set<string | null>(
    months.filter(({ state }) => state !== 'attached').map(({ month }) => month),
  )
  const bar = countBar('leaves', parts.process.stderr)
  try {
    return await verifyLog({
      store,
      verifiers,
      kept,
      isAway: (id) => away.has(monthOfId(id)),
      onProgress: (done, all) => bar.update(done, all),
    })
  } finally {
    bar.stop()
  }
}

export async function knownVerifiers({ log }: Store): Promise<Verifier[]> {
  const { origin } = await log.head()
  const keys = await log.keys()
  return origin === null ? [] : verifiersOf(origin, keys)
}

async function keptCheckpoint(
  parts: CliDeps,
  path: string,
  verifiers: readonly Verifier[],
): Promise<Checkpoint> {
  const { name, text } = await readSmallText(parts, path, 'checkpoint')
  const note = noteIn(text)
  const checkpoint = note === null ? null : readNote(note)
  if (note === null || checkpoint === null) throw new CommandFailure(`${name} holds no checkpoint`)
  if (!verifiers.some((verifier) => isSignedBy(note, verifier))) {
    throw new CommandFailure(`the checkpoint in ${name} is not signed by a key that is trusted`)
  }
  return checkpoint
}

/** As text, or as the service answers it. */
function noteIn(text: string): string | null {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const { checkpoint, note } = JSON.parse(text) as { checkpoint?: { note?: unknown }; note?: unknown }
    const found = checkpoint?.note ?? note
    return typeof found === 'string' ? found : null
  } catch {
    return null
  }
}

const ownWord =
  'The keys are those that the database itself names; --trust KEY takes one that you know from elsewhere.'

function report(
  { process: { stdout, stderr } }: CliDeps,
  verified: VerifiedLog,
  { json, trust }: Options,
): void {
  stdout.write(`${json ? asJson(verified) : asText(verified)}\n`)
  if (!json && trust === undefined) stderr.write(`${ownWord}\n`)
  const { length } = verified.findings
  if (length === 0) return
  const count = `${counted(length, 'place')}${length === findingsMax ? ' or more' : ''}`
  throw new CommandFailure(`the log or the records were changed in ${count}`, changedExitCode)
}

function asJson({ size, root, findings, ...counts }: VerifiedLog): string {
  return JSON.stringify({
    intact: findings.length === 0,
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
  checkpoints,
  waiting,
  away,
  findings,
}: VerifiedLog): string {
  const listed = findings.map(({ place, message }) => `  ${plain(place)}: ${plain(message)}`)
  return [
    findings.length === 0 ? 'INTACT' : 'CHANGED',
    ...listed,
    `${counted(size, 'leaf', 'leaves')}: ${counted(records, 'record')} and ${counted(overrides, 'override')}, ${counted(checkpoints, 'signed checkpoint')}`,
    ...(away > 0
      ? [
          `${counted(away, 'record is', 'records are')} in months that were taken away, and could not be compared`,
        ]
      : []),
    ...(waiting > 0 ? [`${counted(waiting, 'entry waits', 'entries wait')} to be sealed`] : []),
    `root: ${root}`,
  ].join('\n')
}
