/** Comments, justifications and reasons are kept apart from reviews: they can be erased, and the log still verifies. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { deskOn, done, goodProposal, requestIdOf, type Desk } from '../../helpers/reviews.ts'

const texts = {
  comment: 'A comment about a person.',
  first: 'A first justification about a person.',
  rejection: 'A reason against it about a person.',
  second: 'A second justification about a person.',
  approval: 'A reason for it about a person.',
} as const

/** A review with a text of every kind, that was approved in the end. */
async function discussed(harness: Harness, desk: Desk): Promise<string> {
  const reviewId = await desk.proposed({}, { justification: texts.first })
  await done(harness, desk.approver, 'comment', reviewId, { text: texts.comment })
  await done(harness, desk.approver, 'reject', reviewId, { reason: texts.rejection })
  const proposal = { ...goodProposal, justification: texts.second }
  await done(harness, desk.proposer, 'propose', reviewId, proposal)
  await done(harness, desk.approver, 'approve', reviewId, { reason: texts.approval })
  return reviewId
}

/** Every table of the database but the one for personal text, as one text. */
async function otherTables({ databaseUrl }: Harness): Promise<string> {
  const sql = databaseUrl.startsWith('sqlite:')
    ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
    : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
  const tables = (await rowsOf(databaseUrl, sql)).map(({ name }) => String(name))
  assert.ok(tables.includes('review_changes') && tables.includes('reviews') && tables.length > 20)
  const kept = tables.filter((name) => name !== 'personal_texts')
  const rows: unknown[] = []
  for (const name of kept) rows.push(await rowsOf(databaseUrl, `SELECT * FROM ${name}`))
  return JSON.stringify(rows, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
}

for (const engine of engines) {
  test(`${engine}: no table but that of personal texts holds a comment, a justification or a reason`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await discussed(harness, desk)
      await harness.seal()
      const { history } = await desk.show(reviewId)
      const shown = (history as Answer['body'][]).map(({ text }) => text)
      assert.deepEqual(shown, [
        null,
        texts.first,
        texts.comment,
        texts.rejection,
        texts.second,
        texts.approval,
      ])
      const elsewhere = await otherTables(harness)
      for (const text of Object.values(texts)) assert.ok(!elsewhere.includes(text), text)
      const kept = await rowsOf(
        harness.databaseUrl,
        'SELECT subject_id, owner_id, personal_text FROM personal_texts',
      )
      const ofChanges = kept.filter((row) => String(row['subject_id']).startsWith('rvc_'))
      assert.deepEqual(
        ofChanges.map((row) => String(row['personal_text'])).toSorted(),
        Object.values(texts).toSorted(),
      )
      assert.deepEqual(new Set(kept.map((row) => row['owner_id'])), new Set([desk.ownerId]))
    })
  })

  test(`${engine}: erased texts are gone from every answer, and everything else of the review is still there and sealed`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await discussed(harness, desk)
      const requestId = await requestIdOf(desk, reviewId)
      await harness.seal()
      const before = await desk.show(reviewId)
      await withDirectDatabase(harness.databaseUrl, ({ run }) => run('DELETE FROM personal_texts'))
      const erased = '(erased)'
      const after = await desk.show(reviewId)
      assert.deepEqual(after, {
        ...before,
        proposal: { ...before.proposal, justification: erased },
        resolution: { ...before.resolution, reason: erased },
        comments: [{ ...before.comments[0], text: erased }],
        history: before.history.map((change: Answer['body']) => ({
          ...change,
          text: change.text === null ? null : erased,
        })),
      })
      const { text, body } = await harness.get(desk.proposer.key, `/api/v1/audit/export/${requestId}`)
      assert.equal(body.human_override.justification, erased)
      assert.deepEqual(verifyBundle(text).findings, [])
      // No act erased it: to the check of the log a text that is gone is a finding, and nothing else is.
      const messages = (await checkedLog(harness.store)).findings.map(({ message }) => message)
      assert.deepEqual(
        new Set(messages),
        new Set([
          'the personal text of the review is missing',
          'the personal text of the override is missing',
        ]),
      )
    })
  })

  test(`${engine}: a proposal whose justification was erased can be approved, and stays erased`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewId = await desk.proposed({}, { justification: texts.first })
      const requestId = await requestIdOf(desk, reviewId)
      await withDirectDatabase(harness.databaseUrl, ({ run }) => run('DELETE FROM personal_texts'))
      assert.equal((await done(harness, desk.approver, 'approve', reviewId)).status, 'approved')
      const { text } = await harness.get(desk.proposer.key, `/api/v1/audit/export/${requestId}`)
      assert.deepEqual(verifyBundle(text).findings, [])
      assert.ok(!text.includes(texts.first))
    })
  })
}
