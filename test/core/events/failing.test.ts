/** How long a failing endpoint waits, and when it is suspended. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterFailure,
  heldUntilMs,
  isHeld,
  isUnanswered,
  pausesOf,
  type FailureRun,
} from '../../../src/core/events/failing.ts'
import { standardRetryDelaysMs } from '../../../src/core/events/retry-schedule.ts'
import { dayMs, minuteMs } from '../../../src/core/time/durations.ts'

const pauses = pausesOf(standardRetryDelaysMs)

test('each pause is twice as long as the one before, from one minute to thirty', () => {
  let run: FailureRun | null = null
  let atMs = 0
  const waits: number[] = []
  for (let attempt = 0; attempt < 9; attempt += 1) {
    run = afterFailure(run, atMs)
    const nextMs = heldUntilMs(run, pauses)
    waits.push((nextMs - atMs) / minuteMs)
    atMs = nextMs
  }
  assert.deepEqual(waits, [1, 1, 2, 4, 8, 16, 30, 30, 30])
})

test('a run of seven days is unanswered; a day without an attempt, or a clock set back, begins it anew', () => {
  const failing = (...times: readonly number[]): FailureRun | null =>
    times.reduce<FailureRun | null>(afterFailure, null)
  const everyHalfDay = Array.from({ length: 15 }, (_, half) => (half * dayMs) / 2)
  const table: readonly (readonly [FailureRun | null, boolean])[] = [
    [failing(...everyHalfDay), true],
    [failing(...everyHalfDay.slice(0, -1)), false],
    [failing(...everyHalfDay.slice(0, -3), 7 * dayMs), false],
    [failing(0, 8 * dayMs), false],
    [failing(...everyHalfDay.map((atMs) => atMs + 30 * dayMs), 0), false],
  ]
  for (const [place, [run, expected]] of table.entries())
    assert.equal(run !== null && isUnanswered(run), expected, String(place))
})

test('a hold ends at its time, and one that a wrong clock put far away holds nothing', () => {
  const nowMs = 10 * dayMs
  assert.equal(isHeld(null, nowMs, pauses), false)
  assert.equal(isHeld(nowMs + 1, nowMs, pauses), true)
  assert.equal(isHeld(nowMs, nowMs, pauses), false)
  assert.equal(isHeld(nowMs + pauses.maxMs, nowMs, pauses), true)
  assert.equal(isHeld(nowMs + dayMs, nowMs, pauses), false)
})
