/** Implements the ports of the outbox, of endpoints and of the event stream. */

import type { EventStore } from '../../../app/ports/events.ts'
import type { Act } from '../../../app/ports/records.ts'
import type { EndpointStore, Outbox, OwnerWebhooks } from '../../../app/ports/webhooks.ts'
import * as published from './published.ts'
import { newest } from './read-events.ts'
import { readStreamed } from './subjects.ts'
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
      subjects: (entryIds) => driver.read(() => readStreamed(entryIds)),
      published: (from, to) => driver.change('publishedEvents', from, to),
    },
  }
}

/** Called after a commit that wrote. */
interface Listeners {
  readonly appended: () => void
  readonly written: WrittenListener
}

export function ownerWebhooks(
  driver: Driver,
  ownerId: string,
  { appended, written }: Listeners,
): OwnerWebhooks {
  const after =
    (act: Act | undefined) =>
    <Result>(result: Result): Result => {
      if (act !== undefined) appended()
      return result
    }
  return {
    insert: (webhook, countMax, act) =>
      driver.change('insertWebhook', { ...webhook, ownerId }, countMax, act).then(after(act)),
    list: () => driver.read(() => webhooks.list(ownerId)),
    find: (webhookId) => driver.read(() => webhooks.find(ownerId, webhookId)),
    remove: (webhookId, atMs, act) =>
      driver.change('removeWebhook', ownerId, webhookId, atMs, act).then(after(act)),
    addSecret: (webhookId, added, act) =>
      driver.change('addWebhookSecret', ownerId, webhookId, added, act).then(after(act)),
    async announce(webhookId, event, act) {
      const announced = await driver.change('announceTo', ownerId, webhookId, event, act).then(after(act))
      if (announced) written([webhookId])
      return announced
    },
    findDelivery: (eventId) => driver.read(() => webhooks.findDelivery(ownerId, eventId)),
    async deliveries(webhookId, request) {
      const webhook = await driver.read(() => webhooks.find(ownerId, webhookId))
      return webhook === null ? null : driver.longRead('deliveries', webhookId, request)
    },
    async delivery(webhookId, eventId) {
      const webhook = await driver.read(() => webhooks.find(ownerId, webhookId))
      return webhook === null ? null : driver.read(() => outbox.find(webhookId, eventId))
    },
    async resend(webhookId, eventId, resent, act) {
      const result = await driver.change('resend', { ownerId, webhookId, eventId }, resent, act)
      if (result === 'due') written([webhookId])
      return after(act)(result)
    },
    resume: (webhookId, act) => driver.change('resumeWebhook', ownerId, webhookId, act).then(after(act)),
    async resendSome(webhookId, range) {
      const some = await driver.change('resendSome', webhookId, range)
      if (some.queued > 0) written([webhookId])
      return some
    },
    deliveriesOf: (eventIds) => driver.longRead('deliveriesOf', ownerId, eventIds),
  }
}
