/** A misspelling of a known name is found by the rule as written, and the names of other things are left alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithin } from '../../../src/core/reference/edits.ts'
import { KnownNames } from '../../../src/core/reference/known-names.ts'
import { transactionColumns } from '../../../src/core/assess/transaction.ts'
import { outcomeRowColumns } from '../../../src/core/live/outcome-row.ts'
import { check } from '../../helpers/check.ts'

const payment = ['corridor', 'amount', 'currency', 'idempotency_key', 'correlation_id']
const nothing = () => false

/** Every text that is one edit away: a letter more, less, other, or two neighbours swapped. */
function edited(text: string, letters: string): Set<string> {
  const places = Array.from({ length: text.length + 1 }, (_, place) => place)
  const all = places.flatMap((at) => {
    const [head, tail] = [text.slice(0, at), text.slice(at)]
    const swapped = tail.length < 2 ? [] : [`${head}${tail[1]}${tail[0]}${tail.slice(2)}`]
    const less = tail === '' ? [] : [head + tail.slice(1)]
    const others = letters
      .split('')
      .flatMap((letter) => [head + letter + tail, ...(tail === '' ? [] : [head + letter + tail.slice(1)])])
    return [...swapped, ...less, ...others]
  })
  return new Set(all.filter((one) => one !== text))
}

test('every name one edit from a known one is refused, and every name two edits from one of eight letters', () => {
  for (const columns of [payment, transactionColumns, outcomeRowColumns]) {
    const names = new KnownNames(columns)
    for (const known of columns.filter((name) => name !== 'id')) {
      const once = edited(known, 'ae_')
      const twice = known.length < 8 ? [] : [...once].flatMap((name) => [...edited(name, 'e_')])
      for (const name of [...once, ...twice]) {
        if (!columns.includes(name as never)) assert.notEqual(names.meantBy(name, nothing), null, name)
      }
    }
  }
})

test('the number of edits is exact', () => {
  const texts = [''].concat(...[1, 2, 3, 4, 5].map((length) => ofLength(length)))
  for (const one of texts) {
    const within1 = new Set([one, ...edited(one, 'abc')])
    const within2 = new Set([...within1].flatMap((text) => [text, ...edited(text, 'abc')]))
    for (const other of texts) {
      assert.equal(isWithin(1, one, other), within1.has(other), `${one} ${other} by one`)
      assert.equal(isWithin(2, one, other), within2.has(other), `${one} ${other} by two`)
    }
  }
})

const letters = ['a', 'b', 'c']

function ofLength(length: number): string[] {
  if (length === 0) return ['']
  return ofLength(length - 1).flatMap((text) => letters.map((letter) => letter + text))
}

test('a misspelling names the nearest known name', () => {
  const names = new KnownNames(payment)
  check<string, string | null>(
    [
      ['Amount', 'amount'],
      ['AMMOUNT', 'amount'],
      ['amuont', 'amount'],
      ['curency', 'currency'],
      ['currecnies', null],
      ['Corr-idor', 'corridor'],
      ['coridors', 'corridor'],
      ['corelation-id', 'correlation_id'],
      ['correlatonId', 'correlation_id'],
      ['idempotencyKye', 'idempotency_key'],
      ['', null],
      ['__proto__', null],
    ],
    (name) => names.meantBy(name, nothing),
  )
  assert.equal(new KnownNames(['partners', 'partner_id']).meantBy('partner', nothing), 'partners')
})

test('another name for the amount or the currency is refused while that is absent', () => {
  const names = new KnownNames(payment)
  const aliases = {
    amount: ['value', 'amt', 'amnt', 'total', 'sum', 'amount_minor', 'amountMinor', 'Total'],
    currency: ['ccy', 'currency_code', 'currencyCode', 'CCY'],
  }
  for (const [known, others] of Object.entries(aliases)) {
    for (const other of others) {
      assert.equal(names.meantBy(other, nothing), known, other)
      assert.equal(
        names.meantBy(other, (name) => name !== known),
        known,
        other,
      )
      assert.equal(
        names.meantBy(other, (name) => name === known),
        null,
        other,
      )
    }
  }
  assert.equal(new KnownNames(['name', 'url']).meantBy('total', nothing), null)
})

test('names of other things are no misspellings', () => {
  const others =
    'customer_id account account_number discount count country to_currency fx_currency currency_from settlement_currency amount_gbp fee_amount subtotal total_fee value_date timestamp_ms created_at correlation request email rate uid ip mid no name'
  for (const columns of [payment, transactionColumns, outcomeRowColumns]) {
    const names = new KnownNames<string>(columns)
    for (const other of others.split(' ')) assert.equal(names.meantBy(other, nothing), null, other)
  }
})

test('a name is judged alike however often and after however many others it comes', () => {
  const names = new KnownNames(payment)
  for (let other = 0; other < 2_500; other += 1) {
    assert.equal(names.meantBy(`other${other}`, nothing), null)
    assert.equal(names.meantBy('ammount', nothing), 'amount')
  }
  assert.equal(names.meantBy(`Amo${'_'.repeat(1_000)}unt`, nothing), 'amount')
})
