/** A review that somebody took out of the queue in the database is found: its sealed changes are still there. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { deskOn } from '../../helpers/reviews.ts'

for (const engine of engines) {
  test(`${engine}: a review whose row was removed is found by the check of the log`, async () => {
    await withHarness({ engine }, async (harness) => {
      const desk = await deskOn(harness)
      const [kept, removed] = [await desk.open(), await desk.proposed()]
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run('DELETE FROM reviews WHERE review_id = $1', [removed]),
      )
      const { findings } = await checkedLog(harness.store)
      assert.ok(
        findings.some(({ place }) => place.includes(removed)),
        JSON.stringify(findings),
      )
      assert.ok(!findings.some(({ place }) => place.includes(kept)))
    })
  })
}
