/** Places for deliveries: neither lane takes a place of the other, and within a lane those who hold much leave some to the next. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  fairShare,
  claimedMaxOf,
  inFlightMaxOf,
  laneLimits,
  laneOf,
  freeSlots,
  endpointStates,
  type Lane,
  type Standing,
} from '../../../src/core/events/delivery-lanes.ts'

const { heldMax, reservedPlaces, inFlightMax, promptMsMax, claimedPerTurnMax } = laneLimits

/** The most that a lane may hold after an endpoint of this standing was served. */
const boundOf: Readonly<Record<Lane, Readonly<Record<Standing, number>>>> = {
  prompt: { untried: heldMax, idle: heldMax, busy: heldMax - reservedPlaces },
  slow: { untried: heldMax, idle: heldMax - reservedPlaces, busy: heldMax - 2 * reservedPlaces },
}

test('an endpoint is as its last attempt was: prompt when it took the event soon, else slow', () => {
  assert.equal(laneOf(0, true), 'prompt')
  assert.equal(laneOf(promptMsMax, true), 'prompt')
  assert.equal(laneOf(promptMsMax + 1, true), 'slow')
  assert.equal(laneOf(0, false), 'slow')
})

for (const lane of ['prompt', 'slow'] as const) {
  test(`${lane}: in whatever order endpoints come, the bounds hold and each kind keeps its part`, () => {
    const step = fc.tuple(fc.constantFrom(...endpointStates), fc.integer({ min: -80, max: 80 }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let held = 0
        for (const [standing, change] of steps) {
          const before = held
          if (change < 0) held = Math.max(0, held + change)
          else held += Math.max(0, Math.min(change, freeSlots(lane, standing, held)))
          assert.ok(held <= Math.max(before, boundOf[lane][standing]))
          for (const other of endpointStates) {
            const hasPlace = freeSlots(lane, other, held) > 0
            assert.equal(hasPlace, held < boundOf[lane][other], `${other} of a lane that holds ${held}`)
          }
        }
      }),
    )
  })

  test(`${lane}: endpoints that hold all that they may leave places for those that hold nothing, one after the other`, () => {
    let held = 0
    for (let endpoint = 0; endpoint < 1_000; endpoint += 1) {
      held += Math.max(0, Math.min(claimedMaxOf(lane, true), freeSlots(lane, 'busy', held)))
    }
    assert.equal(held, boundOf[lane].busy)
    const each = lane === 'prompt' ? inFlightMax : 1
    for (let idle = 0; idle < reservedPlaces / each; idle += 1) {
      assert.equal(freeSlots(lane, 'idle', held), each)
      held += each
    }
    assert.equal(freeSlots(lane, 'idle', held), 0)
  })
}

test('an endpoint that was not tried yet has one; a slow one as many as a prompt one, but none ahead', () => {
  assert.equal(inFlightMaxOf(false), 1)
  assert.equal(claimedMaxOf('slow', false), 1)
  assert.equal(claimedMaxOf('slow', true), inFlightMax)
  assert.ok(claimedMaxOf('prompt', true) > inFlightMax)
})

test('500 endpoints that are not known yet all have their place', () => {
  assert.ok(freeSlots('slow', 'untried', 499) >= 1)
})

test('a turn is shared by those that ask, and each gets something', () => {
  assert.equal(fairShare(1), claimedPerTurnMax)
  assert.equal(fairShare(64), claimedPerTurnMax / 64)
  assert.equal(fairShare(100_000), 1)
})
