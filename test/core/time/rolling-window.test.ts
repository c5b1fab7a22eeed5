/** The rolling limit, against an oracle that remembers every admission and counts them anew each time. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { RollingWindow, type Admission, type RateLimit } from '../../../src/core/time/rolling-window.ts'

const anyLimit: fc.Arbitrary<RateLimit> = fc.record({
  count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 })),
  windowMs: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1_000, 60_000, 900_000)),
})

/** Times of requests: bursts in one millisecond, small gaps, and gaps about as long as the window. */
const anyTraffic = anyLimit.chain((limit) => {
  const gap = fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 10 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: Math.ceil(limit.windowMs / 4) }) },
    { weight: 1, arbitrary: fc.integer({ min: limit.windowMs - 1, max: limit.windowMs + 1 }) },
  )
  return fc.record({ limit: fc.constant(limit), times: fc.array(gap, { maxLength: 120 }).map(runningSum) })
})

function runningSum(gaps: readonly number[]): number[] {
  let time = 1_000
  return gaps.map((gap) => (time += gap))
}

/** All that was ever admitted; inside is what is younger than the window. */
class Oracle {
  readonly admitted: number[] = []

  admit(limit: RateLimit, nowMs: number): Admission {
    const inside = this.admitted.filter((time) => nowMs - time < limit.windowMs)
    if (inside.length >= limit.count) {
      const blocking = inside[inside.length - limit.count] ?? Number.NaN
      return { admitted: false, retryAfterMs: blocking + limit.windowMs - nowMs }
    }
    this.admitted.push(nowMs)
    const oldest = inside[0] ?? nowMs
    const remaining = limit.count - inside.length - 1
    return { admitted: true, remaining, resetMs: oldest + limit.windowMs - nowMs }
  }
}

function windowAfter(limit: RateLimit, times: readonly number[]): RollingWindow {
  const window = new RollingWindow()
  for (const time of times) window.admit(limit, time)
  return window
}

test('admissions, remaining places and waiting times are those of a full recount', () => {
  fc.assert(
    fc.property(anyTraffic, ({ limit, times }) => {
      const window = new RollingWindow()
      const oracle = new Oracle()
      for (const time of times) assert.deepEqual(window.admit(limit, time), oracle.admit(limit, time))
    }),
    { numRuns: 500 },
  )
})

test('in no window of time are more admitted than the limit', () => {
  fc.assert(
    fc.property(anyTraffic, ({ limit, times }) => {
      const window = new RollingWindow()
      const admitted = times.filter((time) => window.admit(limit, time).admitted)
      for (const [index, time] of admitted.entries()) {
        const later = admitted[index + limit.count] ?? Number.POSITIVE_INFINITY
        assert.ok(later - time >= limit.windowMs, `${limit.count + 1} admitted in ${later - time} ms`)
      }
    }),
  )
})

test('who waits the time that a refusal names is admitted, and one millisecond less is not enough', () => {
  fc.assert(
    fc.property(anyTraffic, ({ limit, times }) => {
      const window = new RollingWindow()
      const soFar: number[] = []
      for (const time of times) {
        const answer = window.admit(limit, time)
        if (answer.admitted) {
          soFar.push(time)
          continue
        }
        const freeAt = time + answer.retryAfterMs
        assert.ok(answer.retryAfterMs > 0 && answer.retryAfterMs <= limit.windowMs)
        assert.equal(windowAfter(limit, soFar).admit(limit, freeAt - 1).admitted, false)
        assert.equal(windowAfter(limit, soFar).admit(limit, freeAt).admitted, true)
      }
    }),
  )
})

test('a refused request takes no place', () => {
  const limit = { count: 2, windowMs: 100 }
  const window = windowAfter(limit, [0, 50])
  for (let time = 50; time < 100; time += 1) assert.equal(window.admit(limit, time).admitted, false)
  assert.deepEqual(window.admit(limit, 100), { admitted: true, remaining: 0, resetMs: 50 })
})

test('a limit that changes counts what is already inside', () => {
  const counts = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 20 })), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 60 }), (steps, windowMs) => {
      const window = new RollingWindow()
      const oracle = new Oracle()
      let time = 0
      for (const [count, gap] of steps) {
        time += gap
        const limit = { count, windowMs }
        assert.deepEqual(window.admit(limit, time), oracle.admit(limit, time))
      }
    }),
  )
})

test('a window is idle exactly when no admission in it can matter any more', () => {
  assert.equal(new RollingWindow().isIdle(1_000, 0), true)
  fc.assert(
    fc.property(anyTraffic, fc.integer({ min: 0, max: 100 }), ({ limit, times }, wait) => {
      const window = new RollingWindow()
      const admitted = times.filter((time) => window.admit(limit, time).admitted)
      const now = (times.at(-1) ?? 0) + wait
      const matters = admitted.some((time) => now - time < limit.windowMs)
      assert.equal(window.isIdle(limit.windowMs, now), !matters)
    }),
  )
})
