/** Due times and expiry: a review is over at its exact time, for readers and for acts, and is never executed by time alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import {
  act,
  conflict,
  deskOn,
  done,
  expireOn,
  idsIn,
  readReviews,
  refusalOf,
  requestIdOf,
  type ActName,
  type Desk,
} from '../../helpers/reviews.ts'
import { override, register, trial } from '../../helpers/webhooks.ts'

const dueMs = 600_000
const expiresMs = 7_200_000
const settings = {
  ...unlimited,
  ...trial,
  FAIRWAY_REVIEW_DUE_S: String(dueMs / 1000),
  FAIRWAY_REVIEW_EXPIRES_S: String(expiresMs / 1000),
}

const iso = (ms: number): string => new Date(ms).toISOString()
const overridesIn = ({ databaseUrl }: Harness) => rowsOf(databaseUrl, 'SELECT override_id FROM overrides')

/** The status as stored, past every reader. */
async function storedStatus({ databaseUrl }: Harness, reviewId: string): Promise<unknown> {
  const [row] = await rowsOf(databaseUrl, `SELECT status FROM reviews WHERE review_id = '${reviewId}'`)
  return row?.['status']
}

const waiting = '?status=open,claimed,proposed,rejected'

/** One review of each status that waits, with what was done about it. */
async function openEach(harness: Harness, desk: Desk): Promise<Record<string, string>> {
  const [open, claimed, proposed, rejected] = [
    await desk.open(),
    await desk.open(),
    await desk.proposed(),
    await desk.proposed(),
  ]
  await done(harness, desk.proposer, 'claim', claimed)
  await done(harness, desk.approver, 'reject', rejected)
  return { open, claimed, proposed, rejected }
}

