/** The store of holds, on either engine: counts add up by minute, reason and corridor, and are kept for a week. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Held } from '../../../src/app/ports/holds.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'

const startMs = Date.parse('2026-03-01T12:00:00Z')
const minuteMs = 60_000

const heldAt = (minute: number, more: Partial<Held> = {}): Held => ({
  ownerId: 'own_1',
  mode: 'live',
  corridor: 'GB-NG',
  reason: 'SIGNALS_UNAVAILABLE',
  requests: 1,
  minuteAtMs: startMs + minute * minuteMs,
  lastAtMs: startMs + minute * minuteMs + 1_234,
  ...more,
})

for (const engine of engines) {
  test(`${engine}: what is added is summed by mode, corridor and reason, newest first, of one owner`, async () => {
    await withHarness({ engine }, async ({ store: { holds } }) => {
      await holds.add([
        heldAt(0, { requests: 2 }),
        heldAt(1, { requests: 3 }),
        heldAt(0, { corridor: '', requests: 5 }),
        heldAt(2, { reason: 'STORE_UNAVAILABLE' }),
        heldAt(0, { mode: 'shadow', requests: 7 }),
        heldAt(3, { ownerId: 'own_2', requests: 11 }),
      ])
      await holds.add([heldAt(1, { requests: 4, lastAtMs: startMs + minuteMs })])
      const short = (found: Awaited<ReturnType<typeof holds.sums>>) =>
        found.map(({ mode, corridor, reason, requests }) => `${mode} ${corridor} ${reason} ${requests}`)
      const own = await holds.sums('own_1', null, startMs)
      assert.deepEqual(short(own), [
        'live GB-NG STORE_UNAVAILABLE 1',
        'live GB-NG SIGNALS_UNAVAILABLE 9',
        'live  SIGNALS_UNAVAILABLE 5',
        'shadow GB-NG SIGNALS_UNAVAILABLE 7',
      ])
      const [, sum] = own
      assert.deepEqual([sum?.firstMinuteAtMs, sum?.lastAtMs], [startMs, startMs + minuteMs + 1_234])
      assert.deepEqual(short(await holds.sums('own_1', 'shadow', startMs)), [
        'shadow GB-NG SIGNALS_UNAVAILABLE 7',
      ])
      assert.deepEqual(short(await holds.sums('own_1', 'live', startMs + minuteMs)), [
        'live GB-NG STORE_UNAVAILABLE 1',
        'live GB-NG SIGNALS_UNAVAILABLE 7',
      ])
      assert.deepEqual(short(await holds.sums('own_2', null, startMs)), ['live GB-NG SIGNALS_UNAVAILABLE 11'])
      assert.deepEqual(await holds.sums('own_3', null, startMs), [])
    })
  })

  test(`${engine}: instances that add at once lose nothing`, async () => {
    await withHarness({ engine }, async (harness) => {
      const other = await harness.sibling()
      try {
        const add = (place: number): Promise<void> => {
          const { holds } = (place % 2 === 0 ? harness : other).store
          const both = [heldAt(0), heldAt(0, { corridor: 'NG-GB' })]
          return holds.add(place % 3 === 0 ? both : both.toReversed())
        }
        await Promise.all(Array.from({ length: 30 }, (_, place) => add(place)))
        const sums = await harness.store.holds.sums('own_1', null, startMs)
        assert.deepEqual(
          sums.map(({ corridor, requests }) => [corridor, requests]),
          [
            ['GB-NG', 30],
            ['NG-GB', 30],
          ],
        )
      } finally {
        await other.close()
      }
    })
  })

  test(`${engine}: holds of more than a week ago are deleted with the next that is added`, async () => {
    await withHarness({ engine }, async ({ store: { holds }, databaseUrl }) => {
      const week = 7 * 24 * 60
      await holds.add([heldAt(0), heldAt(1)])
      await holds.add([heldAt(week)])
      assert.equal((await rowsOf(databaseUrl, 'SELECT 1 FROM holds')).length, 3)
      await holds.add([heldAt(week + 1)])
      const rows = await rowsOf(databaseUrl, 'SELECT minute_at_ms FROM holds ORDER BY minute_at_ms')
      assert.deepEqual(
        rows.map((row) => Number(row['minute_at_ms'])),
        [1, week, week + 1].map((minute) => startMs + minute * minuteMs),
      )
    })
  })
}
