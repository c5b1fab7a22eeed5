/** GET /api/v1/cip/status and what stands behind it: the probe, formal transitions, and telemetry in live decisions. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordTransition, type TransitionCommand } from '../../../src/app/cip/status.ts'
import type { CipTransition } from '../../../src/app/ports/cip.ts'
import { observationRetentionDays } from '../../../src/core/live/cip.ts'
import { readingsWith } from '../../helpers/check.ts'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { feedsOf, simulatedFeeds as feeds } from '../../helpers/live.ts'
import { feedsScope, observeDays, observeFeeds, simulationScope } from '../../helpers/observations.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'

const dayMs = 86_400_000

const statusOf = async (harness: Harness) => (await harness.get(null, '/api/v1/cip/status')).body

const command: TransitionCommand = {
  scope: simulationScope,
  to: 'provisional',
  blendPercent: 10,
  reference: 'CHANGE-7',
  madeBy: 'operator',
  reason: 'the gate is passed',
}

const transition = (harness: Harness, more: Partial<TransitionCommand> = {}) =>
  recordTransition({ cip: harness.store.cip, clock: harness.clock }, { ...command, ...more })

/** Whatever was observed, it is as bad as this now. */
function spoil(harness: Harness, composite: number): Promise<unknown> {
  return withDirectDatabase(harness.databaseUrl, ({ run }) =>
    run(`UPDATE cip_observations SET composite = ${composite}`),
  )
}

for (const engine of engines) {
  test(`the status starts as the contract says, and counts what the probe stores (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const startedAt = new Date(harness.clock.nowMs()).toISOString()
      assert.deepEqual(await statusOf(harness), {
        phase: 0,
        state: 'telemetry_only',
        decision_influence: false,
        supported_for_decisioning: false,
        confidence: 'experimental',
        last_updated: startedAt,
        observations_collected: 0,
        blend_weight: 0,
        blend_suspended: null,
        escalation_enabled: false,
        active_adapters: ['simulation'],
        governed_by: 'INITIAL',
      })
      await harness.probe()
      await harness.probe()
      assert.equal((await statusOf(harness)).observations_collected, 2, 'two corridors, one turn')
      harness.clock.advance(60_000)
      await harness.probe()
      const later = await statusOf(harness)
      assert.equal(later.observations_collected, 4)
      assert.equal(later.last_updated, startedAt, 'only a formal transition changes it')
    })
  })

  test(`a formal transition is checked, recorded, shown, and there after a restart (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      await observeDays(harness, 14)
      const early = await transition(harness)
      assert.equal(early.kind, 'refused')
      assert.match(early.kind === 'refused' ? early.reason : '', /13 of the 14 complete days/)
      assert.equal((await statusOf(harness)).state, 'telemetry_only')
      harness.clock.advance(dayMs)
      await observeFeeds(harness)
      const made = await transition(harness)
      assert.equal(made.kind, 'recorded')
      const expected = {
        phase: 2,
        state: 'scoring_active',
        decision_influence: true,
        supported_for_decisioning: true,
        confidence: 'provisional',
        last_updated: new Date(harness.clock.nowMs()).toISOString(),
        observations_collected: 30,
        blend_weight: 0.1,
        blend_suspended: null,
        escalation_enabled: false,
        active_adapters: ['simulation'],
        governed_by: 'CHANGE-7',
      }
      assert.deepEqual(await statusOf(harness), expected)
      const other = await harness.sibling()
      assert.deepEqual(await statusOf(other), expected)
      await other.close()
      const [kept] = (await harness.store.cip.state(simulationScope)).transitions
      assert.deepEqual(kept, {
        number: 1,
        stage: 'provisional',
        blendPercent: 10,
        reference: 'CHANGE-7',
        madeBy: 'operator',
        reason: 'the gate is passed',
        madeAtMs: harness.clock.nowMs(),
        corpusDays: 14,
      })
    })
  })
}

test('off means off: with FAIRWAY_CIP_PROBE_S=0 nothing is observed, and what is old still goes', async () => {
  await withHarness({ settings: { FAIRWAY_CIP_PROBE_S: '0' } }, async (harness) => {
    await harness.probe()
    const { observations_collected: collected, active_adapters: adapters } = await statusOf(harness)
    assert.deepEqual([collected, adapters], [0, []])
    await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
      await run(
        "INSERT INTO cip_observations (corridor, observed_at_ms, adapter, risk_thousandths, composite, duration_us) VALUES ('GB-NG', 0, 'simulation', '[]', 0, 0)",
      )
      await run("INSERT INTO cip_days (corridor, day, observations) VALUES ('GB-NG', 0, 1)")
    })
    await harness.probe()
    assert.equal((await statusOf(harness)).observations_collected, 0)
  })
})

