/** GET /api/v1/calibration: the stretch of time that is answered, and figures that only their owner moves. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, iso } from '../../../src/core/time/durations.ts'
import { calibrationOf, calibrationUrl } from '../../helpers/calibration-books.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'
import { post } from '../../helpers/post.ts'

async function decided({ verify }: Harness, key: string, more: object = {}): Promise<string> {
  const { status, body, text } = await verify(key, { corridor: 'GB-NG', amount: 100, ...more })
  assert.equal(status, 200, text)
  return String(body.request_id)
}

async function ended(harness: Harness, key: string, outcome: string, more: object = {}): Promise<string> {
  const id = await decided(harness, key, more)
  assert.equal((await report(harness, key, id, { outcome })).status, 200)
  return id
}

interface Step {
  readonly from: string
  readonly to: string
  readonly records: number
}

test('without from and to it is the last 365 days until now, as whole days', async () => {
  await withHarness({ clock: new ManualClock('2026-03-01T12:00:00.000Z') }, async (harness) => {
    const { key } = await harness.issue()
    const stretch = async (query: string): Promise<string[]> => {
      const { from, to } = await calibrationOf(harness, key, query)
      return [from.slice(0, 10), to.slice(0, 10)]
    }
    for (const [query, from, to] of [
      ['', '2025-03-02', '2026-03-02'],
      ['?to=2026-02-01', '2025-02-01', '2026-02-01'],
      ['?to=2026-02-01T00:00:00.001Z', '2025-02-02', '2026-02-02'],
      ['?from=2026-02-28T23:59:59.999Z', '2026-02-28', '2026-03-02'],
      ['?from=2026-02-28T00:30:00%2B01:00&to=2026-02-28T00:30:00-01:00', '2026-02-27', '2026-03-01'],
      ['?from=1970-01-01&to=1970-01-01T00:00:01Z', '1970-01-01', '1970-01-02'],
      ['?to=1970-01-02', '1970-01-01', '1970-01-02'],
      ['?from=2000-01-01&to=9999-12-31', '2000-01-01', '9999-12-31'],
      ['?from=2027-01-01&to=2027-01-02', '2027-01-01', '2027-01-02'],
    ] as const) {
      assert.deepEqual(await stretch(query), [from, to], query)
    }
  })
})

test('a decision belongs to the UTC day in which it was recorded, whenever its outcome comes', async () => {
  await withHarness({ clock: new ManualClock('2026-03-01T23:59:59.999Z') }, async (harness) => {
    const { key } = await harness.issue()
    const first = await decided(harness, key)
    harness.clock.advance(1)
    const second = await decided(harness, key)
    const counts = async (day: string): Promise<number[]> => {
      const body = await calibrationOf(harness, key, `?from=${day}T12:00:00Z&to=${day}T12:00:01Z`)
      return [body.records, body.with_outcome, body.failures]
    }
    assert.deepEqual(
      [await counts('2026-03-01'), await counts('2026-03-02')],
      [
        [1, 0, 0],
        [1, 0, 0],
      ],
    )
    harness.clock.advance(90 * dayMs)
    await report(harness, key, first, { outcome: 'REJECTED' })
    await report(harness, key, second, { outcome: 'DELAYED' })
    assert.deepEqual(
      [await counts('2026-03-01'), await counts('2026-03-02')],
      [
        [1, 1, 1],
        [1, 1, 0],
      ],
    )
    assert.deepEqual(await counts('2026-05-31'), [0, 0, 0])
  })
})

test('a longer series has steps of 7 and of 30 days, without gaps, that add up to all outcomes', async () => {
  await withHarness({ clock: new ManualClock('2025-04-01T12:00:00.000Z') }, async (harness) => {
    const { key } = await harness.issue()
    let days = 0
    const seriesAfter = async (more: number): Promise<Step[]> => {
      harness.clock.advance(more * dayMs)
      days += more
      await ended(harness, key, 'COMPLETED')
      const { series, with_outcome: all } = await calibrationOf(harness, key, '?from=2025-03-01')
      const steps = series as Step[]
      assert.equal(
        steps.reduce((sum, { records }) => sum + records, 0),
        all,
      )
      for (const [place, { to }] of steps.entries()) assert.equal(steps[place + 1]?.from ?? to, to)
      return steps
    }
    const lengthOf = ({ from, to }: Step): number => (Date.parse(to) - Date.parse(from)) / dayMs
    for (const [more, step] of [
      [0, 1],
      [61, 1],
      [1, 7],
      [300, 7],
      [72, 30],
    ] as const) {
      const [first = assert.fail(), ...rest] = await seriesAfter(more)
      assert.equal(lengthOf(first), step, `after ${days} days`)
      assert.ok(rest.length + 1 <= 63)
      // The last step ends with the stretch.
      for (const one of rest.slice(0, -1)) assert.equal(lengthOf(one), step)
      // Steps stay where they are while days are added.
      assert.equal(Date.parse(first.from) % (step * dayMs), 0)
    }
  })
})

for (const engine of engines) {
  test(`nobody can move the figures of another owner (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      const ids = [
        await ended(harness, key, 'FAILED', { correlation_id: 'order-1' }),
        await ended(harness, key, 'PENDING', { correlation_id: 'order-2' }),
        await decided(harness, key, { correlation_id: 'order-3' }),
      ]
      const before = await calibrationOf(harness, key)
      for (const id of ids) {
        assert.equal((await report(harness, stranger.key, id, { outcome: 'FAILED' })).status, 404)
        const rows = [{ request_id: id, outcome: 'FAILED' }]
        const bulk = await post(harness, '/api/v1/outcomes', { outcomes: rows }, { key: stranger.key })
        assert.equal(bulk.status, 400)
      }
      const named = [{ correlation_id: 'order-3', outcome: 'FAILED' }]
      const bulk = await post(harness, '/api/v1/outcomes', { outcomes: named }, { key: stranger.key })
      assert.equal(bulk.status, 400)
      for (const outcome of ['COMPLETED', 'FAILED', 'REJECTED'])
        await ended(harness, stranger.key, outcome, { correlation_id: 'order-3' })
      assert.deepEqual(await calibrationOf(harness, key), before)
      const { records, with_outcome: own } = await calibrationOf(harness, stranger.key)
      assert.deepEqual([records, own], [3, 3])
    })
  })

  test(`while nothing can be counted it is 503, the rest answers, and nothing is lost (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      await ended(harness, key, 'FAILED')
      assert.equal((await calibrationOf(harness, key)).failures, 1)
      await withBrokenTable(harness.databaseUrl, 'INSERT ON calibration', async () => {
        assert.equal((await calibrationOf(harness, key)).failures, 1, 'nothing was recorded since')
        const id = await decided(harness, key)
        const { status, headers, body } = await harness.get(key, calibrationUrl)
        assert.deepEqual([status, body.code], [503, 'STORE_UNAVAILABLE'])
        assert.ok(Number(headers['retry-after']) > 0)
        assert.equal((await report(harness, key, id, { outcome: 'FAILED' })).status, 200)
        assert.equal((await harness.get(key, '/api/v1/verifications/summary')).body.total, 2)
        assert.equal((await harness.get(null, '/livez')).status, 200)
      })
      const { records, failures } = await calibrationOf(harness, key)
      assert.deepEqual([records, failures], [2, 2])
    })
  })

  test(`what one instance has answered, the other has counted (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const sibling = await harness.sibling()
      try {
        const { key } = await harness.issue()
        for (let count = 1; count <= 4; count += 1) {
          const [one, other] = count % 2 === 0 ? [harness, sibling] : [sibling, harness]
          await ended(one, key, 'COMPLETED')
          const { with_outcome: counted } = await calibrationOf(other, key)
          assert.equal(counted, count)
        }
      } finally {
        await sibling.close()
      }
    })
  })
}

test('the series and the figures of a chosen corridor and mode are those of its decisions alone', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    await ended(harness, key, 'FAILED', { corridor: 'GB-NG' })
    await ended(harness, key, 'COMPLETED', { corridor: 'NG-GB' })
    const counts = async (query: string): Promise<number[]> => {
      const { records, failures, series } = await calibrationOf(harness, key, query)
      return [records, failures, ...(series as Step[]).map((step) => step.records)]
    }
    assert.deepEqual(await counts('?corridor=gb-ng'), [1, 1, 1])
    assert.deepEqual(await counts('?corridor=NG-GB&mode=shadow'), [1, 0, 1])
    assert.deepEqual(await counts('?mode=live'), [0, 0])
    assert.deepEqual(await counts(`?from=${iso(harness.clock.nowMs())}`), [2, 1, 2])
  })
})
