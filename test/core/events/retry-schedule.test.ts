/** When a failed delivery is tried again, and what counts as delivered. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isDelivered,
  leaseMs,
  leaseNeededMs,
  nextAttemptAtMs,
  receiverTimeoutMs,
  standardRetryDelaysMs,
} from '../../../src/core/events/retry-schedule.ts'

test("the contract's schedule: 1, 5, 15 and 30 minutes after each failure, five attempts, 51 minutes", () => {
  const minutes = (ms: number): number => ms / 60_000
  let atMs = 0
  const seen = [0]
  for (let attempt = 1; ; attempt += 1) {
    const nextMs = nextAttemptAtMs(attempt, atMs, standardRetryDelaysMs)
    if (nextMs === null) break
    atMs = nextMs
    seen.push(minutes(atMs))
  }
  assert.deepEqual(seen, [0, 1, 6, 21, 51])
})

test('2xx is delivered; everything else, redirects too, is not', () => {
  for (const status of [200, 201, 202, 204, 299]) assert.ok(isDelivered(status), String(status))
  for (const status of [null, 100, 101, 199, 300, 301, 302, 304, 400, 404, 410, 429, 500, 599]) {
    assert.ok(!isDelivered(status), String(status))
  }
})

test('a lease outlives the longest attempt, and one that is nearly over is not used', () => {
  assert.equal(leaseMs, 15_000)
  assert.equal(receiverTimeoutMs, 5_000)
  assert.ok(leaseNeededMs > receiverTimeoutMs && leaseNeededMs < leaseMs)
})
