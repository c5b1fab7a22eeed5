/** GET /api/v1/decision/{id}/explanation: why, in numbers that add up, and what would have changed it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'

interface Counterfactual {
  readonly kind: string
  readonly change: string
  readonly decision: string
  readonly score: number
}

const noCooldown = { FAIRWAY_COOLDOWN_S: '0', FAIRWAY_LIMIT_KEYED: '1000000/60' }

/** A decimal as a whole number of billionths: sums of these are exact, sums of doubles are not. */
const billionths = (value: number): number => {
  const scaled = Math.round(value * 1e9)
  assert.ok(Math.abs(scaled - value * 1e9) < 1e-3, `${value} has more than nine decimals`)
  return scaled
}

async function explained(harness: Harness, key: string, body: object) {
  const decided = await harness.verify(key, body)
  assert.equal(decided.status, 200, decided.text)
  const { body: found } = await harness.get(key, `/api/v1/decision/${decided.body.request_id}/explanation`)
  return { decided: decided.body, found }
}

/** Every kind of decision: calm, capped, blocked, unsupported, flagged, penalised, in another currency, without an amount. */
const payments: readonly object[] = [
  { corridor: 'GB-NG' },
  { corridor: 'GB-NG', amount: 0 },
  { corridor: 'GB-NG', amount: 1000 },
  { corridor: 'NG-GB', amount: 33_333.33 },
  { corridor: 'GB-NG', amount: 60_000 },
  { corridor: 'GB-NG', amount: 85_000 },
  { corridor: 'NG-GB', amount: 600_000 },
  { corridor: 'GB-NG', amount: 1000, currency: 'JPY' },
  { corridor: 'GB-KE', amount: 10 },
  { corridor: 'GB-KE', amount: 600_000 },
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((ending) => ({ corridor: 'GB-NG', amount: 1000 + ending / 100 })),
]

for (const engine of engines) {
  test(`the factors add up to the composite, and with penalty and rounding to the score, exactly (${engine})`, async () => {
    await withHarness({ engine, settings: noCooldown }, async (harness) => {
      const { key } = await harness.issue()
      for (const payment of payments) {
        const { decided, found } = await explained(harness, key, payment)
        const what = JSON.stringify(payment)
        assert.equal(found.request_id, decided.request_id)
        assert.equal(found.decision, decided.decision, what)
        assert.equal(found.score, decided.score, what)
        const sum = found.factors.reduce(
          (total: number, factor: { contribution: number }) => total + billionths(factor.contribution),
          0,
        )
        assert.equal(sum, billionths(found.composite), what)
        assert.equal(
          billionths(found.composite) + billionths(found.penalty.amount) + billionths(found.rounding),
          billionths(found.score),
          what,
        )
        assert.ok(found.rounding <= 0 && found.rounding > -0.01, what)
        for (const factor of found.factors) {
          const { weight, risk_value: risk, contribution, signal } = factor
          assert.equal(billionths(contribution), billionths(weight) * risk, `${what} ${signal}`)
          assert.equal(risk, decided.probe_details[signal].risk_value)
          assert.equal(factor.status, decided.probe_details[signal].signal)
          assert.equal(factor.flagged, factor.reason_code !== null)
          assert.equal(decided.reason_codes.includes(factor.reason_code), factor.flagged)
        }
      }
    })
  })
}

test('the penalty and the policy gate are told as they acted', async () => {
  await withHarness({ settings: noCooldown }, async (harness) => {
    const { key } = await harness.issue()
    const { found: worst } = await explained(harness, key, { corridor: 'GB-NG', amount: 1000.08 })
    assert.deepEqual(
      [worst.penalty.applied, worst.penalty.multiplier, worst.penalty.flagged_count],
      [true, 0.75, 4],
    )
    assert.equal(billionths(worst.penalty.amount), -billionths(worst.composite) / 4)
    const gates = [
      [1000, false, 'none', false],
      [60_000, true, 'review_above_cap', true],
      [85_000, true, 'review_above_cap', false],
      [600_000, true, 'block_above_cap', true],
    ] as const
    for (const [amount, applied, rule, changed] of gates) {
      const { found } = await explained(harness, key, { corridor: 'GB-NG', amount })
      const { policy_gate: gate } = found
      assert.deepEqual(
        [gate.applied, gate.rule, gate.changed_decision],
        [applied, rule, changed],
        String(amount),
      )
      assert.equal(found.penalty.amount, 0)
    }
  })
})

test('the caps of then count, not those of today', async () => {
  await withHarness({ settings: { ...noCooldown, FAIRWAY_POLICY_CAPS: 'GBP=900/2000' } }, async (harness) => {
    const { key } = await harness.issue()
    const { found } = await explained(harness, key, { corridor: 'GB-NG', amount: 1000 })
    assert.deepEqual([found.policy_gate.degraded_above, found.policy_gate.no_go_above], [900, 2000])
    assert.equal(found.largest_go_amount, 900)
    assert.match(
      found.summary,
      /By its score it is GO, but no payment above 900 GBP is GO: it needs manual approval\./,
    )
  })
})

