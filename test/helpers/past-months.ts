/** A PostgreSQL database with records of March and April 2020, as an operator of today finds it. */

import assert from 'node:assert/strict'
import { issueKey } from '../../src/app/access/keys.ts'
import { systemRandom } from '../../src/adapters/system.ts'
import { ManualClock } from './clock.ts'
import { pastOf } from './database/months.ts'
import { assemble } from './harness.ts'
import { trial } from './webhooks.ts'

/** Of one of the records of March. */
export const correlation = 'order-of-jane-doe'

/** Records of March and April 2020, with a clock that is that far behind. */
export async function recordInMarch(databaseUrl: string): Promise<void> {
  const clock = new ManualClock('2020-03-10T12:00:00.000Z')
  const harness = await assemble(databaseUrl, clock, { engine: 'postgres', settings: trial })
  try {
    const { key } = await issueKey(
      { keys: harness.store.keys, clock, random: systemRandom },
      { prefix: 'pk_test_', ownerLabel: 'test', scopes: [], verifyLimit: null },
    )
    const past = pastOf(harness, key)
    await past.record('2020-03', 2)
    const named = { corridor: 'GB-NG', amount: 3, correlation_id: correlation }
    assert.equal((await harness.verify(key, named)).status, 200)
    await past.record('2020-04', 2)
    await harness.seal()
  } finally {
    await harness.close()
  }
}
