/** What is kept of a decision beside its answer: it can never be added later, so it must be right from the start. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComputedEvidence, CooldownEvidence } from '../../../src/app/verify/evidence.ts'
import { parseRequestId } from '../../../src/core/identity/request-id.ts'
import { signalNames, weightPercent } from '../../../src/core/decision/signals.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

async function evidenceOf<Evidence>(
  { store }: Harness,
  ownerId: string,
  requestId: string,
): Promise<Evidence> {
  const id = parseRequestId(requestId)?.id
  const record = id === undefined ? null : await store.forOwner(ownerId).find(id)
  return JSON.parse(record?.evidence ?? 'null') as Evidence
}

for (const engine of engines) {
  test(`the evidence adds up to the score, and holds what the answer showed (${engine})`, async () => {
    await withHarness({ engine, settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
      const { key, record } = await harness.issue()
      for (const amount of [1000, 85_000, 600_000, 1000.01, 1000.08]) {
        const { body } = await harness.verify(key, { corridor: 'GB-NG', amount })
        const kept = await evidenceOf<ComputedEvidence>(harness, record.ownerId, body.request_id)
        const risks = signalNames.map((signal) => body.probe_details[signal].risk_value * 1000)
        assert.equal(kept.engine, '1.3.0')
        assert.equal(kept.source, 'simulation')
        assert.deepEqual(kept.risk_thousandths, risks.map(Math.round))
        assert.deepEqual(
          kept.weight_percent,
          signalNames.map((signal) => weightPercent[signal]),
        )
        assert.deepEqual(
          kept.contributions,
          kept.risk_thousandths.map((risk, place) => risk * (kept.weight_percent[place] ?? 0)),
        )
        assert.equal(
          kept.composite,
          kept.contributions.reduce((sum, one) => sum + one, 0),
        )
        assert.equal(kept.penalty_applied, kept.flagged.length >= 3)
        const score = Math.floor((kept.composite * (kept.penalty_applied ? 75 : 100)) / 100_000) / 100
        assert.equal(body.score, score)
        assert.equal(kept.gate, amount > 500_000 ? 'block' : amount > 50_000 ? 'review' : 'none')
        assert.deepEqual([kept.review_above, kept.block_above], [50_000, 500_000])
        assert.equal(kept.confidence_percent.length, 7)
        assert.ok(kept.confidence_percent.every((percent) => percent >= 70 && percent <= 97))
      }
    })
  })
}

test('the ten moments of a decision are all measured, from its receipt on, and never go back', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', idempotency_key: 'k' })
    const kept = await evidenceOf<ComputedEvidence>(harness, record.ownerId, body.request_id)
    assert.equal(kept.received_at_ms, harness.clock.nowMs())
    assert.equal(kept.timeline_us.length, 10)
    assert.equal(kept.timeline_us[0], 0)
    assert.ok(kept.timeline_us.every((offset) => offset !== null))
    assert.deepEqual(
      kept.timeline_us,
      kept.timeline_us.toSorted((left, right) => (left ?? 0) - (right ?? 0)),
    )
  })
})

test('a cooldown record names its source and keeps its own moments, without those that did not happen', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue()
    const source = await harness.verify(key, { corridor: 'GB-NG', amount: 1.08 })
    harness.clock.advance(5_000)
    const hit = await harness.verify(key, { corridor: 'GB-NG', amount: 2 })
    const kept = await evidenceOf<CooldownEvidence>(harness, record.ownerId, hit.body.request_id)
    assert.equal(kept.cooldown_source, source.body.request_id)
    assert.equal(kept.received_at_ms, harness.clock.nowMs())
    assert.deepEqual(
      kept.timeline_us.map((offset) => offset !== null),
      [true, true, true, true, true, false, false, false, false, true],
    )
  })
})
