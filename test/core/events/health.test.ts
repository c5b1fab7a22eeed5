/** The health of an endpoint, from its newest deliveries. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOf } from '../../../src/core/events/health.ts'

type Deliveries = Parameters<typeof healthOf>[0]

const delivery = (state: Deliveries[number]['state'], ...statuses: (readonly [number, number | null])[]) => ({
  state,
  suspendedAtMs: null,
  attempts: statuses.map(([atMs, status]) => ({ atMs, status })),
})

test('an endpoint that nothing was sent to is idle, also while events wait', () => {
  assert.equal(healthOf([]).state, 'idle')
  const { state, waiting, lastAttemptAtMs } = healthOf([delivery('pending')])
  assert.deepEqual([state, waiting, lastAttemptAtMs], ['idle', 1, null])
})

test('attempts are put in the order of their times across events: the newest three decide', () => {
  const table: readonly (readonly [Deliveries, string, number])[] = [
    [[delivery('pending', [1, 500], [2, null])], 'healthy', 2],
    [[delivery('pending', [1, 500], [2, null], [3, 302])], 'failing', 3],
    [[delivery('pending', [1, 500], [2, 500]), delivery('pending', [3, null])], 'failing', 3],
    [[delivery('dropped', [2, 500], [3, 500], [4, 500]), delivery('delivered', [1, 200])], 'failing', 3],
    [[delivery('dropped', [1, 500], [2, 500], [3, 500]), delivery('delivered', [4, 204])], 'healthy', 0],
  ]
  for (const [deliveries, state, failures] of table) {
    const health = healthOf(deliveries)
    assert.deepEqual([health.state, health.failuresInARow], [state, failures])
  }
})

test('it counts what was tried, delivered, dropped and waits, and knows the last success', () => {
  const health = healthOf([
    delivery('delivered', [10, 500], [20, 200]),
    delivery('dropped', [30, 500]),
    delivery('pending', [40, 500]),
    delivery('pending'),
  ])
  assert.deepEqual(health, {
    state: 'healthy',
    tried: 3,
    delivered: 1,
    dropped: 1,
    waiting: 2,
    failuresInARow: 2,
    lastAttemptAtMs: 40,
    lastDeliveredAtMs: 20,
  })
})
