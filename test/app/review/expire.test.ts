/** Expiry beside requests: all that are over, however many, each once, whoever else looks. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { act, deskOn, expireOn } from '../../helpers/reviews.ts'

const countBy = async ({ databaseUrl }: Harness, column: string, table: string) => {
  const rows = await rowsOf(
    databaseUrl,
    `SELECT ${column} AS name, COUNT(*) AS count FROM ${table} GROUP BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]))
}

for (const engine of engines) {
  test(`${engine}: more than fit into one transaction expire at once, each once, by instances at the same time`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const other = await harness.sibling()
      try {
        const desk = await deskOn(harness)
        await Promise.all(Array.from({ length: 250 }, () => desk.open()))
        harness.clock.advance(86_400_000 - 1)
        const late = await desk.open()
        await harness.journal.passed('reviews')
        const instances = [harness, other, harness, other]
        await Promise.all(instances.map(expireOn))
        assert.deepEqual(await countBy(harness, 'status', 'reviews'), { open: 251 })
        harness.clock.advance(1)
        await Promise.all(instances.map(expireOn))
        assert.deepEqual(await countBy(harness, 'status', 'reviews'), { expired: 250, open: 1 })
        assert.deepEqual(await countBy(harness, 'kind', 'review_changes'), { opened: 251, expired: 250 })
        assert.equal((await desk.show(late)).status, 'open')
        await harness.seal()
        assert.deepEqual((await checkedLog(harness.store)).findings, [])
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: of an expiry and acts at the same time each review has one end`, async () => {
    await withHarness({ engine, settings: unlimited }, async (harness) => {
      const desk = await deskOn(harness)
      const ids: string[] = []
      for (let count = 0; count < 12; count += 1) ids.push(await desk.proposed())
      harness.clock.advance(86_400_000 - 1)
      // The clock moves while the approvals are on their way.
      const approvals = ids.map((id) => act(harness, desk.approver, 'approve', id))
      harness.clock.advance(1)
      await expireOn(harness)
      const answers = await Promise.all(approvals)
      for (const [place, id] of ids.entries()) {
        const { status, history } = await desk.show(id)
        const expected = answers[place]?.status === 200 ? 'approved' : 'expired'
        assert.equal(status, expected)
        assert.equal(history.length, 3, JSON.stringify(history))
      }
      const approved = answers.filter(({ status }) => status === 200).length
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT 1 FROM overrides')).length, approved)
    })
  })
}
