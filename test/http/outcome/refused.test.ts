/** What is refused as an outcome: told in words, and nothing is kept. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'
import { outcomeUrl, report } from '../../helpers/outcomes.ts'
import { errorsOf, post, rowCounts } from '../../helpers/post.ts'

test('400: what is no outcome or no time of the past is refused by its field, and leaves the way open', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG' })
    const id = String(body.request_id)
    const iso = 'must be an ISO 8601 date or date-time, like 2026-03-01T09:30:00Z'
    const labels = 'must be one of COMPLETED, FAILED, DELAYED, REJECTED, PENDING'
    const rows = [
      [{}, [['/outcome', 'is required']]],
      [{ outcome: 'completed' }, [['/outcome', labels]]],
      [{ outcome: 'LOST' }, [['/outcome', labels]]],
      [{ outcome: 'FAILED', occurred_at: 'yesterday' }, [['/occurred_at', iso]]],
      [{ outcome: 'FAILED', occurred_at: '2026-02-30' }, [['/occurred_at', iso]]],
      [{ outcome: 'FAILED', occurred_at: '' }, [['/occurred_at', 'must not be empty']]],
      [{ outcome: 'FAILED', occurred_at: 1 }, [['/occurred_at', 'must be a string']]],
      [{ outcome: 'FAILED', occurred_at: '2026-03-02' }, [['/occurred_at', 'must not be in the future']]],
      [
        { outcome: 'FAILED', occurred_at: '2026-03-01T11:54:59Z' },
        [['/occurred_at', 'must not be before the decision']],
      ],
    ] as const
    const before = rowCounts(harness)
    for (const [given, errors] of rows) {
      const answer = await report(harness, key, id, given)
      assert.deepEqual([answer.status, errorsOf(answer)], [400, errors], JSON.stringify(given))
    }
    assert.equal((await post(harness, outcomeUrl(id), 'not json', { key })).status, 400)
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await report(harness, key, id, { outcome: 'FAILED', extra: true })).status, 200)
  })
})

test('401, 404 and 409 are as everywhere', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG' })
    const id = String(body.request_id)
    assert.equal((await post(harness, outcomeUrl(id), { outcome: 'FAILED' })).status, 401)
    for (const unknown of ['SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N', 'req_1', '%00', 'x'.repeat(2_000)]) {
      const answer = await report(harness, key, unknown, { outcome: 'FAILED' })
      assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], unknown)
    }
    const occurred_at = '2026-03-01T12:00:00Z'
    const first = await report(harness, key, id, { outcome: 'FAILED', occurred_at })
    assert.equal(first.status, 200)
    // The same report again is no conflict, however its time is written.
    for (const same of [occurred_at, '2026-03-01T13:00:00.000+01:00']) {
      const again = await report(harness, key, id, { outcome: 'FAILED', occurred_at: same })
      assert.deepEqual([again.status, again.body], [200, first.body])
    }
    for (const other of [{ outcome: 'DELAYED', occurred_at }, { outcome: 'FAILED' }]) {
      const second = await report(harness, key, id, other)
      assert.deepEqual([second.status, second.body.code], [409, 'OUTCOME_EXISTS'])
      assert.equal(
        second.body.message,
        'Another outcome of this decision is already reported and cannot be changed. Its audit record shows it.',
      )
    }
    const get = await harness.get(key, outcomeUrl(id))
    assert.deepEqual([get.status, get.headers['allow']], [405, 'POST'])
  })
})
