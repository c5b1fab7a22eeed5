/** Policies act on verify in both modes and on live ranking, and on nothing else: a policy that stops everything shows it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { withLive } from '../../helpers/peers/provider.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'
import { decideOn, installInForce, reviewAll, ruleOf, stopAll, teamOn } from '../../helpers/policies.ts'
import { post, postCsv } from '../../helpers/post.ts'

/** No cooldown, so that a verify does not change the next. */
const settings = { FAIRWAY_COOLDOWN_S: '0' }

test('verify is decided under the policy in both modes, and names it', async () => {
  await withHarness({ settings, feeds: simulatedFeeds }, async (harness) => {
    for (const prefix of ['pk_test_', 'pk_live_'] as const) {
      const team = await teamOn(harness, prefix)
      const { key } = team.author
      const free = await decideOn(harness, key)
      assert.deepEqual([free.decision, free.body.mode], ['GO', prefix === 'pk_test_' ? 'shadow' : 'live'])
      const id = await team.putInForce(stopAll)
      const { decision, version, body } = await decideOn(harness, key)
      assert.deepEqual([decision, version], ['NO-GO', { owner: id, installation: null }])
      assert.deepEqual(body.reasons, [{ code: 'POLICY_RULE_APPLIED', message: 'all.' }])
      assert.deepEqual([body.recommended_action, body.recommended_partner], ['BLOCK', null])
      assert.equal(body.score, free.body.score)
      await team.putInForce(reviewAll)
      const reviewed = (await decideOn(harness, key)).body
      assert.deepEqual([reviewed.decision, reviewed.recommended_action], ['DEGRADED', 'MANUAL_APPROVAL'])
      assert.equal(reviewed.recommended_partner, free.body.recommended_partner)
    }
  })
})

test('the policy of the installation acts on every owner, together with their own', async () => {
  await withHarness({ settings }, async (harness) => {
    const team = await teamOn(harness)
    const { key: stranger } = await harness.issue()
    const own = await team.putInForce(reviewAll)
    const installation = await installInForce(harness, stopAll)
    const both = await decideOn(harness, team.author.key)
    assert.deepEqual([both.decision, both.version], ['NO-GO', { owner: own, installation }])
    assert.deepEqual(
      both.body.reasons.map(({ message }: { message: string }) => message),
      ['look.', 'all.'],
    )
    assert.deepEqual(both.body.reason_codes, ['POLICY_RULE_APPLIED'])
    const other = await decideOn(harness, stranger)
    assert.deepEqual([other.decision, other.version], ['NO-GO', { owner: null, installation }])
  })
})

const ranking = { corridor: 'GB-KE', amount: 100, currency: 'GBP', partners: ['alpha', 'beta'] }
const rank = (harness: Harness, key: string, body: object = ranking): Promise<Answer> =>
  post(harness, '/api/v1/decision/compare', body, { key })

interface Row {
  readonly partner: string
  readonly decision: string
}

const rowsIn = ({ body }: Answer): string[] =>
  (body.ranked_partners as Row[]).map(({ partner, decision }) => `${partner} ${decision}`)

test('live ranking is decided under the policy, as live verify is', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
    const team = await teamOn(harness, 'pk_live_')
    const { key } = team.author
    const verified = async (): Promise<unknown[]> => {
      const { body } = await harness.verify(key, { corridor: 'GB-KE', amount: 100, currency: 'GBP' })
      return [body.decision, body.recommended_partner]
    }
    const before = await rank(harness, key)
    assert.deepEqual(rowsIn(before), ['beta GO', 'alpha GO'])
    await team.putInForce({ name: 'Not beta', rules: [ruleOf('beta', 'partner == "beta"')] })
    const ranked = await rank(harness, key)
    assert.deepEqual(rowsIn(ranked), ['alpha GO', 'beta NO-GO'])
    assert.equal(ranked.body.recommended_partner, 'alpha')
    assert.deepEqual(await verified(), ['GO', 'alpha'])
    await team.putInForce(stopAll)
    const stopped = await rank(harness, key)
    assert.deepEqual(rowsIn(stopped), ['beta NO-GO', 'alpha NO-GO'])
    assert.equal(stopped.body.recommended_partner, null)
    assert.deepEqual(await verified(), ['NO-GO', null])
    await team.rollBack()
    await team.rollBack()
    assert.equal((await rank(harness, key)).text, before.text)
  })
})

