/** GET /api/v1/decision/{id}/impact: what the decision did about the risk, and what a person made of it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { override } from '../../helpers/webhooks.ts'

const settings = { FAIRWAY_COOLDOWN_S: '0' }

async function decidedImpact(harness: Harness, key: string, body: object) {
  const decided = await harness.verify(key, body)
  const id = String(decided.body.request_id)
  const look = async () => (await harness.get(key, `/api/v1/decision/${id}/impact`)).body
  return { id, decided: decided.body, look }
}

test('a GO passes through, a DEGRADED holds, a NO-GO blocks, and the reduction follows from the score', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const go = await (await decidedImpact(harness, key, { corridor: 'GB-NG', amount: 10 })).look()
    assert.deepEqual(
      [go.intervention_type, go.risk_exposure_reduced, go.risk_reduction, go.confidence],
      ['PASS_THROUGH', false, 0, 'high'],
    )
    const held = await decidedImpact(harness, key, { corridor: 'GB-NG', amount: 1000.02 })
    const hold = await held.look()
    assert.equal(hold.intervention_type, 'CONDITIONAL_HOLD')
    assert.equal(hold.risk_exposure_reduced, true)
    assert.ok(hold.risk_reduction > 0 && hold.risk_reduction <= 1 - held.decided.score + 1e-9)
    const score = held.decided.score.toFixed(2)
    const mended = (held.decided.score + hold.risk_reduction).toFixed(2)
    assert.equal(
      hold.calculation_basis,
      `The payment was held. With the settlement network clear, it would score ${mended} instead of ${score}.`,
    )
    const blocked = await decidedImpact(harness, key, { corridor: 'GB-NG', amount: 1000.08 })
    const block = await blocked.look()
    assert.equal(block.intervention_type, 'BLOCK')
    assert.equal(Math.round(block.risk_reduction * 100), 100 - Math.round(blocked.decided.score * 100))
  })
})

test('without data nothing is claimed, and confidence in it is medium', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const found = await (await decidedImpact(harness, key, { corridor: 'GB-KE', amount: 10 })).look()
    assert.deepEqual(
      [found.intervention_type, found.risk_exposure_reduced, found.risk_reduction, found.confidence],
      ['CONDITIONAL_HOLD', false, 0, 'medium'],
    )
    assert.match(found.calculation_basis, /no data/)
    const blocked = await (await decidedImpact(harness, key, { corridor: 'GB-KE', amount: 600_000 })).look()
    assert.deepEqual(
      [blocked.intervention_type, blocked.risk_exposure_reduced, blocked.risk_reduction],
      ['BLOCK', false, 0],
    )
    assert.match(blocked.calculation_basis, /no data/)
  })
})

test('what a person made of the decision is what counts', async () => {
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    const expected = { EXECUTE: false, HOLD: true, REJECT: true }
    for (const [action, reduced] of Object.entries(expected)) {
      const { id, decided, look } = await decidedImpact(harness, key, { corridor: 'GB-NG', amount: 1000.08 })
      await override(harness, key, id, { action })
      const found = await look()
      assert.equal(found.risk_exposure_reduced, reduced, action)
      assert.equal(found.intervention_type, 'BLOCK', 'the decision itself stays as it was')
      assert.equal(found.human_override.action, action)
      assert.match(found.calculation_basis, new RegExp(`overrode the decision with ${action}`))
      if (action === 'REJECT') {
        assert.equal(Math.round(found.risk_reduction * 100), 100 - Math.round(decided.score * 100))
      }
    }
  })
})

test('a record of a cooldown has the impact of its source, and names it', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const source = await decidedImpact(harness, key, { corridor: 'GB-NG', amount: 1000.08 })
    const hit = await decidedImpact(harness, key, { corridor: 'GB-NG', amount: 3 })
    const { cooldown, request_id: id, ...rest } = await hit.look()
    const { request_id: _sourceId, ...original } = await source.look()
    assert.deepEqual(rest, original)
    assert.equal(id, hit.id)
    assert.deepEqual(cooldown, { source_request_id: source.id })
  })
})
