/** payment.review.opened and payment.review.closed: once each, to endpoints that ask for them, with the review of that moment. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import {
  decided,
  deskOn,
  done,
  expireOn,
  payments,
  readReviews,
  requestIdOf,
  reviewOf,
  type Desk,
} from '../../helpers/reviews.ts'
import { another, eventRows, override, register, signs, trial } from '../../helpers/webhooks.ts'

const settings = { ...unlimited, ...trial }
const opened = 'payment.review.opened'
const closed = 'payment.review.closed'
const both = { events: [opened, closed] }

const iso = (ms: number): string => new Date(ms).toISOString()

/** The ids that events of the changes of a review have. */
async function eventIds({ databaseUrl }: Harness, reviewId: string): Promise<Record<string, string>> {
  const sql = `SELECT kind, change_id FROM review_changes WHERE review_id = '${reviewId}'`
  const rows = await rowsOf(databaseUrl, sql)
  return Object.fromEntries(
    rows.map((row) => [String(row['kind']), String(row['change_id']).replace('rvc_', 'evt_')]),
  )
}

/** The members of an event's data that never change, as the review shows them. */
async function subjectOf(desk: Desk, reviewId: string): Promise<object> {
  const {
    status: _status,
    overdue: _overdue,
    needs_four_eyes: _fourEyes,
    claimed_by: _claimed,
    proposal: _proposal,
    resolution: _resolution,
    comments: _comments,
    repeats: _repeats,
    history: _history,
    ...subject
  } = await desk.show(reviewId)
  return subject
}

