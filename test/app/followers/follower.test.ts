/** One follower: runs soon after it is nudged, and is retried, reported and stopped as it promises. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Follower } from '../../../src/app/followers/follower.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { ManualTimers } from '../../helpers/timers.ts'

interface Scene {
  readonly follower: Follower
  readonly timers: ManualTimers
  readonly clock: ManualClock
  /** The logged lines. */
  readonly logged: string[]
  readonly failures: () => number
  /** Resolves at the next line that says that it works again. */
  readonly recovered: () => Promise<void>
}

function sceneWith(run: () => Promise<void>, pauseMs = 20): Scene {
  const clock = new ManualClock()
  const timers = new ManualTimers(clock)
  const logged: string[] = []
  let failures = 0
  let recovery = Promise.withResolvers<void>()
  const follower = new Follower(
    {
      clock,
      after: timers.after,
      log: {
        warn: (_fields, message) => void logged.push(message),
        info(message) {
          logged.push(message)
          recovery.resolve()
          recovery = Promise.withResolvers<void>()
        },
      },
      tracing: null,
      onFailure(name) {
        assert.equal(name, 'totals')
        failures += 1
      },
    },
    { name: 'totals', pauseMs: () => pauseMs, run },
  )
  return { follower, timers, clock, logged, failures: () => failures, recovered: () => recovery.promise }
}

test('a follower that fails is retried with a growing pause, reported once, and once when it works again', async () => {
  let isBroken = true
  const scene = sceneWith(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()))
  const { follower, timers, logged } = scene
  follower.activate()
  follower.nudge()
  assert.equal(await timers.next(), 0, 'the first run is at once')
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    await timers.advance(timers.delaysMs[0] ?? 0)
    pauses.push(await timers.next())
    assert.equal(follower.isFailing, true)
    // What is appended meanwhile does not bring the retry forward.
    follower.nudge()
    assert.equal(timers.delaysMs.length, 1)
  }
  assert.deepEqual(pauses, [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000])
  assert.deepEqual(logged, ['followers: totals failed, will retry'])
  assert.equal(scene.failures(), 9, 'each is counted')
  isBroken = false
  const recovered = scene.recovered()
  await timers.advance(10_000)
  await recovered
  assert.deepEqual(logged, ['followers: totals failed, will retry', 'followers: totals has recovered'])
  assert.equal(follower.isFailing, false)
  // The next failure is news again, and begins with a short pause.
  isBroken = true
  follower.nudge()
  await timers.advance(await timers.next())
  assert.equal(await timers.next(), 100)
  assert.equal(logged.length, 3)
  await follower.stop()
})

test('nudges in quick succession share a run, and runs keep their pause', async () => {
  let runs = 0
  const { follower, timers, clock } = sceneWith(async () => void (runs += 1), 250)
  follower.activate()
  for (let nudge = 0; nudge < 10; nudge += 1) follower.nudge()
  assert.deepEqual(timers.delaysMs, [0])
  await timers.advance(0)
  await follower.catchUp()
  clock.advance(100)
  for (let nudge = 0; nudge < 10; nudge += 1) follower.nudge()
  assert.deepEqual(timers.delaysMs, [150], 'from start to start')
  await timers.advance(150)
  await follower.stop()
  // One more for the test's own call.
  assert.equal(runs, 3)
})

test('what is appended during a run is followed by the next one', async () => {
  const started = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const { follower, timers } = sceneWith(async () => {
    runs += 1
    started.resolve()
    await gate.promise
  })
  follower.activate()
  follower.nudge()
  await timers.advance(0)
  await started.promise
  follower.nudge()
  assert.deepEqual(timers.delaysMs, [], 'one run at a time')
  const shared = [follower.catchUp(), follower.catchUp()]
  gate.resolve()
  await Promise.all(shared)
  assert.equal(runs, 2, 'all who asked during a run share the next')
  assert.equal(await timers.next(), 20, 'and the nudge is not lost')
  await follower.stop()
})

test('a follower runs by itself only while it is active, and a stop waits for its run', async () => {
  const started = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let hasEnded = false
  const { follower, timers } = sceneWith(async () => {
    started.resolve()
    await gate.promise
    hasEnded = true
  })
  follower.nudge()
  assert.deepEqual(timers.delaysMs, [], 'before it is active')
  follower.activate()
  follower.nudge()
  await timers.advance(0)
  await started.promise
  follower.nudge()
  const stopping = follower.stop()
  assert.deepEqual(timers.delaysMs, [], 'what it had planned is cancelled')
  gate.resolve()
  await stopping
  assert.equal(hasEnded, true)
  follower.nudge()
  assert.deepEqual(timers.delaysMs, [], 'after its stop')
})

test('whoever is nudged during a long run runs once more afterwards, and one failed run counts once', async () => {
  let runs = 0
  let end = Promise.withResolvers<void>()
  const { follower, timers, failures } = sceneWith(() => {
    runs += 1
    return end.promise
  })
  follower.activate()
  follower.nudge()
  const first = timers.advance(0)
  for (let nudge = 0; nudge < 50; nudge += 1) {
    follower.nudge()
    await timers.advance(30)
  }
  await first
  assert.equal(runs, 1)
  const failing = end
  end = Promise.withResolvers<void>()
  failing.reject(new Error('broken'))
  await timers.next()
  assert.deepEqual([runs, failures()], [1, 1])
  await timers.advance(10_000)
  assert.equal(runs, 2)
  end.resolve()
  await follower.stop()
})
