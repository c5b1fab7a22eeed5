/** GET /api/v1/reviews: oldest due first, by cursor, and by filters. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { person, unlimited } from '../../helpers/people.ts'
import { errorsOf } from '../../helpers/post.ts'
import {
  decided,
  deskOn,
  done,
  idsIn,
  payments,
  readReviews,
  reviewOf,
  reviewsUrl,
  type Clerk,
  type Desk,
} from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'

/** Follows the cursor to the end: the ids of each page. */
async function pages(harness: Harness, { key }: Clerk, query: string): Promise<string[][]> {
  const found: string[][] = []
  for (let cursor: string | null = null, turn = 0; turn < 100; turn += 1) {
    const more = cursor === null ? '' : `&cursor=${cursor}`
    const answer = await harness.get(key, `${reviewsUrl}?${query}${more}`)
    assert.equal(answer.status, 200, answer.text)
    found.push(idsIn(answer.body))
    cursor = answer.body.next_cursor as string | null
    const [, link] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? '')) ?? []
    assert.equal(link === undefined ? null : new URL(link, 'http://x').searchParams.get('cursor'), cursor)
    if (link !== undefined) assert.equal(new URL(link, 'http://x').pathname, reviewsUrl)
    if (cursor === null) return found
  }
  return assert.fail('the cursor never ends')
}

/** Several fall into one millisecond, and so have one due time. */
async function openMany(harness: Harness, desk: Desk, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) {
    if (place % 5 === 0) harness.clock.advance(1)
    ids.push(await desk.open({ amount: place }))
  }
  return ids
}

/** Every fifth stays open; the others are claimed, proposed, rejected and approved. */
async function handle(harness: Harness, { proposer, approver }: Desk, ids: readonly string[]): Promise<void> {
  for (const [place, id] of ids.entries()) {
    const step = place % 5
    if (step === 1) await done(harness, proposer, 'claim', id)
    if (step >= 2) await done(harness, proposer, 'propose', id)
    if (step === 3) await done(harness, approver, 'reject', id)
    if (step === 4) await done(harness, approver, 'approve', id)
  }
}

for (const engine of engines) {
  test(`${engine}: more reviews than fit on a page are listed once each, oldest due first, whatever their status`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const [desk, stranger] = [await deskOn(harness), await deskOn(harness)]
      const { proposer } = desk
      await stranger.open()
      const ids = await openMany(harness, desk, 62)
      await stranger.open()
      await handle(harness, desk, ids)
      const all = (await pages(harness, proposer, 'limit=500')).flat()
      assert.deepEqual(all.toSorted(), ids.toSorted())
      const { reviews } = await readReviews(harness, proposer, '?limit=500')
      const places = (reviews as Answer['body'][]).map(({ due_at: due, review_id: id }) => `${due} ${id}`)
      assert.deepEqual(places, places.toSorted())
      assert.ok(new Set(places.map((place) => place.split(' ')[0])).size < 20, 'many are due at once')
      assert.deepEqual(idsIn(await readReviews(harness, proposer)), all.slice(0, 50), 'fifty unless asked')
      for (const limit of [1, 4, 7, 31]) {
        const found = await pages(harness, proposer, `limit=${limit}`)
        assert.deepEqual(found.flat(), all, `limit ${limit}`)
        assert.ok(found.slice(0, -1).every(({ length }) => length === limit) && found.at(-1)?.length !== 0)
      }
      const waiting = await pages(harness, proposer, 'status=open,claimed,proposed,rejected&limit=9')
      const expected = all.filter((id) => ids.indexOf(id) % 5 !== 4)
      assert.deepEqual(waiting.flat(), expected)
    })
  })

  test(`${engine}: each filter finds what it says, alone and with others`, async () => {
    const settings = { ...unlimited, FAIRWAY_COOLDOWN_S: '0' }
    await withHarness({ engine, settings, feeds: simulatedFeeds }, async (harness) => {
      const desk = await deskOn(harness)
      const { proposer, approver } = desk
      const { key: live } = await harness.issue({ prefix: 'pk_live_', ownerId: desk.ownerId })
      const verified = async (key: string, payment: object, verdict: 'GO' | 'DEGRADED' | 'NO-GO') => {
        harness.clock.advance(1)
        return reviewOf((await decided(harness, key, payment, verdict)).request_id)
      }
      const degraded = await verified(proposer.key, payments.degraded, 'DEGRADED')
      const blocked = await verified(proposer.key, payments.blocked, 'NO-GO')
      const confirm = await verified(proposer.key, payments.confirmPayee, 'GO')
      const capped = await verified(live, { corridor: 'NG-GB', amount: 60_000 }, 'DEGRADED')
      const direct = await verified(proposer.key, payments.degraded, 'DEGRADED')
      const settled = await verified(proposer.key, payments.degraded, 'DEGRADED')
      await override(harness, proposer.key, (await desk.show(direct)).request_id)
      await done(harness, proposer, 'claim', blocked)
      await done(harness, approver, 'propose', confirm)
      await done(harness, proposer, 'propose', settled)
      await done(harness, approver, 'approve', settled)
      const all = [degraded, blocked, confirm, capped, direct, settled]
      const found = async (query: string, by: Clerk = proposer): Promise<string[]> =>
        idsIn(await readReviews(harness, by, `?${query}`))
      const cases: readonly [query: string, expected: readonly string[]][] = [
        ['', all],
        ['status=open', [degraded, capped]],
        ['status=claimed', [blocked]],
        ['status=proposed', [confirm]],
        ['status=approved', [settled]],
        ['status=overridden', [direct]],
        ['status=expired', []],
        ['status=rejected', []],
        ['status=claimed,open', [degraded, blocked, capped]],
        ['status=open,open,claimed', [degraded, blocked, capped]],
        ['status=overridden,approved,expired', [direct, settled]],
        ['decision=GO', [confirm]],
        ['decision=NO-GO', [blocked]],
        ['decision=DEGRADED', [degraded, capped, direct, settled]],
        ['corridor=GB-NG', [blocked, confirm]],
        ['corridor=United%20Kingdom-Nigeria', [blocked, confirm]],
        ['corridor=FR-DE', []],
        ['mode=live', [capped]],
        ['mode=shadow', [degraded, blocked, confirm, direct, settled]],
        ['claimed_by=me', [blocked, settled]],
        ['claimed_by=nobody', [degraded, capped, direct]],
        ['claimed_by=me&status=claimed,proposed', [blocked]],
        ['claimed_by=nobody&status=open&mode=shadow', [degraded]],
        ['decision=DEGRADED&status=open&corridor=US-MX', [degraded]],
      ]
      for (const [query, expected] of cases) {
        assert.deepEqual(await found(query), expected, query)
        assert.deepEqual((await pages(harness, proposer, `${query}&limit=1`)).flat(), expected, query)
      }
      assert.deepEqual(await found('claimed_by=me', approver), [confirm])
    })
  })

  test(`${engine}: a change between two pages neither loses nor repeats a review`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const ids = await openMany(harness, desk, 12)
      const first = await readReviews(harness, desk.proposer, '?limit=5')
      for (const id of ids.slice(2, 9)) await done(harness, desk.proposer, 'claim', id)
      const later = await desk.open()
      const rest = await readReviews(harness, desk.proposer, `?limit=50&cursor=${first.next_cursor}`)
      assert.deepEqual([...idsIn(first), ...idsIn(rest)], [...ids, later])
    })
  })
}

