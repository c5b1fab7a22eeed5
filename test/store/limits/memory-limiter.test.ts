/** The window of a single instance: bounded in memory whoever calls, and exact for every key all the same. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryLimiter, openWindowsMax } from '../../../src/adapters/store/limits/memory-limiter.ts'
import { ManualClock } from '../../helpers/clock.ts'

const limit = { count: 2, windowMs: 60_000 }

test('of forged addresses the one that called longest ago is forgotten, once there are too many', async () => {
  const limiter = createMemoryLimiter(new ManualClock())
  const isAdmitted = async (address: string): Promise<boolean> =>
    (await limiter.admit(`demo:${address}`, limit, true)).admitted
  for (const address of ['first', 'first', 'second', 'second'])
    assert.equal(await isAdmitted(address), true, address)
  for (let other = 2; other < openWindowsMax; other += 1) await isAdmitted(`other ${other}`)
  // A refusal is a use as well: who keeps calling keeps being counted.
  assert.equal(await isAdmitted('first'), false, 'still known when there is room for all')
  await isAdmitted('one too many')
  assert.equal(await isAdmitted('first'), false, 'called more lately than the second')
  assert.equal(await isAdmitted('second'), true, 'was forgotten for the one too many')
})

test('no number of addresses makes a key admitted more often than its limit', async () => {
  const limiter = createMemoryLimiter(new ManualClock())
  for (const isExpected of [true, true, false])
    assert.equal((await limiter.admit('verify:key', limit)).admitted, isExpected)
  for (let address = 0; address <= openWindowsMax; address += 1)
    await limiter.admit(`demo:${address}`, limit, true)
  assert.equal((await limiter.admit('verify:key', limit)).admitted, false)
})

test('an address of the name of a key has a window of its own', async () => {
  const limiter = createMemoryLimiter(new ManualClock())
  for (const isOpen of [true, false]) {
    for (const isExpected of [true, true, false])
      assert.equal((await limiter.admit('a', limit, isOpen)).admitted, isExpected)
  }
})

test('a window that nothing in it matters to any more is forgotten, and starts anew', async () => {
  const clock = new ManualClock()
  const limiter = createMemoryLimiter(clock)
  for (const isOpen of [true, false]) {
    for (let asked = 0; asked < 5_000; asked += 1) await limiter.admit('a', limit, isOpen)
    clock.advance(limit.windowMs)
    for (let asked = 0; asked < 5_000; asked += 1) {
      const { admitted } = await limiter.admit('a', limit, isOpen)
      assert.equal(admitted, asked < limit.count)
    }
  }
})
