/** The measured moments of a decision: in order, without gaps in their sum, and only those that happened. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { timelineEvents, timelineOf } from '../../../src/core/explain/timeline.ts'

const receivedAtMs = Date.parse('2026-03-01T12:00:00.123Z')

/** Ten offsets that never go back, some of which did not happen. */
const anyOffsets = fc
  .array(fc.record({ stepUs: fc.integer({ min: 0, max: 5_000_000 }), happened: fc.boolean() }), {
    minLength: timelineEvents.length,
    maxLength: timelineEvents.length,
  })
  .map((steps) => {
    let atUs = 0
    return steps.map(({ stepUs, happened }) => {
      atUs += stepUs
      return happened ? atUs : null
    })
  })

test('the moments are the ten of the contract, in their order', () => {
  const offsets = timelineEvents.map((_, place) => place * 100)
  const { moments, totalUs } = timelineOf(receivedAtMs, offsets)
  assert.deepEqual(
    moments.map(({ event }) => event),
    [
      'request_received',
      'key_authenticated',
      'request_validated',
      'idempotency_checked',
      'cooldown_checked',
      'signals_evaluated',
      'score_computed',
      'policy_applied',
      'reasons_derived',
      'record_prepared',
    ],
  )
  assert.deepEqual(
    moments.map(({ durationUs }) => durationUs),
    [0, 100, 100, 100, 100, 100, 100, 100, 100, 100],
  )
  assert.equal(totalUs, 900)
})

test('the durations sum to the total, which is the offset of the last moment', () => {
  fc.assert(
    fc.property(anyOffsets, (offsets) => {
      const { moments, totalUs } = timelineOf(receivedAtMs, offsets)
      assert.equal(
        moments.reduce((sum, { durationUs }) => sum + durationUs, 0),
        totalUs,
      )
      assert.equal(totalUs, offsets.findLast((offset) => offset !== null) ?? 0)
    }),
  )
})

test('each moment is at its own offset from the arrival, and none is before the one before it', () => {
  fc.assert(
    fc.property(anyOffsets, (offsets) => {
      const { moments } = timelineOf(receivedAtMs, offsets)
      const happened = offsets.filter((offset) => offset !== null)
      assert.deepEqual(
        moments.map(({ atUs }) => atUs),
        happened.map((offset) => receivedAtMs * 1000 + offset),
      )
      assert.ok(moments.every(({ durationUs }) => durationUs >= 0))
      for (const [place, { atUs, durationUs }] of moments.entries()) {
        const before = moments[place - 1]?.atUs ?? receivedAtMs * 1000
        assert.equal(atUs - before, durationUs)
      }
    }),
  )
})

test('what did not happen is left out, and its time falls to the next that did', () => {
  fc.assert(
    fc.property(anyOffsets, (offsets) => {
      const { moments } = timelineOf(receivedAtMs, offsets)
      assert.deepEqual(
        moments.map(({ event }) => event),
        timelineEvents.filter((_, place) => offsets[place] !== null),
      )
    }),
  )
  // A cooldown hit: nothing between the look at the cooldown and the record.
  const hit = timelineOf(receivedAtMs, [0, 10, 30, 70, 80, null, null, null, null, 130])
  assert.deepEqual(
    hit.moments.map(({ event, durationUs }) => [event, durationUs]),
    [
      ['request_received', 0],
      ['key_authenticated', 10],
      ['request_validated', 20],
      ['idempotency_checked', 40],
      ['cooldown_checked', 10],
      ['record_prepared', 50],
    ],
  )
  assert.equal(hit.totalUs, 130)
})

test('offsets that were never kept are moments that did not happen', () => {
  assert.deepEqual(timelineOf(receivedAtMs, []), { moments: [], totalUs: 0 })
  const cut = timelineOf(receivedAtMs, [0, 25])
  assert.deepEqual(
    cut.moments.map(({ event }) => event),
    ['request_received', 'key_authenticated'],
  )
  assert.equal(cut.totalUs, 25)
})
