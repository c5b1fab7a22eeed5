/** An owner never sees another's policy: every route takes another's id for an unknown one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import {
  backtested,
  backtestUrl,
  decideOn,
  everything,
  installationOf,
  installInForce,
  policiesUrl,
  reviewAll,
  startBacktest,
  stopAll,
  teamOn,
} from '../../helpers/policies.ts'
import { post } from '../../helpers/post.ts'

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly payload?: object
}

/** Every route that names a policy or a backtest, with these ids. */
function requestsOf(policyId: string, backtestId: string): readonly Request[] {
  const url = `${policiesUrl}/${policyId}`
  return [
    { method: 'GET', url },
    { method: 'GET', url: `${url}/report` },
    { method: 'GET', url: `${url}/backtests` },
    { method: 'GET', url: backtestUrl(policyId, backtestId) },
    { method: 'DELETE', url: backtestUrl(policyId, backtestId) },
    { method: 'POST', url: `${url}/candidate` },
    { method: 'POST', url: `${url}/promote`, payload: { reason: 'Mine now.' } },
    { method: 'POST', url: `${url}/backtest`, payload: { ...everything } },
  ]
}

function askAs({ send }: Harness, key: string, request: Request): Promise<Answer> {
  return send({ ...request, headers: { authorization: `Bearer ${key}` } })
}

test('the requests above are all routes that name a policy', async () => {
  await withHarness({}, async ({ app }) => {
    const served = app.servedRoutes
      .filter(({ method, url }) => method !== 'HEAD' && url.startsWith(`${policiesUrl}/:policy_id`))
      .map(({ method, url }) => `${method} ${url}`)
    const asked = requestsOf(':policy_id', ':backtest_id').map(({ method, url }) => `${method} ${url}`)
    assert.deepEqual(served.toSorted(), asked.toSorted())
  })
})

const unknownPolicy = 'pol_00000000000000000000000000'
const unknownBacktest = 'bkt_00000000000000000000000000'

test("another owner's policies and backtests answer as unknown ids do, and are not changed", async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const { key: stranger } = await harness.issue()
    await decideOn(harness, team.author.key)
    const draft = await team.create(reviewAll)
    await team.makeCandidate(draft)
    const active = await team.putInForce(stopAll)
    const backtestId = await startBacktest(harness, team.author.key, draft, everything)
    const before = (await team.list()).text
    for (const [policyId, id] of [
      [draft, backtestId],
      [active, backtestId],
      [unknownPolicy, unknownBacktest],
    ] as const) {
      for (const request of requestsOf(policyId, id)) {
        const { status, body } = await askAs(harness, stranger, request)
        const { message, code } = body
        assert.deepEqual([status, code], [404, 'NOT_FOUND'], `${request.method} ${request.url}`)
        assert.equal(message, (await harness.get(stranger, `${policiesUrl}/${unknownPolicy}`)).body.message)
      }
    }
    const { body } = await harness.get(stranger, policiesUrl)
    assert.deepEqual(body, { policies: [], active: null, candidate: null, next_cursor: null })
    const rollback = await post(harness, `${policiesUrl}/rollback`, { reason: 'Mine.' }, { key: stranger })
    assert.equal(rollback.status, 409, 'there is nothing of their own')
    assert.equal((await team.list()).text, before)
  })
})

test('a backtest is found under its own policy alone', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const { key } = team.author
    const [first, second] = [await team.create(stopAll), await team.create(reviewAll)]
    const backtestId = await startBacktest(harness, key, first, everything)
    assert.equal((await harness.get(key, backtestUrl(first, backtestId))).status, 200)
    assert.equal((await harness.get(key, backtestUrl(second, backtestId))).status, 404)
    assert.deepEqual((await harness.get(key, `${policiesUrl}/${second}/backtests`)).body.backtests, [])
  })
})

test("a backtest reads the records of its policy's owner alone", async () => {
  await withHarness({}, async (harness) => {
    const [team, other] = [await teamOn(harness), await teamOn(harness)]
    for (let count = 0; count < 3; count += 1) await decideOn(harness, team.author.key)
    await decideOn(harness, other.author.key)
    const report = await backtested(harness, team.author.key, await team.create(stopAll))
    assert.deepEqual([report.records, report.flips], [3, { 'GO>NO-GO': 3 }])
    const theirs = await backtested(harness, other.author.key, await other.create(stopAll))
    assert.deepEqual([theirs.records, theirs.samples.length], [1, 1])
  })
})

test("the installation's policies act on an owner, who can name but not read them", async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const policyId = await installInForce(harness, stopAll)
    const { version, body } = await decideOn(harness, team.author.key)
    assert.deepEqual(version, { owner: null, installation: policyId })
    assert.deepEqual(body.reasons, [{ code: 'POLICY_RULE_APPLIED', message: 'all.' }])
    assert.deepEqual((await team.list()).body.policies, [])
    for (const request of requestsOf(policyId, unknownBacktest))
      assert.equal((await askAs(harness, team.author.key, request)).status, 404)
    assert.equal((await team.rollBack()).status, 409)
    assert.equal((await installationOf(harness).find(policyId))?.status, 'active')
  })
})

test("trying a document on another owner's decision is trying it on an unknown one", async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const { key: stranger } = await harness.issue()
    const { body } = await decideOn(harness, team.author.key)
    const tryOn = (key: string, id: string): Promise<Answer> =>
      post(harness, `${policiesUrl}/check?request_id=${id}`, stopAll, { key })
    assert.equal((await tryOn(stranger, body.request_id)).status, 404)
    assert.equal((await tryOn(team.author.key, 'SVC-2026-00000000000000000000000000')).status, 404)
    assert.equal((await tryOn(team.author.key, 'nothing')).status, 404)
    const own = await tryOn(team.approver.key, body.request_id)
    assert.deepEqual(own.body, {
      valid: true,
      errors: [],
      tried: { request_id: body.request_id, from: 'GO', to: 'NO-GO', fired: ['all'], decided: ['all'] },
    })
  })
})
