/** Reads an owner's events after a cursor, and waits for the next ones if there are none. */

import { beforeFirstEvent, type EventId } from '../../../core/events/event.ts'
import type { Clock } from '../../ports/system.ts'
import type { OwnerRecords, Store } from '../../ports/store.ts'
import { behindOrThrow } from '../../followers/journal.ts'
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
    const read = () => readPieces(owner, { after, limit, origin: signing.origin })
    /** The page, with everything that was recorded before the request. */
    async function current() {
      const behind = await caughtUp().then(() => null, behindOrThrow)
      const page = await read()
      // Listed events stay readable while the follower fails; an empty page would say that nothing was recorded.
      if (behind !== null && (page === null || page.events.length === 0)) throw behind
      return page
    }
    const untilMs = clock.monotonicMs() + waitMs
    // The cursor may be of an event that is not listed yet.
    let page = (await read()) ?? (await current())
    const mayWait = (): boolean => clock.monotonicMs() < untilMs && !waits.isStopped && !left.aborted
    // A caller that waits gets what is listed meanwhile: answers are fewer, and hold more.
    while (page?.events.length === 0 && mayWait()) {
      const wait = waits.start(ownerId, page.leaf, untilMs - clock.monotonicMs())
      left.addEventListener('abort', wait.cancel, { once: true })
      await wait.ended
      left.removeEventListener('abort', wait.cancel)
      page = await read()
    }
    if (page === null) return null
    // A full page is the same whatever is listed later.
    if (page.events.length < limit && !left.aborted) page = await current()
    if (page === null) return null
    const { events } = page
    return { events, next: events.at(-1)?.id ?? after }
  }
}

/** The events of one read. Other requests get their turn between two reads. */
const pieceMax = 100

interface Pieces {
  readonly events: readonly CloudEvent[]
  /** The number of the last entry that was looked at. */
  readonly leaf: number
}

/** Each piece is turned into its form as it is read, which takes as long as its read. */
async function readPieces(
  owner: Pick<OwnerRecords, 'events'>,
  { after, limit, origin }: Pick<EventsQuery, 'after' | 'limit'> & { readonly origin: string },
): Promise<Pieces | null> {
  const events: CloudEvent[] = []
  for (;;) {
    const last = events.at(-1)?.id ?? after
    const pieceLimit = Math.min(pieceMax, limit - events.length)
    const piece = await owner.events(last === beforeFirstEvent ? null : last, pieceLimit)
    if (piece === null) return null
    events.push(...piece.events.map((event) => cloudEventOf(event, origin)))
    if (piece.events.length < pieceLimit || events.length === limit) return { events, leaf: piece.leaf }
  }
}
