/** Money in the console: decimals by ISO 4217, and amounts as people type them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAlignedAmount, formatAmount } from '../../console/src/format.ts'
import { decimalsOf, readAmount } from '../../console/src/money.ts'
import { decimalsOf as decimalsOfServer, parseCurrency } from '../../src/core/reference/currency.ts'
import { currencyCodes } from '../../src/core/reference/data/currencies.ts'
import { check } from '../helpers/check.ts'

test('every currency has the decimals of ISO 4217', () => {
  const differing = currencyCodes.filter(
    (code) => decimalsOf(code) !== decimalsOfServer(parseCurrency(code) ?? assert.fail(code)),
  )
  assert.deepEqual(differing, [])
})

test('an amount is written with the decimals of its currency, and never loses a digit', () => {
  check<[number | null, string], string>(
    [
      [[1000, 'GBP'], '1,000.00 GBP'],
      [[1000.5, 'GBP'], '1,000.50 GBP'],
      [[1000, 'NGN'], '1,000.00 NGN'],
      [[1000, 'JPY'], '1,000 JPY'],
      [[1000.5, 'JPY'], '1,000.5 JPY'],
      [[1000, 'KWD'], '1,000.000 KWD'],
      [[0.1234, 'KWD'], '0.1234 KWD'],
      [[1e15, 'USD'], '1,000,000,000,000,000.00 USD'],
      [[0, 'EUR'], '0.00 EUR'],
      [[null, 'EUR'], 'no amount'],
    ],
    ([amount, currency]) => formatAmount(amount, currency),
  )
  assert.equal(formatAlignedAmount(7, 'IQD'), '7.000')
})

test('an amount is read as people type it', () => {
  check<string, number | null>(
    [
      ['', null],
      ['  ', null],
      ['1000', 1000],
      [' 1000.50 ', 1000.5],
      ['1,000', 1000],
      ['1 000', 1000],
      ['1\u{a0}000', 1000],
      ['1\u{202f}000.5', 1000.5],
      ["1'000", 1000],
      ['1,000.50', 1000.5],
      ['12,345,678.9', 12_345_678.9],
      ['0.01', 0.01],
      ['-5', -5],
    ],
    (text) => {
      const read = readAmount(text)
      return read.kind === 'amount' ? read.amount : read.kind === 'none' ? null : assert.fail(text)
    },
  )
})

test('an amount that could be meant in two ways, or in none, is refused with a rule', () => {
  const groups = /three digits after each comma or space/
  const number = /must be a number, like 1000 or 1,000\.50/
  const cases: readonly (readonly [string, RegExp])[] = [
    ['1,00', groups],
    ['1,0000', groups],
    ['1.000,50', groups],
    ['1,000 000', groups],
    ['1000,000', groups],
    ['1,', groups],
    ['ten', number],
    ['1e3', number],
    ['£1000', number],
    ['NaN', number],
  ]
  for (const [text, rule] of cases) {
    const read = readAmount(text)
    assert.match(read.kind === 'fault' ? read.fault : '', rule, text)
  }
})
