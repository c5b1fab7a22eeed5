/** Currencies: ISO 4217 codes and nothing else. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { currencyCodes } from '../../../src/core/reference/data/currencies.ts'
import { defaultCurrency, parseCurrency } from '../../../src/core/reference/currency.ts'
import { driftedFiles } from '../../../scripts/generate-data.ts'
import { check } from '../../helpers/check.ts'

test('codes of ISO 4217 are taken in any case, anything else is refused', () => {
  const taken = ['GBP', 'NGN', 'USD', 'EUR', 'JPY']
  const refused = [
    '',
    'zzz',
    'GB',
    'GBPX',
    ' GBP',
    'GBP ',
    'ZZZ',
    '£',
    'toString',
    '__proto__',
    'ＧＢＰ',
    'uſd',
    'ıNR',
    'ßp',
  ]
  check(
    [
      ...taken.map((text): [string, string | null] => [text, text]),
      ...taken.map((text): [string, string | null] => [text.toLowerCase(), text]),
      ['Gbp', 'GBP'],
      ...refused.map((text): [string, string | null] => [text, null]),
    ],
    (text): string | null => parseCurrency(text),
  )
})

test('a text is a currency exactly when the table lists it', () => {
  assert.ok(currencyCodes.length > 150)
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z]{3}$/), (text) => {
      const code = text.toUpperCase()
      assert.equal(parseCurrency(text), currencyCodes.includes(code) ? code : null)
    }),
  )
})

test('a request without a currency is in pounds', () => {
  assert.equal(defaultCurrency, 'GBP')
})

test('the country and currency tables are those of the packages they are generated from', () => {
  assert.deepEqual(driftedFiles(), [])
})
