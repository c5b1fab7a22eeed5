/** Realised volatility: the yearly figure that the field computes, of as many days as there are. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { crossRates, realisedVolatility, type DailyRate } from '../../../src/core/live/realised-volatility.ts'

const day = (place: number): string => new Date(Date.UTC(2026, 0, 1 + place)).toISOString().slice(0, 10)
const series = (rates: readonly number[]): DailyRate[] =>
  rates.map((rate, place) => ({ day: day(place), rate }))
const anyRates = fc.array(fc.double({ min: 0.01, max: 5_000, noNaN: true }), { minLength: 6, maxLength: 40 })
const isClose = (left: number, right: number): boolean =>
  Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right))

test('a rate that stands still, or that grows by the same share each day, has no volatility', () => {
  const still = realisedVolatility(series(Array.from({ length: 21 }, () => 1.5)), 20)
  assert.deepEqual(still, { volatility: 0, returns: 20, day: '2026-01-21' })
  const growing = realisedVolatility(series(Array.from({ length: 21 }, (_, place) => 1.01 ** place)), 20)
  assert.ok((growing?.volatility ?? 1) < 1e-12)
})

test('returns of plus and minus one percent are worked out as by hand', () => {
  // Six returns, +r and -r in turn: mean 0, sample variance 6 r² / 5, times 252 days.
  const up = Math.exp(0.01)
  const found = realisedVolatility(series([1, up, 1, up, 1, up, 1]), 20)
  assert.ok(isClose(found?.volatility ?? 0, 0.01 * Math.sqrt((6 / 5) * 252)))
  assert.equal((found?.volatility ?? 0).toFixed(6), '0.173897')
  assert.equal(found?.returns, 6)
})

test('fewer than five returns are no volatility', () => {
  for (let days = 0; days <= 5; days += 1) {
    assert.equal(realisedVolatility(series(Array.from({ length: days }, () => 1)), 20), null)
  }
  assert.equal(realisedVolatility(series([1, 1, 1, 1, 1, 1]), 20)?.returns, 5)
})

test('only the newest returns count, as many as are asked for', () => {
  fc.assert(
    fc.property(anyRates, fc.integer({ min: 5, max: 30 }), (rates, returnsMax) => {
      const found = realisedVolatility(series(rates), returnsMax)
      const returns = Math.min(returnsMax, rates.length - 1)
      assert.equal(found?.returns, returns)
      assert.equal(found?.day, day(rates.length - 1))
      const wild = [1e-6, 1e6, ...rates.slice(-(returns + 1))]
      assert.equal(realisedVolatility(series(wild), returns)?.volatility, found?.volatility)
    }),
  )
})

test('a price and its inverse, and a price in another unit, are as volatile', () => {
  fc.assert(
    fc.property(anyRates, fc.double({ min: 0.1, max: 100, noNaN: true }), (rates, factor) => {
      const of = (some: readonly number[]): number => realisedVolatility(series(some), 50)?.volatility ?? -1
      const found = of(rates)
      assert.ok(isClose(found, of(rates.map((rate) => 1 / rate))))
      assert.ok(isClose(found, of(rates.map((rate) => rate * factor))))
      assert.ok(found >= 0)
    }),
  )
})

test('a cross rate has the days on which both were published, in order, whatever the order of the series', () => {
  const given = new Map([
    [
      'GBP',
      [
        { day: day(3), rate: 0.8 },
        { day: day(1), rate: 0.5 },
        { day: day(2), rate: 0.4 },
      ],
    ],
    [
      'NGN',
      [
        { day: day(1), rate: 1_000 },
        { day: day(3), rate: 1_600 },
        { day: day(4), rate: 1 },
      ],
    ],
  ])
  assert.deepEqual(crossRates(given, ['GBP', 'NGN']), [
    { day: day(1), rate: 2_000 },
    { day: day(3), rate: 2_000 },
  ])
  assert.deepEqual(crossRates(given, ['NGN', 'GBP']), [
    { day: day(1), rate: 0.0005 },
    { day: day(3), rate: 0.0005 },
  ])
  assert.deepEqual(
    crossRates(given, ['EUR', 'GBP']).map(({ rate }) => rate),
    [0.5, 0.4, 0.8],
  )
  assert.deepEqual(
    crossRates(given, ['GBP', 'EUR']).map(({ rate }) => rate),
    [2, 2.5, 1.25],
  )
  assert.deepEqual(crossRates(given, ['USD', 'NGN']), [])
  assert.deepEqual(crossRates(given, ['EUR', 'USD']), [])
})
