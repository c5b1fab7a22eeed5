/** How far each follower is behind the journal, as the database tells. */

import { timeOfId } from '../../core/identity/request-id.ts'
import type { JournalState, JournalStore } from '../ports/journal.ts'
import type { FollowerLag } from '../ports/metrics.ts'
import type { Clock } from '../ports/system.ts'

export async function lagsOf(
  store: Pick<JournalStore, 'countQueued' | 'subjectIds'>,
  { sequenced, positions, oldestQueuedId }: JournalState,
  clock: Clock,
): Promise<Omit<FollowerLag, 'isFailing'>[]> {
  const queued = oldestQueuedId === null ? 0 : await store.countQueued()
  const behind = positions.filter(({ position }) => position < sequenced)
  const ids = await store.subjectIds(behind.map(({ position }) => position))
  const nextIds = new Map(behind.map(({ name }, place) => [name, ids[place] ?? null]))
  const nowMs = clock.nowMs()
  return positions.map(({ name, position }) => {
    const oldestMs = timeOfId(nextIds.get(name) ?? oldestQueuedId ?? '')
    return {
      follower: name,
      entries: Math.max(0, sequenced - position) + queued,
      seconds: oldestMs === null ? 0 : Math.max(0, nowMs - oldestMs) / 1000,
    }
  })
}
