/** Reviews are held against their sealed changes, their decisions and their overrides, also while a server is at work. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import type { CheckedReview, ReviewChange } from '../../../src/app/ports/reviews.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { unguarded, type DirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { decided, deskOn, done, payments, reviewOf, type Desk } from '../../helpers/reviews.ts'
import { goodOverride, overrideUrl } from '../../helpers/webhooks.ts'

type Run = DirectDatabase['run']

/** Reviews by how they ended, each with an act of every kind that leads there. */
interface Made {
  readonly commented: string
  readonly proposed: string
  readonly approved: string
  readonly approvedGo: string
  readonly rejected: string
  readonly expired: string
  readonly overridden: string
}

async function makeReviews(harness: Harness, desk: Desk): Promise<Made> {
  const { proposer, approver } = desk
  const expired = await desk.open()
  harness.clock.advance(90_000_000)
  const commented = await desk.open()
  await done(harness, proposer, 'claim', commented)
  await done(harness, approver, 'comment', commented)
  await done(harness, proposer, 'release', commented)
  const rejected = await desk.proposed()
  await done(harness, approver, 'reject', rejected)
  const approved = await desk.proposed()
  await done(harness, approver, 'approve', approved, { reason: 'As proposed.' })
  const go = await decided(harness, proposer.key, payments.confirmPayee, 'GO')
  const approvedGo = reviewOf(String(go.request_id))
  await done(harness, proposer, 'propose', approvedGo)
  await done(harness, approver, 'approve', approvedGo)
  const blocked = await decided(harness, proposer.key, payments.blocked, 'NO-GO')
  const overridden = reviewOf(String(blocked.request_id))
  const headers = { ...proposer.headers, 'content-type': 'application/json' }
  const payload = JSON.stringify({ ...goodOverride, request_id: blocked.request_id })
  await harness.send({ method: 'POST', url: overrideUrl, headers, payload })
  const proposed = await desk.proposed()
  // A look at one expires what is over and closes what was overridden.
  assert.equal((await desk.show(expired)).status, 'expired')
  assert.equal((await desk.show(overridden)).status, 'overridden')
  return { commented, proposed, approved, approvedGo, rejected, expired, overridden }
}

/** Tables that an attack may change. */
const tables = ['reviews', 'review_changes', 'overrides', 'personal_texts', 'verifications']

interface Scene {
  readonly harness: Harness
  readonly desk: Desk
  readonly made: Made
  /** As a stranger for whom there are no guards. */
  readonly run: Run
  readonly findings: () => Promise<string[]>
  readonly restore: () => Promise<void>
}

async function withReviews(
  engine: (typeof engines)[number],
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withHarness({ engine }, async (harness) => {
    const desk = await deskOn(harness)
    const made = await makeReviews(harness, desk)
    await harness.seal()
    const findings = async (): Promise<string[]> =>
      (await checkedLog(harness.store)).findings.map(({ place, message }) => `${place}: ${message}`)
    assert.deepEqual(await findings(), [], 'as it was made')
    await unguarded(harness.databaseUrl, async ({ run }) => {
      if (engine === 'postgres') await run('ALTER TABLE review_changes DISABLE TRIGGER ALL')
      for (const name of tables) await run(`CREATE TABLE original_${name} AS SELECT * FROM ${name}`)
      const restore = async (): Promise<void> => {
        for (const name of tables) {
          await run(`DELETE FROM ${name}`)
          await run(`INSERT INTO ${name} SELECT * FROM original_${name}`)
        }
      }
      await work({ harness, desk, made, run, findings, restore })
    })
  })
}

/** The id of the change of this kind. */
const changeOf = (reviewId: string, kind: string): string =>
  `(SELECT change_id FROM review_changes WHERE review_id = '${reviewId}' AND kind = '${kind}')`

const sealedChange = /^leaf \d+, rvc_\w+: the review was changed after it was sealed$/
const missingChange = /^leaf \d+, rvc_\w+: the sealed record, override, outcome, act or change .* is missing$/

type Attack = (made: Made) => readonly [sql: string, found: RegExp | string]

