/** `fairway backup` and `fairway restore`: copy the database to and from a file, and check the copy. For operators. */

import type { Command } from 'commander'
import { findLost } from '../../app/events/stored-secrets.ts'
import { findFit, wayOut } from '../../app/log/installation-key.ts'
import { verifyLog, type VerifiedLog } from '../../app/log/verify-log.ts'
import type { CheckedCopy, Copied } from '../../app/ports/operate/backup.ts'
import { monthOfId } from '../../core/identity/request-id.ts'
import { counted } from '../../core/explain/wording.ts'
import { storedVerifiers } from '../../app/audit/check-log.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { countBar } from '../progress.ts'

interface Options {
  readonly json?: true
  readonly evenIfChanged?: true
}

const changedExitCode = 65

export function registerBackup(program: Command, deps: CliDeps): void {
  program
    .command('backup <file>')
    .description('Back up the database to a file and check it')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
The file is a consistent snapshot; servers may keep running. It can be restored to SQLite and to PostgreSQL. Protect it
like the database. It does not hold the installation's key, under which webhook secrets are encrypted: keep a copy of
the key elsewhere. An existing file is never overwritten. The exit code is 65 if the log shows that records were
changed; the file is written nevertheless. Docs: docs/backup.md

Example:
  fairway backup fairway-2026-03-01.gz`,
    )
    .action(async (path: string, options: Options) => {
      const backups = await deps.openBackups(deps.config())
      const copied = await withBar(deps, (onProgress) => backups.write(path, { check, onProgress }))
      report(deps, `Backed up to ${plain(path)}`, copied, options)
      warnOfMonths(deps, copied.found.detachedMonths)
      if (!isIntact(copied.found)) throw new CommandFailure(changedText(copied.found), changedExitCode)
    })
  program
    .command('restore <file>')
    .description('Restore a backup into an empty database and check it')
    .option('--even-if-changed', 'Restore even if the log shows changed records')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
DATABASE_URL names the target: a file that does not exist yet, or a PostgreSQL database without tables. The restore is
complete or has no effect. Before you admit callers, read "State after a restore" in docs/backup.md.

Example:
  DATABASE_URL=sqlite:data/fairway.db fairway restore fairway-2026-03-01.gz`,
    )
    .action(async (path: string, options: Options) => {
      const backups = await deps.openBackups(deps.config())
      const accepted = (found: CheckResult): boolean => options.evenIfChanged === true || isIntact(found)
      const copied = await withBar(deps, (onProgress) =>
        backups.restore(path, { check, isIntact: accepted, onProgress }),
      )
      const { lost, refusal } = await checkKey(deps)
      report(deps, `Restored ${plain(path)}`, copied, { ...options, lost })
      if (refusal !== null)
        deps.process.stderr.write(`fairway: restore: no server starts yet: ${refusal}. ${wayOut}\n`)
      warnOfSecrets(deps, lost)
    })
}

/** The endpoints whose secrets no key of this installation opens, and the fault of the key that stops a start. */
async function checkKey(
  deps: CliDeps,
): Promise<{ readonly lost: readonly string[]; readonly refusal: string | null }> {
  const config = deps.config()
  const store = await deps.openStore(config)
  try {
    const { sealKeys: keys, sealKeyFile: path } = config
    const file = deps.openKeyFile(path)
    const { fit, refusal } = await findFit({ store, random: deps.random, clock: deps.clock, keys, file })
    const lost = await findLost(store.endpoints, fit?.box ?? null)
    return { lost: lost.map(({ webhookId }) => webhookId), refusal }
  } finally {
    await store.close()
  }
}

function warnOfSecrets({ process: { stderr } }: CliDeps, lost: readonly string[]): void {
  if (lost.length === 0) return
  stderr.write(
    `fairway: restore: no key here opens the secrets of these webhook endpoints: set FAIRWAY_SEAL_KEY or put the key file in its place before the first start; otherwise their owners must rotate them: ${lost.join(', ')}\n`,
  )
}

interface CheckResult {
  readonly log: VerifiedLog
  readonly decisions: number
  readonly detachedMonths: readonly string[]
}

async function check({ store, detachedMonths }: CheckedCopy): Promise<CheckResult> {
  const away = new Set<string | null>(detachedMonths)
  const log = await verifyLog({
    store,
    verifiers: await storedVerifiers(store),
    savedCheckpoints: [],
    isDetached: (id) => away.has(monthOfId(id)),
    onProgress: () => undefined,
  })
  return { log, decisions: await store.countVerifications(), detachedMonths }
}

const isIntact = ({ log }: CheckResult): boolean => log.findings.length === 0

async function withBar<Result>(
  { process: { stderr } }: CliDeps,
  work: (onProgress: (done: number, all: number) => void) => Promise<Result>,
): Promise<Result> {
  const bar = countBar('done', stderr)
  try {
    return await work((done, all) => bar.update(done, all))
  } finally {
    bar.stop()
  }
}

function report(
  { process: { stdout } }: CliDeps,
  headline: string,
  { schema, tables, found }: Copied<CheckResult>,
  { json, lost }: Options & { readonly lost?: readonly string[] },
): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const { decisions, log, detachedMonths } = found
  const intact = isIntact(found)
  stdout.write(
    json
      ? `${JSON.stringify({ schema, decisions, rows, log_intact: intact, tree_size: log.size, away_months: detachedMonths, tables, endpoints_without_secret: lost })}\n`
      : `${headline}: schema ${schema}, decisions: ${decisions}, rows: ${rows}, log ${intact ? 'intact' : 'changed'}\n`,
  )
}

function warnOfMonths({ process: { stderr } }: CliDeps, months: readonly string[]): void {
  if (months.length === 0) return
  stderr.write(
    `fairway: backup: detached months are not included: ${months.join(', ')}; keep their own dumps\n`,
  )
}

function changedText({ log }: CheckResult): string {
  const { length } = log.findings
  return `the log or the records were changed in ${counted(length, 'place')}: run fairway audit verify-log for the list`
}
