/** FX volatility from a published series: both CSV forms of the ECB, and nothing that only looks like one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorOf } from '../../helpers/check.ts'
import { gist, withFeeds } from '../../helpers/peers/feeds.ts'
import { startMs, text, type FeedSpec, type FeedsSpec, type Reply } from '../../helpers/peers/provider.ts'

const signal = 'fx_volatility'
const dayMs = 86_400_000

/** The value itself, in thousandths, from 1 down. */
const straight = { points: [[0, 1], [1, 0]] } // prettier-ignore

const fileWith =
  (more: FeedSpec) =>
  (origin: string): FeedsSpec => ({
    deadline_ms: 30_000,
    signals: {
      [signal]: {
        source: 'fx-series',
        url: `${origin}/rates.csv`,
        map: straight,
        breaker: { failures: 1_000 },
        ...more,
      },
    },
  })

/** Days up to the start of the clock. */
const dayBack = (back: number): string => new Date(startMs - back * dayMs).toISOString().slice(0, 10)

/**
 * Against one euro, newest first: the pound stands still; the naira goes up by a hundredth and back, day by day. So six
 * returns of the cross rate are +r and -r in turn: mean 0, and r times the root of 6/5 of 252 is 0.173897 a year.
 */
const up = Math.exp(0.01)
const naira = [1_600, 1_600 * up, 1_600, 1_600 * up, 1_600, 1_600 * up, 1_600]
const handMade = {
  value: 0.173897,
  scaled: 826,
  history: { have: 6, need: 20 },
  observedAtMs: Date.parse(dayBack(0)),
}

const wide = (rows: readonly string[]): string => ['Date,USD,GBP,NGN,', ...rows].join('\n')
const wideRows = naira.map((rate, back) => `${dayBack(back)},1.08,0.8,${rate},`)

const longHead = 'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE'
const longRow = (currency: string, back: number, rate: number | string, denominator = 'EUR'): string =>
  `EXR.D.${currency}.${denominator}.SP00.A,D,${currency},${denominator},SP00,A,${dayBack(back)},${rate},A,"${currency}, daily"`
const longRows = naira.flatMap((rate, back) => [longRow('GBP', back, 0.8), longRow('NGN', back, rate)])
const long = (rows: readonly string[]): string => [longHead, ...rows].join('\r\n')

const csv = (body: string): Reply => text(body, 200, { 'content-type': 'text/csv' })

async function readOf(reply: Reply, more: FeedSpec = {}, corridor = 'GB-NG') {
  const found: unknown[] = []
  await withFeeds({ answer: () => reply, spec: fileWith(more) }, async ({ read }) => {
    const result = await read(signal, { corridor: corridorOf(corridor) })
    if (result.kind === 'failed') found.push(result.fault)
    else {
      const { value, scaled, history, observedAtMs } = result
      found.push({ value, scaled, history, observedAtMs })
    }
  })
  return found[0]
}

test('both forms of the ECB give the volatility that is worked out by hand, in any order of days', async () => {
  const bodies = [
    wide(wideRows),
    wide(wideRows.toReversed()),
    `\u{feff}${wide(wideRows)}\n\n`,
    wide(wideRows).replaceAll('\n', '\r\n'),
    ['Date,GBP,NGN', ...naira.map((rate, back) => `${dayBack(back)}, 0.8 , ${rate}`)].join('\n'),
    long(longRows),
    long(longRows.toReversed()),
    [
      'TIME_PERIOD,OBS_VALUE,CURRENCY',
      ...naira.flatMap((rate, back) => [`${dayBack(back)},0.8,GBP`, `${dayBack(back)},${rate},NGN`]),
    ].join('\n'),
  ]
  for (const body of bodies) assert.deepEqual(await readOf(csv(body)), handMade, body.slice(0, 60))
})

test('a corridor and its inverse are as volatile, and a pair of the file goes before the corridor', async () => {
  assert.deepEqual(await readOf(csv(wide(wideRows)), {}, 'NG-GB'), handMade)
  assert.deepEqual(await readOf(csv(wide(wideRows)), { pair: 'EUR/NGN' }), handMade)
  assert.deepEqual(await readOf(csv(wide(wideRows)), { pair: 'NGN/EUR' }), handMade)
  assert.deepEqual(await readOf(csv(wide(wideRows)), { pair: 'USD/GBP' }), {
    ...handMade,
    value: 0,
    scaled: 1_000,
  })
})

test('days without a rate are left out, and rates against another currency are none', async () => {
  const holes = wideRows.flatMap((row, place) =>
    place === 3
      ? [`${dayBack(90)},1.08,N/A,1,`, row, `${dayBack(91)},1.08,0.8,N/A,`, `${dayBack(92)},1.08,0.8,,`]
      : [row],
  )
  assert.deepEqual(await readOf(csv(wide(holes))), handMade)
  const others = [...longRows, longRow('NGN', 1, 1, 'USD'), longRow('GBP', 50, 'NaN'), longRow('NGN', 51, '')]
  assert.deepEqual(await readOf(csv(long(others))), handMade)
})

