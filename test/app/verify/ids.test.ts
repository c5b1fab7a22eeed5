/** Ids: unique, in the order of their making, and true to the clock. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import { parseRequestId } from '../../../src/core/identity/request-id.ts'
import { ManualClock } from '../../helpers/clock.ts'

test('ids of one process are in text order of their making, in one millisecond too', () => {
  const clock = new ManualClock()
  const ids = createIds({ clock, random: systemRandom })
  const made: string[] = Array.from({ length: 2_000 }, (_, index) => {
    if (index % 50 === 0) clock.advance(1)
    return ids.nextRequest().requestId
  })
  assert.deepEqual(made, made.toSorted())
  assert.equal(new Set(made).size, made.length)
})

test('an id carries its recording time', () => {
  const clock = new ManualClock()
  const { requestId, recordedAtMs } = createIds({ clock, random: systemRandom }).nextRequest()
  assert.equal(recordedAtMs, clock.nowMs())
  assert.equal(parseRequestId(requestId)?.atMs, recordedAtMs)
})

test('a clock set back a little does not take the order with it', () => {
  const clock = new ManualClock()
  const ids = createIds({ clock, random: systemRandom })
  const first = ids.nextRequest()
  clock.setWall(clock.nowMs() - 2_000)
  const second = ids.nextRequest()
  assert.ok(second.requestId > first.requestId)
  assert.equal(second.recordedAtMs, first.recordedAtMs)
})

test('a clock that was far ahead and is set right is followed: recording times are for ever', () => {
  const clock = new ManualClock()
  const ids = createIds({ clock, random: systemRandom })
  const rightMs = clock.nowMs()
  clock.setWall(rightMs + 86_400_000)
  ids.nextRequest()
  clock.setWall(rightMs)
  assert.equal(ids.nextRequest().recordedAtMs, rightMs)
})
