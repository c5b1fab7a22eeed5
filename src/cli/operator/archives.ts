/** `fairway export` and `fairway archive verify`: writes records to an archive, and checks one without a server. */

import type { Command } from 'commander'
import type { ArchiveFormat } from '../../app/archive/manifest.ts'
import type { VerifiedArchive } from '../../app/archive/verify.ts'
import type { Exported } from '../../app/archive/write.ts'
import type { InstallationKey } from '../../app/log/installation-key.ts'
import type { ArchiveFolder, ToParquet } from '../../app/ports/operate/archive.ts'
import type { Store } from '../../app/ports/store.ts'
import { parseIsoTime } from '../../core/time/iso-time.ts'
import { counted, withThousands } from '../../core/explain/wording.ts'
import { oneOf, parseTimeText } from '../arguments.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { countBar } from '../progress.ts'
import { verifierOf } from './log/audit-verify.ts'

/** EX_DATAERR of sysexits.h, as of `fairway audit verify`. */
const changedExitCode = 65

interface ExportOptions {
  readonly from: string
  readonly to: string
  readonly format: ArchiveFormat
  readonly out: string
  readonly owner?: string
  readonly json?: true
}

export function registerArchives(program: Command, deps: CliDeps): void {
  registerExport(program, deps)
  const archive = program
    .command('archive')
    .description('Check archives of records')
    .addHelpText('after', '\nExample:\n  fairway archive verify archive-2026-03')
  registerVerify(archive, deps)
}

