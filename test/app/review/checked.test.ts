/** Whoever changes reviews in the database is found by the check of the log. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VerifiedLog } from '../../../src/app/log/verify-log.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase, type DirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { deskOn, done } from '../../helpers/reviews.ts'

type Run = DirectDatabase['run']

const forged = 'rvc_00000000000000000000forged'

/** The guards of the changes, done away with by somebody who may do anything. */
async function withoutGuards(databaseUrl: string, work: (run: Run) => Promise<void>): Promise<void> {
  await withDirectDatabase(databaseUrl, async ({ run }) => {
    if (databaseUrl.startsWith('sqlite:')) {
      const guards = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'review_changes'"
      for (const { name } of await run(guards)) await run(`DROP TRIGGER ${String(name)}`)
    } else await run('ALTER TABLE review_changes DISABLE TRIGGER ALL')
    await work(run)
  })
}

const ofRow = (id: string): string => `WHERE review_id = '${id}'`
const ofChange = (id: string, kind: string): string => `${ofRow(id)} AND kind = '${kind}'`

/** Each attack, with the words that must be found. `id` is of a review that was proposed, rejected and proposed again. */
const attacks: Readonly<Record<string, { sql: (id: string) => string; found: RegExp }>> = {
  'another status': {
    sql: (id) => `UPDATE reviews SET status = 'approved' ${ofRow(id)}`,
    found: /another status than its changes/,
  },
  'another due time': {
    sql: (id) => `UPDATE reviews SET due_at_ms = due_at_ms + 1 ${ofRow(id)}`,
    found: /due or expires at another time/,
  },
  'another expiry': {
    sql: (id) => `UPDATE reviews SET expires_at_ms = expires_at_ms + 86400000 ${ofRow(id)}`,
    found: /due or expires at another time/,
  },
  'a smaller amount, for one pair of eyes': {
    sql: (id) => `UPDATE reviews SET amount = 1 ${ofRow(id)}`,
    found: /another payment than its decision/,
  },
  'another currency': {
    sql: (id) => `UPDATE reviews SET currency = 'NGN' ${ofRow(id)}`,
    found: /another payment than its decision/,
  },
  'another verdict': {
    sql: (id) => `UPDATE reviews SET decision = 'GO' ${ofRow(id)}`,
    found: /another payment than its decision/,
  },
  'another corridor': {
    sql: (id) => `UPDATE reviews SET corridor = 'GB-NG' ${ofRow(id)}`,
    found: /another payment than its decision/,
  },
  'another proposer': {
    sql: (id) => `UPDATE review_changes SET principal_id = 'key_other' ${ofChange(id, 'proposed')}`,
    found: /changed after it was sealed/,
  },
  'another action': {
    sql: (id) => `UPDATE review_changes SET action = 'REJECT' ${ofChange(id, 'proposed')}`,
    found: /changed after it was sealed/,
  },
  'another time': {
    sql: (id) => `UPDATE review_changes SET at_ms = at_ms - 1 ${ofChange(id, 'rejected')}`,
    found: /changed after it was sealed/,
  },
  'another kind': {
    sql: (id) => `UPDATE review_changes SET kind = 'approved' ${ofChange(id, 'rejected')}`,
    found: /changed after it was sealed/,
  },
  'a rejection removed': {
    sql: (id) => `DELETE FROM review_changes ${ofChange(id, 'rejected')}`,
    found: /is missing|lacks a change/,
  },
  'all changes removed': {
    sql: (id) => `DELETE FROM review_changes ${ofRow(id)}`,
    found: /is missing|lacks a change/,
  },
  'a change added': {
    sql: (id) => `INSERT INTO review_changes (change_id, review_id, number, owner_id, request_id, kind, at_ms)
      SELECT '${forged}', review_id, 5, owner_id, request_id, 'approved', at_ms
      FROM review_changes ${ofChange(id, 'opened')}`,
    found: /was never sealed/,
  },
  'a text changed': {
    sql: (id) => `UPDATE personal_texts SET personal_text = 'forged' WHERE subject_id IN
      (SELECT change_id FROM review_changes ${ofChange(id, 'rejected')})`,
    found: /personal text of the review was changed/,
  },
  'the review removed': {
    sql: (id) => `DELETE FROM reviews ${ofRow(id)}`,
    found: /./,
  },
}

/** The findings that name the review, or one of these changes. */
const ofReview = (findings: VerifiedLog['findings'], ids: readonly string[]): string[] =>
  findings.filter(({ place }) => ids.some((id) => place.includes(id))).map(({ message }) => message)

for (const engine of engines) {
  test(`${engine}: each change of a review that somebody makes past the service is found`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const reviewIds = new Map<string, string>()
      for (const name of Object.keys(attacks)) {
        const reviewId = await desk.proposed({ amount: 100 })
        await done(harness, desk.approver, 'reject', reviewId)
        await done(harness, desk.proposer, 'propose', reviewId)
        reviewIds.set(name, reviewId)
      }
      await harness.seal()
      const whole = await checkedLog(harness.store)
      assert.deepEqual([whole.findings, whole.reviews], [[], 4 * reviewIds.size])
      const changes = await rowsOf(harness.databaseUrl, 'SELECT review_id, change_id FROM review_changes')
      const changesOf = Map.groupBy(changes, (row) => row['review_id'])
      await withoutGuards(harness.databaseUrl, async (run) => {
        for (const [name, { sql }] of Object.entries(attacks)) await run(sql(reviewIds.get(name) ?? ''))
      })
      const { findings } = await checkedLog(harness.store)
      const missed = Object.entries(attacks).filter(([name, { found }]) => {
        const reviewId = reviewIds.get(name) ?? ''
        const ids = (changesOf.get(reviewId) ?? []).map((row) => String(row['change_id']))
        const messages = ofReview(findings, [
          reviewId,
          ...ids,
          ...(name === 'a change added' ? [forged] : []),
        ])
        return !messages.some((message) => found.test(message))
      })
      assert.deepEqual(
        missed.map(([name]) => name),
        [],
        JSON.stringify(findings),
      )
    })
  })
}
