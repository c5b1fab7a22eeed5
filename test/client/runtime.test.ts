/** The runtime's own time, chance and waiting, which other tests of the client replace. */

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { mock, test } from 'node:test'
import { systemRuntime } from '../../client/src/runtime.ts'

/** With timers that go only when they are told; says whether the promise is settled by now. */
async function withTimers(work: (tick: (ms: number) => void) => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    await work((ms) => mock.timers.tick(ms))
  } finally {
    mock.timers.reset()
  }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([promise.catch(() => null), Promise.resolve(pending)])) !== pending
}

test('sleep takes as long as it is told, and leaves no listener', async () => {
  await withTimers(async (tick) => {
    const { signal } = new AbortController()
    const slept = systemRuntime.sleep(1000, signal)
    tick(999)
    assert.equal(await isSettled(slept), false)
    tick(1)
    await slept
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })
})

test('sleep ends when its signal does, with its reason, and leaves no timer', async () => {
  const reason = new Error('enough')
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const controller = new AbortController()
  const slept = systemRuntime.sleep(60_000, controller.signal)
  controller.abort(reason)
  await assert.rejects(slept, reason)
  await assert.rejects(systemRuntime.sleep(60_000, controller.signal), reason)
  assert.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, before)
})

test('after calls once, or never when it is cancelled', async () => {
  await withTimers(async (tick) => {
    let called = ''
    systemRuntime.after(10, () => void (called += 'a'))
    const cancel = systemRuntime.after(10, () => void (called += 'b'))
    cancel()
    tick(9)
    assert.equal(called, '')
    tick(100)
    assert.equal(called, 'a')
    systemRuntime.after(Infinity, () => void (called += 'c'))
    tick(1000)
    assert.equal(called, 'a')
  })
})

test('time goes on, and chance differs', () => {
  const first = systemRuntime.nowMs()
  while (systemRuntime.nowMs() === first);
  assert.ok(systemRuntime.nowMs() > first)
  const chances = Array.from({ length: 20 }, systemRuntime.random)
  assert.ok(chances.every((chance) => chance >= 0 && chance < 1))
  assert.ok(new Set(chances).size > 1)
})