for (const engine of engines) {
  test(`without influence telemetry cannot change a decision, live or shadow, whatever it says (${engine})`, async () => {
    await withHarness({ engine, feeds, settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
      const keys = [await harness.issue(), await harness.issue({ prefix: 'pk_live_' })]
      const decideAll = async (): Promise<unknown[]> => {
        const answers: unknown[] = []
        for (const { key } of keys) {
          for (const amount of [10, 60_000, 85_000, 600_000]) {
            const { body } = await harness.verify(key, { corridor: 'GB-NG', amount })
            const { request_id: _id, timestamp: _time, response_ms: _ms, ...rest } = body
            const { evaluated_at: decidedAt, valid_until: validUntil, ...said } = rest
            const validMs = Date.parse(validUntil) - Date.parse(decidedAt)
            // Live, the volatility is that of the decisions so far.
            answers.push({ ...said, validMs, volatility: null })
          }
        }
        return answers
      }
      const before = await decideAll()
      await observeDays(harness, 15)
      for (const composite of [0, 50_000, 100_000]) {
        await spoil(harness, composite)
        for (const stage of ['scoring_passive', 'telemetry_only'] as const) {
          const made = await transition(harness, { scope: feedsScope, to: stage, blendPercent: 0 })
          assert.equal(made.kind, 'recorded')
          harness.clock.advance(1_000)
          assert.deepEqual(await decideAll(), before, `${stage}, telemetry ${composite}`)
        }
      }
    })
  })

  test(`with a weight, live decisions alone use it, as an evidence line of its own (${engine})`, async () => {
    await withHarness({ engine, feeds }, async (harness) => {
      const shadow = await harness.issue()
      const key = (await harness.issue({ prefix: 'pk_live_' })).key
      const payment = { corridor: 'GB-NG', amount: 1000 }
      const plain = (await harness.verify(key, payment)).body
      const plainShadow = (await harness.verify(shadow.key, payment)).body
      const explainedOf = async (asker: string, id: string) =>
        (await harness.get(asker, `/api/v1/decision/${id}/explanation`)).body
      const { composite, telemetry } = await explainedOf(key, plain.request_id)
      assert.equal(telemetry, null)
      await observeDays(harness, 15)
      await spoil(harness, 20_000)
      assert.equal((await transition(harness, { scope: feedsScope })).kind, 'recorded')
      harness.clock.advance(1_000)
      const blended = (await harness.verify(key, payment)).body
      const found = await explainedOf(key, blended.request_id)
      assert.deepEqual([found.telemetry.weight, found.telemetry.value], [0.1, 0.2])
      assert.equal(found.composite, composite, 'the seven signals are what they were')
      assert.ok(Math.abs(found.telemetry.amount - 0.1 * (0.2 - composite)) < 1e-12)
      const sum = found.composite + found.telemetry.amount + found.penalty.amount + found.rounding
      assert.equal(Math.round(sum * 1e9), Math.round(blended.score * 1e9))
      assert.equal(Math.floor((0.9 * composite + 0.1 * 0.2) * 100 + 1e-9) / 100, blended.score)
      assert.ok(blended.score < plain.score)
      const without = found.counterfactuals.filter((one: { kind: string }) => one.kind === 'telemetry')
      assert.deepEqual(
        without.map((one: { decision: string; score: number }) => [one.decision, one.score]),
        [[plain.decision, plain.score]],
      )
      const after = (await harness.verify(shadow.key, payment)).body
      assert.deepEqual([after.score, after.decision], [plainShadow.score, plainShadow.decision])
      assert.equal((await explainedOf(shadow.key, after.request_id)).telemetry, null)
    })
  })
}

test('with a weight and no telemetry of the last hour, live decisions are held, not made without it', async () => {
  await withHarness({ feeds }, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    await observeDays(harness, 15)
    assert.equal((await transition(harness, { scope: feedsScope })).kind, 'recorded')
    harness.clock.advance(3_599_000)
    assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 200)
    harness.clock.advance(2_000)
    const { status, body } = await harness.verify(key, { corridor: 'GB-NG' })
    assert.equal(status, 503)
    assert.deepEqual(body.unavailable_signals, ['corridor_telemetry'])
    const unsupported = await harness.verify(key, { corridor: 'GB-KE' })
    assert.equal(unsupported.body.decision, 'DEGRADED', 'where nothing is observed, nothing is missing')
    await observeFeeds(harness)
    assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 200)
  })
})

test('telemetry lowers a decision, and a step back takes its influence away within a second', async () => {
  const strained = feedsOf(() => readingsWith({ network_healthy: 500 }))
  await withHarness({ feeds: strained, settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const payment = { corridor: 'GB-NG', amount: 1_000 }
    assert.equal((await harness.verify(key, payment)).body.decision, 'GO')
    await observeDays(harness, 15)
    await spoil(harness, 0)
    await transition(harness, { scope: feedsScope })
    harness.clock.advance(1_000)
    assert.equal((await harness.verify(key, payment)).body.decision, 'DEGRADED')
    assert.equal(
      (await transition(harness, { scope: feedsScope, to: 'telemetry_only', blendPercent: 0 })).kind,
      'recorded',
    )
    harness.clock.advance(1_000)
    assert.equal((await harness.verify(key, payment)).body.decision, 'GO')
  })
})

