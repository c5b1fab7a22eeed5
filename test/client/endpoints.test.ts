/** Every endpoint of the contract is a method of the client, and each works against the service itself. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import * as library from '../../client/src/index.ts'
import { FairwayClient, NotFoundError, type Verification } from '../../client/src/index.ts'
import { clientMethods } from '../helpers/peers/client-methods.ts'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { startHarness, type Harness } from '../helpers/harness.ts'
import { openTestReceiver } from '../helpers/peers/receiver.ts'
import { trial } from '../helpers/webhooks.ts'

let harness: Harness
let client: FairwayClient
let open: FairwayClient

before(async () => {
  harness = await startHarness({ settings: { ...trial, FAIRWAY_LIMIT_ACCESS: '100/60' } })
  const baseUrl = await harness.app.listen({ host: '127.0.0.1', port: 0 })
  const { key: apiKey } = await harness.issue()
  const runtime = { fetch: checkedFetch }
  client = new FairwayClient({ baseUrl, apiKey, maxRetries: 0, runtime })
  open = new FairwayClient({ baseUrl, maxRetries: 0, runtime })
})
after(() => harness.close())

async function decide(amount: number): Promise<string> {
  const result = await client.verify({ corridor: 'NG-GB', amount })
  assert.ok(!result.held)
  return result.request_id
}

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

test('each method: verify and what looks into its decision', async () => {
  const id = await decide(2000)
  assert.equal((await client.audit(id)).request_id, id)
  assert.equal((await client.decisionFile(id)).audit?.request_id, id)
  assert.equal((await client.search(id)).results[0]?.request_id, id)
  assert.ok((await client.events({ limit: 1000 }).page()).events.some(({ subject }) => subject === id))
  assert.equal((await client.explainDecision(id)).factors.length, 7)
  assert.equal((await client.decisionImpact(id)).request_id, id)
  assert.equal((await client.decisionTimeline(id)).events.length, 10)
  assert.equal((await client.signalProvenance(id)).signals.length, 7)
  assert.equal((await client.reportOutcome(id, { outcome: 'COMPLETED' })).outcome, 'COMPLETED')
  assert.equal((await client.exportAudit(id)).record.request_id, id)
  const csv = await client.exportAudit(id, { format: 'csv' })
  assert.match(csv, new RegExp(id))
})

test('each method: reportOutcomes takes rows and CSV, checks them first, and calibration counts them', async () => {
  const { key: apiKey } = await harness.issue()
  const mine = new FairwayClient({ baseUrl: client.baseUrl, apiKey, runtime: { fetch: checkedFetch } })
  const ids: string[] = []
  for (const amount of [10, 20]) {
    const result = await mine.verify({ corridor: 'NG-GB', amount })
    assert.ok(!result.held)
    ids.push(result.request_id)
  }
  const [first = '', second = ''] = ids
  const rows = [{ request_id: first, outcome: 'FAILED' }] as const
  const { warnings, ...checked } = await mine.reportOutcomes(rows, { dryRun: true })
  assert.deepEqual(checked, { dry_run: true, recorded: 1, unchanged: 0, request_ids: [first] })
  assert.deepEqual(warnings, [])
  assert.equal((await mine.calibration()).with_outcome, 0)
  assert.equal((await mine.reportOutcomes(rows)).recorded, 1)
  const csv = `request_id,outcome\n${first},FAILED\n${second},COMPLETED\n`
  const reported = await mine.reportOutcomes(csv)
  assert.deepEqual([reported.recorded, reported.unchanged], [1, 1])
  const calibration = await mine.calibration({ mode: 'shadow', corridor: 'NG-GB' })
  assert.deepEqual([calibration.with_outcome, calibration.failures], [2, 1])
  const refused = mine.reportOutcomes(csv.replace('FAILED', 'COMPLETED').replace(second, 'SVC-1'))
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof library.InvalidRequestError)
    assert.deepEqual(
      error.errors.map(({ row, column, line }) => [row, column, line]),
      [
        [1, 'outcome', 2],
        [2, 'request_id', 3],
      ],
    )
    return true
  })
  const other = mine.reportOutcomes([{ request_id: first, outcome: 'COMPLETED' }])
  await assert.rejects(other, { name: 'ConflictError', code: 'OUTCOME_EXISTS' })
})

test('each method: verify takes a mode, and says what a key may not do', async () => {
  const result = await client.verify({ corridor: 'NG-GB' }, { mode: 'shadow' })
  assert.ok(!result.held && result.mode === 'shadow')
  await assert.rejects(client.verify({ corridor: 'NG-GB' }, { mode: 'live' }), library.PermissionError)
})

test('each method: override', async () => {
  const request_id = await decide(60_000)
  const body = {
    request_id,
    action: 'EXECUTE',
    reason_code: 'COMPLIANCE_APPROVED',
    justification: 'Seen.',
  } as const
  const made = await client.override(body)
  assert.equal(made.action, 'EXECUTE')
  assert.deepEqual(await client.override(body), made, 'the same override again is no conflict')
  await assert.rejects(client.override({ ...body, action: 'REJECT' }), library.ConflictError)
  const allowed = { ...body, request_id: await decide(10) }
  await assert.rejects(client.override(allowed), library.UnprocessableError)
})

test('each method: comparePartners, replay, corridorHealth and organisationSettings', async () => {
  const partners = ['sim-partner-alder', 'sim-partner-birch']
  assert.equal((await client.comparePartners({ corridor: 'GB-NG', partners })).partner_count, 2)
  assert.equal((await client.replay({ corridor: 'GB-NG', amount: 1 })).corridor, 'GB-NG')
  assert.deepEqual(
    (await client.corridors()).corridors.map(({ corridor }) => corridor),
    ['GB-NG', 'NG-GB'],
  )
  assert.deepEqual((await client.liveFeeds()).feeds, [])
  await assert.rejects(client.corridorCalendar('GB-NG'), NotFoundError)
  assert.equal((await client.corridorHealth('GB-NG')).amount, null)
  assert.equal((await client.corridorHealth('GB-NG', { amount: 85_000 })).amount, 85_000)
  assert.ok((await client.organisationSettings()).corridors.permitted.includes('GB-NG'))
})

test('each method: batchAssess takes JSON and CSV and gives either', async () => {
  const transactions = [{ corridor: 'GB-NG', amount: 1000 }, { corridor: 'NG-GB' }]
  assert.equal((await client.batchAssess({ transactions })).transaction_count, 2)
  const report = await client.batchAssess('corridor,amount\nGB-NG,1000\n', { reportName: 'March & April' })
  assert.equal(report.report_name, 'March & April')
  const csv = await client.batchAssess({ transactions }, { format: 'csv' })
  assert.equal(csv.trim().split('\n').length, 3)
})

test('each method: kept reports, from keeping to deletion', async () => {
  const csv = 'corridor,amount\nGB-NG,1000\n'
  const { report_id: id } = await client.keepBatchReport(csv, { reportName: 'March & April' })
  assert.deepEqual(
    (await client.batchReports()).reports.map((one) => [one.report_id, one.report_name]),
    [[id, 'March & April']],
  )
  assert.equal((await client.batchReport(id)).report.transaction_count, 1)
  assert.match(await client.batchReport(id, { format: 'csv' }), /^index,transaction_id/)
  assert.match(await client.batchReport(id, { format: 'html' }), /^<!doctype html>/)
  assert.equal((await client.removeBatchReport(id)).status, 'deleted')
  await assert.rejects(client.batchReport(id), NotFoundError)
})

test('each method: the webhooks, from registration to removal', async () => {
  const receiver = await openTestReceiver()
  try {
    const { webhook_id: id, secret } = await client.registerWebhook({ url: receiver.url })
    assert.match(secret, /^whsec_/)
    assert.deepEqual(
      (await client.webhooks()).map((one) => one.webhook_id),
      [id],
    )
    assert.equal((await client.webhook(id)).url, receiver.url)
    assert.notEqual((await client.rotateWebhookSecret(id)).secret, secret)
    assert.equal((await client.testWebhook(id)).status, 'pending')
    await client.testWebhook(id)
    const { items, nextCursor } = await client.webhookDeliveries(id, { limit: 1 }).page()
    assert.equal(items.length, 1)
    assert.notEqual(nextCursor, null)
    const walked: string[] = []
    for await (const { event_id: eventId } of client.webhookDeliveries(id, { limit: 1 })) walked.push(eventId)
    assert.equal(new Set(walked).size, 2)
    assert.equal((await client.removeWebhook(id)).status, 'deleted')
    await assert.rejects(client.webhook(id), NotFoundError)
  } finally {
    await receiver.close()
  }
})

/** Clients of two keys of one owner: two principals. */
async function twoPrincipals(): Promise<[FairwayClient, FairwayClient]> {
  const one = await harness.issue()
  const other = await harness.issue({ ownerId: one.record.ownerId })
  const clientOf = ({ key: apiKey }: { key: string }): FairwayClient =>
    new FairwayClient({ baseUrl: client.baseUrl, apiKey, maxRetries: 0, runtime: { fetch: checkedFetch } })
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

test('each method: the public ones, without a key', async () => {
  assert.equal((await open.health()).status, 'healthy')
  assert.equal((await open.demoVerify()).corridor, 'GB-NG')
  assert.equal((await open.demoCompare({ payment: { amount: 85_000 } })).divergence.profiles_agree, false)
  assert.equal((await open.methodology()).signals.length, 7)
  assert.equal((await open.readiness()).checklist.length, 16)
  assert.equal((await open.signalStatus()).environment, 'sandbox')
  assert.equal((await open.cipStatus()).phase, 0)
  const { status, followers } = await open.ready()
  assert.equal(status, 'ready')
  for (const { name, lag_entries: entries, lag_seconds: seconds, failing } of followers) {
    assert.match(name, /^(?:calibration|events|log|policies|reviews|totals|webhooks)$/)
    assert.ok(entries >= 0 && seconds >= 0 && !failing, name)
  }
  assert.equal(followers.length, 7)
  const asked = {
    name: 'Payments team',
    email: 'payments@example.com',
    reason: 'To try it.',
    recaptcha_token: 'any',
  }
  assert.match((await open.requestAccess(asked)).sandbox_key, /^svc-sandbox-/)
})

test('each method: one that needs a key says so before anything is sent', async () => {
  await assert.rejects(open.verify({ corridor: 'GB-NG' }), {
    name: 'TypeError',
    message: /API key/,
  })
})

describe('the history', () => {
  test('is walked whole, newest first, each decision once, page by page', async () => {
    const { key: apiKey } = await harness.issue()
    const mine = new FairwayClient({ baseUrl: client.baseUrl, apiKey })
    const made: string[] = []
    for (let amount = 1; amount <= 7; amount += 1) {
      const result = await mine.verify({ corridor: 'GB-NG', amount })
      if (!result.held) made.push(result.request_id)
      harness.clock.advance(1000)
    }
    const walked: Verification[] = []
    for await (const one of mine.verifications({ limit: 3 })) walked.push(one)
    assert.deepEqual(
      walked.map((one) => one.request_id),
      made.toReversed(),
    )
    const sizes: number[] = []
    for await (const page of mine.verifications({ limit: 3 }).pages()) sizes.push(page.length)
    assert.deepEqual(sizes, [3, 3, 1])
    const first = await mine.verifications({ limit: 3 }).page()
    const second = await mine.verifications({ limit: 3, cursor: first.nextCursor ?? '' }).page()
    assert.equal(second.items[0]?.request_id, made[3])
    for await (const one of mine.verifications({ decision: 'NO-GO' })) assert.fail(one.request_id)
  })

  test('can be left in the middle', async () => {
    for await (const one of client.verifications({ limit: 1 })) {
      assert.ok(one.request_id)
      break
    }
  })
})

describe('the history as a whole', () => {
  test('is exported as one table with one header, however many pages it has', async () => {
    const { key: apiKey } = await harness.issue()
    const runtime = { fetch: checkedFetch }
    const mine = new FairwayClient({ baseUrl: client.baseUrl, apiKey, runtime })
    const made: string[] = []
    for (const amount of [1, 2, 3, 60_000, 4]) {
      const result = await mine.verify({ corridor: 'GB-NG', amount, correlation_id: 'a, "b"' })
      if (!result.held) made.push(result.request_id)
    }
    const pieces: string[] = []
    for await (const lines of mine.exportVerifications({ limit: 2 })) pieces.push(lines)
    assert.equal(pieces.length, 3)
    assert.ok(pieces.every((piece) => piece.endsWith('\n')))
    const rows: Record<string, string>[] = parse(pieces.join(''), { columns: true })
    assert.deepEqual(
      rows.map((row) => row['request_id']),
      made.toReversed(),
    )
    assert.ok(rows.every((row) => row['correlation_id'] === 'a, "b"'))
    const filtered: string[] = []
    for await (const lines of mine.exportVerifications({ decision: 'DEGRADED' })) filtered.push(lines)
    assert.equal(filtered.join('').trim().split('\n').length, 2)
    const none: string[] = []
    for await (const lines of mine.exportVerifications({ decision: 'NO-GO' })) none.push(lines)
    assert.deepEqual(none, [`${Object.keys(rows[0] ?? {}).join(',')}\n`], 'an empty history has its header')
  })

  test('is summed up', async () => {
    const { key: apiKey } = await harness.issue()
    const mine = new FairwayClient({ baseUrl: client.baseUrl, apiKey, runtime: { fetch: checkedFetch } })
    await mine.verify({ corridor: 'GB-NG', amount: 1 })
    const summary = await mine.verificationsSummary()
    assert.deepEqual([summary.total, summary.decisions.GO, summary.step], [1, 1, 'hour'])
    assert.equal((await mine.verificationsSummary({ corridor: 'NG-GB', mode: 'shadow' })).total, 0)
    const totals = await mine.verificationsTotals({ amount_min: 1 })
    assert.deepEqual([totals.records, totals.complete, totals.by_currency[0]?.amount], [1, true, 1])
    await assert.rejects(mine.verificationsSummary({ from: 'yesterday' }), library.InvalidRequestError)
  })
})
