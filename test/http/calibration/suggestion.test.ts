/** The suggestion of calibration: a policy that can be created and backtested as it is, and only stops more. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdicts } from '../../../src/core/assess/report.ts'
import { isStricter } from '../../../src/core/decision/tightening.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { calibrationOf } from '../../helpers/calibration-books.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'
import { backtested, ruleOf, teamOn } from '../../helpers/policies.ts'

const settings = { FAIRWAY_LIMIT_KEYED: '1000000/60', FAIRWAY_COOLDOWN_S: '0' }

/** Amounts over all steps, some of which the test amounts make worse; half of the payments fail, or none of them. */
async function send(harness: Harness, key: string, corridor: string, isBad: boolean): Promise<void> {
  for (let place = 0; place < 60; place += 1) {
    const amount = [3, 70, 900.01, 4_000, 45_000, 60_000][place % 6]
    const { body } = await harness.verify(key, { corridor, amount })
    const outcome = isBad && place % 2 === 0 ? 'FAILED' : 'COMPLETED'
    assert.equal((await report(harness, key, body.request_id, { outcome })).status, 200)
  }
}

function assertOnlyTightens(flips: Readonly<Record<string, number>>): void {
  for (const flip of Object.keys(flips)) {
    const [was, is] = flip.split('>')
    assert.ok(verdicts.includes(was as Verdict) && verdicts.includes(is as Verdict), flip)
    assert.ok(isStricter(is as Verdict, was as Verdict), flip)
  }
}

for (const engine of engines) {
  test(`a suggestion is created as it is, its backtest only stops more, and in force it is not suggested again (${engine})`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const team = await teamOn(harness)
      const { key } = team.author
      const none = await calibrationOf(harness, key)
      assert.deepEqual(
        [none.suggestion, none.suggestion_reason],
        [null, '0 GO or DEGRADED payments with a final outcome: at least 20 are needed.'],
      )
      await send(harness, key, 'GB-NG', true)
      const { suggestion, suggestion_reason: reason } = await calibrationOf(harness, key)
      assert.match(reason, /^DEGRADED /)
      const policyId = await team.create(suggestion)
      const { flips, records } = await backtested(harness, key, policyId)
      assert.equal(records, 60)
      assert.ok(Object.keys(flips).length > 0, reason)
      assertOnlyTightens(flips)

      assert.equal((await team.promote(policyId)).status, 200)
      const { suggestion: next } = await calibrationOf(harness, key)
      assert.notDeepEqual(next, suggestion)
      if (next === null) return
      const nextId = await team.create(next)
      assertOnlyTightens((await backtested(harness, key, nextId)).flips)
    })
  })
}

test('a policy in force whose rules have no step left gets no suggestion that could not be created', async () => {
  await withHarness({ settings }, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    // 199 steps each, and 7: three are left of 2,000.
    const ofTerms = (terms: number): string => Array.from({ length: terms }, () => 'score > 2.0').join(' || ')
    const rules = [...Array.from({ length: 10 }, () => 50), 2].map((terms, place) =>
      ruleOf(`rule-${place}`, ofTerms(terms)),
    )
    await team.putInForce({ name: 'Long', rules })
    await send(harness, key, 'GB-NG', true)
    const { suggestion, suggestion_reason: reason } = await calibrationOf(harness, key, '?corridor=GB-NG')
    assert.deepEqual(
      [suggestion, reason],
      [null, 'A rule is supported, but the policy in force has no room for another.'],
    )
    const whole = await calibrationOf(harness, key)
    assert.deepEqual(whole.suggestion?.rules ?? rules, rules, 'floors and caps take no steps')
  })
})

test('a suggestion for one corridor leaves the others as they are, and keeps all of the policy in force', async () => {
  await withHarness({ settings }, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    const active = {
      name: 'Ours',
      require_amount: true,
      caps: { GBP: { review_above: 48_000, block_above: 400_000 } },
      rules: [ruleOf('huge', 'amount > 300000.0')],
    }
    await team.putInForce(active)
    await send(harness, key, 'GB-NG', true)
    await send(harness, key, 'NG-GB', false)
    const healthy = await calibrationOf(harness, key, '?corridor=NG-GB')
    assert.equal(healthy.suggestion, null)
    assert.match(healthy.suggestion_reason, /^No further change is supported/)
    const { suggestion } = await calibrationOf(harness, key, '?corridor=GB-NG')
    const { rules, ...rest } = suggestion
    const { rules: kept, ...before } = active
    assert.deepEqual(rest, { ...before, name: 'Ours, tightened' })
    assert.deepEqual(rules.slice(0, 1), kept)
    assert.ok(rules.length > 1)
    const policyId = await team.create(suggestion)
    const { by_corridor: byCorridor } = await backtested(harness, key, policyId)
    const flipped = (byCorridor as { corridor: string; flips: object }[]).flatMap(({ corridor, flips }) =>
      Object.keys(flips).length > 0 ? [corridor] : [],
    )
    assert.deepEqual(flipped, ['GB-NG'])
  })
})
