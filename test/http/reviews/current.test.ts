/** No reader of reviews sees the past, on any instance; a follower that fails is 503 for its readers and acts alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import {
  act,
  decided,
  deskOn,
  done,
  idsIn,
  payments,
  readReviews,
  refusalOf,
  reviewOf,
  reviewsUrl,
} from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'

const behind = [503, 'STORE_UNAVAILABLE'] as const

for (const engine of engines) {
  test(`${engine}: what one instance has answered, the other shows at once: decisions, acts and overrides`, async () => {
    await withHarness({ engine, settings: unlimited }, async (one) => {
      const other = await one.sibling()
      try {
        const desk = await deskOn(one)
        for (let count = 1; count <= 4; count += 1) {
          const [writer, reader] = count % 2 === 1 ? [one, other] : [other, one]
          const { request_id: requestId } = await decided(
            writer,
            desk.proposer.key,
            payments.degraded,
            'DEGRADED',
          )
          const reviewId = reviewOf(requestId)
          const statusSeen = async (): Promise<unknown> =>
            (await readReviews(reader, desk.proposer, `/${reviewId}`)).status
          assert.equal((await readReviews(reader, desk.proposer, '/summary')).waiting, 1)
          assert.ok(idsIn(await readReviews(reader, desk.proposer, '?status=open')).includes(reviewId))
          await done(writer, desk.proposer, 'claim', reviewId)
          assert.equal(await statusSeen(), 'claimed')
          assert.equal((await override(writer, desk.proposer.key, requestId)).status, 200)
          assert.equal(await statusSeen(), 'overridden')
          assert.equal((await readReviews(reader, desk.proposer, '/summary')).waiting, 0)
        }
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: an act on a review that nobody has read yet finds it, on any instance`, async () => {
    await withHarness({ engine, settings: unlimited }, async (one) => {
      const other = await one.sibling()
      try {
        const desk = await deskOn(one)
        const acts = [
          ['claim', one],
          ['propose', other],
          ['comment', other],
        ] as const
        for (const [name, harness] of acts) {
          const answer = await decided(one, desk.proposer.key, payments.degraded, 'DEGRADED')
          assert.equal(
            (await act(harness, desk.proposer, name, reviewOf(answer.request_id))).status,
            200,
            name,
          )
        }
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: while reviews cannot be opened, reads and acts are 503 and payments are decided; nothing is lost`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const { key } = desk.proposer
      const first = await desk.open()
      await desk.show(first)
      const ids: string[] = []
      await withBrokenTable(harness.databaseUrl, 'INSERT ON review_changes', async () => {
        for (let count = 0; count < 3; count += 1) {
          const answer = await decided(harness, key, payments.degraded, 'DEGRADED')
          ids.push(reviewOf(answer.request_id))
        }
        for (const path of ['', '/summary', `/${first}`])
          assert.deepEqual(refusalOf(await harness.get(key, `${reviewsUrl}${path}`)), behind)
        assert.deepEqual(refusalOf(await act(harness, desk.proposer, 'claim', first)), behind)
        assert.equal((await harness.get(key, '/api/verifications')).body.length, 4)
        const stored = await rowsOf(harness.databaseUrl, 'SELECT review_id FROM reviews')
        assert.equal(stored.length, 1, 'never a review without its opening')
      })
      const listed = await readReviews(harness, desk.proposer)
      assert.deepEqual(idsIn(listed).toSorted(), [first, ...ids].toSorted())
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })
}