/** The row of a review says something else than its sealed changes or its decision. */
const rowAttacks: Readonly<Record<string, Attack>> = {
  'a status': ({ proposed }) => [
    `UPDATE reviews SET status = 'expired' WHERE review_id = '${proposed}'`,
    `review ${proposed}: has another status than its changes give it`,
  ],
  'an expired review that is open again': ({ expired }) => [
    `UPDATE reviews SET status = 'open', closed_at_ms = NULL WHERE review_id = '${expired}'`,
    `review ${expired}: has another status than its changes give it`,
  ],
  'an amount below the limit of four eyes': ({ proposed }) => [
    `UPDATE reviews SET amount = 1 WHERE review_id = '${proposed}'`,
    `review ${proposed}: is of another payment than its decision`,
  ],
  'a currency': ({ proposed }) => [
    `UPDATE reviews SET currency = 'NGN' WHERE review_id = '${proposed}'`,
    `review ${proposed}: is of another payment than its decision`,
  ],
  'a corridor': ({ commented }) => [
    `UPDATE reviews SET corridor = 'GB-NG' WHERE review_id = '${commented}'`,
    `review ${commented}: is of another payment than its decision`,
  ],
  'a decision': ({ commented }) => [
    `UPDATE reviews SET decision = 'NO-GO' WHERE review_id = '${commented}'`,
    `review ${commented}: is of another payment than its decision`,
  ],
  'a due time': ({ commented }) => [
    `UPDATE reviews SET due_at_ms = due_at_ms + 1 WHERE review_id = '${commented}'`,
    `review ${commented}: is due or expires at another time than it was opened with`,
  ],
  'a time of expiry': ({ proposed }) => [
    `UPDATE reviews SET expires_at_ms = expires_at_ms + 1 WHERE review_id = '${proposed}'`,
    `review ${proposed}: is due or expires at another time than it was opened with`,
  ],
  'an owner': ({ commented }) => [
    `UPDATE reviews SET owner_id = 'own_other' WHERE review_id = '${commented}'`,
    `review ${commented}: lacks a change, or has one of another review`,
  ],
  'a request': ({ commented, proposed }) => [
    `UPDATE reviews SET request_id = (SELECT request_id FROM original_reviews WHERE review_id = '${proposed}')
      WHERE review_id = '${commented}'`,
    `review ${commented}: lacks a change, or has one of another review`,
  ],
  'an id': ({ commented }) => [
    `UPDATE reviews SET review_id = 'rev_planted' WHERE review_id = '${commented}'`,
    'review rev_planted: lacks a change, or has one of another review',
  ],
}

