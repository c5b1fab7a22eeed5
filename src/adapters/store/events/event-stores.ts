/** Implements the ports of the outbox, of all endpoints and of the event stream. */

import type { EventStore } from '../../../app/ports/events.ts'
import type { EndpointStore, Outbox } from '../../../app/ports/webhooks.ts'
import * as published from './published.ts'
import { newest } from './read-events.ts'
import { readSubjects } from './subjects.ts'
import * as outbox from '../outbox/outbox.ts'
import * as webhooks from '../outbox/webhooks.ts'
import type { Driver } from '../engine/driver.ts'

export type WrittenListener = (webhookIds: readonly string[]) => void

interface EventStores {
  readonly outbox: Outbox
  readonly endpoints: EndpointStore
  readonly events: EventStore
}

export function eventStores(driver: Driver, listeners: WrittenListener[], appended: () => void): EventStores {
  return {
    outbox: {
      onWritten: (listener) => void listeners.push(listener),
      turn: (turn) => driver.change('outboxTurn', turn),
      waiting: (request) => driver.read(() => outbox.waiting(request)),
      makeDue: (webhookId, dueAfterMs, nowMs) => driver.change('bringForward', webhookId, dueAfterMs, nowMs),
      async suspend(webhook, act) {
        const isSuspended = await driver.change('suspendWebhook', webhook, act)
        if (isSuspended) appended()
        return isSuspended
      },
      shelve: (webhookId, nowMs) => driver.change('shelve', webhookId, nowMs),
      prune: (request) => driver.change('pruneOutbox', request),
    },
    endpoints: {
      list: (afterId, countMax) => driver.read(() => webhooks.listAll(afterId, countMax)),
      replaceSecrets: (before, after) => driver.change('replaceSecrets', before, after),
    },
    events: {
      newest: (ownerIds) => driver.read(() => newest(ownerIds)),
      progress: () => driver.read(() => published.progress()),
      rows: (after, before) => driver.read(() => published.rows(after, before)),
      ownerRows: (ownerId, from, before) => driver.read(() => published.ownerRows(ownerId, from, before)),
      nextOwner: (afterId) => driver.read(() => published.nextOwner(afterId)),
      subjects: (entryIds) => driver.read(() => readSubjects(entryIds)),
      published: (from, to) => driver.change('publishedEvents', from, to),
    },
  }
}
