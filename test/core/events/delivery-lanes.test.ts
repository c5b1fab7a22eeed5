/** Places for deliveries: who is slow, failing or unknown never takes the last ones, nor does who holds much. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  fairShare,
  heldMaxOf,
  inFlightMaxOf,
  lanePlaces,
  lanes,
  paceOf,
  paces,
  type Held,
  type Pace,
} from '../../../src/core/events/delivery-lanes.ts'

const none: Held = { unknown: 0, prompt: 0, poor: 0 }

test('an endpoint is as its last attempt was: prompt when it took the event soon, else poor', () => {
  assert.equal(paceOf(0, true), 'prompt')
  assert.equal(paceOf(lanes.promptMsMax, true), 'prompt')
  assert.equal(paceOf(lanes.promptMsMax + 1, true), 'poor')
  assert.equal(paceOf(0, false), 'poor')
})

test('whoever comes in whatever order, the bounds hold and each kind keeps its part', () => {
  const step = fc.tuple(fc.constantFrom(...paces), fc.boolean(), fc.integer({ min: -80, max: 80 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const held: Record<Pace, number> = { ...none }
      for (const [pace, isIdle, change] of steps) {
        if (change < 0) held[pace] = Math.max(0, held[pace] + change)
        else held[pace] += Math.max(0, Math.min(change, lanePlaces(pace, isIdle, held)))
        assert.ok(held.unknown + held.prompt + held.poor <= lanes.heldMax)
        assert.ok(held.unknown + held.poor <= lanes.notPromptHeldMax)
        assert.ok(held.poor <= lanes.poorHeldMax)
        const rest = lanes.heldMax - lanes.notPromptHeldMax - held.prompt
        const places = lanePlaces('prompt', true, held)
        assert.ok(places >= Math.min(rest, lanes.promptInFlightMax), 'the rest is for those that are prompt')
      }
    }),
  )
})

test('prompt endpoints that hold all that they may leave places for one that holds nothing', () => {
  const held: Record<Pace, number> = { ...none }
  for (let endpoint = 0; endpoint < 100; endpoint += 1) {
    const own = heldMaxOf('prompt', held)
    held.prompt += Math.max(0, Math.min(own, lanePlaces('prompt', false, held)))
  }
  assert.ok(lanePlaces('prompt', false, held) <= 0)
  for (let idle = 0; idle < lanes.keptForIdle / lanes.promptInFlightMax; idle += 1) {
    assert.equal(lanePlaces('prompt', true, held), lanes.promptInFlightMax, 'one after the other')
    held.prompt += lanes.promptInFlightMax
  }
  assert.equal(lanePlaces('prompt', true, held), 0)
})

test('an endpoint that is not known yet has one; a poor one shares only when it is crowded', () => {
  const crowded: Held = { ...none, poor: lanes.poorIsCrowdedFrom }
  assert.equal(heldMaxOf('unknown', none), 1)
  assert.equal(inFlightMaxOf('poor', none), lanes.promptInFlightMax)
  assert.equal(inFlightMaxOf('poor', crowded), lanes.poorInFlightMax)
  assert.equal(inFlightMaxOf('prompt', crowded), lanes.promptInFlightMax)
  assert.ok(heldMaxOf('prompt', crowded) > lanes.promptInFlightMax, 'some are fetched ahead')
})

test('500 endpoints that are not known yet all have their place', () => {
  assert.ok(lanePlaces('unknown', true, { ...none, unknown: 499 }) >= 1)
})

test('a turn is shared by those that ask, and each gets something', () => {
  assert.equal(fairShare(1), lanes.claimedATurnMax)
  assert.equal(fairShare(64), lanes.claimedATurnMax / 64)
  assert.equal(fairShare(100_000), 1)
})
