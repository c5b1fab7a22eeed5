/** A month that an operator takes away stays counted, once, and is not counted again when it comes back. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detachMonth } from '../../../src/app/operate/partitions.ts'
import { calibrationOf } from '../../helpers/calibration-books.ts'
import { monthOf, withPast, type Past } from '../../helpers/database/months.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { report } from '../../helpers/outcomes.ts'
import { followReviewsOn } from '../../helpers/reviews.ts'

const outcomesInTurn = ['COMPLETED', 'FAILED', 'PENDING'] as const

async function figuresOf(past: Past) {
  const body = await calibrationOf(past, past.key, '?from=2020-01-01&to=2020-12-31')
  return [body.records, body.with_outcome, body.failures]
}

async function reportAll(past: Past, ids: readonly string[]): Promise<void> {
  for (const [place, id] of ids.entries()) {
    const outcome = outcomesInTurn[place % outcomesInTurn.length]
    assert.equal((await report(past, past.key, id, { outcome })).status, 200)
  }
}

test('a month that is away stays counted, and once it is back takes further outcomes on its own days', async () => {
  await withPast(async (past) => {
    const other = await past.sibling()
    try {
      const march = await past.record('2020-03', 6)
      await past.record('2020-05', 3)
      // Nobody has asked for the figures: what is not followed yet is followed before the month goes.
      await reportAll(past, march)
      assert.equal((await past.detach('2020-03')).kind, 'detached')
      const counted = [9, 4, 2]
      for (const instance of [past, other])
        assert.deepEqual(await figuresOf({ ...past, ...instance }), counted)
      const [, , pending = ''] = march
      assert.equal((await report(past, past.key, pending, { outcome: 'FAILED' })).status, 404)
      assert.deepEqual(await figuresOf(past), counted)

      assert.equal((await past.attach('2020-03')).kind, 'attached')
      assert.deepEqual(await figuresOf(past), counted)
      assert.equal((await report(other, past.key, pending, { outcome: 'FAILED' })).status, 200)
      assert.deepEqual(await figuresOf(past), [9, 5, 3])
      const inMarch = await calibrationOf(past, past.key, '?from=2020-03-01&to=2020-04-01')
      assert.deepEqual([inMarch.records, inMarch.with_outcome, inMarch.failures], [6, 5, 3])
      const inMay = await calibrationOf(past, past.key, '?from=2020-05-01&to=2020-06-01')
      assert.deepEqual([inMay.records, inMay.with_outcome], [3, 0], 'the day of the report does not count')

      assert.equal((await past.detach('2020-03')).kind, 'detached')
      assert.equal((await past.attach('2020-03')).kind, 'attached')
      assert.deepEqual(await figuresOf(past), [9, 5, 3])
    } finally {
      await other.close()
    }
  })
})

test('an outcome that is reported while its month is being detached is counted all the same', async () => {
  await withPast(async (past) => {
    const [first = '', second = ''] = await past.record('2020-03', 3)
    await past.record('2020-05', 1)
    const { store, clock } = past
    const partitions = store.partitions ?? assert.fail('this store has no months')
    const reporting = {
      ...partitions,
      // After everything was followed, and before the month goes.
      async needs(...given: Parameters<typeof partitions.needs>) {
        assert.equal((await report(past, past.key, first, { outcome: 'FAILED' })).status, 200)
        return partitions.needs(...given)
      },
    }
    const command = { month: monthOf('2020-03'), by: 'Ops on call', cooldownMs: 90_000, isDryRun: false }
    const followReviews = followReviewsOn(store, clock)
    const ports = { partitions: reporting, clock, journal: store.journal, followReviews }
    const detached = await detachMonth(ports, command)
    assert.equal(detached.kind, 'detached')
    assert.deepEqual(await figuresOf(past), [4, 1, 1])
    await past.attach('2020-03')
    await report(past, past.key, second, { outcome: 'COMPLETED' })
    assert.deepEqual(await figuresOf(past), [4, 2, 1])
  })
})

test('a month that was away when its entries were followed is counted when it is attached, once', async () => {
  await withPast(async (past) => {
    const march = await past.record('2020-03', 3)
    const blocked = await past.verify(past.key, { corridor: 'NG-GB', amount: 600_000 })
    await reportAll(past, march)
    await past.record('2020-05', 2)
    await past.detach('2020-03')
    // As an upgrade finds it: nothing is counted yet, and outcomes know nothing of their decisions.
    await withDirectDatabase(past.databaseUrl, async ({ run }) => {
      await run('DELETE FROM calibration')
      await run('UPDATE calibration_follower SET position = 0')
      await run('ALTER TABLE outcomes DISABLE TRIGGER USER')
      await run('UPDATE outcomes SET predicted = NULL')
      await run('ALTER TABLE outcomes ENABLE TRIGGER USER')
    })
    const upgraded = await past.sibling()
    try {
      const figures = async () => {
        const body = await calibrationOf(upgraded, past.key, '?from=2020-03-01&to=2020-12-31')
        return [body.records, body.with_outcome, body.failures, body.censored]
      }
      assert.deepEqual(await figures(), [2, 0, 0, 0])
      for (let turn = 0; turn < 2; turn += 1) {
        assert.equal((await past.attach('2020-03')).kind, 'attached')
        assert.deepEqual(await figures(), [6, 2, 1, 1])
        await past.detach('2020-03')
      }
      await past.attach('2020-03')
      await report(upgraded, past.key, String(blocked.body.request_id), { outcome: 'FAILED' })
      assert.deepEqual(await figures(), [6, 3, 2, 0])
    } finally {
      await upgraded.close()
    }
  })
})
