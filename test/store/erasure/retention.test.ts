/** Retention erases the texts that are older than the period, and leaves younger ones and those in use. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyRetention, reportRetention, retainedSince } from '../../../src/app/erasure/retention.ts'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { dayMs } from '../../../src/core/time/durations.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { everyTable } from '../../helpers/erasure.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { post } from '../../helpers/post.ts'
import { deskOn, done, goodProposal } from '../../helpers/reviews.ts'
import { override, degraded } from '../../helpers/webhooks.ts'

const days = 30
const longReviews = { FAIRWAY_REVIEW_DUE_S: '2000000', FAIRWAY_REVIEW_EXPIRES_S: '2592000' }
const settings = { ...unlimited, ...longReviews }

const before = ({ clock }: Harness): number => retainedSince(clock.nowMs(), days)
const report = (harness: Harness) => reportRetention({ ...harness, random }, before(harness))
const apply = (harness: Harness) =>
  applyRetention({ ...harness, random }, { beforeMs: before(harness), by: 'cron' }, () => undefined)

for (const engine of engines) {
  test(`${engine}: the report counts by kind and month and changes nothing; applying erases exactly that`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      const verify = (id: string, more: Record<string, string> = {}) =>
        harness.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: id }, { headers: more })
      await verify('oldest text', { 'idempotency-key': 'k-1' })
      const id = await degraded(harness, key, { correlation_id: 'old text' })
      await override(harness, key, id, { justification: 'an old justification' })
      const transactions = [{ id: 'old row', corridor: 'GB-NG', amount: 5 }]
      assert.equal((await post(harness, '/api/v1/batch-reports', { transactions }, { key })).status, 200)
      const month = new Date(harness.clock.nowMs()).toISOString().slice(0, 7)
      harness.clock.advance((days + 1) * dayMs)
      await verify('young text', { 'idempotency-key': 'k-2' })
      await harness.seal()

      const tables = await everyTable(harness)
      const { texts, inUse, sealed, batchReports } = await report(harness)
      assert.deepEqual(texts, [
        { kind: 'correlation_id', month, texts: 2 },
        { kind: 'justification', month, texts: 1 },
      ])
      assert.deepEqual([inUse, sealed, batchReports], [0, 0, 1])
      assert.equal(await everyTable(harness), tables, 'a report changes nothing')

      assert.equal(await apply(harness), 3)
      await harness.seal()
      const left = await everyTable(harness)
      for (const text of ['oldest text', 'old text', 'an old justification', 'old row'])
        assert.ok(!left.includes(text), text)
      assert.ok(left.includes('young text'))
      const checked = await checkedLog(harness.store)
      assert.deepEqual([checked.findings, checked.erased], [[], 3])
      const acts = await rowsOf(harness.databaseUrl, "SELECT detail FROM acts WHERE kind = 'text.erased'")
      assert.ok(acts.every(({ detail }) => String(detail).includes('"reference":"retention"')))
      const again = await verify('oldest text', { 'idempotency-key': 'k-1' })
      assert.equal(again.status, 409)

      assert.equal(await apply(harness), 0)
      const after = await rowsOf(harness.databaseUrl, "SELECT detail FROM acts WHERE kind = 'text.erased'")
      assert.deepEqual(after, acts, 'a second run records nothing')
    })
  })

  test(`${engine}: texts of a review stay until it is closed`, async () => {
    await withHarness(
      { engine, settings: { ...settings, FAIRWAY_REVIEW_EXPIRES_S: '2592000' } },
      async (harness) => {
        const desk = await deskOn(harness)
        const reviewId = await desk.proposed({}, { ...goodProposal, justification: 'a text in use' })
        const oneDay = { ...harness, random }
        harness.clock.advance(2 * dayMs)
        const beforeMs = retainedSince(harness.clock.nowMs(), 1)
        const run = () => applyRetention(oneDay, { beforeMs, by: 'cron' }, () => undefined)
        assert.equal((await reportRetention(oneDay, beforeMs)).inUse, 1)
        assert.equal(await run(), 0)
        assert.ok((await everyTable(harness)).includes('a text in use'))
        await done(harness, desk.approver, 'approve', reviewId, { reason: 'fine' })
        // The override has its own copy, which is new.
        assert.equal(await run(), 1)
        await harness.seal()
        assert.deepEqual((await checkedLog(harness.store)).findings, [])
      },
    )
  })
}
