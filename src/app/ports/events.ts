/** Ports of the event stream: each owner's events in the order of the log, and the sink that gets a copy of all. */

import type { EntrySubject } from './webhooks.ts'

export interface StreamedEvent {
  /** The id of the entry of the log that the event is about. */
  readonly entryId: string
  /** Null if it has left the database, with its month. */
  readonly subject: EntrySubject | null
}

export interface EventPage {
  readonly events: readonly StreamedEvent[]
  /** The number of the last entry that was looked at; -1 if there is none. */
  readonly leaf: number
}

/** Several events of one owner, as they are listed. */
export interface EventRow {
  readonly ownerId: string
  /** The number of its last entry. */
  readonly lastLeaf: number
  readonly entryIds: readonly string[]
}

/** A bounded number of rows. */
export interface EventRows {
  readonly rows: readonly EventRow[]
  /** Whether no more follow. */
  readonly isLast: boolean
}

/** A place between two rows of all owners. Rows of several owners may have the same last entry. */
export interface StreamPlace {
  readonly leaf: number
  readonly ownerId: string
}

/** Numbers of entries: published, and listed by the follower `events`. */
export interface StreamProgress {
  readonly position: number
  readonly listed: number
}

export interface EventStore {
  /** The number of each owner's last event; -1 if there is none. */
  newest(ownerIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  progress(): Promise<StreamProgress>
  /** Rows after the place, in the order of their last entries, which are below `before`. */
  rows(after: StreamPlace, before: number): Promise<EventRows>
  /** The same of one owner, from an entry on. */
  ownerRows(ownerId: string, from: number, before: number): Promise<EventRows>
  /** The owner with events that comes after this one; null if there is none. */
  nextOwner(afterId: string): Promise<string | null>
  /** Those that are in the database, by their ids. */
  subjects(entryIds: readonly string[]): Promise<ReadonlyMap<string, EntrySubject>>
  /** Moves the position of the follower `stream`; false if it is no longer at `from`. */
  published(from: number, to: number): Promise<boolean>
}

/** An event on its way to the sink, which is a message system. */
export interface SinkMessage {
  readonly ownerId: string
  readonly type: string
  /** The sink stores a message once for each id that it remembers. It starts with the event's id. */
  readonly messageId: string
  /** The event as JSON. */
  readonly body: string
}

export interface EventSink {
  /** Resolves when all are stored, in this order. Fails within bounded time; then any number of the first are stored. */
  publish(messages: readonly SinkMessage[]): Promise<void>
  /** The ids of an owner's events that the sink holds. */
  ids(ownerId: string): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/** Publishes the events after a place; an adapter may do so in a thread of its own. */
export interface EventPublisher {
  /** Publishes a bounded number. Null once it is closed. */
  publish(job: PublishJob): Promise<StreamPlace | null>
  /** Ends a running job, whatever it waits for. */
  close(): Promise<void>
}

export interface PublishJob {
  readonly after: StreamPlace
  /** Only rows whose last entry has a lower number. */
  readonly before: number
  /** The name of the log. */
  readonly origin: string
}
