/** An old record stays decided and explained under its own policies, whatever is promoted or rolled back later. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import {
  backtested,
  decideOn,
  idle,
  installInForce,
  policiesUrl,
  reviewAll,
  ruleOf,
  stopAll,
  teamOn,
} from '../../helpers/policies.ts'
import { post } from '../../helpers/post.ts'

/** Everything that is said of a decision. The export is signed anew each time, so its contents are compared. */
async function saidOf(harness: Harness, key: string, id: string): Promise<unknown[]> {
  const urls = [
    `decision/${id}/explanation`,
    `decision/${id}/impact`,
    `decision/${id}/timeline`,
    `signals/${id}`,
  ]
  const said: unknown[] = []
  for (const url of [...urls, `audit/${id}`]) {
    const { status, text } = await harness.get(key, `/api/v1/${url}`)
    assert.equal(status, 200, text)
    said.push(text)
  }
  const { record, explanation, policies } = (await harness.get(key, `/api/v1/audit/export/${id}`)).body
  return [...said, record, explanation, policies]
}

for (const engine of engines) {
  test(`${engine}: what is said of a record stays the same through promotions and rollbacks`, async () => {
    await withHarness({ engine, feeds: simulatedFeeds }, async (harness) => {
      for (const prefix of ['pk_test_', 'pk_live_'] as const) {
        const team = await teamOn(harness, prefix)
        const { key } = team.author
        const made: string[] = []
        const decide = async (): Promise<void> =>
          void made.push((await decideOn(harness, key)).body.request_id)
        await decide()
        await team.putInForce({ ...stopAll, go_floor: 0.97 })
        await decide()
        await team.putInForce(reviewAll)
        await decide()
        const before = await Promise.all(made.map((id) => saidOf(harness, key, id)))
        const same = async (when: string): Promise<void> => {
          for (const [place, id] of made.entries())
            assert.deepEqual(await saidOf(harness, key, id), before[place], `${when}, record ${place}`)
        }
        await team.rollBack()
        await same('after a rollback')
        await team.putInForce({ name: 'Another', caps: { GBP: { review_above: 0, block_above: 1 } } })
        await same('after a promotion')
        for (let count = 0; count < 2; count += 1) await team.rollBack()
        await same('with none in force')
      }
    })
  })
}

test('a backtest decides records of any age again, each beside the policy of the installation that held then', async () => {
  await withHarness({ settings: { FAIRWAY_COOLDOWN_S: '0' } }, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    await decideOn(harness, key)
    await team.putInForce(reviewAll)
    await decideOn(harness, key)
    const house = { name: 'House', rules: [ruleOf('small', 'amount < 50.0')] }
    await installInForce(harness, house)
    // Stopped by the installation, whatever the owner's policy is.
    assert.equal((await decideOn(harness, key, { amount: 10 })).decision, 'NO-GO')
    await decideOn(harness, key)
    const report = await backtested(harness, key, await team.create(idle))
    assert.deepEqual(
      [report.records, report.unchanged, report.flips],
      [4, 2, { 'DEGRADED>GO': 2 }],
      'without the review two would go; the one that the installation stopped stays stopped',
    )
    const stop = await backtested(harness, key, await team.create(stopAll))
    assert.deepEqual(stop.flips, { 'DEGRADED>NO-GO': 2, 'GO>NO-GO': 1 })
    assert.deepEqual(stop.by_rule, [{ rule_id: 'all', fired: 4, decided: 3 }])
  })
})

test('a document is tried on a decision in place of the policy that the decision was made under', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    await team.putInForce(reviewAll)
    const { body } = await decideOn(harness, key)
    const tryOn = async (document: object): Promise<unknown> =>
      (await post(harness, `${policiesUrl}/check?request_id=${body.request_id}`, document, { key })).body
        .tried
    const shared = { request_id: body.request_id, from: 'DEGRADED' }
    assert.deepEqual(await tryOn(idle), { ...shared, to: 'GO', fired: [], decided: [] })
    assert.deepEqual(await tryOn(stopAll), { ...shared, to: 'NO-GO', fired: ['all'], decided: ['all'] })
    const both = { name: 'Both', rules: [...(stopAll.rules ?? []), ...(reviewAll.rules ?? [])] }
    assert.deepEqual(await tryOn(both), { ...shared, to: 'NO-GO', fired: ['all', 'look'], decided: ['all'] })
  })
})