function registerExport(program: Command, deps: CliDeps): void {
  program
    .command('export')
    .description('Export records to an archive')
    .requiredOption('--from <time>', 'Recorded at this time or later; a date or ISO 8601 time', parseTimeText)
    .requiredOption('--to <time>', 'Recorded before this time', parseTimeText)
    .requiredOption('--format <format>', 'jsonl, csv or parquet', formatOf)
    .requiredOption('--out <dir>', 'Folder of the archive; created if missing')
    .option('--owner <owner-id>', 'Records of one owner only, from keys list --json')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
Servers may keep running. The archive has the records, the hashes of their leaves, and a signed manifest with the
checkpoint that covers them. An interrupted export resumes with the same command. Only JSON lines hold complete records.
Parquet needs an optional package: npm install @duckdb/node-api. Protect the folder like the database.
Docs: docs/archives.md

Example:
  fairway export --from 2026-03-01 --to 2026-04-01 --format jsonl --out archive-2026-03`,
    )
    .action(async (options: ExportOptions) => {
      const times = timesOf(options)
      const toParquet = options.format === 'parquet' ? await parquetOf(deps) : null
      const store = await deps.openStore(deps.config())
      try {
        const exported = await write(deps, store, { options, times, toParquet })
        deps.process.stdout.write(
          `${options.json ? exportedJson(exported) : exportedText(exported, options.out)}\n`,
        )
      } finally {
        await store.close()
      }
    })
}

const formatOf = oneOf<ArchiveFormat>(['jsonl', 'csv', 'parquet'])

interface Times {
  readonly fromMs: number
  readonly toMs: number
}

/** The years that an id can encode. */
const endMs = Date.UTC(10_000, 0)

function timesOf({ from, to }: ExportOptions): Times {
  const [fromMs, toMs] = [from, to].map((text) => parseIsoTime(text) ?? Number.NaN)
  if (fromMs === undefined || toMs === undefined || !(fromMs >= 0 && toMs < endMs))
    throw new CommandFailure('--from and --to must be in the years 1970 to 9999, in UTC')
  if (fromMs >= toMs) throw new CommandFailure('--from must be before --to')
  return { fromMs, toMs }
}

async function parquetOf(deps: CliDeps): Promise<ToParquet> {
  const toParquet = await deps.openParquet()
  if (toParquet !== null) return toParquet
  throw new CommandFailure('Parquet needs a package that is not installed: npm install @duckdb/node-api')
}

interface Writing {
  readonly options: ExportOptions
  readonly times: Times
  readonly toParquet: ToParquet | null
}

async function write(deps: CliDeps, store: Store, { options, times, toParquet }: Writing): Promise<Exported> {
  const { exportArchive } = await import('../../app/archive/write.ts')
  const { ArchiveRefused } = await import('../../app/archive/resume.ts')
  const { InvalidArchive } = await import('../../app/archive/manifest.ts')
  const { format, owner: ownerId = null } = options
  if (ownerId !== null && !(await store.keys.list()).some((key) => key.ownerId === ownerId))
    throw new CommandFailure(`there is no owner ${ownerId}: fairway keys list --json shows every owner_id`)
  const { signing, maskKey } = await keyOf(deps, store)
  const { createMask } = await import('../../app/operate/mask.ts')
  const mask = createMask(deps.config().logMask)
  mask.use(maskKey)
  const bar = countBar('entries', deps.process.stderr)
  const onProgress = (done: number, all: number): void => bar.update(done, all)
  try {
    return await withFolder(deps, { path: options.out, isRead: false }, (folder) =>
      exportArchive(
        { store, clock: deps.clock, signing, folder, toParquet, mask, onProgress },
        { format, ...times, ownerId },
      ),
    )
  } catch (error) {
    if (error instanceof ArchiveRefused || error instanceof InvalidArchive)
      throw new CommandFailure(error.message)
    throw error
  } finally {
    bar.stop()
  }
}

/** Archives are signed by the key that signs the log, which this command never generates or changes. */
async function keyOf(deps: CliDeps, store: Store): Promise<Pick<InstallationKey, 'signing' | 'maskKey'>> {
  const { findSigning } = await import('../../app/log/installation-key.ts')
  const { note } = await store.log.head()
  if (note === null)
    throw new CommandFailure('nothing is sealed in this database yet: start the server once, then export')
  const { sealKeys: keys, sealKeyFile: path } = deps.config()
  const key = await findSigning({ store, keys, file: deps.openKeyFile(path) }, note)
  if (key !== null) return key
  throw new CommandFailure(
    'the key that signs the log is not here: set FAIRWAY_SEAL_KEY or FAIRWAY_SEAL_KEY_FILE as the server has it',
  )
}

/** Closes the folder afterwards. */
export async function withFolder<Result>(
  deps: CliDeps,
  { path, isRead }: { readonly path: string; readonly isRead: boolean },
  work: (folder: ArchiveFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await deps.openArchive(path, { isRead })
  try {
    return await work(folder)
  } finally {
    await folder.close()
  }
}

function exportedJson({ records, decisions, parts, bytes, resumed, treeSize, receipt }: Exported): string {
  return JSON.stringify({
    records,
    decisions,
    parts,
    bytes,
    resumed_records: resumed,
    tree_size: treeSize,
    manifest_sha256: receipt,
  })
}

function exportedText(exported: Exported, path: string): string {
  const { records, parts, bytes, resumed, treeSize, receipt, seconds } = exported
  const rate = withThousands(Math.round((records - resumed) / seconds))
  return [
    `Exported ${counted(records, 'record')} to ${plain(path)}: ${counted(parts, 'part')}, ${withThousands(bytes)} bytes, ${seconds.toFixed(1)} s, ${rate} records/s`,
    ...(resumed > 0 ? [`${counted(resumed, 'record was', 'records were')} there from an earlier run`] : []),
    `Covered by the checkpoint of ${counted(treeSize, 'leaf', 'leaves')}`,
    `Manifest SHA-256: ${receipt}`,
  ].join('\n')
}

function registerVerify(archive: Command, deps: CliDeps): void {
  archive
    .command('verify <dir>')
    .description('Verify an archive without a server')
    .option('--trust <key>', 'Require that this verifier key signed the archive')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
Needs no database and no settings. The exit code is 0 if the archive is intact, and 65 if something was changed.
Docs: docs/archives.md

Example:
  fairway archive verify archive-2026-03`,
    )
    .action(async (path: string, options: { json?: true; trust?: string }) => {
      const verified = await verify(deps, path, options.trust ?? null)
      deps.process.stdout.write(`${options.json ? verifiedJson(verified) : verifiedText(verified, path)}\n`)
      if (!options.json && options.trust === undefined) deps.process.stderr.write(`${selfTrustNotice}\n`)
      const { length } = verified.findings
      if (length > 0)
        throw new CommandFailure(`${path} was changed in ${counted(length, 'place')}`, changedExitCode)
    })
}

