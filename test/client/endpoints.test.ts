/** Every endpoint of the contract is a method of the client; those that take two people work against the service. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as library from '../../client/src/index.ts'
import { FairwayClient, NotFoundError } from '../../client/src/index.ts'
import { clientMethods } from '../helpers/peers/client-methods.ts'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { startHarness, type Harness } from '../helpers/harness.ts'

let harness: Harness
let baseUrl: string

before(async () => {
  harness = await startHarness()
  baseUrl = await harness.app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => harness.close())

/** A second form of an operation, the history or the activity as one table; and the probe of an instance, which is no operation. */
const otherForms = ['exportVerifications', 'admin.exportActivity', 'ready']

/** Those of the administration are methods of `admin`, without that word. */
const methodOf = (path: string, operationId = ''): string =>
  path.startsWith('/api/v1/admin/')
    ? `admin.${operationId.replace(/^admin(.)/, (_all, letter: string) => letter.toLowerCase())}`
    : operationId

test('every operation of the contract is a method of the same name, and there is no other', () => {
  const paths = Object.entries(harness.app.swagger().paths ?? {}) as [
    string,
    Record<string, { operationId?: string }>,
  ][]
  const operations = paths.flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => methodOf(path, operationId)),
  )
  assert.deepEqual(clientMethods(), new Set([...operations, ...otherForms]))
})

/** Clients of two keys of one owner: two principals. */
async function twoPrincipals(): Promise<[FairwayClient, FairwayClient]> {
  const one = await harness.issue()
  const other = await harness.issue({ ownerId: one.record.ownerId })
  const clientOf = ({ key: apiKey }: { key: string }): FairwayClient =>
    new FairwayClient({ baseUrl, apiKey, maxRetries: 0, runtime: { fetch: checkedFetch } })
  return [clientOf(one), clientOf(other)]
}

test('each method: a policy, from its draft to its rollback, by two keys of one owner', async () => {
  const [own, other] = await twoPrincipals()
  const decided = await own.verify({ corridor: 'GB-NG', amount: 1000 })
  assert.ok(!decided.held)
  const rule = { id: 'all', when: 'amount > 1.0', then: 'NO-GO', message: 'None.' } as const
  const document = { name: 'None', rules: [rule] }
  const checked = await own.checkPolicy(document, { request_id: decided.request_id })
  assert.equal(checked.tried?.to, 'NO-GO')
  assert.ok((await own.policyVariables()).variables.length > 20)
  const { policy_id: id } = await own.createPolicy(document)
  assert.equal((await own.makePolicyCandidate(id)).status, 'candidate')
  assert.equal((await own.policyReport(id)).records, 0)
  const { backtest_id: backtestId } = await own.startBacktest(id, { from: '2026-01-01', to: '2027-01-01' })
  await harness.backtested()
  assert.deepEqual((await own.backtest(id, backtestId)).report?.flips, { 'GO>NO-GO': 1 })
  assert.equal((await own.backtests(id)).backtests.length, 1)
  await assert.rejects(own.cancelBacktest(id, backtestId), { name: 'ConflictError', code: 'POLICY_CONFLICT' })
  await assert.rejects(own.promotePolicy(id, { reason: 'Mine.' }), {
    name: 'PermissionError',
    code: 'FOUR_EYES',
  })
  assert.equal((await other.promotePolicy(id, { reason: 'Seen.' })).status, 'active')
  assert.deepEqual((await own.policies({ status: 'active' })).active, id)
  assert.deepEqual(await own.rollBackPolicy({ reason: 'Back.' }), { rolled_back: id, active: null })
  assert.equal((await own.policy(id)).status, 'retired')
})

async function decideBy(by: FairwayClient, amount: number): Promise<string> {
  const result = await by.verify({ corridor: 'GB-NG', amount, currency: 'GBP' })
  return result.held ? assert.fail('held') : result.request_id
}

test('each method: a review, from the queue to the approval, by two keys of one owner', async () => {
  const [own, other] = await twoPrincipals()
  const requestId = await decideBy(own, 60_000)
  const { items } = await own.reviews({ status: 'open' }).page()
  const [{ review_id: id, request_id: ofDecision } = assert.fail()] = items
  assert.equal(ofDecision, requestId)
  const summary = await own.reviewSummary({ mode: 'shadow' })
  assert.deepEqual([summary.waiting, summary.money], [1, [{ currency: 'GBP', amount: 60_000, reviews: 1 }]])
  assert.equal((await own.claimReview(id)).status, 'claimed')
  await assert.rejects(other.claimReview(id), { name: 'ConflictError', code: 'REVIEW_CONFLICT' })
  assert.equal((await own.releaseReview(id)).claimed_by, null)
  assert.equal((await other.commentReview(id, { text: 'Seen.' })).comments[0]?.text, 'Seen.')
  const proposal = { action: 'EXECUTE', reason_code: 'PAYEE_CALLED', justification: 'Called.' } as const
  await own.proposeReview(id, proposal)
  await assert.rejects(own.approveReview(id), { name: 'PermissionError', code: 'FOUR_EYES' })
  assert.equal((await other.rejectReview(id, { reason: 'Call again.' })).status, 'rejected')
  const { proposal: second } = await own.proposeReview(id, proposal)
  await assert.rejects(other.approveReview(id, { proposal_id: 'rvc_1' }), { code: 'REVIEW_CONFLICT' })
  const approved = await other.approveReview(id, {
    reason: 'Checked.',
    proposal_id: second?.proposal_id ?? '',
  })
  assert.equal(approved.status, 'approved')
  const { history } = await own.review(id)
  assert.deepEqual(
    history.map(({ kind }) => kind),
    ['opened', 'claimed', 'released', 'commented', 'proposed', 'rejected', 'proposed', 'approved'],
  )
  assert.equal((await own.audit(requestId)).human_override?.approval?.review_id, id)
  await assert.rejects(own.review('rev_01ka2b3c4d5e6f7g8h9j0k1m2n'), NotFoundError)
})

test('the queue of reviews is walked whole, oldest due first, page by page', async () => {
  const [own] = await twoPrincipals()
  const made: string[] = []
  for (let amount = 60_001; amount <= 60_007; amount += 1) {
    made.push(await decideBy(own, amount))
    harness.clock.advance(1000)
  }
  const walked: string[] = []
  for await (const review of own.reviews({ status: 'open,claimed', limit: 3 })) walked.push(review.request_id)
  assert.deepEqual(walked, made)
  const sizes: number[] = []
  for await (const page of own.reviews({ limit: 3 }).pages()) sizes.push(page.length)
  assert.deepEqual(sizes, [3, 3, 1])
  for await (const review of own.reviews({ status: 'approved' })) assert.fail(review.review_id)
  await assert.rejects(own.reviews({ status: 'old' }).page(), library.InvalidRequestError)
})

test('holds are counted by reason, although they leave no decision', async () => {
  const [own] = await twoPrincipals()
  assert.equal((await own.holds()).requests, 0)
  const held = await own.verify({ corridor: 'GB-NG', amount: 1000.09, currency: 'GBP' })
  assert.ok(held.held)
  const { requests, held_now: now, holds } = await own.holds({ hours: 1, mode: 'shadow' })
  assert.deepEqual([requests, now], [1, 1])
  assert.deepEqual(
    holds.map(({ corridor, reason, unavailable_signals: signals }) => [corridor, reason, signals]),
    [['GB-NG', 'SIGNALS_UNAVAILABLE', held.unavailableSignals]],
  )
})
