/** Checks that every record and override has exactly one event for each endpoint subscribed at the time. */

import type { Attempt } from '../../../src/app/ports/webhooks.ts'
import { isDelivered } from '../../../src/core/events/retry-schedule.ts'
import { nameOfEvent, type Books } from '../books.ts'
import type { WorldDatabase } from '../world-database.ts'
import { retryDelaysMs } from '../instance.ts'
import type { JournalInspector } from './journal.ts'
import type { Receivers } from '../receivers.ts'
import { ensure } from './violation.ts'

export interface Inspected {
  readonly worldDatabase: WorldDatabase
  readonly books: Books
  readonly receivers: Receivers
  readonly journal: JournalInspector
}

interface StoredDelivery {
  readonly webhook_id: string
  readonly event_id: string
  readonly state: string
  readonly attempt: number
  readonly attempts: string
  readonly suspended_at_ms: number | null
}

const attemptsMax = retryDelaysMs.length + 1

/** Returns the number of sent requests inspected so far. */
export function inspectEvents(parts: Inspected, sentRead: number): number {
  const { worldDatabase, books, receivers, journal } = parts
  const rows = worldDatabase
    .prepare('SELECT webhook_id, event_id, state, attempt, attempts, suspended_at_ms FROM webhook_deliveries')
    .all() as unknown as StoredDelivery[]
  inspectSent(parts, sentRead)
  const stored = new Set<string>()
  for (const row of rows) {
    const name = nameOfEvent(row.webhook_id, row.event_id)
    stored.add(name)
    const event = books.expectedEvents.get(name) ?? books.optionalEvents.get(name)
    ensure(event !== undefined, `the event ${name} belongs to no record`)
    const isFollowed = journal.hasPassed('webhooks', event.subjectId)
    ensure(isFollowed, `the event ${name} is in the outbox, but its entry has not been followed`)
    const endpoint = books.endpoints.get(row.webhook_id)
    // Pending events of a removed endpoint are dropped.
    if (endpoint !== undefined && !endpoint.isRemoved) inspectDelivery(row, endpoint.webhook.url, parts)
  }
  for (const [name, { webhookId, kind, subjectId }] of books.expectedEvents) {
    const isRemoved = books.endpoints.get(webhookId)?.isRemoved === true
    const isDue = !isRemoved && journal.hasPassed('webhooks', subjectId)
    ensure(!isDue || stored.has(name), `the event ${name} (${kind}) is not in the outbox`)
  }
  return receivers.sent.length
}

const attemptsOf = (row: StoredDelivery | undefined): Attempt[] =>
  row === undefined ? [] : (JSON.parse(row.attempts) as Attempt[])

function inspectDelivery(row: StoredDelivery, url: string, { receivers }: Inspected): void {
  const name = nameOfEvent(row.webhook_id, row.event_id)
  const attempts = attemptsOf(row)
  const isInOrder = attempts.every(({ number }, place) => number === place + 1)
  ensure(isInOrder, `the attempts of ${name} are not numbered consecutively`)
  const failed = attempts.filter(({ status }) => !isDelivered(status)).length
  if (row.state === 'delivered') {
    const isAccepted = receivers.sent.some(
      (one) => one.url === url && one.eventId === row.event_id && one.isAccepted,
    )
    ensure(isAccepted, `the event ${name} counts as delivered, but its receiver never accepted it`)
  } else if (row.state === 'dropped' && row.suspended_at_ms === null) {
    ensure(failed === attemptsMax, `the event ${name} was dropped after ${failed} failures`)
  } else {
    const isNext = failed === attempts.length && row.attempt === attempts.length + 1
    ensure(isNext, `the event ${name} is pending with attempt ${row.attempt} after ${failed} failures`)
  }
}

/** Attempt numbers may repeat after a crash but are never skipped. */
function inspectSent({ books, receivers }: Inspected, from: number): void {
  for (const [place, { url, eventId, number }] of receivers.sent.entries()) {
    if (place < from) continue
    const earlier = receivers.sent.slice(0, place).filter((one) => one.url === url && one.eventId === eventId)
    const highest = Math.max(0, ...earlier.map((one) => one.number))
    const endpoint = [...books.endpoints.values()].find(({ webhook }) => webhook.url === url)
    const name = nameOfEvent(endpoint?.webhook.webhookId ?? '', eventId)
    ensure(number >= 1 && number <= highest + 1, `attempt ${number} of ${eventId} was sent after ${highest}`)
    const isItsOwn = books.expectedEvents.has(name) || books.optionalEvents.has(name)
    ensure(isItsOwn, `${eventId} was sent to ${url}, which must not receive it`)
  }
}