const selfTrustNotice =
  'Signatures were checked with the key that the archive names; use --trust KEY with a key from another source.'

async function verify(deps: CliDeps, path: string, key: string | null): Promise<VerifiedArchive> {
  const { InvalidArchive } = await import('../../app/archive/manifest.ts')
  const { verifyArchive } = await import('../../app/archive/verify.ts')
  const bar = countBar('leaves', deps.process.stderr)
  try {
    return await withFolder(deps, { path, isRead: true }, (folder) =>
      verifyArchive(folder, {
        trusted: key === null ? null : verifierOf(key),
        onProgress: (done, all) => bar.update(done, all),
      }),
    )
  } catch (error) {
    if (error instanceof InvalidArchive)
      throw new CommandFailure(`${path}: ${error.message}`, changedExitCode)
    throw error
  } finally {
    bar.stop()
  }
}

function verifiedJson(verified: VerifiedArchive): string {
  const { manifest, receipt, checkpoint, findings, outside, ...counts } = verified
  return JSON.stringify({
    intact: findings.length === 0,
    format: manifest.format,
    from: manifest.from,
    to: manifest.to,
    owner_id: manifest.owner_id,
    manifest_sha256: receipt,
    tree_size: checkpoint?.size ?? null,
    root_hash: checkpoint?.root ?? null,
    verifier_key: manifest.signature.verifier_key,
    stated_records: manifest.records,
    ...counts,
    outside_range: outside,
    findings,
  })
}

function verifiedText(verified: VerifiedArchive, path: string): string {
  const { manifest, receipt, checkpoint, findings, files, leaves } = verified
  const { from, to, owner_id: ownerId } = manifest
  const listed = findings.map(({ place, message }) => `  ${plain(place)}: ${plain(message)}`)
  const owner = ownerId === null ? 'all owners' : `owner ${plain(ownerId)}`
  return [
    `${findings.length === 0 ? 'INTACT' : 'CHANGED'}: ${plain(path)}`,
    ...listed,
    `${counted(manifest.records, 'record')} from ${plain(from)} to ${plain(to)} of ${owner}, as ${manifest.format}`,
    `Checked: ${counted(files, 'file')}, ${counted(leaves, 'leaf', 'leaves')}${checkpoint === null ? '' : ` of ${withThousands(checkpoint.size)} in ${plain(checkpoint.origin)}, signed ${new Date(checkpoint.madeAtMs).toISOString()}`}`,
    ...recordLines(verified),
    `verifier key: ${plain(manifest.signature.verifier_key)}`,
    `Manifest SHA-256: ${receipt}`,
  ].join('\n')
}

function recordLines({ manifest, records, overrides, outcomes, outside, erased }: VerifiedArchive): string[] {
  const masked =
    manifest.masked.length === 0 ? [] : [`Masked when it was written: ${plain(manifest.masked.join(', '))}`]
  if (manifest.format !== 'jsonl')
    return [
      'Rows of this format cannot be computed again: the signed hash of each file covers them',
      ...masked,
    ]
  return [
    `Computed again: ${counted(records, 'record')}, ${counted(overrides, 'override')}, ${counted(outcomes, 'outcome')}`,
    ...(outside > 0
      ? [
          `${counted(outside, 'override or outcome is', 'overrides and outcomes are')} sealed outside these leaves: the signed hash of each file covers them`,
        ]
      : []),
    ...masked,
    ...(erased > 0
      ? [
          `${counted(erased, 'personal text was', 'personal texts were')} erased${masked.length === 0 ? '' : ' or masked'}, as their hashes allow`,
        ]
      : []),
  ]
}
