/** An approval writes one override with both names, the same in every view, in its event and in an export that verifies. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { person, unlimited } from '../../helpers/people.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import {
  act,
  conflict,
  decided,
  deskOn,
  done,
  goodProposal,
  payments,
  refusalOf,
  requestIdOf,
  reviewOf,
  type Desk,
} from '../../helpers/reviews.ts'
import { override, register, trial } from '../../helpers/webhooks.ts'

const overridesIn = ({ databaseUrl }: Harness) => rowsOf(databaseUrl, 'SELECT request_id FROM overrides')

/** The override of a decision as the audit record, the history and the export show it; all must agree. */
async function overrideIn(harness: Harness, { proposer }: Desk, requestId: string): Promise<Answer['body']> {
  const { key } = proposer
  const { body: audit } = await harness.get(key, `/api/v1/audit/${requestId}`)
  const { body: history } = await harness.get(key, '/api/verifications')
  const item = history.find((one: { request_id: string }) => one.request_id === requestId)
  assert.deepEqual(item.human_override, audit.human_override)
  for (const format of ['json', 'csv']) {
    const { text } = await harness.get(key, `/api/v1/audit/export/${requestId}?format=${format}`)
    const { findings, seal } = verifyBundle(text)
    assert.deepEqual(findings, [], format)
    assert.notEqual(seal, null)
  }
  const { body: bundle } = await harness.get(key, `/api/v1/audit/export/${requestId}`)
  for (const [name, value] of Object.entries(audit.human_override ?? {}))
    if (name !== 'approval') assert.deepEqual(bundle.human_override[name], value, name)
  const approval = audit.human_override?.approval ?? null
  if (approval !== null) {
    assert.equal(bundle.human_override.approval.review_id, approval.review_id)
    assert.deepEqual(bundle.human_override.approval.approved_by, approval.approved_by)
    assert.match(bundle.proof.override.leaf, /^\["fairway\/override\/4",/)
  }
  return audit.human_override
}

for (const engine of engines) {
  for (const action of ['EXECUTE', 'HOLD', 'REJECT'] as const) {
    test(`${engine}: an approved ${action} is an override of the proposer, approved by the approver, wherever it is shown`, async () => {
      await withReceiver((receiver) =>
        withHarness({ engine, settings: { ...unlimited, ...trial } }, async (harness) => {
          const desk = await deskOn(harness)
          await register(harness, desk.proposer.key, receiver.url, { events: ['payment.override.created'] })
          const { request_id: requestId } = await decided(
            harness,
            desk.proposer.key,
            payments.blocked,
            'NO-GO',
          )
          const reviewId = reviewOf(requestId)
          harness.clock.advance(1_000)
          await done(harness, desk.proposer, 'propose', reviewId, { ...goodProposal, action })
          assert.deepEqual(await overridesIn(harness), [], 'a proposal alone does nothing')
          harness.clock.advance(1_000)
          const approved = await done(harness, desk.approver, 'approve', reviewId, { reason: 'Agreed.' })
          const at = new Date(harness.clock.nowMs()).toISOString()
          const { override_id: overrideId, ...resolution } = approved.resolution
          assert.deepEqual(resolution, {
            status: 'approved',
            action,
            reason: 'Agreed.',
            by: desk.approver.shown,
            at,
          })
          const expected = {
            override_id: overrideId,
            request_id: requestId,
            original_decision: 'NO-GO',
            ...goodProposal,
            action,
            created_at: at,
            created_by: desk.proposer.shown,
            approval: { review_id: reviewId, approved_by: desk.approver.shown },
          }
          assert.deepEqual(await overrideIn(harness, desk, requestId), expected)
          await harness.deliver()
          assert.deepEqual(
            receiver.requests.map(({ json }) => [json.event, json.data]),
            [['payment.override.created', expected]],
          )
          assert.deepEqual((await checkedLog(harness.store)).findings, [])
        }),
      )
    })
  }

  test(`${engine}: people are named with their sessions, as in any override`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewer = await person(harness, 'reviewer', desk.ownerId)
      const approver = await person(harness, 'approver', desk.ownerId)
      const reviewId = await desk.open()
      const requestId = await requestIdOf(desk, reviewId)
      await done(harness, reviewer, 'propose', reviewId)
      await done(harness, approver, 'approve', reviewId)
      const nameOf = ({ personId, name, sessionId }: typeof reviewer) => ({
        kind: 'person',
        id: personId,
        name,
        session_id: sessionId,
      })
      const made = await overrideIn(harness, desk, requestId)
      assert.deepEqual(made.created_by, nameOf(reviewer))
      assert.deepEqual(made.approval, { review_id: reviewId, approved_by: nameOf(approver) })
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: an approved GO is a resolution alone: it is not overridden, and no override is announced`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: { ...unlimited, ...trial } }, async (harness) => {
        const desk = await deskOn(harness)
        await register(harness, desk.proposer.key, receiver.url, { events: ['payment.override.created'] })
        const answer = await decided(harness, desk.proposer.key, payments.confirmPayee, 'GO')
        const reviewId = reviewOf(answer.request_id)
        await done(harness, desk.proposer, 'propose', reviewId, goodProposal)
        const { status, resolution } = await done(harness, desk.approver, 'approve', reviewId)
        assert.deepEqual([status, resolution.action, resolution.override_id], ['approved', 'EXECUTE', null])
        assert.deepEqual(await overridesIn(harness), [])
        assert.equal(await overrideIn(harness, desk, answer.request_id), null)
        await harness.deliver()
        assert.deepEqual(receiver.requests, [])
        assert.equal((await override(harness, desk.proposer.key, answer.request_id)).status, 422)
        assert.equal((await desk.show(reviewId)).status, 'approved')
      }),
    )
  })

  test(`${engine}: the same approval again gets the same answer; any other act on an approved review is 409`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const third = await desk.hire('third')
      const reviewId = await desk.proposed()
      const proposalId = String((await desk.show(reviewId)).proposal.proposal_id)
      const approved = await done(harness, desk.approver, 'approve', reviewId)
      harness.clock.advance(60_000)
      const again = await done(harness, desk.approver, 'approve', reviewId, { proposal_id: proposalId })
      assert.deepEqual(again, approved)
      for (const name of ['claim', 'release', 'comment', 'propose', 'approve', 'reject'] as const) {
        for (const clerk of [desk.proposer, third]) {
          const refused = await act(harness, clerk, name, reviewId)
          assert.deepEqual(refusalOf(refused), conflict)
          assert.equal(refused.body.message, 'This review is approved, which is final.')
        }
      }
      assert.equal((await overridesIn(harness)).length, 1)
      assert.equal((await desk.show(reviewId)).history.length, 3)
    })
  })

  test(`${engine}: an approval or a rejection of a proposal that was replaced is 409, and settles nothing`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.proposed()
      const { proposal_id: seen } = (await desk.show(reviewId)).proposal
      await done(harness, desk.proposer, 'release', reviewId)
      const { proposal } = await done(harness, desk.proposer, 'propose', reviewId, {
        ...goodProposal,
        action: 'REJECT',
      })
      assert.notEqual(proposal.proposal_id, seen)
      for (const name of ['approve', 'reject'] as const) {
        const body = { reason: 'As I saw it.', proposal_id: seen }
        const refused = await act(harness, desk.approver, name, reviewId, body)
        assert.deepEqual(refusalOf(refused), conflict)
        assert.match(refused.body.message, /replaced by another/)
      }
      assert.deepEqual(await overridesIn(harness), [])
      const body = { proposal_id: proposal.proposal_id }
      const { resolution } = await done(harness, desk.approver, 'approve', reviewId, body)
      assert.equal(resolution.action, 'REJECT')
    })
  })
}

test('an approval needs no body: an empty object, an empty body and no body at all are as good', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const json = { 'content-type': 'application/json' }
    const forms = [
      { headers: json, payload: '{}' },
      { headers: json, payload: '' },
      { headers: {}, payload: undefined },
    ]
    for (const { headers, payload } of forms) {
      const reviewId = await desk.proposed()
      const { status, body, text } = await harness.send({
        method: 'POST',
        url: `/api/v1/reviews/${reviewId}/approve`,
        headers: { ...desk.approver.headers, ...headers },
        ...(payload === undefined ? {} : { payload }),
      })
      assert.deepEqual([status, body.status], [200, 'approved'], text)
      assert.equal(body.resolution.reason, null)
    }
  })
})

test('a proposal is kept to the letter, and needs an action, a code and a justification', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const text = 'Überprüft ☕ 支払い\r\n\t"so" <b>& \\ \u{1f980}'
    const reviewId = await desk.proposed({}, { action: 'HOLD', reason_code: 'A_1', justification: text })
    const { proposal } = await desk.show(reviewId)
    assert.deepEqual([proposal.action, proposal.reason_code, proposal.justification], ['HOLD', 'A_1', text])
    const other = await desk.open()
    for (const wrong of [
      { action: 'GO' },
      { action: undefined },
      { reason_code: 'lower' },
      { reason_code: '' },
      { reason_code: 'A'.repeat(65) },
      { reason_code: undefined },
      { justification: undefined },
      { justification: 7 },
    ]) {
      const refused = await act(harness, desk.proposer, 'propose', other, { ...goodProposal, ...wrong })
      assert.deepEqual(refusalOf(refused), [400, 'INVALID_REQUEST'], JSON.stringify(wrong))
      assert.equal(refused.body.errors[0].path, `/${Object.keys(wrong)[0]}`)
    }
    assert.equal((await desk.show(other)).status, 'open')
  })
})
