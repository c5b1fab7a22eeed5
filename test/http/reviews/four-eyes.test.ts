/** Four eyes: nobody settles a proposal of one's own, by no key, rotation, session or role; only small amounts may be excepted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { anotherSession, person, setRoles, unlimited } from '../../helpers/people.ts'
import {
  act,
  deskOn,
  done,
  fourEyes,
  goodProposal,
  refusalOf,
  successorOf,
  type Headed,
} from '../../helpers/reviews.ts'

/** Neither act is taken of any of these, and the proposal stands. */
async function checkRefused(
  harness: Harness,
  reviewId: string,
  callers: Readonly<Record<string, Headed>>,
): Promise<void> {
  for (const [name, caller] of Object.entries(callers)) {
    for (const kind of ['approve', 'reject'] as const) {
      const { status, body } = await act(harness, caller, kind, reviewId)
      assert.deepEqual([status, body.code], fourEyes, `${kind} by ${name}`)
      assert.match(body.message, /Another principal with the scope review:approve/)
    }
  }
  assert.deepEqual(await rowsOf(harness.databaseUrl, 'SELECT override_id FROM overrides'), [])
}

for (const engine of engines) {
  test(`${engine}: a key settles no own proposal, nor do its successors; another key does`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.proposed()
      const second = await successorOf(harness, desk.proposer)
      const third = await successorOf(harness, second)
      await checkRefused(harness, reviewId, { itself: desk.proposer, second, third })
      assert.equal((await desk.show(reviewId)).status, 'proposed')
      const approved = await done(harness, desk.approver, 'approve', reviewId)
      assert.equal(approved.status, 'approved')
      assert.deepEqual(approved.resolution.by, desk.approver.shown)
    })
  })

  test(`${engine}: a proposal by a successor is not settled by the key that it replaced`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const second = await successorOf(harness, desk.proposer)
      const third = await successorOf(harness, second)
      const reviewId = await desk.open()
      await done(harness, desk.proposer, 'claim', reviewId)
      const proposed = await done(harness, third, 'propose', reviewId)
      assert.deepEqual(proposed.proposal.proposed_by, third.shown)
      await checkRefused(harness, reviewId, { first: desk.proposer, second, third })
      assert.equal((await done(harness, desk.approver, 'reject', reviewId)).status, 'rejected')
    })
  })

  test(`${engine}: a person settles no own proposal, by no session and after no change of roles; another person does`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const author = await person(harness, 'reviewer', desk.ownerId)
      const reviewId = await desk.open()
      await done(harness, author, 'propose', reviewId)
      assert.deepEqual(refusalOf(await act(harness, author, 'approve', reviewId)), [403, 'FORBIDDEN'])
      for (const roles of [['approver'], ['reviewer', 'approver'], ['approver', 'admin']] as const) {
        await setRoles(harness, author.personId, roles)
        const again = await anotherSession(harness, author.personId)
        await checkRefused(harness, reviewId, { 'this session': author, 'a new session': again })
      }
      const approver = await person(harness, 'approver', desk.ownerId)
      const { status, resolution } = await done(harness, approver, 'approve', reviewId)
      const by = { kind: 'person', id: approver.personId, name: approver.name }
      assert.deepEqual([status, resolution.by], ['approved', by])
    })
  })

  test(`${engine}: a key approves the proposal of a person, and a person that of a key`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const approver = await person(harness, 'approver', desk.ownerId)
      const [byPerson, byKey] = [await desk.open(), await desk.open()]
      await done(harness, approver, 'propose', byPerson)
      await done(harness, desk.proposer, 'propose', byKey)
      await checkRefused(harness, byPerson, { person: approver })
      await checkRefused(harness, byKey, { key: desk.proposer })
      assert.equal((await done(harness, desk.proposer, 'approve', byPerson)).status, 'approved')
      assert.equal((await done(harness, approver, 'approve', byKey)).status, 'approved')
    })
  })

  test(`${engine}: a proposal that was withdrawn and made again by another is that one's, and the first may approve it`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.proposed()
      await done(harness, desk.proposer, 'release', reviewId)
      await done(harness, desk.approver, 'propose', reviewId)
      await checkRefused(harness, reviewId, { approver: desk.approver })
      const { resolution } = await done(harness, desk.proposer, 'approve', reviewId)
      assert.deepEqual(resolution.by, desk.proposer.shown)
    })
  })

  test(`${engine}: up to the limit of its currency the proposer may settle; above it, and without an amount, never`, async () => {
    const settings = { ...unlimited, FAIRWAY_FOUR_EYES_ABOVE: 'GBP=1000,NGN=0' }
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const cases: readonly [payment: object, isExcepted: boolean][] = [
        [{ amount: 1_000 }, true],
        [{ amount: 0.01, currency: 'GBP' }, true],
        [{ amount: 1_000.01 }, false],
        [{ amount: 0, currency: 'NGN' }, true],
        [{ amount: 0.01, currency: 'NGN' }, false],
        [{ amount: 1, currency: 'USD' }, false],
        [{ amount: undefined }, false],
      ]
      for (const [payment, isExcepted] of cases) {
        const reviewId = await desk.proposed(payment)
        assert.equal((await desk.show(reviewId)).needs_four_eyes, !isExcepted)
        const approved = await act(harness, desk.proposer, 'approve', reviewId)
        assert.deepEqual(refusalOf(approved), isExcepted ? [200, 'undefined'] : fourEyes, approved.text)
        assert.equal((await desk.show(reviewId)).status, isExcepted ? 'approved' : 'proposed')
      }
      const rejected = await desk.proposed({ amount: 5 })
      assert.equal((await done(harness, desk.proposer, 'reject', rejected)).status, 'rejected')
      // The scope is needed all the same.
      const reviewer = await person(harness, 'reviewer', desk.ownerId)
      const small = await desk.open({ amount: 5 })
      await done(harness, reviewer, 'propose', small)
      assert.deepEqual(refusalOf(await act(harness, reviewer, 'approve', small)), [403, 'FORBIDDEN'])
    })
  })

  test(`${engine}: a rejection opens the review again for anybody, and its reason stays to be read`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.proposed()
      const reason = 'Which telephone number?\nAsk again.'
      const rejected = await done(harness, desk.approver, 'reject', reviewId, { reason })
      assert.deepEqual([rejected.status, rejected.claimed_by], ['rejected', null])
      assert.deepEqual(rejected.proposal.proposed_by, desk.proposer.shown)
      const { at, ...resolution } = rejected.resolution
      assert.equal(at, new Date(harness.clock.nowMs()).toISOString())
      assert.deepEqual(resolution, {
        status: 'rejected',
        action: null,
        reason,
        by: desk.approver.shown,
        override_id: null,
      })
      assert.deepEqual(refusalOf(await act(harness, desk.approver, 'approve', reviewId)), [
        409,
        'REVIEW_CONFLICT',
      ])
      const again = await done(harness, desk.approver, 'reject', reviewId, { reason })
      assert.deepEqual(again, rejected, 'the same again')
      // The one who rejected proposes, and the first proposer approves.
      const better = { ...goodProposal, action: 'HOLD' }
      const proposed = await done(harness, desk.approver, 'propose', reviewId, better)
      assert.deepEqual([proposed.status, proposed.resolution], ['proposed', null])
      const { status, resolution: last } = await done(harness, desk.proposer, 'approve', reviewId)
      assert.deepEqual([status, last.action], ['approved', 'HOLD'])
      const { history } = await desk.show(reviewId)
      assert.deepEqual(
        history.map(({ kind, text }: { kind: string; text: string | null }) => [kind, text]),
        [
          ['opened', null],
          ['proposed', goodProposal.justification],
          ['rejected', reason],
          ['proposed', goodProposal.justification],
          ['approved', null],
        ],
      )
    })
  })
}
