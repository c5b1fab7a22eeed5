/** After an upgrade from a schema without the log, calibration waits until everything of before is counted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calibrationOf, calibrationUrl } from '../../helpers/calibration-books.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines } from '../../helpers/database/databases.ts'
import { assemble, withHarness } from '../../helpers/harness.ts'
import { copyRows, olderDatabase } from './older-schema.ts'

for (const engine of engines) {
  test(`${engine}: figures that lack records of before are 503, and whole once these are numbered`, async () => {
    const clock = new ManualClock('2026-03-17T09:00:00.000Z')
    const older = await olderDatabase(engine, 6, clock.nowMs())
    await withHarness({ engine, clock }, async (harness) => {
      const { key } = await harness.issue()
      for (let place = 0; place < 30; place += 1)
        await harness.verify(key, { corridor: 'GB-NG', amount: 5 + place })
      for (const table of ['api_keys', 'verifications']) await copyRows(harness.databaseUrl, older.url, table)
      const upgraded = await assemble(older.url, clock, {})
      try {
        clock.advance(1_000)
        await upgraded.verify(key, { corridor: 'GB-NG', amount: 5 })
        assert.equal((await upgraded.get(key, calibrationUrl)).status, 503)
        await upgraded.seal()
        assert.equal((await calibrationOf(upgraded, key)).records, 31)
      } finally {
        await upgraded.close()
      }
    })
  })
}
