/** The check of the whole log as the command line and the console ask for it, and its result. */

import { monthOfId } from '../../core/identity/request-id.ts'
import type { Store } from '../ports/store.ts'
import { isSignedBy, readNote, verifiersOf, type Checkpoint, type Verifier } from '../log/checkpoint.ts'
import { verifyLog, type VerifiedLog } from '../log/verify-log.ts'

export interface LogCheck {
  readonly verifiers: readonly Verifier[]
  readonly savedCheckpoints: readonly Checkpoint[]
  readonly onProgress: (done: number, all: number) => void
}

export async function checkLog(store: Store, check: LogCheck): Promise<VerifiedLog> {
  const months = (await store.partitions?.list()) ?? []
  const away = new Set<string | null>(
    months.filter(({ state }) => state !== 'attached').map(({ month }) => month),
  )
  const dropped = months.filter(({ state }) => state === 'dropped').map(({ month }) => month)
  return verifyLog({
    ...check,
    store,
    isDetached: (id) => away.has(monthOfId(id)),
    droppedMonths: new Set(dropped),
  })
}

/** The keys of the database itself: whoever changed it may have changed them. */
export async function storedVerifiers({ log }: Pick<Store, 'log'>): Promise<Verifier[]> {
  const { origin } = await log.head()
  const keys = await log.keys()
  return origin === null ? [] : verifiersOf(origin, keys)
}

/** Reads a saved checkpoint: the JSON response of the service, or its note as text. A text says what is wrong. */
export function readSavedCheckpoint(content: string, verifiers: readonly Verifier[]): Checkpoint | string {
  const note = noteIn(content)
  const checkpoint = note === null ? null : readNote(note)
  if (note === null || checkpoint === null) return 'contains no checkpoint'
  return verifiers.some((verifier) => isSignedBy(note, verifier))
    ? checkpoint
    : 'is not signed by a trusted key'
}

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

export const covered = [
  'records, overrides, outcomes, acts of operators and changes of reviews, against their leaves',
  'personal texts, against their salted hashes, and erased ones against the acts that erased them',
  'leaves, nodes and checkpoints, against each other and their signatures',
  'keys, access decisions, transitions, policies and people, against the acts that made them',
  'reviews, against their changes, their decisions and the overrides of these',
]
export const notCovered = [
  'whether a record is true',
  'a log cut short together with its records, unless you pass a checkpoint that was kept elsewhere',
  'webhook endpoints, deliveries and usage; repeats, scores and reasons shown with reviews; hashes, limits and labels of keys; passwords and provider accounts of people',
  'what was recorded before it was sealed: outcomes without an id, keys from before acts were entries',
]

export function verifiedView({ size, root, findings, ...counts }: VerifiedLog) {
  return {
    intact: findings.length === 0,
    covered,
    not_covered: notCovered,
    tree_size: size,
    root_hash: root,
    ...counts,
    findings,
  }
}
