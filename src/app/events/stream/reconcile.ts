/** Compares the sink with the database, owner by owner, and publishes what the sink lacks. */

import { eventIdOf } from '../../../core/events/event.ts'
import type { EventSink, EventStore } from '../../ports/events.ts'
import { cloudEventOf } from './cloud-event.ts'
import { sinkMessageOf } from './publish.ts'

/** Events published together. */
const eventsPerBatch = 256

export interface ReconcileDeps {
  readonly events: Pick<EventStore, 'progress' | 'ownerRows' | 'nextOwner' | 'subjects'>
  readonly sink: Pick<EventSink, 'ids' | 'publish'>
  /** The name of the log. */
  readonly origin: string
  /** Names this run. A sink forgets a removed message later than its id, and would take the next copy for a repeat. */
  readonly runId: string
}

/** Numbers of one owner's events, up to the position of the follower `stream`: later ones are not missing yet. */
export interface OwnerReconciled {
  readonly ownerId: string
  readonly inDatabase: number
  readonly inStream: number
  readonly republished: number
  readonly inStreamAfter: number
}

/** All owners, or one. Holds the ids of one owner's events in memory. */
export async function* reconcile(
  deps: ReconcileDeps,
  ownerId: string | null,
): AsyncGenerator<OwnerReconciled, void> {
  const { position } = await deps.events.progress()
  if (ownerId !== null) {
    yield await reconcileOwner(deps, ownerId, position)
    return
  }
  let next = await deps.events.nextOwner('')
  while (next !== null) {
    yield await reconcileOwner(deps, next, position)
    next = await deps.events.nextOwner(next)
  }
}

async function reconcileOwner(
  deps: ReconcileDeps,
  ownerId: string,
  position: number,
): Promise<OwnerReconciled> {
  const before = await compare(deps, ownerId, position)
  const { missing, inDatabase, inStream } = before
  for (let from = 0; from < missing.length; from += eventsPerBatch)
    await republish(deps, ownerId, missing.slice(from, from + eventsPerBatch))
  const after = missing.length === 0 ? before : await compare(deps, ownerId, position)
  return { ownerId, inDatabase, inStream, republished: missing.length, inStreamAfter: after.inStream }
}

/** The entries whose events the sink lacks, in order. */
async function compare({ events, sink }: ReconcileDeps, ownerId: string, position: number) {
  const ids = await sink.ids(ownerId)
  const missing: string[] = []
  let inDatabase = 0
  for (let from = 0, isLast = false; !isLast;) {
    const page = await events.ownerRows(ownerId, from, position)
    const entryIds = page.rows.flatMap((row) => row.entryIds)
    inDatabase += entryIds.length
    missing.push(...entryIds.filter((entryId) => !ids.has(eventIdOf(entryId))))
    from = (page.rows.at(-1)?.lastLeaf ?? 0) + 1
    isLast = page.isLast
  }
  return { missing, inDatabase, inStream: inDatabase - missing.length }
}

async function republish(
  { events, sink, origin, runId }: ReconcileDeps,
  ownerId: string,
  entryIds: readonly string[],
): Promise<void> {
  const subjects = await events.subjects(entryIds)
  await sink.publish(
    entryIds.map((entryId) => {
      const event = cloudEventOf({ entryId, subject: subjects.get(entryId) ?? null }, origin)
      const message = sinkMessageOf(ownerId, event)
      return { ...message, messageId: `${message.messageId}.${runId}` }
    }),
  )
}
