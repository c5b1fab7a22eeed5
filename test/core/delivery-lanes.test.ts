/** Places for deliveries: slow and unknown endpoints never take the last ones. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  heldMaxOf,
  inFlightMaxOf,
  lanePlaces,
  lanes,
  paceOf,
  type Held,
  type Pace,
} from '../../src/core/delivery-lanes.ts'

const paces: readonly Pace[] = ['unknown', 'prompt', 'slow']

test('an endpoint is as prompt as its last attempt', () => {
  assert.deepEqual([0, lanes.promptMsMax, lanes.promptMsMax + 1, 5_000].map(paceOf), [
    'prompt',
    'prompt',
    'slow',
    'slow',
  ])
})

test('whoever comes in whatever order, the bounds hold and prompt endpoints keep their part', () => {
  const step = fc.tuple(fc.constantFrom(...paces), fc.integer({ min: -80, max: 80 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const held: Record<Pace, number> = { unknown: 0, prompt: 0, slow: 0 }
      for (const [pace, change] of steps) {
        if (change < 0) held[pace] = Math.max(0, held[pace] + change)
        else held[pace] += Math.max(0, Math.min(change, lanePlaces(pace, held)))
        assert.ok(held.unknown + held.prompt + held.slow <= lanes.heldMax)
        assert.ok(held.unknown + held.slow <= lanes.notPromptHeldMax)
        assert.ok(held.slow <= lanes.slowHeldMax)
        const kept = lanes.heldMax - lanes.notPromptHeldMax - held.prompt
        assert.ok(lanePlaces('prompt', held) >= kept, 'the rest is for those that are prompt')
      }
    }),
  )
})

test('an endpoint that is not known yet has one; a slow one shares only when it is crowded', () => {
  const calm: Held = { unknown: 0, prompt: 0, slow: 0 }
  const crowded: Held = { ...calm, slow: lanes.slowIsCrowdedFrom }
  assert.equal(heldMaxOf('unknown', calm), 1)
  assert.equal(inFlightMaxOf('slow', calm), lanes.promptInFlightMax)
  assert.equal(inFlightMaxOf('slow', crowded), lanes.slowInFlightMax)
  assert.equal(inFlightMaxOf('prompt', crowded), lanes.promptInFlightMax)
  assert.ok(heldMaxOf('prompt', crowded) > lanes.promptInFlightMax, 'some are fetched ahead')
})

test('500 endpoints that are not known yet all have their place', () => {
  assert.ok(lanePlaces('unknown', { unknown: 499, prompt: 0, slow: 0 }) >= 1)
})