test('each counterfactual is what the service itself says when it is asked', async () => {
  await withHarness({ settings: noCooldown }, async (harness) => {
    const { key } = await harness.issue()
    const compare = async (amount: number, profile: string) =>
      (
        await post(harness, '/api/v1/demo-compare', {
          payment: { corridor: 'NG-GB', amount, currency: 'GBP' },
          profiles: [profile],
        })
      ).body.results[profile]
    const { found } = await explained(harness, key, { corridor: 'NG-GB', amount: 85_000, currency: 'GBP' })
    const of = (kind: string): Counterfactual[] =>
      found.counterfactuals.filter((one: Counterfactual) => one.kind === kind)
    const [largest] = of('amount')
    const again = await harness.verify(key, { corridor: 'NG-GB', amount: found.largest_go_amount })
    assert.deepEqual([largest?.decision, largest?.score], [again.body.decision, again.body.score])
    assert.equal(again.body.decision, 'GO')
    const more = await harness.verify(key, { corridor: 'NG-GB', amount: found.largest_go_amount + 1 })
    assert.notEqual(more.body.decision, 'GO')
    const profiles = [await compare(85_000, 'conservative'), await compare(85_000, 'optimise_speed')]
    assert.deepEqual(
      of('profile').map(({ decision, score }) => [decision, score]),
      profiles.map(({ decision, score }) => [decision, score]),
    )
  })
})

test('the one signal that decided is named, and where it takes more than one, that is said', async () => {
  await withHarness({ settings: noCooldown }, async (harness) => {
    const { key } = await harness.issue()
    const { found: network } = await explained(harness, key, { corridor: 'GB-NG', amount: 1000.02 })
    const signals = network.counterfactuals.filter((one: Counterfactual) => one.kind === 'signal')
    assert.equal(network.decision, 'DEGRADED')
    assert.deepEqual(
      signals.map(({ decision }: Counterfactual) => decision),
      ['GO'],
    )
    assert.equal(signals[0].change, 'With a healthy settlement network (network_healthy at 1).')
    assert.match(network.summary, /With a healthy settlement network it would have been GO\./)
    const { found: held } = await explained(harness, key, { corridor: 'GB-NG', amount: 60_000 })
    assert.deepEqual(
      held.counterfactuals.filter((one: Counterfactual) => one.kind === 'signal'),
      [],
    )
    // The cap held it, so nothing is said of signals.
    assert.doesNotMatch(held.summary, /No single signal|With /)
    assert.match(held.summary, /no payment above 50,000 GBP is GO: it needs manual approval\./)
    const { found: worst } = await explained(harness, key, { corridor: 'GB-NG', amount: 1000.08 })
    assert.match(worst.summary, /No single signal, had it been healthy, would have changed the decision\./)
    const { found: fraud } = await explained(harness, key, { corridor: 'GB-NG', amount: 1000.01 })
    assert.equal(fraud.largest_go_amount, null)
    assert.match(fraud.summary, /With the faults of this test amount, no amount would have been GO/)
  })
})

test('an unsupported corridor is explained as no data, and nothing is said that would have made it GO', async () => {
  await withHarness({ settings: noCooldown }, async (harness) => {
    const { key } = await harness.issue()
    const { found } = await explained(harness, key, { corridor: 'GB-KE', amount: 10 })
    assert.equal(found.corridor_supported, false)
    assert.match(found.summary, /There is no data for GB-KE, which is not a sign of risk/)
    assert.ok(found.counterfactuals.every((one: Counterfactual) => one.decision !== 'GO'))
    assert.equal(found.largest_go_amount, null)
    assert.doesNotMatch(found.summary, /would have|signal/)
    const { decided, found: blocked } = await explained(harness, key, { corridor: 'GB-KE', amount: 600_000 })
    assert.equal(decided.decision, 'NO-GO')
    assert.match(blocked.summary, /There is no data for GB-KE, which is not a sign of risk/)
    assert.doesNotMatch(blocked.summary, /DEGRADED|would have|signal/)
  })
})

for (const engine of engines) {
  test(`a record of a cooldown names its source and shows its evidence, without counterfactuals (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const { decided: source, found: original } = await explained(harness, key, {
        corridor: 'GB-NG',
        amount: 1000.08,
      })
      harness.clock.advance(1_000)
      const { decided, found } = await explained(harness, key, { corridor: 'GB-NG', amount: 5 })
      assert.equal(decided.cooldown.source_request_id, source.request_id)
      assert.deepEqual(found.cooldown, { source_request_id: source.request_id })
      assert.equal(found.request_id, decided.request_id)
      assert.deepEqual(found.factors, original.factors)
      assert.deepEqual(found.counterfactuals, [])
      assert.equal(found.largest_go_amount, null)
      assert.ok(found.summary.includes(source.request_id))
      assert.equal(original.cooldown, undefined)
      assert.ok(original.counterfactuals.length > 0)
    })
  })
}
