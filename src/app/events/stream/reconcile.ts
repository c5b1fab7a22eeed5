/** Compares the sink with the database, owner by owner, and publishes what the sink lacks. */

import { eventIdOf } from '../../../core/events/event.ts'
import { followTo, sequenceAll } from '../../followers/catch-up.ts'
import type { EventRows, EventSink, EventStore } from '../../ports/events.ts'
import type { JournalStore } from '../../ports/journal.ts'
import { cloudEventOf } from './cloud-event.ts'
import { sinkMessageOf } from './publish.ts'

/** Events published together. */
const eventsPerBatch = 256

export interface ReconcileDeps {
  readonly journal: JournalStore
  readonly events: Pick<EventStore, 'progress' | 'ownerRows' | 'nextOwner' | 'subjects'>
  readonly sink: Pick<EventSink, 'ids' | 'publish'>
  /** The name of the log. */
  readonly origin: string
  /** Names this run. A sink forgets a removed message later than its id, and would take the next copy for a repeat. */
  readonly runId: string
  /** A moment for the servers to publish. */
  readonly pause: () => Promise<void>
}

/** Numbers of one owner's events, up to the position of the follower `stream`: later ones are not missing yet. */
export interface OwnerReconciled {
  readonly ownerId: string
  readonly inDatabase: number
  readonly inStream: number
  /** Confirmed by the sink. */
  readonly republished: number
  readonly inStreamAfter: number
}

export interface Reconciled {
  /** Each owner that was compared; the last one may be unfinished after a failure. */
  readonly owners: readonly OwnerReconciled[]
  /** Events that were recorded before the command, and that no server has published. */
  readonly unpublished: number
  /** Ended it early; null if it is complete. */
  readonly failure: Error | null
}

/** Servers that publish need a moment; if they do not move on meanwhile, there are none. */
const pausesMax = 20

/** All owners, or one. Holds the ids of one owner's events in memory. */
export async function reconcile(deps: ReconcileDeps, ownerId: string | null): Promise<Reconciled> {
  const { journal, events } = deps
  await followTo(journal, 'events', { target: await sequenceAll(journal) })
  const { position, listed } = await events.progress()
  const owners = new Map<string, OwnerReconciled>()
  const report = (owner: OwnerReconciled): void => void owners.set(owner.ownerId, owner)
  let unpublished = 0
  let failure: Error | null = null
  try {
    for await (const id of ownersFrom(events, ownerId)) await reconcileOwner(deps, { id, position, report })
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
  }
  const reached = await reachedBy(deps, listed)
  for await (const id of ownersFrom(events, ownerId))
    for await (const entryIds of entriesOf(events, id, { from: reached, before: listed }))
      unpublished += entryIds.length
  return { owners: [...owners.values()], unpublished, failure }
}

/** The position of the follower `stream`, once it has passed the target or stands still. */
async function reachedBy({ events, pause }: ReconcileDeps, target: number): Promise<number> {
  let { position } = await events.progress()
  for (let pauses = 0; position < target && pauses < pausesMax; pauses += 1) {
    await pause()
    position = (await events.progress()).position
  }
  return Math.min(position, target)
}

async function* ownersFrom(
  events: ReconcileDeps['events'],
  ownerId: string | null,
): AsyncGenerator<string, void> {
  let next = ownerId ?? (await events.nextOwner(''))
  while (next !== null) {
    yield next
    next = ownerId === null ? await events.nextOwner(next) : null
  }
}

/** An owner's entries from a number on, by page. */
async function* entriesOf(
  events: ReconcileDeps['events'],
  ownerId: string,
  { from, before }: { readonly from: number; readonly before: number },
): AsyncGenerator<readonly string[], void> {
  for (let next: number | null = from; next !== null;) {
    const { rows, isLast }: EventRows = await events.ownerRows(ownerId, next, before)
    yield rows.flatMap((row) => row.entryIds)
    next = isLast ? null : (rows.at(-1)?.lastLeaf ?? 0) + 1
  }
}

interface Owner {
  readonly id: string
  /** Entries below it are published. */
  readonly position: number
  readonly report: (owner: OwnerReconciled) => void
}

/** Reports after each batch, so that a failure leaves the numbers so far. */
async function reconcileOwner(deps: ReconcileDeps, { id, position, report }: Owner): Promise<void> {
  const { missing, inDatabase, inStream } = await compare(deps, id, position)
  const state = { ownerId: id, inDatabase, inStream }
  report({ ...state, republished: 0, inStreamAfter: inStream })
  for (let done = 0; done < missing.length;) {
    const batch = missing.slice(done, done + eventsPerBatch)
    await republish(deps, id, batch)
    done += batch.length
    report({ ...state, republished: done, inStreamAfter: inStream + done })
  }
  if (missing.length === 0) return
  const after = await compare(deps, id, position)
  report({ ...state, republished: missing.length, inStreamAfter: after.inStream })
}

/** The entries whose events the sink lacks, in order. */
async function compare({ events, sink }: ReconcileDeps, ownerId: string, position: number) {
  const ids = await sink.ids(ownerId)
  const missing: string[] = []
  let inDatabase = 0
  for await (const entryIds of entriesOf(events, ownerId, { from: 0, before: position })) {
    inDatabase += entryIds.length
    missing.push(...entryIds.filter((entryId) => !ids.has(eventIdOf(entryId))))
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
