/** The form of an event in the stream: CloudEvents 1.0, with the data of the webhook. */

import { eventIdOf, type EventId, type StreamedKind } from '../../../core/events/event.ts'
import { isRequestId, timeOfId } from '../../../core/identity/request-id.ts'
import { iso } from '../../../core/time/durations.ts'
import { dataOf, type EventData } from '../delivery/event-body.ts'
import type { StreamedEvent } from '../../ports/events.ts'
import type { EntrySubject } from '../../ports/webhooks.ts'

export interface CloudEvent {
  readonly specversion: '1.0'
  readonly id: EventId
  /** The installation, by the name of its log. */
  readonly source: string
  readonly type: StreamedKind
  /** The decision; of a change of status, the corridor. */
  readonly subject: string
  readonly time: string
  /** Null if the record has left the database with its month. */
  readonly data: EventData | null
}

/** `origin` is the name of the log. */
export function cloudEventOf({ entryId, subject }: StreamedEvent, origin: string): CloudEvent {
  return {
    specversion: '1.0',
    id: eventIdOf(entryId),
    source: `urn:${origin.replace('/', ':')}`,
    ...(subject === null ? goneMembers(entryId) : membersOf(subject)),
    data: subject === null ? null : dataOf(subject),
  }
}

type Members = Pick<CloudEvent, 'type' | 'subject' | 'time'>

function membersOf(subject: EntrySubject): Members {
  switch (subject.kind) {
    case 'decision': {
      const { requestId, recordedAtMs } = subject.record
      return { type: 'payment.decision.created', subject: requestId, time: iso(recordedAtMs) }
    }
    case 'override': {
      const { requestId, createdAtMs } = subject.override
      return { type: 'payment.override.created', subject: requestId, time: iso(createdAtMs) }
    }
    case 'status':
      return { type: 'corridor.status.changed', subject: subject.act.subject, time: iso(subject.act.atMs) }
    case 'review': {
      const { kind, requestId, atMs } = subject.change
      const type = kind === 'opened' ? 'payment.review.opened' : 'payment.review.closed'
      return { type, subject: requestId, time: iso(atMs) }
    }
  }
}

/** Only decisions leave the database. */
function goneMembers(entryId: string): Members {
  if (!isRequestId(entryId)) throw new Error(`events: entry ${entryId} is missing`)
  return { type: 'payment.decision.created', subject: entryId, time: iso(timeOfId(entryId) ?? 0) }
}
