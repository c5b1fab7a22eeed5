/** What the service says of itself and of a payment agrees with what it does. */

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { profileLines } from '../../../src/cli/user/compare.ts'
import { Screen } from '../../../src/cli/user/session/screen.ts'
import { holdLines } from '../../../src/cli/user/verify.ts'
import type { DemoCompareResponse } from '../../../client/src/index.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { feedsOf, simulatedFeeds } from '../../helpers/live.ts'
import { post } from '../../helpers/post.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { terminalOf } from '../../helpers/process/user.ts'

for (const engine of engines) {
  test(`${engine}: the settings of a key list its open cooldowns, each corridor once, until they end`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const openOf = async (one: string) =>
        (await harness.get(one, '/api/v1/organisation/settings')).body.open_cooldowns
      assert.deepEqual(await openOf(key), [])
      const first = await harness.verify(key, { corridor: 'NG-GB', amount: 1.08 })
      harness.clock.advance(1_000)
      const second = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })
      for (let repeat = 0; repeat < 5; repeat += 1)
        await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      const endOf = ({ body }: typeof first) =>
        new Date(Date.parse(String(body.evaluated_at)) + 90_000).toISOString()
      assert.deepEqual(await openOf(key), [
        { corridor: 'GB-NG', source_request_id: second.body.request_id, expires_at: endOf(second) },
        { corridor: 'NG-GB', source_request_id: first.body.request_id, expires_at: endOf(first) },
      ])
      assert.deepEqual(await openOf((await harness.issue()).key), [], 'of another owner')
      harness.clock.advance(89_000)
      assert.equal((await openOf(key)).length, 1)
    })
  })
}

test('the features of a key are those that it can use', async () => {
  await withHarness(
    { settings: { FAIRWAY_TEST_AMOUNTS: 'false' }, feeds: simulatedFeeds },
    async (harness) => {
      const featuresOf = async (prefix: 'pk_test_' | 'pk_live_') => {
        const { key } = await harness.issue({ prefix })
        const { features } = (await harness.get(key, '/api/v1/organisation/settings')).body
        return [features.test_amounts, features.partner_ranking, features.live_mode]
      }
      assert.deepEqual(await featuresOf('pk_test_'), [false, true, false])
      assert.deepEqual(await featuresOf('pk_live_'), [false, false, true])
    },
  )
})

test('an installation with a feed that fails does not say that it decides live', async () => {
  const working = feedsOf((query) => simulate(query)).current()
  const failing = {
    ...working,
    states: () =>
      working
        .states()
        .map((state, place) => (place === 3 ? { ...state, lastFault: 'timeout' as const } : state)),
  }
  await withHarness({ feeds: { current: () => failing } }, async (harness) => {
    assert.deepEqual((await harness.get(null, '/api/health')).body.modes, ['shadow'])
    const { body } = await harness.get(null, '/api/v1/status/signals')
    assert.deepEqual([body.modes, body.environment], [['shadow'], 'sandbox'])
  })
})

test('impact avoids no risk of a payment that was sent all the same', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })
    const impact = async () => (await harness.get(key, `/api/v1/decision/${body.request_id}/impact`)).body
    assert.ok((await impact()).risk_reduction > 0)
    await post(harness, `/api/v1/decision/${body.request_id}/outcome`, { outcome: 'COMPLETED' }, { key })
    const {
      risk_reduction: reduction,
      risk_exposure_reduced: isReduced,
      calculation_basis: basis,
    } = await impact()
    assert.deepEqual([reduction, isReduced], [0, false])
    assert.equal(basis, 'No risk avoided: the payment was sent all the same, and its outcome is COMPLETED.')
  })
})

test('a hold for want of feeds asks for feeds, and any other for patience', () => {
  const screen = new Screen(terminalOf({ columns: 120 }), {})
  const hold = {
    held: true as const,
    message: 'Not now.',
    code: 'SIGNALS_UNAVAILABLE' as const,
    requestId: 'req_1',
    retryAfterSeconds: 120,
    unavailableSignals: ['fraud_flags' as const],
    signalsWithoutFeed: [],
    idempotencyKey: 'k',
  }
  assert.match(holdLines(screen, 'fairway verify', hold).join('\n'), /retry in 120 seconds/)
  const wanting = holdLines(screen, 'fairway verify', { ...hold, signalsWithoutFeed: ['fraud_flags'] })
  assert.match(wanting.join('\n'), /set up the live feeds first[^]*FAIRWAY_LIVE_FEEDS/)
  assert.doesNotMatch(wanting.join('\n'), /120 seconds/)
})

test('a comparison on a terminal never paints GO for a capped payment', async () => {
  await withHarness({}, async (harness) => {
    const compared = await post(harness, '/api/v1/demo-compare', { payment: { amount: 60_000 } })
    const lines = profileLines(
      new Screen(terminalOf({ columns: 160 }), {}),
      compared.body as DemoCompareResponse,
    )
    assert.match(lines.join('\n'), /GO by threshold, cap not applied/)
    assert.doesNotMatch(lines.join('\n'), /^\S.* {2}GO {2}|PROCEED/m)
  })
})

test('a misspelt row of a file keeps its value where it is rejected, and a repeated member is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-mistakes-'))
  const file = join(folder, 'rows.json')
  const rows = [
    { id: 'a', corridor: 'GB-NG', Amount: 600_000, currency: 'GBP' },
    { id: 'b', corridor: 'GB-NG', amount: 5 },
  ]
  writeFileSync(file, JSON.stringify(rows))
  await runInProcess(['assess', file, '--out', join(folder, 'out')], {})
  const rejected = readFileSync(join(folder, 'out', 'rejected.csv'), 'utf8')
  assert.match(rejected, /must be named amount, not Amount.*a,GB-NG,600000,GBP/)
  writeFileSync(file, '[{"corridor":"GB-NG"},{"id":"b","corridor":"GB-NG","amount":600000,"amount":5}]')
  const refused = await runInProcess(['assess', file, '--out', join(folder, 'out2')], {})
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /has the member amount twice in row 2/)
})
