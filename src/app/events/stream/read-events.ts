/** Reads an owner's events after a cursor, and waits for the next ones if there are none. */

import { beforeFirstEvent, type EventId } from '../../../core/events/event.ts'
import type { Clock } from '../../ports/system.ts'
import type { Store } from '../../ports/store.ts'
import { FollowerBehind } from '../../followers/journal.ts'
import type { InstallationKey } from '../../log/installation-key.ts'
import { cloudEventOf, type CloudEvent } from './cloud-event.ts'
import type { EventWaits } from './waits.ts'

export interface ReadEventsDeps {
  readonly store: Pick<Store, 'forOwner'>
  readonly waits: EventWaits
  readonly clock: Clock
  /** Resolves when everything that was recorded before the call is in the stream. */
  readonly caughtUp: () => Promise<void>
  readonly key: () => Promise<InstallationKey>
}

export interface EventsQuery {
  readonly ownerId: string
  readonly after: EventId
  readonly limit: number
  readonly waitMs: number
  /** Aborted when the caller has left. */
  readonly left: AbortSignal
}

export interface Events {
  readonly events: readonly CloudEvent[]
  readonly next: EventId
}

export type ReadEvents = ReturnType<typeof createReadEvents>

/** Null if the cursor is no event of the owner. */
export function createReadEvents({ store, waits, clock, caughtUp, key }: ReadEventsDeps) {
  return async ({ ownerId, after, limit, waitMs, left }: EventsQuery): Promise<Events | null> => {
    const { signing } = await key()
    const owner = store.forOwner(ownerId)
    const read = () => owner.events(after === beforeFirstEvent ? null : after, limit)
    const untilMs = clock.monotonicMs() + waitMs
    let page = await read()
    // A caller that waits gets what is listed meanwhile: answers are fewer, and hold more.
    if (page === null || (page.events.length === 0 && waitMs === 0)) {
      const isCurrent = await caughtUp().then(() => true, isBehind)
      page = await read()
      // The cursor may be of an event that is not listed yet.
      if (page === null && !isCurrent) throw new FollowerBehind('followers: events is not up to date')
    }
    const mayWait = (): boolean => clock.monotonicMs() < untilMs && !waits.isStopped && !left.aborted
    while (page?.events.length === 0 && mayWait()) {
      const wait = waits.start(ownerId, page.leaf, untilMs - clock.monotonicMs())
      left.addEventListener('abort', wait.cancel, { once: true })
      await wait.ended
      left.removeEventListener('abort', wait.cancel)
      page = await read()
    }
    if (page === null) return null
    const events = page.events.map((event) => cloudEventOf(event, signing.origin))
    return { events, next: events.at(-1)?.id ?? after }
  }
}

/** A stream that lags holds nothing wrong: its events come later. */
function isBehind(error: unknown): false {
  if (error instanceof FollowerBehind) return false
  throw error
}
