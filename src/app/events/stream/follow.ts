/** The follower `stream`: publishes what the follower `events` has listed, then moves its position. */

import type { InstallationKey } from '../../log/installation-key.ts'
import type { EventPublisher, EventStore, StreamPlace } from '../../ports/events.ts'

export interface FollowStreamDeps {
  readonly events: Pick<EventStore, 'progress' | 'published'>
  readonly publisher: Pick<EventPublisher, 'publish'>
  readonly key: () => Promise<InstallationKey>
}

/** The position moves after the sink has confirmed: a crash repeats events, and never skips one. */
export function createFollowStream({ events, publisher, key }: FollowStreamDeps) {
  return async (): Promise<void> => {
    const { signing } = await key()
    const { position, listed: before } = await events.progress()
    let after: StreamPlace = { leaf: position, ownerId: '' }
    while (after.leaf < before) {
      const next = await publisher.publish({ after, before, origin: signing.origin })
      // Closed, or another instance publishes: the next run starts from its position.
      if (next === null || !(await events.published(after.leaf, next.leaf))) return
      after = next
    }
  }
}
