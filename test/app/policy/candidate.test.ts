/** The report of a candidate: every new decision once, so that it equals the backtest of the same stretch in every figure. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { actsBy } from '../../../src/app/operate/acts.ts'
import { createFollowCandidates } from '../../../src/app/policy/candidate.ts'
import { createPolicyLibrary } from '../../../src/app/policy/library.ts'
import type { PolicyStore } from '../../../src/app/ports/policies.ts'
import { formatRequestId, type RequestId } from '../../../src/core/identity/request-id.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { report as reportOutcome } from '../../helpers/outcomes.ts'
import {
  backtested,
  decideOn,
  idle,
  installationOf,
  policiesOf,
  policiesUrl,
  reviewAll,
  stopAll,
  teamOn,
  type Team,
} from '../../helpers/policies.ts'
import { backtestOf, planted, sendTraffic, stepsOf } from '../../helpers/policy-traffic.ts'

const options = { feeds: simulatedFeeds, settings: { FAIRWAY_LIMIT_KEYED: '1000000/60' } }

const reportUrl = (policyId: string): string => `${policiesUrl}/${policyId}/report`

async function candidateReport(
  harness: Harness,
  { author }: Team,
  policyId: string,
): Promise<Answer['body']> {
  const { status, body, text } = await harness.get(author.key, reportUrl(policyId))
  assert.equal(status, 200, text)
  return body
}

/** Holds every figure against the backtest from the same moment until now. */
async function assertEqualsBacktest(harness: Harness, team: Team, policyId: string): Promise<Answer['body']> {
  const { since, until, ...figures } = await candidateReport(harness, team, policyId)
  const to = until ?? new Date(harness.clock.nowMs() + 60_000).toISOString()
  assert.deepEqual(figures, await backtested(harness, team.author.key, policyId, { from: since, to }))
  return figures
}

/** A key of each mode for this team, and one of another owner. */
async function keysOf(harness: Harness, { author, ownerId }: Team): Promise<string[]> {
  const live = await harness.issue({ prefix: 'pk_live_', ownerId })
  const stranger = await harness.issue()
  return [author.key, author.key, live.key, stranger.key]
}

for (const engine of engines) {
  test(`${engine}: the report of a candidate equals the backtest of its stretch, in every figure`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const team = await teamOn(harness)
      const keys = await keysOf(harness, team)
      await sendTraffic([harness], keys, stepsOf(15, 1))
      await team.putInForce(reviewAll)
      await sendTraffic([harness], keys, stepsOf(10, 2))
      const policyId = await team.create(planted)
      await team.makeCandidate(policyId)
      await sendTraffic([harness], keys, stepsOf(40, 3))
      await assertEqualsBacktest(harness, team, policyId)
      await team.rollBack()
      await sendTraffic([harness], keys, stepsOf(60, 4))
      const figures = await assertEqualsBacktest(harness, team, policyId)
      assert.ok(figures.records > 60 && figures.unchanged < figures.records, JSON.stringify(figures))
      assert.ok(Object.keys(figures.flips).length >= 4, JSON.stringify(figures.flips))
      for (const { rule_id: id, fired } of figures.by_rule) assert.ok(fired > 0, id)
      const { newly_stopped: outcomes } = figures.outcomes
      assert.ok(outcomes.COMPLETED + outcomes.FAILED > 0 && outcomes.unreported > 0, JSON.stringify(outcomes))
    })
  })

  test(`${engine}: the report of a candidate that has ended is the backtest of its stretch`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const team = await teamOn(harness)
      const keys = await keysOf(harness, team)
      const [first, second] = [await team.create(planted), await team.create(reviewAll)]
      await team.makeCandidate(first)
      // Nobody has read the report when it ends, and nothing is followed by itself.
      await sendTraffic([harness], keys, stepsOf(30, 8))
      await team.makeCandidate(second)
      await sendTraffic([harness], keys, stepsOf(10, 9))
      const own = policiesOf(harness, team.ownerId)
      const { sinceMs, untilMs, report } = (await own.report(first)) ?? assert.fail('no report')
      const range = { fromMs: sinceMs, toMs: untilMs ?? assert.fail('it has not ended'), mode: null }
      assert.deepEqual(report, await backtestOf(harness, own, first, range))
      assert.ok(report.records > 0)
    })
  })

  test(`${engine}: a candidate of the installation is evaluated on the decisions of all owners`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const [team, other] = [await teamOn(harness), await teamOn(harness)]
      const keys = [team.author.key, other.author.key]
      await sendTraffic([harness], keys, stepsOf(5, 5))
      await team.putInForce(reviewAll)
      const own = installationOf(harness)
      const created = await own.create(planted, own.by, 'CHANGE-2')
      const { policyId } = created.kind === 'created' ? created.policy : assert.fail(created.kind)
      harness.clock.advance(1)
      await own.candidate(policyId, own.by)
      await sendTraffic([harness], keys, stepsOf(40, 6))
      const { sinceMs, report } = (await own.report(policyId)) ?? assert.fail('no report')
      const range = { fromMs: sinceMs, toMs: harness.clock.nowMs() + 60_000, mode: null }
      assert.deepEqual(report, await backtestOf(harness, own, policyId, range))
      assert.equal(report.records, 40)
    })
  })
}

