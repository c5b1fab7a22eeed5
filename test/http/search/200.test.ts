/** GET /api/v1/search: every id is found by its owner, in any case, and by nobody else. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventIdOf } from '../../../src/core/events/event.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { idle, policiesUrl } from '../../helpers/policies.ts'
import { post } from '../../helpers/post.ts'
import { ask, degraded, override, register, trial } from '../../helpers/webhooks.ts'

async function search({ get }: Harness, key: string, text: string): Promise<Record<string, unknown>[]> {
  const answer = await get(key, `/api/v1/search?q=${encodeURIComponent(text)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results
}

interface Ids {
  readonly decision: string
  readonly override: string
  readonly review: string
  readonly webhook: string
  readonly policy: string
  readonly backtest: string
  readonly report: string
  readonly test: string
}

async function makeOneOfEach(harness: Harness, key: string, url: string): Promise<Ids> {
  const { webhook_id: webhookId } = await register(harness, key, url)
  const decision = await degraded(harness, key, { corridor: 'GB-NG', amount: 85_000 })
  const overridden = await override(harness, key, decision)
  const policy = await post(harness, policiesUrl, idle, { key })
  const period = { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }
  const backtestsUrl = `${policiesUrl}/${policy.body.policy_id}/backtest`
  const backtest = await post(harness, backtestsUrl, period, { key })
  const report = await post(
    harness,
    '/api/v1/batch-reports',
    { transactions: [{ corridor: 'GB-NG' }] },
    { key },
  )
  const tested = await ask(harness, key, 'POST', `/api/v1/webhooks/${webhookId}/test`)
  return {
    decision,
    override: overridden.body.override_id,
    review: `rev_${decision.slice(-26).toLowerCase()}`,
    webhook: webhookId,
    policy: policy.body.policy_id,
    backtest: backtest.body.backtest_id,
    report: report.body.report_id,
    test: tested.body.event_id,
  }
}

for (const engine of engines) {
  test(`every kind of id leads to its page, and is unknown to another owner (${engine})`, async () => {
    await withReceiver(async (receiver) => {
      await withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        const stranger = await harness.issue()
        const ids = await makeOneOfEach(harness, key, receiver.url)
        const currencies = { currency: 'GBP', request_currency: 'GBP', settlement_currency: 'NGN' }
        const payment = { corridor: 'GB-NG', decision: 'DEGRADED', amount: 85_000, ...currencies }
        const cases: readonly (readonly [
          id: string,
          kind: string,
          about: 'decision' | 'webhook' | 'policy' | null,
        ])[] = [
          [ids.decision, 'decision', 'decision'],
          [ids.override, 'override', 'decision'],
          [ids.review, 'review', 'decision'],
          [eventIdOf(ids.decision), 'event', 'decision'],
          [eventIdOf(ids.override), 'event', 'decision'],
          [ids.test, 'event', 'webhook'],
          [ids.webhook, 'webhook', 'webhook'],
          [ids.policy, 'policy', null],
          [ids.backtest, 'backtest', 'policy'],
          [ids.report, 'report', null],
        ]
        for (const [id, kind, about] of cases) {
          for (const text of [id, id.toUpperCase(), id.toLowerCase(), ` ${id} `]) {
            const [found, ...more] = await search(harness, key, text)
            assert.equal(more.length, 0, text)
            assert.deepEqual([found?.['kind'], found?.['id']], [kind, id], text)
            assert.equal(found?.['request_id'], about === 'decision' ? ids.decision : undefined, text)
            assert.equal(found?.['webhook_id'], about === 'webhook' ? ids.webhook : undefined, text)
            assert.equal(found?.['policy_id'], about === 'policy' ? ids.policy : undefined, text)
            const { recorded_at: _, ...shown } = (found?.['payment'] ?? {}) as Record<string, unknown>
            assert.deepEqual(shown, about === 'decision' ? payment : {}, text)
          }
          assert.deepEqual(await search(harness, stranger.key, id), [], `${id} belongs to another owner`)
          // Not the last digit: ids of one millisecond are numbered in a row, so that could be another one of these.
          const other = `${id.slice(0, -6)}${id.at(-6) === '0' ? '1' : '0'}${id.slice(-5)}`
          assert.deepEqual(await search(harness, key, other), [])
        }
      })
    })
  })
}

test('the id of an outcome leads to its decision', async () => {
  await withHarness({}, async (harness) => {
    const {
      key,
      record: { ownerId },
    } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    await post(harness, `/api/v1/decision/${body.request_id}/outcome`, { outcome: 'FAILED' }, { key })
    const record = await harness.store.forOwner(ownerId).find(body.request_id)
    const id = record?.outcome?.outcomeId ?? assert.fail()
    const [found] = await search(harness, key, id)
    assert.deepEqual([found?.['kind'], found?.['request_id']], ['outcome', body.request_id])
    assert.deepEqual(await search(harness, (await harness.issue()).key, id), [])
  })
})

test('a correlation id lists its newest ten decisions, exactly and of this owner alone', async () => {
  await withHarness({ settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
    const { key } = await harness.issue()
    const stranger = await harness.issue()
    const made: string[] = []
    for (let index = 0; index < 12; index += 1) {
      harness.clock.advance(1_000)
      const { body } = await harness.verify(key, {
        corridor: 'GB-NG',
        amount: index,
        correlation_id: 'order 7',
      })
      made.push(body.request_id)
    }
    await harness.verify(stranger.key, { corridor: 'GB-NG', correlation_id: 'order 7' })
    const found = await search(harness, key, 'order 7')
    assert.deepEqual(
      found.map((one) => one['id']),
      made.toReversed().slice(0, 10),
    )
    assert.deepEqual(await search(harness, key, 'order'), [])
    assert.deepEqual(await search(harness, key, 'ORDER 7'), [])
    assert.deepEqual(await search(harness, key, '   '), [])
  })
})

test('a caller without the scope of a kind does not find it', async () => {
  await withReceiver(async (receiver) => {
    await withHarness({ settings: trial }, async (harness) => {
      const {
        key,
        record: { ownerId },
      } = await harness.issue()
      const ids = await makeOneOfEach(harness, key, receiver.url)
      const reader = await harness.issue({ ownerId, scopes: ['decision:read'] })
      for (const id of [ids.review, ids.policy, ids.backtest, ids.webhook, ids.test])
        assert.deepEqual(await search(harness, reader.key, id), [], id)
      for (const id of [ids.decision, ids.override, ids.report])
        assert.equal((await search(harness, reader.key, id)).length, 1, id)
    })
  })
})
