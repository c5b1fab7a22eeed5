/** Drops a detached month whose records are all in an archive. The manifest's hash, in an act, is the receipt. */

import { monthOfId } from '../../core/identity/request-id.ts'
import { counted } from '../../core/explain/wording.ts'
import { monthEndMs, monthStartMs, type Month } from '../../core/time/month.ts'
import { verifierKey, verifiersOf } from '../log/checkpoint.ts'
import { recordHash } from '../log/leaf.ts'
import type { DescribeAct } from '../operate/acts.ts'
import type { ArchiveFolder } from '../ports/operate/archive.ts'
import type { Dropped, PartitionStore, StoredMonth } from '../ports/operate/partitions.ts'
import type { Store } from '../ports/store.ts'
import { verifyArchive, type ProvenRecord, type VerifiedArchive } from './verify.ts'

export interface DropDeps {
  readonly store: Store
  readonly partitions: PartitionStore
  readonly folder: ArchiveFolder
  readonly describe: DescribeAct
  readonly onProgress: (done: number, all: number) => void
}

export interface DropRequest {
  readonly month: Month
  /** The manifest that was looked at: any other is refused. */
  readonly receipt?: string | null
  /** Compares without dropping. */
  readonly isDryRun?: boolean
}

export type DropOutcome =
  | { readonly kind: 'would_drop'; readonly records: number; readonly receipt: string }
  | { readonly kind: 'dropped'; readonly records: number; readonly receipt: string; readonly table: string }
  | Exclude<Dropped, { readonly kind: 'dropped' }>
  /** There is no such month. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'gone'; readonly state: 'moved' | 'dropped' }
  /** The archive is not a copy of the month; one line per reason. */
  | { readonly kind: 'refused'; readonly findings: readonly string[] }

export async function dropMonth(
  deps: DropDeps,
  { month, receipt: wanted = null, isDryRun = false }: DropRequest,
): Promise<DropOutcome> {
  const { partitions, describe } = deps
  const stored = (await partitions.list()).find((one) => one.month === month)
  if (stored === undefined) return { kind: 'unknown' }
  if (stored.state === 'moved' || stored.state === 'dropped') return { kind: 'gone', state: stored.state }
  if (stored.state === 'attached') return { kind: 'present' }
  if (stored.away === null) return { kind: 'unfinished' }
  const { verified, findings } = await compare(deps, stored)
  if (findings.length > 0) return { kind: 'refused', findings }
  const { records, fingerprint } = stored.away
  const { receipt, manifest } = verified
  if (isDryRun) return { kind: 'would_drop', records, receipt }
  if (wanted !== null && wanted !== receipt)
    return { kind: 'refused', findings: ['the archive is not the one that was compared before'] }
  const act = describe({
    kind: 'month.dropped',
    subject: month,
    detail: {
      records,
      fingerprint,
      manifest_sha256: receipt,
      tree_size: manifest.checkpoint.tree_size,
    },
  })
  const dropped = await partitions.drop({ month, act })
  return dropped.kind === 'dropped' ? { ...dropped, records, receipt } : dropped
}

/** Verifies the archive and looks up each of its records in the month's table. */
async function compare(
  deps: DropDeps,
  stored: StoredMonth,
): Promise<{ readonly verified: VerifiedArchive; readonly findings: string[] }> {
  const { store, folder, onProgress } = deps
  const { month, away } = stored
  const counts = { matching: 0, different: 0 }
  const onRecords = async (records: readonly ProvenRecord[]): Promise<void> => {
    const ofMonth = records.filter(({ requestId }) => monthOfId(requestId) === month)
    const found = await store.archive.decisions({
      requestIds: ofMonth.map(({ requestId }) => requestId),
      treeSize: 0,
      detached: new Set([month]),
    })
    for (const [place, { leafHash }] of ofMonth.entries()) {
      const record = found[place]?.record
      if (record !== undefined && recordHash(record) === leafHash) counts.matching += 1
      else counts.different += 1
    }
  }
  const verified = await verifyArchive(folder, { trusted: null, onProgress, onRecords })
  const findings = [
    ...verified.findings.map(({ place, message }) => `${place}: ${message}`),
    ...scopeFindings(verified, month),
    ...(await originFindings(store, verified)),
  ]
  if (counts.different > 0)
    findings.push(`${counted(counts.different, 'record')} of the archive differ from the month's table`)
  if (counts.matching !== away?.records)
    findings.push(
      `the archive has ${counted(counts.matching, 'record')} of the month, which has ${away?.records ?? 0}`,
    )
  return { verified, findings }
}

function scopeFindings({ manifest }: VerifiedArchive, month: Month): string[] {
  const { format, from, to, owner_id: ownerId } = manifest
  const isWhole = Date.parse(from) <= monthStartMs(month) && Date.parse(to) >= monthEndMs(month)
  return [
    ...(format === 'jsonl' ? [] : [`the archive is in ${format}: only JSON lines hold complete records`]),
    ...(ownerId === null ? [] : ['the archive has the records of one owner']),
    ...(isWhole ? [] : [`the archive covers ${from} to ${to}, which is not all of ${month}`]),
  ]
}

/** The archive must be of this log, and signed by one of its keys. */
async function originFindings({ log }: Store, { manifest }: VerifiedArchive): Promise<string[]> {
  const { checkpoint, signature } = manifest
  const { origin } = await log.head()
  const keys = verifiersOf(origin ?? '', await log.keys())
  const isOurs = keys.some((key) => verifierKey(key.origin, key.publicKey) === signature.verifier_key)
  const [stored] = isOurs ? await log.checkpoints(checkpoint.tree_size - 1, 1) : []
  return stored?.note === checkpoint.note ? [] : ['the archive is of another installation or another log']
}