for (const engine of engines) {
  test(`${engine}: a review is due and expires so long after its decision as the settings say`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const openedMs = harness.clock.nowMs()
      const reviewId = await desk.open()
      const { opened_at, due_at, expires_at } = await desk.show(reviewId)
      assert.deepEqual(
        [opened_at, due_at, expires_at],
        [iso(openedMs), iso(openedMs + dueMs), iso(openedMs + expiresMs)],
      )
      // Other settings are those of later reviews.
      const restarted = await assemble(harness.databaseUrl, harness.clock, { engine, settings: unlimited })
      try {
        assert.equal((await readReviews(restarted, desk.proposer, `/${reviewId}`)).due_at, due_at)
      } finally {
        await restarted.close()
      }
    })
  })

  test(`${engine}: a review is overdue after its due time, until somebody has settled it`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const each = await openEach(harness, desk)
      const settled = await desk.proposed()
      const ids = Object.values(each)
      harness.clock.advance(dueMs)
      const early = [
        ...(await Promise.all([...ids, settled].map(desk.show))).map(({ overdue }) => overdue),
        ...idsIn(await readReviews(harness, desk.proposer, '?overdue=true')),
        (await readReviews(harness, desk.proposer, '/summary')).overdue,
      ]
      assert.deepEqual(early, [false, false, false, false, false, 0], 'at the very moment it is not')
      harness.clock.advance(1)
      for (const id of ids) assert.equal((await desk.show(id)).overdue, true)
      const approved = await done(harness, desk.approver, 'approve', settled)
      assert.deepEqual([approved.status, approved.overdue], ['approved', false], 'late, but not too late')
      for (const query of [`${waiting}&overdue=true`, '?overdue=true']) {
        const listed = await readReviews(harness, desk.proposer, query)
        assert.deepEqual(idsIn(listed).toSorted(), ids.toSorted(), query)
      }
      assert.equal(idsIn(await readReviews(harness, desk.proposer, '?overdue=false')).length, 5)
      assert.equal((await readReviews(harness, desk.proposer, '/summary')).overdue, 4)
    })
  })

  test(`${engine}: every read at the very time of expiry sees it, and none a millisecond before`, async () => {
    const reads: Readonly<Record<string, (harness: Harness, desk: Desk, id: string) => Promise<unknown>>> = {
      one: async (_, desk, id) => (await desk.show(id)).status === 'expired',
      list: async (harness, desk, id) =>
        !idsIn(await readReviews(harness, desk.proposer, waiting)).includes(id),
      'list of expired ones': async (harness, desk, id) =>
        idsIn(await readReviews(harness, desk.proposer, '?status=expired&claimed_by=me')).includes(id),
      summary: async (harness, desk) => (await readReviews(harness, desk.proposer, '/summary')).waiting === 0,
    }
    for (const [name, isExpired] of Object.entries(reads)) {
      await withHarness({ engine, settings }, async (harness) => {
        const desk = await deskOn(harness)
        const reviewId = await desk.proposed()
        harness.clock.advance(expiresMs - 1)
        assert.equal(await isExpired(harness, desk, reviewId), false, name)
        harness.clock.advance(1)
        assert.equal(await isExpired(harness, desk, reviewId), true, name)
      })
    }
  })

  test(`${engine}: whatever was done about it, an expired review keeps it, and is nobody's doing`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const each = await openEach(harness, desk)
      const before = await Promise.all(Object.values(each).map(desk.show))
      harness.clock.advance(expiresMs + 5_000)
      for (const { history, ...rest } of before) {
        const { history: after, ...review } = await desk.show(rest.review_id)
        assert.deepEqual(review, {
          ...rest,
          status: 'expired',
          overdue: false,
          resolution: {
            status: 'expired',
            action: null,
            reason: null,
            by: null,
            at: rest.expires_at,
            override_id: null,
          },
        })
        assert.deepEqual(after.slice(0, -1), history)
        assert.deepEqual([after.at(-1).kind, after.at(-1).by], ['expired', null])
      }
      const seen = await Promise.all(Object.values(each).map(desk.show))
      await expireOn(harness)
      assert.deepEqual(
        await Promise.all(Object.values(each).map(desk.show)),
        seen,
        'also once it is recorded',
      )
      assert.deepEqual(await overridesIn(harness), [])
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: every act at the very time of expiry is refused, although nobody has looked since`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const acts: readonly ActName[] = ['claim', 'release', 'comment', 'propose', 'approve', 'reject']
      const each = await openEach(harness, desk)
      harness.clock.advance(expiresMs)
      for (const [status, reviewId] of Object.entries(each)) {
        for (const name of acts) {
          for (const clerk of [desk.proposer, desk.approver]) {
            const answer = await act(harness, clerk, name, reviewId)
            assert.deepEqual(refusalOf(answer), conflict, `${name} on ${status}: ${answer.text}`)
            assert.match(answer.body.message, /expired/)
          }
        }
        assert.equal(await storedStatus(harness, reviewId), status, 'an act closes nothing')
      }
      assert.deepEqual(await overridesIn(harness), [])
      for (const reviewId of Object.values(each)) assert.equal((await desk.show(reviewId)).status, 'expired')
    })
  })

  test(`${engine}: an approval in time executes, and one a millisecond later never does, on any instance`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const other = await harness.sibling()
      try {
        const [first, second] = [await desk.proposed(), await desk.proposed()]
        harness.clock.advance(expiresMs - 1)
        assert.equal((await done(harness, desk.approver, 'approve', first)).status, 'approved')
        harness.clock.advance(1)
        const late = await Promise.all(
          Array.from({ length: 10 }, (_, place) =>
            act(place % 2 === 0 ? harness : other, desk.approver, 'approve', second),
          ),
        )
        for (const answer of late) assert.deepEqual(refusalOf(answer), conflict)
        assert.equal((await overridesIn(harness)).length, 1)
        assert.equal((await desk.show(first)).status, 'approved', 'a settled review does not expire')
        assert.equal((await desk.show(second)).status, 'expired')
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: an expired review is final: no act, no direct override and no clock that goes back opens it`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const startMs = harness.clock.nowMs()
      const reviewId = await desk.proposed()
      harness.clock.advance(expiresMs)
      await expireOn(harness)
      const expired = await desk.show(reviewId)
      assert.equal(expired.status, 'expired')
      assert.equal(await storedStatus(harness, reviewId), 'expired')
      for (const ms of [startMs, startMs - 86_400_000, startMs + expiresMs + 1]) {
        harness.clock.setWall(ms)
        assert.deepEqual(await desk.show(reviewId), expired)
        for (const name of ['claim', 'propose', 'approve', 'reject'] as const) {
          const refused = await act(harness, desk.approver, name, reviewId)
          assert.deepEqual(refusalOf(refused), conflict)
          assert.equal(refused.body.message, 'This review is expired, which is final.')
        }
      }
      // The payment can still be overridden, as any other; its review stays as it ended.
      const requestId = await requestIdOf(desk, reviewId)
      assert.equal((await override(harness, desk.proposer.key, requestId)).status, 200)
      assert.deepEqual(await desk.show(reviewId), expired)
      assert.equal((await readReviews(harness, desk.proposer, '/summary')).waiting, 0)
    })
  })

  test(`${engine}: an expiry is announced once, whoever finds it`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings }, async (harness) => {
        const desk = await deskOn(harness)
        const other = await harness.sibling()
        try {
          await register(harness, desk.proposer.key, receiver.url, { events: ['payment.review.closed'] })
          const ids = [await desk.open(), await desk.open(), await desk.proposed()]
          harness.clock.advance(expiresMs)
          await Promise.all([harness, other, harness, other].map(expireOn))
          await Promise.all([harness.deliver(), other.deliver()])
          const sent = receiver.requests.map(({ json: { data } }) => `${data.review_id} ${data.status}`)
          assert.deepEqual(sent.toSorted(), ids.map((id) => `${id} expired`).toSorted())
          assert.deepEqual(await overridesIn(harness), [])
        } finally {
          await other.close()
        }
      }),
    )
  })
}