test('a person finds what it has claimed itself, in any session', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const [first, second] = [await desk.open(), await desk.open()]
    const reviewer = await person(harness, 'reviewer', desk.ownerId)
    await done(harness, reviewer, 'claim', first)
    await done(harness, desk.proposer, 'claim', second)
    assert.deepEqual(idsIn(await readReviews(harness, reviewer, '?claimed_by=me')), [first])
    assert.deepEqual(idsIn(await readReviews(harness, desk.proposer, '?claimed_by=me')), [second])
  })
})

test('a query that is not understood is refused with the name of what is wrong', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const reviewId = await desk.open()
    const cursorOf = (text: string): string => Buffer.from(text).toString('base64url')
    const cases: readonly [query: string, path: string][] = [
      ['status=', '/status'],
      ['status=bogus', '/status'],
      ['status=OPEN', '/status'],
      ['status=open,', '/status'],
      ['status=open, claimed', '/status'],
      ['status=open;claimed', '/status'],
      [`status=${'open,'.repeat(30)}`, '/status'],
      ['decision=MAYBE', '/decision'],
      ['mode=both', '/mode'],
      ['claimed_by=you', '/claimed_by'],
      [`claimed_by=${desk.proposer.keyId}`, '/claimed_by'],
      ['overdue=yes', '/overdue'],
      ['corridor=nowhere', '/corridor'],
      ['corridor=', '/corridor'],
      ['limit=0', '/limit'],
      ['limit=501', '/limit'],
      ['limit=-1', '/limit'],
      ['limit=1.5', '/limit'],
      ['limit=x', '/limit'],
      ['cursor=', '/cursor'],
      ['cursor=!!!', '/cursor'],
      [`cursor=${cursorOf('')}`, '/cursor'],
      [`cursor=${cursorOf('1')}`, '/cursor'],
      [`cursor=${cursorOf(`x ${reviewId}`)}`, '/cursor'],
      [`cursor=${cursorOf(`-1 ${reviewId}`)}`, '/cursor'],
      [`cursor=${cursorOf(`1 ${reviewId}x`)}`, '/cursor'],
      [`cursor=${cursorOf(`1  ${reviewId}`)}`, '/cursor'],
      [`cursor=${cursorOf(`1234567890123456 ${reviewId}`)}`, '/cursor'],
      [`cursor=${cursorOf('1 rev_')}`, '/cursor'],
      [`cursor=${cursorOf(reviewId)}`, '/cursor'],
      [`cursor=${'x'.repeat(129)}`, '/cursor'],
    ]
    for (const [query, path] of cases) {
      const answer = await harness.get(desk.proposer.key, `${reviewsUrl}?${query}`)
      assert.equal(answer.status, 400, `${query}: ${answer.text}`)
      assert.deepEqual(
        errorsOf(answer).map(([at]) => at),
        [path],
        query,
      )
    }
    for (const query of ['page=2', 'owner_id=x', 'Status=open']) {
      assert.equal((await harness.get(desk.proposer.key, `${reviewsUrl}?${query}`)).status, 400, query)
    }
    // A cursor is a place, not a secret: one beyond the last is an empty page.
    const beyond = await readReviews(
      harness,
      desk.proposer,
      `?cursor=${cursorOf(`999999999999999 ${reviewId}`)}`,
    )
    assert.deepEqual(beyond, { reviews: [], next_cursor: null })
  })
})
