/** Without a policy every answer of verify is what it was before there were policies, byte for byte, but for one member. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { stopAll, teamOn } from '../../helpers/policies.ts'

/** As the version before policies answered, one request after the other, a second apart. */
interface Recorded {
  readonly key: 'test' | 'live'
  readonly body: object
  readonly text: string
}

const file = new URL('../../fixtures/before-policies/answers.json', import.meta.url)
const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[]

/** Ids end with sixteen random digits. */
const withoutRandom = (text: string): string => text.replaceAll(/(SVC-2026-\w{10})\w{16}/g, '$1')

for (const engine of engines) {
  test(`${engine}: an answer without a policy differs from those of before in policy_version alone`, async () => {
    await withHarness({ engine, feeds: simulatedFeeds }, async (harness) => {
      const keys = {
        test: (await harness.issue()).key,
        live: (await harness.issue({ prefix: 'pk_live_' })).key,
      }
      const verdicts = new Set<string>()
      for (const { key, body, text: before } of recorded) {
        const { text, body: answer } = await harness.verify(keys[key], body)
        assert.equal(answer.policy_version, null)
        const [left, right, ...more] = text.split('"policy_version":null,')
        assert.deepEqual(more, [])
        assert.equal(withoutRandom(`${left}${right}`), withoutRandom(before))
        verdicts.add(`${answer.mode} ${answer.decision}`)
        harness.clock.advance(1_000)
      }
      assert.deepEqual([...verdicts].toSorted(), [
        'live DEGRADED',
        'live GO',
        'shadow DEGRADED',
        'shadow GO',
        'shadow NO-GO',
      ])
    })
  })
}

test('the policy of another owner, and one that was rolled back, leave the answer as it is without any', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const ask = async (): Promise<string> => {
      const { text } = await harness.verify(key, { corridor: 'GB-NG', amount: 100 })
      return withoutRandom(text)
    }
    const before = await ask()
    const other = await teamOn(harness)
    await other.putInForce(stopAll)
    assert.equal(await ask(), before)
    await other.rollBack()
    assert.equal(await ask(), before)
  })
})
