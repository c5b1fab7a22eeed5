/** Writes an archive: records in leaf order, in parts, each whole or absent. An interrupted export resumes after its last part. */

import { isRequestId, timeOfId } from '../../core/identity/request-id.ts'
import { monthEndMs, monthStartMs, type Month } from '../../core/time/month.ts'
import { iso } from '../../core/time/durations.ts'
import { sequenceAll } from '../followers/catch-up.ts'
import { isSignedBy } from '../log/checkpoint.ts'
import type { Signing } from '../log/installation-key.ts'
import { recordHash } from '../log/leaf.ts'
import { peaksOf, type Hash } from '../log/merkle.ts'
import { newestCheckpoint, type CheckpointMember } from '../log/proof.ts'
import { Sealer } from '../log/sealer.ts'
import { hashLookup } from '../log/tree.ts'
import {
  unfinished,
  type ArchiveFolder,
  type SealedDecision,
  type ToParquet,
} from '../ports/operate/archive.ts'
import type { Mask } from '../operate/mask.ts'
import type { LogLeaf } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'
import {
  manifestName,
  manifestText,
  progressName,
  readProgress,
  receiptOf,
  scopeOf,
  scopeText,
  sumOf,
  type ArchiveFormat,
  type ArchivePart,
  type ArchiveScope,
  type Progress,
} from './manifest.ts'
import { maskedIn, PartWriter, type PartDeps } from './part.ts'

/** The export cannot be made. The message says why and what to do. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
}

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
  const resumed = await openProgress(folder, scope, signing)
  const detached = await detachedIn(store, request)
  const start = resumed ?? (await begin(deps, request, scope))
  const written = resumed === null ? 0 : sumOf(resumed.parts).records
  const progress = await writeParts(deps, request, { start, detached })
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
  await folder.write(manifestName, text)
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

/** Null for an empty folder. A folder with anything else in it is refused. */
async function openProgress(
  folder: ArchiveFolder,
  scope: ArchiveScope,
  signing: Signing,
): Promise<Progress | null> {
  const names = await folder.names()
  const text = await folder.readText(progressName)
  if (text === null) {
    if (names.includes(manifestName))
      throw new ArchiveRefused(`${folder.path} holds a finished archive: choose another folder`)
    if (names.every((name) => name === `${progressName}${unfinished}`)) return null
    throw new ArchiveRefused(`${folder.path} holds other files: choose an empty folder`)
  }
  const progress = readProgress(text)
  const isSame = (Object.keys(scope) as (keyof ArchiveScope)[]).every(
    (name) => String(progress[name]) === String(scope[name]),
  )
  if (!isSame)
    throw new ArchiveRefused(
      `${folder.path} holds another export, of ${scopeText(progress)}: choose another folder, or repeat that command to complete it`,
    )
  const { origin, signer } = signing
  if (!isSignedBy(progress.checkpoint.note, { origin, publicKey: signer.publicKey }))
    throw new ArchiveRefused(`${folder.path} holds an export of another installation: choose another folder`)
  const known = new Set([progressName, ...progress.parts.flatMap((part) => [part.file, part.leaves_file])])
  for (const name of names) if (!known.has(name)) await folder.remove(name)
  return progress
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
async function begin(deps: ExportDeps, request: ExportRequest, scope: ArchiveScope): Promise<Progress> {
  const { store } = deps
  const checkpoint = await sealedCheckpoint(deps)
  const { fromMs, toMs } = request
  const range = await store.archive.range({ fromMs, toMs, treeSize: checkpoint.tree_size })
  const { from, to } = range ?? { from: 0, to: 0 }
  return save(deps.folder, { ...scope, checkpoint, first_leaf: from, end_leaf: to, parts: [] })
}

/** Before the first file of a part: whatever is left of it, the export can resume. */
async function save(folder: ArchiveFolder, progress: Progress): Promise<Progress> {
  await folder.write(progressName, JSON.stringify(progress))
  return progress
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
  readonly detached: ReadonlySet<Month>
}

async function writeParts(deps: ExportDeps, request: ExportRequest, plan: Plan): Promise<Progress> {
  const { folder, onProgress } = deps
  const { start } = plan
  const { first_leaf: firstLeaf, end_leaf: endLeaf } = start
  const parts: ArchivePart[] = [...start.parts]
  for (;;) {
    const next = parts.at(-1)?.end_leaf ?? firstLeaf
    onProgress(next - firstLeaf, endLeaf - firstLeaf)
    if (next >= endLeaf) return { ...start, parts }
    parts.push(await writePart(deps, request, { ...plan, number: parts.length + 1, firstLeaf: next }))
    await save(folder, { ...start, parts })
  }
}

async function writePart(
  deps: ExportDeps,
  request: ExportRequest,
  plan: Plan & { readonly number: number; readonly firstLeaf: number },
): Promise<ArchivePart> {
  const { folder, toParquet, mask } = deps
  const partDeps: PartDeps = { folder, format: request.format, toParquet, mask }
  const { first_leaf: from, end_leaf: endLeaf } = plan.start
  const part = await PartWriter.open(partDeps, plan)
  try {
    for (let next = plan.firstLeaf; next < endLeaf;) {
      const countMax = Math.min(pageLeaves, endLeaf - next)
      for (const { leaf, decision } of await readPage(deps, request, { ...plan, next, countMax })) {
        part.add(leaf, decision)
        next = leaf.index + 1
        if (part.records === (request.partRecords ?? partRecordsMax)) return await part.publish()
      }
      await part.flush()
      deps.onProgress(next - from, endLeaf - from)
    }
    return await part.publish()
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
