/** GET /api/v1/signals/{decision_id}: where each signal came from. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { simulatedFeeds as feeds } from '../../helpers/live.ts'

interface Signal {
  readonly signal: string
  readonly risk_value: number
  readonly label: string
  readonly category: string
  readonly source: string
  readonly confidence: number
  readonly reason_code: string | null
}

for (const engine of engines) {
  test(`each signal has its value, label, category, source, trust and reason, as they were measured (${engine})`, async () => {
    await withHarness({ engine }, async ({ issue, verify, get }) => {
      const { key } = await issue()
      const decided = await verify(key, { corridor: 'GB-NG', amount: 1000.08 })
      const { status, body } = await get(key, `/api/v1/signals/${decided.body.request_id}`)
      assert.equal(status, 200)
      assert.equal(body.decision_id, decided.body.request_id)
      assert.equal(body.model_version, 'SVC-v1.3.0')
      assert.equal(body.evaluated_at, decided.body.evaluated_at)
      const signals = body.signals as Signal[]
      assert.deepEqual(
        signals.map(({ signal }) => signal),
        signalNames,
      )
      for (const { signal, risk_value: risk, label, source, confidence } of signals) {
        assert.deepEqual({ signal: label, risk_value: risk }, decided.body.probe_details[signal])
        assert.equal(source, 'simulation')
        assert.ok(confidence >= 0.7 && confidence <= 0.97)
      }
      assert.deepEqual(
        signals.map(({ reason_code: code }) => code).filter((code) => code !== null),
        decided.body.reason_codes,
      )
      assert.deepEqual(
        signals.map(({ category }) => category),
        ['compliance', 'network', 'liquidity', 'fx', 'settlement', 'settlement', 'compliance'],
      )
    })
  })
}

test('what was trusted less is told so', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    const trustAt = async (amount: number): Promise<number[]> => {
      const { body } = await verify(key, { corridor: 'GB-NG', amount })
      const found = await get(key, `/api/v1/signals/${body.request_id}`)
      return (found.body.signals as Signal[]).map(({ confidence }) => confidence)
    }
    const everyday = await trustAt(1000)
    const large = await trustAt(300_000)
    assert.ok(large.every((trust, place) => trust <= (everyday[place] ?? 0)))
    assert.notDeepEqual(large, everyday)
  })
})

test('a live decision says that its signals were live', async () => {
  await withHarness({ feeds }, async ({ issue, verify, get }) => {
    const { key } = await issue({ prefix: 'pk_live_' })
    const { body } = await verify(key, { corridor: 'GB-NG', amount: 1000 })
    const found = await get(key, `/api/v1/signals/${body.request_id}`)
    assert.ok((found.body.signals as Signal[]).every(({ source }) => source === 'live'))
    const corridor = await get(key, '/api/v1/corridors/GB-NG')
    assert.deepEqual([corridor.body.data_environment, corridor.body.live_signals], ['mixed', 7])
  })
})

test('a record of a cooldown shows the signals of its source, and names it', async () => {
  await withHarness({}, async ({ issue, verify, get }) => {
    const { key } = await issue()
    const source = await verify(key, { corridor: 'GB-NG', amount: 1.08 })
    const hit = await verify(key, { corridor: 'GB-NG', amount: 2 })
    const of = async (id: string) => (await get(key, `/api/v1/signals/${id}`)).body
    const found = await of(hit.body.request_id)
    assert.deepEqual(found.signals, (await of(source.body.request_id)).signals)
    assert.deepEqual(found.cooldown, { source_request_id: source.body.request_id })
    assert.equal(found.decision_id, hit.body.request_id)
  })
})