test('only so many days count as the file says, the newest', async () => {
  const wild = Array.from(
    { length: 5 },
    (_, more) => `${dayBack(7 + more)},1.08,0.8,${more % 2 === 0 ? 1 : 9_999},`,
  )
  const found = await readOf(csv(wide([...wideRows, ...wild])), { days: 6 })
  assert.deepEqual(found, { ...handMade, history: { have: 6, need: 6 } })
})

test('too little of a history, or none of a currency, is no volatility', async () => {
  assert.equal(await readOf(csv(wide(wideRows.slice(0, 5)))), 'no_history')
  assert.notEqual(await readOf(csv(wide(wideRows.slice(0, 6)))), 'no_history')
  assert.equal(await readOf(csv(wide(wideRows).replace('NGN', 'NGX'))), 'no_history')
  assert.equal(await readOf(csv(wide([]))), 'no_history')
  assert.equal(await readOf(csv(wide(wideRows)), { pair: 'GBP/JPY' }), 'no_history')
  assert.equal(await readOf(csv(longHead)), 'no_history')
})

test('what is no rate series is refused, and never half read', async () => {
  const bad = [
    '',
    'not a series at all',
    '<html><body>Sorry</body></html>',
    '{"rates": []}',
    wide([...wideRows, 'yesterday,1.08,0.8,1600,']),
    wide([...wideRows, '2026-02-30,1.08,0.8,1600,']),
    wide([...wideRows, '2026-02-01T00:00,1.08,0.8,1600,']),
    wide([...wideRows, `${dayBack(20)},1.08,0.8,zero,`]),
    wide([...wideRows, `${dayBack(20)},1.08,0.8,0,`]),
    wide([...wideRows, `${dayBack(20)},1.08,0.8,-1600,`]),
    wide([...wideRows, `${dayBack(20)},1.08,0.8,1e999,`]),
    wide([...wideRows, `${dayBack(20)},1.08,"0.8,1600,`]),
    long([...longRows, longRow('NGN', 20, 'high')]),
    'TIME_PERIOD,OBS_VALUE\n2026-02-01,1600',
  ]
  for (const body of bad) assert.equal(await readOf(csv(body)), 'unreadable', body.slice(-60))
  assert.equal(await readOf(text(Buffer.from([0x44, 0xff, 0xfe]))), 'unreadable')
  assert.equal(await readOf(text(wide(wideRows), 404)), 'bad_status')
  assert.equal(await readOf(text(wide(wideRows), 302, { location: '/rates.csv' })), 'redirect')
  assert.equal(await readOf(csv(wide(wideRows)), { max_bytes: 64 }), 'oversized')
})

test('a day that stands twice does not add a return', async () => {
  assert.deepEqual(await readOf(csv(wide([...wideRows, wideRows[3] ?? '']))), handMade)
  assert.deepEqual(await readOf(csv(long([...longRows, ...longRows]))), handMade)
})

test('a volatility that is off its map is out of range', async () => {
  assert.equal(await readOf(csv(wide(wideRows)), { map: { points: [[0, 1], [0.1, 0]] } }), 'out_of_range') // prettier-ignore
})

test('a series is stale by its newest day, a week after it unless the file says otherwise', async () => {
  const newest = Date.parse(dayBack(0))
  await withFeeds(
    { answer: () => csv(wide(wideRows)), spec: fileWith({ cache_ms: 0 }) },
    async ({ read, clock }) => {
      clock.advance(newest + 7 * dayMs - clock.nowMs())
      assert.equal(gist(await read(signal)), 826)
      clock.advance(1)
      assert.equal(gist(await read(signal)), 'stale')
    },
  )
  assert.equal(await readOf(csv(wide(wideRows)), { max_age_s: 3_600 }), 'stale')
})

test('a series that reaches into the future is not believed', async () => {
  const ahead = (days: number): string => wide([`${dayBack(-days)},1.08,0.8,1600,`, ...wideRows])
  // Where the series is published, the next day may have begun.
  assert.notEqual(typeof (await readOf(csv(ahead(1)))), 'string')
  for (const days of [3, 20_000]) assert.equal(await readOf(csv(ahead(days))), 'out_of_range')
})

test('one reading serves both directions of a corridor, and all amounts, for an hour', async () => {
  await withFeeds(
    { answer: () => csv(wide(wideRows)), spec: fileWith({}) },
    async ({ read, provider, clock }) => {
      for (const corridor of ['GB-NG', 'NG-GB']) {
        for (const amount of [1, 2, null]) {
          assert.equal(gist(await read(signal, { corridor: corridorOf(corridor), amount })), 826)
        }
      }
      assert.equal(provider.questions.length, 1)
      clock.advance(3_599_999)
      await read(signal)
      assert.equal(provider.questions.length, 1)
      clock.advance(1)
      await read(signal)
      assert.equal(provider.questions.length, 2)
    },
  )
})