for (const engine of engines) {
  test(`${engine}: an opening is announced with the decision, and has an event of its own`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings }, async (harness) => {
        const desk = await deskOn(harness)
        const { secret } = await register(harness, desk.proposer.key, receiver.url, {
          events: ['payment.decision.created', opened, closed],
        })
        const atMs = harness.clock.nowMs()
        const answer = await decided(harness, desk.proposer.key, payments.blocked, 'NO-GO')
        const reviewId = reviewOf(answer.request_id)
        await harness.deliver()
        await readReviews(harness, desk.proposer)
        await harness.deliver()
        const byKind = new Map(receiver.requests.map(({ json }) => [String(json.event), json]))
        assert.deepEqual([...byKind.keys()].toSorted(), ['payment.decision.created', opened])
        assert.equal(receiver.requests.length, 2)
        const ids = await eventIds(harness, reviewId)
        assert.deepEqual(byKind.get(opened), {
          event: opened,
          event_id: ids['opened'],
          created_at: iso(atMs),
          attempt: 1,
          data: {
            review_id: reviewId,
            request_id: answer.request_id,
            decision: 'NO-GO',
            score: answer.score,
            recommended_action: 'BLOCK',
            amount: 600_000,
            currency: 'GBP',
            request_currency: 'GBP',
            settlement_currency: 'NGN',
            corridor: 'GB-NG',
            mode: 'shadow',
            reason_codes: answer.reason_codes,
            opened_at: iso(atMs),
            due_at: iso(atMs + 3_600_000),
            expires_at: iso(atMs + 86_400_000),
            status: 'open',
            resolution: null,
          },
        })
        assert.notEqual(byKind.get(opened).event_id, byKind.get('payment.decision.created').event_id)
        for (const request of receiver.requests)
          assert.deepEqual(signs(secret, request), { contract: true, standard: true })
        // Repeats and replays open nothing, and so announce nothing.
        await decided(harness, desk.proposer.key, { corridor: 'GB-NG', amount: 5 }, 'NO-GO')
        await readReviews(harness, desk.proposer)
        await harness.deliver()
        assert.equal(receiver.requests.filter(({ json }) => json.event === opened).length, 1)
      }),
    )
  })

  test(`${engine}: approved, expired and overridden are announced as closed, with the resolution; nothing else is`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings }, async (harness) => {
        const desk = await deskOn(harness)
        const { proposer, approver } = desk
        await register(harness, proposer.key, receiver.url, { events: [closed] })
        const [approved, overridden, expired] = [
          await desk.proposed({}, { action: 'HOLD' }),
          await desk.open(),
          await desk.proposed(),
        ]
        await done(harness, approver, 'comment', expired)
        await done(harness, approver, 'reject', expired)
        await done(harness, proposer, 'claim', expired)
        await done(harness, proposer, 'release', expired)
        await harness.deliver()
        assert.deepEqual(receiver.requests, [], 'a review that goes on is not announced')

        harness.clock.advance(1_000)
        const settledMs = harness.clock.nowMs()
        const { resolution } = await done(harness, approver, 'approve', approved, { reason: 'Agreed.' })
        const direct = await override(harness, proposer.key, await requestIdOf(desk, overridden))
        await readReviews(harness, proposer)
        harness.clock.advance(86_400_000)
        await expireOn(harness)
        await harness.deliver()
        const sent = receiver.requests.map(({ json }) => json as Answer['body'])
        assert.deepEqual(
          sent.map(({ event }) => event),
          [closed, closed, closed],
        )
        const plain = { action: null, reason: null, by: null, override_id: null }
        const expected = {
          [approved]: {
            status: 'approved',
            action: 'HOLD',
            reason: 'Agreed.',
            by: approver.shown,
            at: iso(settledMs),
            override_id: resolution.override_id,
          },
          [overridden]: {
            ...plain,
            status: 'overridden',
            by: proposer.shown,
            at: iso(settledMs),
            override_id: direct.body.override_id,
          },
          [expired]: { ...plain, status: 'expired', at: (await desk.show(expired)).expires_at },
        }
        for (const [reviewId, own] of Object.entries(expected)) {
          const { event_id: id, data } =
            sent.find(({ data: of }) => of.review_id === reviewId) ?? assert.fail('nothing arrived')
          const subject = await subjectOf(desk, reviewId)
          assert.deepEqual(data, { ...subject, status: own.status, resolution: own })
          assert.equal(id, (await eventIds(harness, reviewId))[own.status])
        }
      }),
    )
  })

  test(`${engine}: an endpoint that names no events gets the contract's two alone, and each gets what it names`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings }, async (harness) => {
        const [desk, stranger] = [await deskOn(harness), await deskOn(harness)]
        const { key } = desk.proposer
        const plain = await register(harness, key, receiver.url)
        const all = await register(harness, key, another(receiver.url), both)
        const openings = await register(harness, key, another(receiver.url), { events: [opened] })
        await register(harness, stranger.proposer.key, receiver.url, both)
        const reviewId = await desk.proposed()
        await done(harness, desk.approver, 'approve', reviewId)
        const confirmed = await decided(harness, key, payments.confirmPayee, 'GO')
        await desk.show(reviewOf(confirmed.request_id))
        const kinds = await eventRows(harness)
        const [decision, overridden] = ['payment.decision.created', 'payment.override.created']
        assert.deepEqual(Object.fromEntries(Object.entries(kinds).map(([id, own]) => [id, own.toSorted()])), {
          [plain.webhook_id]: [decision, decision, overridden],
          [all.webhook_id]: [closed, opened, opened],
          [openings.webhook_id]: [opened, opened],
        })
        await harness.deliver()
        const byId = Map.groupBy(receiver.requests, ({ json }) => json.event_id as string)
        for (const [id, sent] of byId)
          assert.equal(new Set(sent.map(({ json }) => json.event as string)).size, 1, `${id} is one event`)
        assert.equal(byId.size, 6)
      }),
    )
  })
}

test('a retry is the same event, whatever became of the review meanwhile', async () => {
  await withReceiver(
    (receiver) =>
      withHarness({ settings }, async (harness) => {
        const desk = await deskOn(harness)
        await register(harness, desk.proposer.key, receiver.url, both)
        const reviewId = await desk.open()
        await desk.show(reviewId)
        await harness.deliver()
        await done(harness, desk.proposer, 'propose', reviewId)
        harness.clock.advance(60_000)
        await harness.deliver()
        await done(harness, desk.approver, 'approve', reviewId)
        harness.clock.advance(300_000)
        await harness.deliver()
        const ofOpening = receiver.requests.filter(({ json }) => json.event === opened)
        assert.equal(ofOpening.length, 3)
        for (const [place, { json }] of ofOpening.entries())
          assert.deepEqual(json, { ...ofOpening[0]?.json, attempt: place + 1 })
      }),
    () => 500,
  )
})
