/** POST /api/v1/replay: what would have been said of a payment of the past, and whether it would have helped. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { withHarness } from '../../helpers/harness.ts'
import { errorsOf, post, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/replay'
const settings = { FAIRWAY_LIMIT_KEYED: '1000000/60' }

test('what is said is what verify says of the same payment', async () => {
  await withHarness({ settings: { ...settings, FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
    const { key } = await harness.issue()
    for (const payment of [
      { corridor: 'GB-NG' },
      { corridor: 'nigeria-united kingdom', amount: 60_000, currency: 'NGN' },
      { corridor: 'GB-NG', amount: 600_000 },
      { corridor: 'GB-KE', amount: 5 },
      { corridor: 'GB-NG', amount: 100, currency: 'JPY' },
    ]) {
      const { body } = await post(harness, url, payment, { key })
      const said = (await harness.verify(key, payment)).body
      assert.deepEqual(body.verdict, {
        would_have_flagged: said.decision !== 'GO',
        decision: said.decision,
        recommended_action: said.recommended_action,
      })
      for (const name of ['score', 'confidence', 'reasons', 'reason_codes', 'probe_details', 'corridor']) {
        assert.deepEqual(body[name], said[name], name)
      }
      assert.equal(Object.keys(body.probe_details).length, signalNames.length)
      assert.deepEqual([body.alignment, body.would_have_helped, body.mode], [null, null, 'shadow'])
    }
  })
})

test('with the outcome it says whether asking first would have helped', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const rows: [
      amount: number,
      outcome: string,
      aligned: boolean | null,
      helped: boolean | null,
      note: RegExp,
    ][] = [
      [10, 'COMPLETED', true, false, /changed nothing/],
      [10, 'FAILED', false, false, /would not have helped/],
      [10, 'DELAYED', false, false, /would not have helped/],
      [60_000, 'FAILED', true, true, /held for review before it was FAILED/],
      [60_000, 'REJECTED', true, true, /would have helped/],
      [60_000, 'DELAYED', true, true, /would have helped/],
      [60_000, 'COMPLETED', false, false, /would have cost time/],
      [600_000, 'FAILED', true, true, /blocked before it was FAILED/],
      [60_000, 'PENDING', null, null, /still pending/],
    ]
    for (const [amount, outcome, aligned, helped, note] of rows) {
      const payment = { corridor: 'GB-NG', amount, actual_outcome: outcome, occurred_at: '2026-02-01' }
      const { status, body } = await post(harness, url, payment, { key })
      assert.equal(status, 200)
      const what = `${amount} ${outcome}`
      assert.deepEqual([body.alignment, body.would_have_helped], [aligned, helped], what)
      assert.match(body.note, note, what)
      assert.deepEqual([body.occurred_at, body.actual_outcome], ['2026-02-01', outcome])
    }
  })
})

test('nothing is stored, no cooldown is set or read, and test amounts do not act', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    const blocked = await post(harness, url, { corridor: 'GB-NG', amount: 600_000 }, { key })
    assert.equal(blocked.body.verdict.decision, 'NO-GO')
    const amount = await post(harness, url, { corridor: 'GB-NG', amount: 1000.08 }, { key })
    assert.equal(amount.body.verdict.decision, 'GO')
    const outage = await post(harness, url, { corridor: 'GB-NG', amount: 1000.09 }, { key })
    assert.equal(outage.status, 200)
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1 })).body.decision, 'GO')
    await harness.verify(key, { corridor: 'NG-GB', amount: 1.08 })
    const during = await post(harness, url, { corridor: 'NG-GB', amount: 1 }, { key })
    assert.equal(during.body.verdict.decision, 'GO', 'the cooldown of verify is not its own')
  })
})

test('400: each fault is named, and the future is none of the past', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const rows: [body: unknown, path: string, message: RegExp][] = [
      [{}, '/corridor', /is required/],
      [{ corridor: 'GBNG' }, '/corridor', /FROM-TO/],
      [{ corridor: 'GB-NG', amount: -1 }, '/amount', /negative/],
      [{ corridor: 'GB-NG', amount: '5' }, '/amount', /number/],
      [{ corridor: 'GB-NG', currency: 'ABC' }, '/currency', /ISO 4217/],
      [{ corridor: 'GB-NG', occurred_at: 'yesterday' }, '/occurred_at', /ISO 8601/],
      [{ corridor: 'GB-NG', occurred_at: '2026-02-30' }, '/occurred_at', /ISO 8601/],
      [{ corridor: 'GB-NG', occurred_at: '2026-03-02T00:00:00Z' }, '/occurred_at', /future/],
      [{ corridor: 'GB-NG', actual_outcome: 'LOST' }, '/actual_outcome', /COMPLETED/],
    ]
    for (const [body, path, message] of rows) {
      const answer = await post(harness, url, body, { key })
      assert.equal(answer.status, 400, JSON.stringify(body))
      const [[at, told] = ['', '']] = errorsOf(answer)
      assert.equal(at, path)
      assert.match(told, message)
    }
    const now = { corridor: 'GB-NG', occurred_at: '2026-03-01T12:04:00Z' }
    assert.equal((await post(harness, url, now, { key })).status, 200, 'a clock may be a little ahead')
    assert.equal((await post(harness, url, { corridor: 'GB-NG' })).status, 401)
  })
})