/** Changes and their texts are sealed. */
const changeAttacks: Readonly<Record<string, Attack>> = {
  'the text of a comment': ({ commented }) => [
    `UPDATE personal_texts SET personal_text = 'It is known.' WHERE subject_id = ${changeOf(commented, 'commented')}`,
    /: the personal text of the review was changed after it was sealed$/,
  ],
  'a comment without its text': ({ commented }) => [
    `DELETE FROM personal_texts WHERE subject_id = ${changeOf(commented, 'commented')}`,
    /: the personal text of the review is missing$/,
  ],
  'a text where there was none': ({ commented }) => [
    `UPDATE personal_texts SET subject_id = ${changeOf(commented, 'claimed')}
      WHERE subject_id = ${changeOf(commented, 'commented')}`,
    /: the personal text of the review was added after it was sealed$/,
  ],
  'the justification of a proposal': ({ proposed }) => [
    `UPDATE personal_texts SET personal_text = 'x' WHERE subject_id = ${changeOf(proposed, 'proposed')}`,
    /: the personal text of the review was changed after it was sealed$/,
  ],
  'another approver': ({ approved }) => [
    `UPDATE review_changes SET principal_id = 'key_other' WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'another key': ({ approved }) => [
    `UPDATE review_changes SET key_id = 'key_other' WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'a person in place of a key': ({ approved }) => [
    `UPDATE review_changes SET person_id = 'prs_other' WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'another proposed action': ({ approved }) => [
    `UPDATE review_changes SET action = 'REJECT' WHERE change_id = ${changeOf(approved, 'proposed')}`,
    sealedChange,
  ],
  'another reason code': ({ approved }) => [
    `UPDATE review_changes SET reason_code = 'OTHER' WHERE change_id = ${changeOf(approved, 'proposed')}`,
    sealedChange,
  ],
  'another kind': ({ rejected }) => [
    `UPDATE review_changes SET kind = 'approved' WHERE change_id = ${changeOf(rejected, 'rejected')}`,
    sealedChange,
  ],
  'another time': ({ approved }) => [
    `UPDATE review_changes SET at_ms = at_ms - 1 WHERE change_id = ${changeOf(approved, 'approved')}`,
    sealedChange,
  ],
  'another expiry, in the row and in the opening': ({ proposed }) => [
    `UPDATE review_changes SET expires_at_ms = expires_at_ms + 1 WHERE change_id = ${changeOf(proposed, 'opened')}`,
    sealedChange,
  ],
  'an approval of another proposal': ({ approved, proposed }) => [
    `UPDATE review_changes SET proposal_id = ${changeOf(proposed, 'proposed').replace('review_changes', 'original_review_changes')}
      WHERE change_id = ${changeOf(approved, 'approved').replace('review_changes', 'original_review_changes')}`,
    sealedChange,
  ],
  'an approval without the name of its override': ({ approved }) => [
    `UPDATE review_changes SET override_id = NULL WHERE change_id = ${changeOf(approved, 'approved').replace('review_changes', 'original_review_changes')}`,
    sealedChange,
  ],
  'a change in the middle removed': ({ commented }) => [
    `DELETE FROM review_changes WHERE review_id = '${commented}' AND number = 2`,
    missingChange,
  ],
  'the last change removed': ({ approved }) => [
    `DELETE FROM review_changes WHERE review_id = '${approved}' AND kind = 'approved'`,
    missingChange,
  ],
  'all changes removed': ({ expired }) => [
    `DELETE FROM review_changes WHERE review_id = '${expired}'`,
    `review ${expired}: lacks a change, or has one of another review`,
  ],
  'a change of another review': ({ commented, proposed }) => [
    `UPDATE review_changes SET review_id = '${proposed}', number = 9 WHERE review_id = '${commented}' AND kind = 'commented'`,
    `review ${proposed}: lacks a change, or has one of another review`,
  ],
}

/** The override of an approval is sealed on its own, with both names. */
const overrideAttacks: Readonly<Record<string, Attack>> = {
  'an approval whose override is missing': ({ approved }) => [
    `DELETE FROM overrides WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the sealed record, override, outcome, act or change of a review is missing$/,
  ],
  'an override without its approval': ({ approved }) => [
    `UPDATE overrides SET review_id = NULL, approved_key_id = NULL, approved_person_id = NULL,
      approved_principal_id = NULL WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
  'an override approved by another principal': ({ approved }) => [
    `UPDATE overrides SET approved_principal_id = 'key_other' WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
  'an override of another review': ({ approved, proposed }) => [
    `UPDATE overrides SET review_id = '${proposed}' WHERE review_id = '${approved}'`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
  'an approval where there was none': ({ approved }) => [
    `UPDATE overrides SET review_id = '${approved}', approved_key_id = 'key_x', approved_principal_id = 'key_x'
      WHERE review_id IS NULL`,
    /^leaf \d+, ovr_\w+: the override was changed after it was sealed$/,
  ],
}

async function checkAttacks(attacks: Readonly<Record<string, Attack>>, scene: Scene): Promise<void> {
  const { made, run, findings, restore } = scene
  for (const [what, attack] of Object.entries(attacks)) {
    const [sql, expected] = attack(made)
    await run(sql)
    const found = await findings()
    const isFound = found.some((one) =>
      typeof expected === 'string' ? one === expected : expected.test(one),
    )
    assert.ok(isFound, `${what}: ${JSON.stringify(found)}`)
    await restore()
  }
  assert.deepEqual(await findings(), [], 'restored')
}

for (const engine of engines) {
  test(`${engine}: a row of a review that does not agree with its changes or its decision is found and named`, async () => {
    await withReviews(engine, (scene) => checkAttacks(rowAttacks, scene))
  })

  test(`${engine}: a changed or missing change of a review is found, its texts included`, async () => {
    await withReviews(engine, (scene) => checkAttacks(changeAttacks, scene))
  })

  test(`${engine}: an override whose approval was changed, added or removed is found`, async () => {
    await withReviews(engine, (scene) => checkAttacks(overrideAttacks, scene))
  })

  test(`${engine}: a change that was put into the queue is sealed, and named if it does not fit those before it`, async () => {
    await withReviews(engine, async ({ harness, made, run, findings }) => {
      const forge = async (reviewId: string, change: Partial<ReviewChange>): Promise<void> => {
        await insertForged(run, await reviewIn(harness.store, reviewId), change)
      }
      await forge(made.expired, { kind: 'approved' })
      await forge(made.commented, { kind: 'approved' })
      await forge(made.proposed, { kind: 'approved', proposalId: 'rvc_other', overrideId: 'ovr_other' })
      await forge(made.rejected, { kind: 'overridden' })
      await harness.seal()
      const unfit = [made.expired, made.commented, made.proposed, made.rejected]
      assert.deepEqual(
        await findings(),
        unfit.toSorted().map((id) => `review ${id}: has a change that cannot come where it is`),
      )
    })
  })

  test(`${engine}: the check counts changes of reviews, and waits for none of them`, async () => {
    await withReviews(engine, async ({ harness, desk, made }) => {
      const before = await checkedLog(harness.store)
      const [{ count } = { count: 0 }] = await rowsIn(harness, 'SELECT COUNT(*) AS count FROM review_changes')
      assert.equal(before.reviews, Number(count))
      await done(harness, desk.proposer, 'comment', made.proposed)
      const { reviews, waiting, findings } = await checkedLog(harness.store)
      assert.deepEqual([reviews, waiting, findings], [before.reviews, 1, []])
    })
  })

  test(`${engine}: a review that changes between the reads of the check is no finding`, async () => {
    await withReviews(engine, async ({ harness, desk, made }) => {
      const { store } = harness
      const reviewers = [desk.proposer, desk.approver]
      let turns = 0
      // Each of the first reads of the row is older than its changes.
      const stale = async (page: CheckedReview[]): Promise<CheckedReview[]> => {
        const place = page.findIndex(({ reviewId }) => reviewId === made.commented)
        const review = page[place]
        if (review === undefined || turns === 4) return page
        const by = reviewers[Math.floor(turns / 2) % 2] ?? desk.proposer
        await done(harness, by, turns % 2 === 0 ? 'claim' : 'release', made.commented)
        turns += 1
        const { changes } = await reviewIn(store, made.commented)
        return page.with(place, { ...review, changes })
      }
      const busy: Store = {
        ...store,
        reviews: {
          ...store.reviews,
          page: async (afterId, limit) => stale(await store.reviews.page(afterId, limit)),
        },
      }
      assert.deepEqual((await checkedLog(busy)).findings, [])
      assert.equal(turns, 4)
    })
  })
}

async function reviewIn({ reviews }: Store, reviewId: string): Promise<CheckedReview> {
  const all = await reviews.page('', 100)
  return all.find((review) => review.reviewId === reviewId) ?? assert.fail(reviewId)
}

async function rowsIn({ databaseUrl }: Harness, sql: string) {
  return unguarded(databaseUrl, ({ run }) => run(sql))
}

/** Writes a change with its entry, as somebody who knows how the service does it. */
async function insertForged(run: Run, review: CheckedReview, change: Partial<ReviewChange>): Promise<void> {
  const last = review.changes.at(-1) ?? assert.fail()
  const forged: ReviewChange = {
    ...last,
    changeId: `rvc_${'z'.repeat(10)}${review.reviewId.slice(-16)}`,
    number: last.number + 1,
    by: null,
    action: null,
    reasonCode: null,
    text: null,
    personalText: null,
    proposalId: null,
    overrideId: null,
    dueAtMs: null,
    expiresAtMs: null,
    ...change,
  }
  const columns = {
    change_id: forged.changeId,
    review_id: forged.reviewId,
    number: forged.number,
    owner_id: forged.ownerId,
    request_id: forged.requestId,
    kind: forged.kind,
    proposal_id: forged.proposalId,
    override_id: forged.overrideId,
    at_ms: forged.atMs,
  }
  const names = Object.keys(columns)
  const places = names.map((_, place) => `$${place + 1}`)
  await run(
    `INSERT INTO review_changes (${names.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(columns),
  )
  await run(
    `UPDATE reviews SET status = '${forged.kind}', version = ${forged.number} WHERE review_id = '${review.reviewId}'`,
  )
  await run('INSERT INTO journal_queue (entries) VALUES ($1)', [
    `${forged.changeId} ${leafHashes.review(forged)}`,
  ])
}
