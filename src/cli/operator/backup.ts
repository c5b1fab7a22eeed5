/** `fairway backup` and `fairway restore`: all that is in the database, in a file that is checked both ways (for operators). */

import type { Command } from 'commander'
import { verifyLog, type VerifiedLog } from '../../app/log/verify-log.ts'
import type { CheckedCopy, Copied } from '../../app/ports/backup.ts'
import { monthOfId } from '../../core/identity/request-id.ts'
import { counted } from '../../core/explain/wording.ts'
import { knownVerifiers } from './audit-verify-log.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { countBar } from '../progress.ts'

interface Options {
  readonly json?: true
  readonly evenIfChanged?: true
}

const changedExitCode = 65

export function registerBackup(program: Command, parts: CliDeps): void {
  program
    .command('backup <file>')
    .description(
      'write all that is in the database to a file, as of one moment, and check it (for operators)',
    )
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Servers go on meanwhile. The file fits SQLite and PostgreSQL, whichever it comes from. Keep it as safe as the database: the secrets of
webhooks are in it. Nothing is overwritten. The exit code is 65 where the log says that records were changed: the file is
written then, too. Docs: docs/operators.md

Example:
  fairway backup fairway-2026-03-01.gz`,
    )
    .action(async (path: string, options: Options) => {
      const backups = await parts.openBackups(parts.config())
      const copied = await withBar(parts, (onProgress) => backups.write(path, { check, onProgress }))
      report(parts, `${plain(path)} is whole`, copied, options)
      warnOfMonths(parts, copied.found.awayMonths)
      if (!isSound(copied.found)) throw new CommandFailure(changedText(copied.found), changedExitCode)
    })
  program
    .command('restore <file>')
    .description('bring what is in a backup into an empty database, and check it (for operators)')
    .option('--even-if-changed', 'also where the log in it says that records were changed')
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
The database is that of DATABASE_URL: a file that is not there yet, or a PostgreSQL database without tables. All of it is there
afterwards, or nothing. Before callers are let in: docs/operators.md, "What an old copy brings back"

Example:
  DATABASE_URL=sqlite:data/fairway.db fairway restore fairway-2026-03-01.gz`,
    )
    .action(async (path: string, options: Options) => {
      const backups = await parts.openBackups(parts.config())
      const accepted = (found: Found): boolean => options.evenIfChanged === true || isSound(found)
      const copied = await withBar(parts, (onProgress) =>
        backups.restore(path, { check, isSound: accepted, onProgress }),
      )
      report(parts, `${plain(path)} is restored`, copied, options)
    })
}

interface Found {
  readonly log: VerifiedLog
  readonly decisions: number
  readonly awayMonths: readonly string[]
}

async function check({ store, awayMonths }: CheckedCopy): Promise<Found> {
  const away = new Set<string | null>(awayMonths)
  const log = await verifyLog({
    store,
    verifiers: await knownVerifiers(store),
    kept: [],
    isAway: (id) => away.has(monthOfId(id)),
    onProgress: () => undefined,
  })
  return { log, decisions: await store.countVerifications(), awayMonths }
}

const isSound = ({ log }: Found): boolean => log.findings.length === 0

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
  what: string,
  { schema, tables, found }: Copied<Found>,
  { json }: Options,
): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const { decisions, log, awayMonths } = found
  const intact = isSound(found)
  stdout.write(
    json
      ? `${JSON.stringify({ schema, decisions, rows, log_intact: intact, tree_size: log.size, away_months: awayMonths, tables })}\n`
      : `${what}: schema ${schema}, decisions: ${decisions}, rows: ${rows}, the log is ${intact ? 'intact' : 'changed'}\n`,
  )
}

function warnOfMonths({ process: { stderr } }: CliDeps, months: readonly string[]): void {
  if (months.length === 0) return
  stderr.write(
    `fairway: months that were taken away are not in it: ${months.join(', ')}; keep their own dumps\n`,
  )
}

function changedText({ log }: Found): string {
  const { length } = log.findings
  return `the log or the records were changed in ${counted(length, 'place')}: fairway audit verify-log tells where`
}
