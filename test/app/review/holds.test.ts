/** The count of holds: written at intervals and at a stop, again after a failure, and bounded in memory. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHolds, type Holds } from '../../../src/app/verify/holds.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { ManualTimers } from '../../helpers/timers.ts'

interface Scene {
  readonly holds: Holds
  readonly logged: string[]
}

function holdsOn({ store, clock }: Harness): Scene {
  const logged: string[] = []
  const log = {
    warn: (_fields: object, message: string) => void logged.push(message),
    info: (message: string) => void logged.push(message),
  }
  return { holds: createHolds({ store: store.holds, clock, log }), logged }
}

const held = { ownerId: 'own_1', mode: 'live', corridor: 'GB-NG', reason: 'STORE_UNAVAILABLE' } as const

/** As stored, of this owner. */
const stored = async ({ store }: Harness, ownerId = 'own_1'): Promise<number> =>
  (await store.holds.sums(ownerId, null, 0)).reduce((sum, { requests }) => sum + requests, 0)

for (const engine of engines) {
  test(`${engine}: counts are written every second, and once more at a stop`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { holds } = holdsOn(harness)
      const timers = new ManualTimers(harness.clock)
      const stop = holds.start(timers.repeat)
      holds.count(held)
      holds.count(held)
      assert.equal(await stored(harness), 0)
      await timers.advance(1_000)
      await holds.write()
      assert.equal(await stored(harness), 2)
      holds.count(held)
      await stop()
      assert.equal(await stored(harness), 3)
    })
  })

  test(`${engine}: what could not be written is written later, once, and said once`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { holds, logged } = holdsOn(harness)
      await withBrokenTable(harness.databaseUrl, 'INSERT ON holds', async () => {
        for (let turn = 0; turn < 3; turn += 1) {
          holds.count(held)
          await holds.write()
        }
      })
      assert.equal(await stored(harness), 0)
      assert.deepEqual(logged, ['holds: write failed, retrying'])
      await holds.write()
      await holds.write()
      assert.equal(await stored(harness), 3)
      assert.deepEqual(logged.slice(1), ['holds: writes have resumed'])
    })
  })
}

test('while nothing can be written, more kinds than are kept are counted without their corridor, and none is lost', async () => {
  await withHarness({}, async (harness) => {
    const { holds } = holdsOn(harness)
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    const countries = letters.flatMap((one) => letters.map((other) => `${one}${other}`))
    const corridors = countries.flatMap((country) => countries.slice(0, 8).map((to) => `${country}-${to}`))
    assert.ok(corridors.length > 5_000)
    for (const corridor of corridors) holds.count({ ...held, corridor })
    await holds.write()
    assert.equal(await countOf(harness), corridors.length)
  })
})

/** All requests, past the limit of rows in an answer. */
async function countOf({ databaseUrl }: Harness): Promise<number> {
  const [row] = await rowsOf(databaseUrl, 'SELECT SUM(requests) AS total FROM holds')
  return Number(row?.['total'])
}
