/** Erases personal texts in batches, each with its act, and forgets whatever else could tell them. */

import { eventIdOf } from '../../core/events/event.ts'
import { subjectsHash } from '../log/personal-text.ts'
import { actsBy } from '../operate/acts.ts'
import type { KeyOfText, KeyPlace, TextSubject } from '../ports/privacy/erasure.ts'
import type { Store } from '../ports/store.ts'
import type { Clock, Random } from '../ports/system.ts'

export interface ErasureDeps {
  readonly store: Pick<Store, 'erasures' | 'forOwner' | 'partitions'>
  readonly clock: Clock
  readonly random: Random
}

/** The reason of an erasure, which its act records; never the text. */
export interface Reason {
  readonly by: string
  readonly reference: string
  /** Null if the texts are of several owners. */
  readonly ownerId: string | null
}

const keysPerPage = 1_000

/** Idempotency keys of payments with a text, by page, until a page starts beyond. */
export async function* keysOfTexts(
  { store: { erasures } }: Pick<ErasureDeps, 'store'>,
  start: KeyPlace,
  isBeyond: (place: KeyPlace) => boolean,
): AsyncGenerator<readonly KeyOfText[]> {
  for (let after: KeyPlace | null = start; after !== null && !isBeyond(after);) {
    const { keys, next }: Awaited<ReturnType<typeof erasures.keys>> = await erasures.keys(after, keysPerPage)
    yield keys
    after = next
  }
}

/** The texts of these subjects go in one transaction. False if one of them was erased meanwhile. */
export function eraseTexts(
  { store, clock, random }: ErasureDeps,
  { by, reference, ownerId }: Reason,
  subjects: readonly TextSubject[],
  reportIds: readonly string[] = [],
): Promise<boolean> {
  const subjectIds = subjects.filter(({ text }) => text === 'kept').map(({ subjectId }) => subjectId)
  if (subjectIds.length === 0 && reportIds.length === 0) return Promise.resolve(true)
  const act = actsBy(by, { clock, random })({
    kind: 'text.erased',
    subject: ownerId ?? '',
    detail: {
      reference,
      ...(ownerId === null ? {} : { owner_id: ownerId }),
      count: subjectIds.length,
      subjects_hash: subjectsHash(subjectIds),
      batch_reports: reportIds.length,
    },
  })
  const events = subjects.map((subject) => ({
    ownerId: subject.ownerId,
    eventId: eventIdOf(subject.subjectId),
  }))
  return store.erasures.erase({ subjectIds, events, reportIds, act })
}

/** `left` to a later run, or failed. `none`: there was nothing to clean. */
export type Cleaning = 'done' | 'none' | 'left' | Error

/** Never throws, since what was erased stays erased: the next run cleans what this one could not. */
export async function clean(deps: Pick<ErasureDeps, 'store'>): Promise<Cleaning> {
  try {
    return (await cleanIfNeeded(deps)) ? 'done' : 'none'
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

export const isClean = (cleaning: Cleaning): boolean => cleaning === 'done' || cleaning === 'none'

/** Also finishes what an interrupted command left to clean. */
export async function cleanIfNeeded({ store: { erasures } }: Pick<ErasureDeps, 'store'>): Promise<boolean> {
  if (!(await erasures.needsCleaning())) return false
  await erasures.clean()
  return true
}
