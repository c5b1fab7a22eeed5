/** Compares the list of erased subjects with the acts of erasure: nothing else excuses a text that is missing. */

import type { ErasureStore } from '../ports/privacy/erasure.ts'
import type { Act } from '../ports/records.ts'
import { subjectsHash } from './personal-text.ts'

type Report = (place: string, message: string) => void

/** Limits the output for a table that was filled by somebody. */
const inconsistentMax = 1_000

export async function checkErasures(
  store: Pick<ErasureStore, 'erasedBy' | 'inconsistent'>,
  acts: readonly Act[],
  report: Report,
): Promise<void> {
  for (const { subjectId, hasText } of await store.inconsistent(inconsistentMax)) {
    const message = hasText ? 'is listed as erased, but has a personal text' : 'was erased by no act'
    report(`erasure of ${subjectId}`, message)
  }
  for (const { kind, actId, detail } of acts) {
    if (kind !== 'text.erased') continue
    const subjectIds = await store.erasedBy(actId)
    if (subjectIds.length !== detail['count'] || subjectsHash(subjectIds) !== detail['subjects_hash'])
      report(`act ${actId}`, 'erased other subjects than those that are listed')
  }
}
