/** Publishes events of all owners to the sink, a batch at a time. */

import type {
  EventRow,
  EventSink,
  EventStore,
  PublishJob,
  SinkMessage,
  StreamPlace,
} from '../../ports/events.ts'
import { cloudEventOf, type CloudEvent } from './cloud-event.ts'

/** A batch ends with the row that reaches this number of events. */
const eventsPerBatch = 256

export interface PublishDeps {
  readonly events: Pick<EventStore, 'rows' | 'subjects'>
  readonly sink: Pick<EventSink, 'publish'>
}

/** Resolves with the place up to which everything is in the sink. */
export function createPublish({ events, sink }: PublishDeps) {
  return async ({ after, before, origin }: PublishJob): Promise<StreamPlace> => {
    const { rows, isLast } = await events.rows(after, before)
    const batch = firstOf(rows)
    if (batch.length > 0) {
      const subjects = await events.subjects(batch.flatMap(({ entryIds }) => entryIds))
      await sink.publish(
        batch.flatMap(({ ownerId, entryIds }) =>
          entryIds.map((entryId) =>
            sinkMessageOf(ownerId, cloudEventOf({ entryId, subject: subjects.get(entryId) ?? null }, origin)),
          ),
        ),
      )
    }
    const last = batch.at(-1)
    if (last === undefined || (isLast && batch.length === rows.length)) return { leaf: before, ownerId: '' }
    return { leaf: last.lastLeaf, ownerId: last.ownerId }
  }
}

function firstOf(rows: readonly EventRow[]): readonly EventRow[] {
  let count = 0
  const end = rows.findIndex(({ entryIds }) => {
    count += entryIds.length
    return count >= eventsPerBatch
  })
  return end === -1 ? rows : rows.slice(0, end + 1)
}

/** A change of a corridor's status is one event of several owners: the sink must not take their copies for repeats. */
export function sinkMessageOf(ownerId: string, event: CloudEvent): SinkMessage {
  const { id, type } = event
  const messageId = type === 'corridor.status.changed' ? `${id}.${ownerId}` : id
  return { ownerId, type, messageId, body: JSON.stringify(event) }
}
