/** Event ids: made of the id of what they tell of, and known again. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventIdOf, parseEventId } from '../../../src/core/events/event.ts'
import { formatRequestId } from '../../../src/core/identity/request-id.ts'

const requestId = formatRequestId(Date.UTC(2026, 2, 1), new Uint8Array(10).fill(171))

test("a decision's event has the digits of its id: one decision cannot have two events", () => {
  const eventId = eventIdOf(requestId)
  assert.match(eventId, /^evt_[0-9a-hjkmnp-tv-z]{26}$/)
  assert.equal(eventId.slice(4).toUpperCase(), requestId.slice('SVC-2026-'.length))
  assert.equal(eventIdOf(requestId), eventId)
})

test('text order of event ids is the order of making', () => {
  const later = formatRequestId(Date.UTC(2027, 0, 1), new Uint8Array(10))
  assert.ok(eventIdOf(requestId) < eventIdOf(later))
})

test('only what this service can have issued is read as an event id', () => {
  const eventId = eventIdOf(requestId)
  assert.equal(parseEventId(eventId), eventId)
  for (const text of [
    '',
    'evt_',
    `${eventId}0`,
    eventId.slice(0, -1),
    eventId.toUpperCase(),
    `x${eventId}`,
    `${eventId}\n`,
  ]) {
    assert.equal(parseEventId(text), null, JSON.stringify(text))
  }
})
