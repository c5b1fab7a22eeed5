/** Writes an archive: records in leaf order, in parts, each whole or absent. An interrupted export resumes after its last part. */

import { isRequestId, timeOfId } from '../../core/identity/request-id.ts'
import { monthEndMs, monthStartMs, type Month } from '../../core/time/month.ts'
import { iso } from '../../core/time/durations.ts'
import { sequenceAll } from '../followers/catch-up.ts'
import type { Signing } from '../log/installation-key.ts'
import { recordHash } from '../log/leaf.ts'
import { peaksOf, type Hash } from '../log/merkle.ts'
import { newestCheckpoint, type CheckpointMember } from '../log/proof.ts'
import { Sealer } from '../log/sealer.ts'
import { hashLookup } from '../log/tree.ts'
import type { ArchiveFolder, SealedDecision, ToParquet } from '../ports/operate/archive.ts'
import type { Mask } from '../operate/mask.ts'
import type { LogLeaf } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'
import {
  manifestName,
  manifestText,
  progressName,
  progressText,
  receiptOf,
  scopeOf,
  sumOf,
  type ArchiveFormat,
  type ArchivePart,
  type ArchiveScope,
  type Progress,
} from './manifest.ts'
import { OwnFiles } from './own-files.ts'
import { maskedIn, PartWriter, type PartDeps } from './part.ts'
import { ArchiveRefused, resumeProgress } from './resume.ts'

const partRecordsMax = 100_000
/** Leaves read at once. */
const pageLeaves = 512

export interface ExportDeps {
  readonly store: Store
  readonly clock: Clock
  readonly signing: Signing
  readonly folder: ArchiveFolder
  readonly toParquet: ToParquet | null
  readonly mask: Mask
  readonly onProgress: (done: number, all: number) => void
}

export interface ExportRequest {
  readonly format: ArchiveFormat
  readonly fromMs: number
  readonly toMs: number
  readonly ownerId: string | null
  /** Records in a part, at most. */
  readonly partRecords?: number
}

export interface Exported {
  readonly records: number
  readonly decisions: Readonly<Record<string, number>>
  readonly parts: number
  readonly bytes: number
  /** Records of parts that an earlier run had written. */
  readonly resumed: number
  readonly treeSize: number
  readonly seconds: number
  /** SHA-256 of the manifest. */
  readonly receipt: string
}

export async function exportArchive(deps: ExportDeps, request: ExportRequest): Promise<Exported> {
  const { store, clock, signing, folder } = deps
  const startedMs = clock.monotonicMs()
  const scope = scopeOf(request, maskedIn(request.format, deps.mask))
  const files = new OwnFiles(folder, scope, signing)
  const resumed = await resumeProgress(files, scope, signing)
  const detached = await detachedIn(store, request)
  if (resumed !== null) await publishParts(files, resumed)
  await files.removeTemporary()
  const start = resumed ?? (await begin(deps, request, { scope, files }))
  const written = resumed === null ? 0 : sumOf(resumed.parts).records
  const progress = await writeParts(deps, request, { start, detached, files })
  const { tree_size: treeSize } = progress.checkpoint
  const text = manifestText(
    {
      ...progress,
      ...sumOf(progress.parts),
      subtrees_before: await rootsOf(store, { from: 0, to: progress.first_leaf }),
      subtrees_after: await rootsOf(store, { from: progress.end_leaf, to: treeSize }),
      written_at: iso(clock.nowMs()),
    },
    signing,
  )
  await files.replace(manifestName, text)
  await folder.remove(progressName)
  return {
    ...sumOf(progress.parts),
    parts: progress.parts.length,
    bytes: progress.parts.reduce((sum, { bytes }) => sum + bytes, 0),
    resumed: written,
    treeSize,
    seconds: Math.max(1, clock.monotonicMs() - startedMs) / 1_000,
    receipt: receiptOf(text),
  }
}

/** Months in the range whose records are in a detached table; those that are elsewhere cannot be read. */
async function detachedIn({ partitions }: Store, { fromMs, toMs }: ExportRequest): Promise<Set<Month>> {
  const months = (await partitions?.list()) ?? []
  const away = months.filter(
    ({ month, state }) => state !== 'attached' && monthStartMs(month) < toMs && monthEndMs(month) > fromMs,
  )
  for (const { month, state } of away) {
    if (state === 'dropped')
      throw new ArchiveRefused(`the records of ${month} were dropped: they are in the archive of that month`)
    if (state !== 'detached')
      throw new ArchiveRefused(
        `the records of ${month} are not in the database (${state}): attach the month, or leave it out with --from and --to`,
      )
  }
  return new Set(away.map(({ month }) => month))
}

/** Seals what was recorded before the call, so that the newest checkpoint covers it. */
async function begin(
  deps: ExportDeps,
  request: ExportRequest,
  { scope, files }: { readonly scope: ArchiveScope; readonly files: OwnFiles },
): Promise<Progress> {
  const { store } = deps
  const checkpoint = await sealedCheckpoint(deps)
  const { fromMs, toMs } = request
  const range = await store.archive.range({ fromMs, toMs, treeSize: checkpoint.tree_size })
  const { from, to } = range ?? { from: 0, to: 0 }
  const progress = { ...scope, checkpoint, first_leaf: from, end_leaf: to, parts: [] }
  await files.replace(progressName, progressText(progress, deps.signing))
  return progress
}