/** Members that differ between two answers to the same question. */
const withoutOwn = (text: string): string =>
  text
    .replaceAll(/"(?:report_id|request_id|response_ms|replay_id)":(?:"[^"]*"|[\d.]+)/g, '')
    .replaceAll(/(?:rep|SVC|DEMO)[-_][\w-]+/g, '')

const row = { corridor: 'GB-NG', amount: 100, currency: 'GBP' }

/** Everything that decides without being verify or live ranking. */
const others: Readonly<Record<string, (harness: Harness, key: string) => Promise<Answer>>> = {
  demo: (harness) => post(harness, '/api/v1/demo-verify', row),
  'comparison of the demo': (harness) => post(harness, '/api/v1/demo-compare', { payment: row }),
  batch: (harness, key) => post(harness, '/api/v1/batch-assess', { transactions: [row] }, { key }),
  'batch of CSV': (harness, key) =>
    postCsv(harness, '/api/v1/batch-assess', 'corridor,amount\nGB-NG,100\n', { key }),
  replay: (harness, key) => post(harness, '/api/v1/replay', row, { key }),
  'shadow ranking': (harness, key) =>
    rank(harness, key, { ...row, partners: ['sim-partner-alder', 'sim-partner-birch'] }),
}

for (const [name, ask] of Object.entries(others)) {
  test(`the ${name} stays the contract's under policies that stop everything`, async () => {
    await withHarness({ settings }, async (harness) => {
      const team = await teamOn(harness)
      const { key } = team.author
      const before = await ask(harness, key)
      assert.equal(before.status, 200, before.text)
      assert.match(before.text, /GO/)
      await team.putInForce(stopAll)
      const atMs = harness.clock.nowMs()
      await installInForce(harness, stopAll)
      harness.clock.setWall(atMs)
      assert.equal((await decideOn(harness, key)).decision, 'NO-GO')
      const after = await ask(harness, key)
      assert.equal(withoutOwn(after.text), withoutOwn(before.text))
      assert.doesNotMatch(after.text, /NO-GO|POLICY_RULE_APPLIED/)
    })
  })
}

/** Asks again on the same corridor: a repeat names its source. */
async function isRepeated(harness: Harness, key: string): Promise<boolean> {
  const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 7 })
  return body.cooldown !== undefined
}

test('a NO-GO that only rules caused opens no cooldown; one by score, cap or floor does', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    const cases: readonly [document: object, amount: number, opens: boolean][] = [
      [stopAll, 100, false],
      [stopAll, 60_000, false],
      [stopAll, 600_000, true],
      [{ name: 'Cap', caps: { GBP: { review_above: 10, block_above: 50 } } }, 100, true],
      [{ name: 'Floor', go_floor: 1, no_go_below: 1 }, 100, true],
      // The test amount of a failing payment: its score alone blocks.
      [stopAll, 1000.08, true],
    ]
    for (const prefix of ['pk_test_', 'pk_live_'] as const) {
      for (const [document, amount, opens] of cases) {
        if (prefix === 'pk_live_' && amount === 1000.08) continue
        const team = await teamOn(harness, prefix)
        await team.putInForce(document)
        const { key } = team.author
        const { decision, body } = await decideOn(harness, key, { amount })
        assert.equal(decision, 'NO-GO', body)
        assert.equal(await isRepeated(harness, key), opens, `${JSON.stringify(document)} ${amount}`)
      }
    }
  })
})

test('a cooldown repeat keeps the policies of its source, and ends with its window', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    const caps = { GBP: { review_above: 10, block_above: 50 } }
    const id = await team.putInForce({ name: 'Cap', caps })
    const source = await decideOn(harness, key)
    await team.rollBack()
    const repeat = await decideOn(harness, key, { amount: 1 })
    assert.equal(repeat.body.cooldown.source_request_id, source.body.request_id)
    assert.deepEqual([repeat.decision, repeat.version], ['NO-GO', { owner: id, installation: null }])
    harness.clock.advance(90_000)
    const free = await decideOn(harness, key)
    assert.deepEqual([free.decision, free.version], ['GO', null])
  })
})