/** Half of a live score would be telemetry. It was set before simulated telemetry lost its weight. */
const setBefore: CipTransition = {
  number: 1,
  stage: 'validated',
  blendPercent: 50,
  reference: 'CHANGE-1',
  madeBy: 'operator',
  reason: null,
  madeAtMs: 0,
  corpusDays: 30,
}

for (const engine of engines) {
  test(`telemetry of the simulation gets no weight, however much there is of it (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      await observeDays(harness, 15, harness.probe)
      const refused = await transition(harness)
      assert.deepEqual(refused, {
        kind: 'refused',
        reason:
          'provisional with a blend weight of 0.10 requires the quality gate: 30 of the 30 observations of the corpus come from the simulation',
      })
      assert.equal((await transition(harness, { to: 'scoring_passive', blendPercent: 0 })).kind, 'recorded')
      // Observations of another adapter do not make up for it.
      harness.clock.advance(dayMs)
      await observeDays(harness, 15)
      const still = await transition(harness)
      assert.match(still.kind === 'refused' ? still.reason : '', /30 of the 60 observations of the corpus/)
      // Until the last simulated observation has gone, after 90 days.
      const prune = () =>
        harness.store.cip.prune(Math.floor(harness.clock.nowMs() / dayMs) - observationRetentionDays)
      harness.clock.advance(75 * dayMs)
      await prune()
      const last = await transition(harness)
      assert.match(last.kind === 'refused' ? last.reason : '', /2 of the 32 observations of the corpus/)
      harness.clock.advance(dayMs)
      await prune()
      await observeFeeds(harness)
      assert.equal((await transition(harness)).kind, 'recorded')
    })
  })

  test(`without live feeds an existing weight counts as 0 while observations are simulated, and the status says so (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      assert.equal(await harness.store.cip.transition(setBefore), true)
      await harness.probe()
      const shown = await statusOf(harness)
      assert.deepEqual(
        [shown.state, shown.decision_influence, shown.supported_for_decisioning, shown.blend_weight],
        ['scoring_active', false, false, 0],
      )
      assert.deepEqual(shown.blend_suspended, {
        blend_weight: 0.5,
        reason: '2 of the 2 observations of the corpus come from the simulation, so it counts as 0',
      })
      // Other telemetry beside it changes nothing.
      harness.clock.advance(60_000)
      await observeFeeds(harness)
      assert.equal((await statusOf(harness)).blend_weight, 0)
    })
  })

  test(`with live feeds an existing weight is in effect, and simulated observations have no part in it (${engine})`, async () => {
    // 0.795: telemetry of 0.96 makes it a GO.
    const short = feedsOf(() =>
      readingsWith({ network_healthy: 500, balance_sufficient: 500, operation_valid: 950 }),
    )
    await withHarness({ engine, feeds: short }, async (harness) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      assert.equal(await harness.store.cip.transition(setBefore), true)
      const verify = () => harness.verify(key, { corridor: 'GB-NG', amount: 1_000 })
      const simulating = await assemble(harness.databaseUrl, harness.clock, { engine })
      await simulating.probe()
      await simulating.close()
      await spoil(harness, 0)
      const held = await verify()
      assert.deepEqual([held.status, held.body.unavailable_signals], [503, ['corridor_telemetry']])
      harness.clock.advance(60_000)
      await observeFeeds(harness)
      const { body } = await verify()
      assert.deepEqual([body.decision, body.score], ['GO', 0.87])
      const { body: explained } = await harness.get(key, `/api/v1/decision/${body.request_id}/explanation`)
      assert.deepEqual([explained.composite, explained.telemetry.value], [0.795, 0.96])
      const shown = await statusOf(harness)
      assert.deepEqual(
        [shown.blend_weight, shown.blend_suspended, shown.observations_collected, shown.active_adapters],
        [0.5, null, 2, ['feeds']],
      )
    })
  })
}

test('telemetry that influences decisions is supported for decisioning, in every stage and with any corpus', async () => {
  await withHarness({}, async (harness) => {
    const stages: readonly [stage: CipTransition['stage'], blendPercent: number][] = [
      ['scoring_passive', 0],
      ['provisional', 5],
      ['provisional', 10],
      ['validated', 15],
      ['validated', 50],
      ['telemetry_only', 0],
    ]
    const before: unknown[] = []
    const after: unknown[] = []
    let number = 0
    const walk = async (seen: unknown[]): Promise<void> => {
      for (const [stage, blendPercent] of stages) {
        number += 1
        assert.equal(await harness.store.cip.transition({ ...setBefore, number, stage, blendPercent }), true)
        const shown = await statusOf(harness)
        assert.equal(shown.supported_for_decisioning, shown.decision_influence, stage)
        assert.equal(shown.decision_influence, shown.blend_weight > 0, stage)
        seen.push(shown.decision_influence)
      }
    }
    await observeFeeds(harness)
    await walk(before)
    harness.clock.advance(60_000)
    await harness.probe()
    await walk(after)
    assert.deepEqual(before, [false, true, true, true, true, false])
    assert.deepEqual(after, [false, false, false, false, false, false])
  })
})
