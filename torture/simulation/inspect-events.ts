/** Every record and override has one event for each endpoint that subscribed then, and none of these is skipped or made up. */

import type { Attempt } from '../../src/app/ports/webhooks.ts'
import { isDelivered } from '../../src/core/events/retry-schedule.ts'
import { nameOfEvent, type Books } from './books.ts'
import type { Ground } from './ground.ts'
import { retryDelaysMs } from './instance.ts'
import type { Receivers } from './receivers.ts'
import { insist } from './violation.ts'

export interface Inspected {
  readonly ground: Ground
  readonly books: Books
  readonly receivers: Receivers
}

interface KeptDelivery {
  readonly webhook_id: string
  readonly event_id: string
  readonly state: string
  readonly attempt: number
  readonly attempts: string
}

const attemptsMax = retryDelaysMs.length + 1

/** How far what was sent has been looked at. */
export function inspectEvents(parts: Inspected, sentRead: number): number {
  const { ground, books, receivers } = parts
  inspectSent(parts, sentRead)
  const rows = ground
    .prepare('SELECT webhook_id, event_id, state, attempt, attempts FROM webhook_deliveries')
    .all() as unknown as KeptDelivery[]
  const found = new Set<string>()
  for (const row of rows) {
    const name = nameOfEvent(row.webhook_id, row.event_id)
    found.add(name)
    insist(books.owed.has(name), `the event ${name} is of nothing that was written`)
    const endpoint = books.endpoints.get(row.webhook_id)
    // What waited for an endpoint that was removed is given up.
    if (endpoint !== undefined && !endpoint.isRemoved) inspectDelivery(row, endpoint.webhook.url, parts)
  }
  for (const [name, { webhookId, kind }] of books.owed) {
    const isGone = books.endpoints.get(webhookId)?.isRemoved === true
    insist(isGone || found.has(name), `the event ${name} (${kind}) is not in the outbox`)
  }
  return receivers.sent.length
}

function inspectDelivery(row: KeptDelivery, url: string, { receivers }: Inspected): void {
  const name = nameOfEvent(row.webhook_id, row.event_id)
  const attempts = JSON.parse(row.attempts) as Attempt[]
  const isInOrder = attempts.every(({ number }, place) => number === place + 1)
  insist(isInOrder, `the attempts of ${name} are not numbered one by one`)
  const failed = attempts.filter(({ status }) => !isDelivered(status)).length
  if (row.state === 'delivered') {
    const isThere = receivers.sent.some(
      (one) => one.url === url && one.eventId === row.event_id && one.isAccepted,
    )
    insist(isThere, `the event ${name} counts as delivered, and its receiver has never accepted it`)
  } else if (row.state === 'dropped') {
    insist(failed === attemptsMax, `the event ${name} was dropped after ${failed} failures`)
  } else {
    const isNext = failed === attempts.length && row.attempt === attempts.length + 1
    insist(isNext, `the event ${name} is pending with attempt ${row.attempt} after ${failed} failures`)
  }
}

/** A crash repeats a number, and nothing skips one. */
function inspectSent({ books, receivers }: Inspected, from: number): void {
  for (const [place, { url, eventId, number }] of receivers.sent.entries()) {
    if (place < from) continue
    const earlier = receivers.sent.slice(0, place).filter((one) => one.url === url && one.eventId === eventId)
    const highest = Math.max(0, ...earlier.map((one) => one.number))
    insist(number >= 1 && number <= highest + 1, `attempt ${number} of ${eventId} was sent after ${highest}`)
    const endpoint = [...books.endpoints.values()].find(({ webhook }) => webhook.url === url)
    const name = nameOfEvent(endpoint?.webhook.webhookId ?? '', eventId)
    insist(books.owed.has(name), `${eventId} was sent to ${url}, which it is not for`)
  }
}