test('two instances that follow at once count every decision and outcome once', async () => {
  await withHarness({ engine: 'postgres', ...options }, async (harness) => {
    const sibling = await harness.sibling()
    try {
      const team = await teamOn(harness)
      const keys = await keysOf(harness, team)
      const policyId = await team.create(planted)
      await team.makeCandidate(policyId)
      const work = { isGoingOn: true }
      const follow = async ({ journal }: Harness): Promise<void> => {
        while (work.isGoingOn) await journal.passed('policies')
      }
      const followers = [harness, sibling, harness, sibling].map(follow)
      await sendTraffic([harness, sibling], keys, stepsOf(60, 7))
      work.isGoingOn = false
      await Promise.all(followers)
      await assertEqualsBacktest(sibling, team, policyId)
    } finally {
      await sibling.close()
    }
  })
})

/** A follower on this store, some of whose calls a test changes. */
function followerOn({ store, journal, clock }: Harness, change: Partial<PolicyStore>): () => Promise<void> {
  const policies = { ...store.policies, ...change }
  const follow = createFollowCandidates({ store: policies, library: createPolicyLibrary(policies), clock })
  return async () => {
    await journal.sequenced()
    await follow((await store.journal.state()).sequenced, () => false)
  }
}

for (const engine of engines) {
  test(`${engine}: a follower that fails before or after its commit counts nothing twice and skips nothing`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const team = await teamOn(harness)
      const { policies } = harness.store
      const policyId = await team.create(planted)
      await team.makeCandidate(policyId)
      const failing = (isAfter: boolean) =>
        followerOn(harness, {
          async followed(...values) {
            if (isAfter) await policies.followed(...values)
            throw new Error('cut off')
          },
        })
      for (const isAfter of [false, true, false]) {
        await sendTraffic([harness], [team.author.key], stepsOf(12, isAfter ? 8 : 9))
        await assert.rejects(failing(isAfter)(), /cut off/)
      }
      await assertEqualsBacktest(harness, team, policyId)
    })
  })

  test(`${engine}: a follower that is overtaken goes on until everything is in the report`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const team = await teamOn(harness)
      const { policies } = harness.store
      const policyId = await team.create(planted)
      await team.makeCandidate(policyId)
      await decideOn(harness, team.author.key)
      await harness.journal.sequenced()
      let turns = 0
      const follow = followerOn(harness, {
        async entries(owners) {
          turns += 1
          if (turns > 1) return policies.entries(owners)
          // Another instance saw less, and commits it while this one decides.
          const first = await policies.entries(owners)
          await decideOn(harness, team.author.key)
          await harness.journal.sequenced()
          const seen = await policies.entries(owners)
          const endedAfterMs = harness.clock.nowMs()
          const candidates = await policies.candidates(endedAfterMs)
          const reports = candidates.map(({ policyId: id, sinceMs, untilMs }) => ({
            policyId: id,
            sinceMs,
            untilMs,
            sums: null,
          }))
          assert.ok(await policies.followed(first.from, first.from + 1, endedAfterMs, reports))
          return seen
        },
      })
      await follow()
      const { sequenced, positions } = await harness.store.journal.state()
      assert.equal(positions.find(({ name }) => name === 'policies')?.position, sequenced)
      assert.ok(turns >= 2)
    })
  })

  test(`${engine}: a follower adds to what another instance has followed since it began`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const team = await teamOn(harness)
      const { policies } = harness.store
      const policyId = await team.create(planted)
      await team.makeCandidate(policyId)
      await decideOn(harness, team.author.key)
      let isOvertaken = false
      const follow = followerOn(harness, {
        async entries(owners) {
          if (!isOvertaken) {
            isOvertaken = true
            await followerOn(harness, {})()
            await decideOn(harness, team.author.key)
            await harness.journal.sequenced()
          }
          return policies.entries(owners)
        },
      })
      await follow()
      assert.equal((await assertEqualsBacktest(harness, team, policyId)).records, 2)
    })
  })

  test(`${engine}: a candidate that begins while a follower runs misses no decision`, async () => {
    await withHarness({ engine, ...options }, async (harness) => {
      const team = await teamOn(harness)
      const { policies } = harness.store
      const [first, second] = [await team.create(planted), await team.create(stopAll)]
      /** Makes the change, and decides a payment, after the follower has read the candidates, or before it commits. */
      const during = (when: 'candidates' | 'followed', change: () => Promise<unknown>) => {
        let isDone = false
        const once = async (): Promise<void> => {
          if (isDone) return
          isDone = true
          await change()
          await decideOn(harness, team.author.key)
          await harness.journal.sequenced()
        }
        return followerOn(harness, {
          async candidates(endedAfterMs) {
            const found = await policies.candidates(endedAfterMs)
            if (when === 'candidates') await once()
            return found
          },
          async followed(...values) {
            if (when === 'followed') await once()
            return policies.followed(...values)
          },
        })
      }
      await decideOn(harness, team.author.key)
      harness.clock.advance(1)
      await during('candidates', () => team.makeCandidate(first))()
      assert.equal((await assertEqualsBacktest(harness, team, first)).records, 1)
      // Replaced and made the candidate again: what was counted before is of the past.
      for (const when of ['candidates', 'followed'] as const) {
        await decideOn(harness, team.author.key)
        const again = async (): Promise<void> => {
          await policies.change({ ...changeBy(team), policyId: second }, actOf(harness))
          harness.clock.advance(1)
          await policies.change(
            { ...changeBy(team), policyId: first, atMs: harness.clock.nowMs() },
            actOf(harness),
          )
        }
        await during(when, again)()
        assert.equal((await assertEqualsBacktest(harness, team, first)).records, 1, when)
      }
    })
  })
}