/** A part that is finished and in the progress may still have its temporary names. */
async function publishParts(files: OwnFiles, { parts }: Progress): Promise<void> {
  const names = new Set(await files.folder.names())
  for (const { file, leaves_file: leaves } of parts)
    for (const name of [file, leaves]) if (!names.has(name)) await files.publish(name)
}

async function sealedCheckpoint({ store, clock, signing }: ExportDeps): Promise<CheckpointMember> {
  const target = await sequenceAll(store.journal)
  const sealer = new Sealer({ store, clock, signing })
  for (;;) {
    await sealer.turn()
    const { size, backlog } = await store.log.head()
    if (size >= target && backlog.length === 0) break
  }
  const checkpoint = await newestCheckpoint(store)
  if (checkpoint === null) throw new ArchiveRefused('the log has no checkpoint')
  return checkpoint
}

async function rootsOf(
  { log }: Store,
  range: { readonly from: number; readonly to: number },
): Promise<Hash[]> {
  return hashLookup((ranges) => log.hashes(ranges))(peaksOf(range))
}

interface Plan {
  readonly start: Progress
  readonly files: OwnFiles
  readonly detached: ReadonlySet<Month>
}

async function writeParts(deps: ExportDeps, request: ExportRequest, plan: Plan): Promise<Progress> {
  const { signing, onProgress } = deps
  const { start, files } = plan
  const { first_leaf: firstLeaf, end_leaf: endLeaf } = start
  const parts: ArchivePart[] = [...start.parts]
  for (;;) {
    const next = parts.at(-1)?.end_leaf ?? firstLeaf
    onProgress(next - firstLeaf, endLeaf - firstLeaf)
    if (next >= endLeaf) return { ...start, parts }
    const part = await writePart(deps, request, { ...plan, number: parts.length + 1, firstLeaf: next })
    parts.push(part)
    // The hashes first: a file with a name of the archive is then known to be of this export.
    await files.replace(progressName, progressText({ ...start, parts }, signing))
    for (const name of [part.file, part.leaves_file]) await files.publish(name)
  }
}

async function writePart(
  deps: ExportDeps,
  request: ExportRequest,
  plan: Plan & { readonly number: number; readonly firstLeaf: number },
): Promise<ArchivePart> {
  const { toParquet, mask } = deps
  const partDeps: PartDeps = { files: plan.files, format: request.format, toParquet, mask }
  const { first_leaf: from, end_leaf: endLeaf } = plan.start
  const part = await PartWriter.open(partDeps, plan)
  try {
    for (let next = plan.firstLeaf; next < endLeaf;) {
      const countMax = Math.min(pageLeaves, endLeaf - next)
      for (const { leaf, decision } of await readPage(deps, request, { ...plan, next, countMax })) {
        part.add(leaf, decision)
        next = leaf.index + 1
        if (part.records === (request.partRecords ?? partRecordsMax)) return await part.finish()
      }
      await part.flush()
      deps.onProgress(next - from, endLeaf - from)
    }
    return await part.finish()
  } catch (error) {
    await part.discard()
    throw error
  }
}

interface ReadLeaf {
  readonly leaf: LogLeaf
  /** Null if it is of another time, owner or kind. */
  readonly decision: SealedDecision | null
}

async function readPage(
  { store }: ExportDeps,
  { format, fromMs, toMs, ownerId }: ExportRequest,
  { start, detached, next, countMax }: Plan & { readonly next: number; readonly countMax: number },
): Promise<ReadLeaf[]> {
  const leaves = await store.archive.leaves(next, countMax)
  if (leaves.length < countMax || leaves.some(({ index }, place) => index !== next + place))
    throw new ArchiveRefused(`leaves from ${next} on are missing: run fairway audit verify-log`)
  const isWanted = ({ subjectId }: LogLeaf): boolean => {
    const atMs = isRequestId(subjectId) ? timeOfId(subjectId) : null
    return atMs !== null && atMs >= fromMs && atMs < toMs
  }
  const wanted = leaves.filter(isWanted)
  const found = await store.archive.decisions({
    requestIds: wanted.map(({ subjectId }) => subjectId),
    treeSize: start.checkpoint.tree_size,
    detached,
  })
  const byLeaf = new Map(wanted.map((leaf, place) => [leaf, checked(leaf, found[place] ?? null, format)]))
  return leaves.map((leaf) => {
    const decision = byLeaf.get(leaf) ?? null
    const isOwners = ownerId === null || decision?.record.ownerId === ownerId
    return { leaf, decision: isOwners ? decision : null }
  })
}

/**
 * A row of a table cannot be computed again, so its record is compared with its leaf before the archive is signed. A JSON
 * line carries all that `archive verify` needs to do the same, and there it would take a fifth of the rate.
 */
function checked(leaf: LogLeaf, decision: SealedDecision | null, format: ArchiveFormat): SealedDecision {
  const { index, subjectId, leafHash } = leaf
  if (decision === null)
    throw new ArchiveRefused(`record ${subjectId} (leaf ${index}) is missing: run fairway audit verify-log`)
  if (format !== 'jsonl' && recordHash(decision.record) !== leafHash)
    throw new ArchiveRefused(
      `record ${subjectId} (leaf ${index}) was changed after it was sealed: run fairway audit verify-log`,
    )
  return decision
}
