/** A published rate series: read to the letter, and only as far as it is needed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ratesOf } from '../../../src/adapters/feeds/rate-series.ts'
import { FeedError } from '../../../src/adapters/feeds/source.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const pair = ['GBP', 'NGN']

test('a row of another length than the head is no row: a rate with a comma in it would be another rate', () => {
  const rows = [
    'Date,GBP,NGN\n2026-02-27,0.86,1,408.68',
    'Date,GBP,NGN,\n2026-02-27,0.86,1,408.68,',
    'Date,GBP,NGN\n2026-02-27,0.86',
    'Date,GBP,NGN\n"2026-02-27",0.86,1,408.68',
    'TIME_PERIOD,OBS_VALUE,CURRENCY\n2026-02-27,1,408.68,NGN',
  ]
  for (const row of rows) {
    assert.throws(
      () => ratesOf(bytes(row), pair),
      (error) => error instanceof FeedError && error.fault === 'unreadable',
      row,
    )
  }
  const quoted = ratesOf(bytes('Date,GBP,NGN\n2026-02-27,0.86,"1408.68"'), pair)
  assert.deepEqual(quoted.get('NGN'), [{ day: '2026-02-27', rate: 1408.68 }])
})

test('of a long history the newest days are read, in whatever order they stand, and nothing but the currencies asked for', () => {
  const day = (back: number): string =>
    new Date(Date.UTC(2026, 1, 27) - back * 86_400_000).toISOString().slice(0, 10)
  const lines = Array.from({ length: 7_000 }, (_, back) => `${day(back)},1.1,0.86,${1_600 + back},`)
  for (const order of [lines, lines.toReversed()]) {
    const series = ratesOf(bytes(['Date,USD,GBP,NGN,', ...order].join('\n')), pair)
    assert.deepEqual([...series.keys()], pair)
    const naira = series.get('NGN') ?? []
    assert.ok(naira.length >= 251, 'as many as the longest volatility needs')
    const newest = naira.toSorted((left, right) => (left.day < right.day ? 1 : -1))
    assert.deepEqual(newest[0], { day: day(0), rate: 1_600 })
    assert.deepEqual(newest[250], { day: day(250), rate: 1_850 })
  }
})
