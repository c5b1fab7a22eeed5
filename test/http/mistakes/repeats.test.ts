/** What is sent again, repeated by a cooldown or left out by a comparison is said to be so. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { readingsWith } from '../../helpers/check.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { feedsOf } from '../../helpers/live.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { post } from '../../helpers/post.ts'
import { degraded, override, register, trial } from '../../helpers/webhooks.ts'

for (const engine of engines) {
  test(`${engine}: the same override again gets the first answer, a different one is refused`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const id = await degraded(harness, key)
      const racers = await Promise.all(Array.from({ length: 10 }, () => override(harness, key, id)))
      const [first] = racers
      for (const { status, body } of racers) assert.deepEqual([status, body], [200, first?.body])
      harness.clock.advance(5_000)
      assert.deepEqual((await override(harness, key, id)).body, first?.body)
      for (const other of [{ action: 'REJECT' }, { reason_code: 'OTHER' }, { justification: 'Another.' }]) {
        const { status, body } = await override(harness, key, id, other)
        assert.deepEqual([status, body.code], [409, 'OVERRIDE_EXISTS'], JSON.stringify(other))
      }
    })
  })

  test(`${engine}: the same outcome again gets the first answer, a different one is refused`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const url = `/api/v1/decision/${await degraded(harness, key)}/outcome`
      const report = (body: object) => post(harness, url, body, { key })
      const pending = await report({ outcome: 'PENDING' })
      assert.deepEqual((await report({ outcome: 'PENDING' })).body, pending.body)
      const racers = await Promise.all(Array.from({ length: 10 }, () => report({ outcome: 'FAILED' })))
      const [first] = racers
      for (const { status, body } of racers) assert.deepEqual([status, body], [200, first?.body])
      harness.clock.advance(5_000)
      assert.deepEqual((await report({ outcome: 'FAILED' })).body, first?.body)
      const occurred = { outcome: 'FAILED', occurred_at: new Date(harness.clock.nowMs()).toISOString() }
      for (const other of [{ outcome: 'COMPLETED' }, { outcome: 'PENDING' }, occurred]) {
        const { status, body } = await report(other)
        assert.deepEqual([status, body.code], [409, 'OUTCOME_EXISTS'], JSON.stringify(other))
      }
    })
  })

  test(`${engine}: a cooldown repeat names its source in audit, history, CSV and event, and its corridor its end`, async () => {
    await withHarness({ engine, settings: trial }, async (harness) => {
      const receiver = await openTestReceiver()
      try {
        const { key } = await harness.issue()
        await register(harness, key, receiver.url)
        const before = await harness.get(key, '/api/v1/corridors/GB-NG')
        assert.equal(before.body.cooldown, null)
        const source = (await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })).body
        harness.clock.advance(10_000)
        const repeat = (await harness.verify(key, { corridor: 'GB-NG', amount: 7 })).body
        const id = String(source.request_id)
        const auditOf = async (requestId: unknown) =>
          (await harness.get(key, `/api/v1/audit/${String(requestId)}`)).body.cooldown_source_request_id
        assert.deepEqual([await auditOf(repeat.request_id), await auditOf(id)], [id, null])
        const history = (await harness.get(key, '/api/verifications')).body as Record<string, unknown>[]
        assert.deepEqual(
          history.map((one) => one['cooldown_source_request_id']),
          [id, null],
        )
        const csv = (await harness.get(key, '/api/verifications?format=csv')).text.trim().split(/\r?\n/)
        assert.match(
          csv[0] ?? '',
          /,cooldown_source_request_id,reason_codes,recommended_action,request_currency,settlement_currency$/,
        )
        assert.deepEqual(
          csv.slice(1).map((line) => line.split(',').at(-5)),
          [id, ''],
        )
        await harness.deliver()
        const events = receiver.requests
          .map(({ body }) => JSON.parse(body.toString()).data as Record<string, unknown>)
          .toSorted((one, other) => (String(one['request_id']) < String(other['request_id']) ? -1 : 1))
        assert.deepEqual(
          events.map((one) => one['cooldown_source_request_id']),
          [undefined, id],
        )
        const open = (await harness.get(key, '/api/v1/corridors/GB-NG')).body
        const expires = new Date(Date.parse(String(source.evaluated_at)) + 90_000).toISOString()
        assert.deepEqual(open.cooldown, { source_request_id: id, expires_at: expires })
        const other = await harness.get((await harness.issue()).key, '/api/v1/corridors/GB-NG')
        assert.equal(other.body.cooldown, null, 'of another owner')
        harness.clock.advance(80_000)
        assert.equal((await harness.get(key, '/api/v1/corridors/GB-NG')).body.cooldown, null)
      } finally {
        await receiver.close()
      }
    })
  })
}

test('a score below the GO floor without flags says so, and is not called healthy', async () => {
  let risk = 600
  const feeds = feedsOf(() => readingsWith(Object.fromEntries(signalNames.map((signal) => [signal, risk]))))
  await withHarness({ feeds }, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const decided = async () => {
      const {
        decision,
        reason_codes: codes,
        recommended_action: action,
      } = (await harness.verify(key, { corridor: 'GB-NG', amount: 5 })).body
      return [decision, codes, action]
    }
    assert.deepEqual(await decided(), ['DEGRADED', ['BELOW_GO_THRESHOLD'], 'REVIEW'])
    risk = 950
    assert.deepEqual(await decided(), ['GO', ['HEALTHY_PARTNER'], 'PROCEED'])
    const summary = await harness.get(key, '/api/v1/verifications/summary')
    assert.match(summary.text, /BELOW_GO_THRESHOLD/)
  })
})

test('a comparison of profiles says where a cap was not applied', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const compared = await post(harness, '/api/v1/demo-compare', { payment: { amount: 85_000 } })
    const speed = compared.body.results.optimise_speed
    assert.deepEqual([speed.decision, speed.cap_not_applied], ['GO', true])
    assert.equal(compared.body.results.conservative.cap_not_applied, false)
    assert.match(
      compared.body.divergence.summary,
      /The review cap is not applied here: verify gives at most DEGRADED/,
    )
    const small = await post(harness, '/api/v1/demo-compare', { payment: { amount: 15_000 } })
    assert.equal(small.body.results.optimise_speed.cap_not_applied, false)
    assert.doesNotMatch(small.body.divergence.summary, /cap/)

    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 85_000 })
    const explanation = await harness.get(key, `/api/v1/decision/${body.request_id}/explanation`)
    const go = explanation.body.counterfactuals.filter(
      ({ kind, decision }: Record<string, unknown>) => kind === 'profile' && decision === 'GO',
    )
    assert.ok(go.length > 0)
    for (const one of go) {
      assert.equal(one.cap_not_applied, true)
      assert.match(one.change, /The review cap was not applied here; with it the payment is DEGRADED/)
    }
  })
})

test('impact does not say that a GO may pass before what it asks for is done', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const basisOf = async (amount: number): Promise<unknown> => {
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount })
      assert.equal(body.decision, 'GO')
      return (await harness.get(key, `/api/v1/decision/${body.request_id}/impact`)).body.calculation_basis
    }
    assert.equal(await basisOf(5.07), 'No risk avoided: the payment may pass once the payee is confirmed.')
    assert.equal(await basisOf(5), 'No risk avoided: the payment may pass.')
  })
})