/** A change past the use case, which would bring the reports up to date first. */
function changeBy({ author, ownerId }: Team) {
  const { keyId: id, principalId } = author.record
  const by = { kind: 'key', id, name: 'author', principalId } as const
  return { ownerId, kind: 'candidate', by, reason: null, atMs: 0 } as const
}

function actOf({ clock }: Harness) {
  return actsBy('author', { clock, random })({ kind: 'policy.candidate', subject: '', detail: {} })
}

test('a decision made before a candidate and committed after it does not count, nor does its outcome', async () => {
  await withHarness(options, async (harness) => {
    const { store, clock } = harness
    const team = await teamOn(harness)
    const { key } = team.author
    const made = (await decideOn(harness, key)).body
    clock.advance(1_000)
    const policyId = await team.create(stopAll)
    await team.makeCandidate(policyId)
    const found = await store.forOwner(team.ownerId).find(made.request_id as RequestId)
    const record = found ?? assert.fail('no record')
    const atMs = clock.nowMs() - 1
    const late = { ...record, requestId: formatRequestId(atMs, Buffer.alloc(10, 7)), recordedAtMs: atMs }
    const rollup = { reasonCodes: [], latencyUs: null }
    await store.commit({ record: late, idempotency: null, block: null, rollup })
    for (const id of [late.requestId, made.request_id])
      assert.equal((await reportOutcome(harness, key, id, { outcome: 'FAILED' })).status, 200)
    assert.equal((await assertEqualsBacktest(harness, team, policyId)).records, 0)
    await decideOn(harness, key)
    const { records, outcomes } = await assertEqualsBacktest(harness, team, policyId)
    assert.deepEqual([records, outcomes.newly_stopped.unreported], [1, 1])
    assert.equal((await rowsOf(harness.databaseUrl, 'SELECT 1 FROM verifications')).length, 3)
  })
})

test('a record of a clock that runs ahead is not in the stretch of a candidate that began after it', async () => {
  await withHarness(options, async (harness) => {
    const { clock } = harness
    const team = await teamOn(harness)
    clock.setWall(clock.nowMs() + 1_500)
    await decideOn(harness, team.author.key)
    clock.setWall(clock.nowMs() - 1_500)
    const policyId = await team.create(stopAll)
    await team.makeCandidate(policyId)
    assert.equal((await assertEqualsBacktest(harness, team, policyId)).records, 0)
    clock.advance(5_000)
    await decideOn(harness, team.author.key)
    assert.equal((await assertEqualsBacktest(harness, team, policyId)).records, 1)
  })
})

test('the report of a candidate ends with it, and has everything that was decided before its end', async () => {
  await withHarness(options, async (harness) => {
    const { clock } = harness
    const team = await teamOn(harness)
    const { key } = team.author
    const [first, second] = [await team.create(stopAll), await team.create(idle)]
    await team.makeCandidate(first)
    await decideOn(harness, key)
    clock.advance(1_000)
    // Nobody has asked for the report, and no follower has run by itself.
    await team.makeCandidate(second)
    await decideOn(harness, key)
    const ended = await candidateReport(harness, team, first)
    assert.deepEqual([ended.records, ended.until], [1, new Date(clock.nowMs()).toISOString()])
    await assertEqualsBacktest(harness, team, first)
    clock.advance(1_000)
    await team.promote(second)
    await decideOn(harness, key)
    const promoted = await candidateReport(harness, team, second)
    assert.deepEqual([promoted.records, promoted.until !== null], [1, true])
    await assertEqualsBacktest(harness, team, second)
    await team.makeCandidate(first)
    const again = await candidateReport(harness, team, first)
    assert.deepEqual([again.records, again.until], [0, null], 'a candidate again begins anew')
  })
})

test('a candidate changes no decision', async () => {
  await withHarness(options, async (harness) => {
    const team = await teamOn(harness)
    const ask = async (): Promise<string> => {
      const { text } = await harness.verify(team.author.key, { corridor: 'GB-NG', amount: 100 })
      return text.replace(/SVC-2026-\w+/, '')
    }
    const before = await ask()
    await team.makeCandidate(await team.create(stopAll))
    assert.equal(await ask(), before)
    await harness.journal.passed('policies')
    assert.equal(await ask(), before)
  })
})
