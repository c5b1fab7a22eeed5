/** A row of a batch: one set of rules for JSON and for text cells, and every fault at once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { actualOutcomes } from '../../../src/core/live/outcome.ts'
import type { RawRow } from '../../../src/core/assess/row-form.ts'
import {
  readTransaction,
  transactionColumns,
  transactionForm,
  type ReadTransaction,
  type TransactionColumn,
} from '../../../src/core/assess/transaction.ts'
import { check } from '../../helpers/check.ts'

type RawTransaction = RawRow<TransactionColumn>

const good = { corridor: 'GB-NG' }

/** The columns at fault, in order. */
const faultsOf = (raw: RawTransaction): (string | null)[] => {
  const read = readTransaction(raw)
  return read.ok ? [] : read.faults.map(({ column }) => column)
}

/** What is told of the one column at fault. */
const messageOf = (raw: RawTransaction): string => faultText(readTransaction(raw))

/** The same for a row from JSON. */
const jsonMessageOf = (row: Readonly<Record<string, unknown>>): string =>
  faultText(transactionForm.readJson(row))

function faultText(read: ReadTransaction): string {
  return read.ok ? '' : read.faults.map(({ column, message }) => `${column} ${message}`).join('; ')
}

const accepts = (column: string) => (value: unknown) => faultsOf({ ...good, [column]: value }).length === 0

test('a corridor alone is a row: the rest is not given, and the currency is GBP', () => {
  assert.deepEqual(readTransaction({ corridor: ' united_kingdom-NG ' }), {
    ok: true,
    id: null,
    value: {
      id: null,
      corridor: 'GB-NG',
      amount: null,
      currency: 'GBP',
      actualOutcome: null,
      month: null,
    },
  })
})

test('a full row is read whole; the month is that of the timestamp as it was written', () => {
  const raw = {
    id: 'pay 1',
    corridor: 'NG-GB',
    amount: 12.5,
    currency: 'NGN',
    actual_outcome: 'DELAYED',
    timestamp: '2026-03-31T23:59:59-11:00',
    rail: 'FPS',
  }
  assert.deepEqual(readTransaction(raw), {
    ok: true,
    id: 'pay 1',
    value: {
      id: 'pay 1',
      corridor: 'NG-GB',
      amount: 12.5,
      currency: 'NGN',
      actualOutcome: 'DELAYED',
      month: '2026-03',
    },
  })
})

test('everything that is wrong with a row is told at once, and its id all the same', () => {
  const raw = {
    id: 'pay-1',
    corridor: 'nowhere',
    amount: -1,
    currency: 'pounds',
    actual_outcome: 'LOST',
    timestamp: 'today',
    rail: '',
  }
  const read = readTransaction(raw)
  assert.ok(!read.ok)
  assert.equal(read.id, 'pay-1')
  assert.deepEqual(
    read.faults.map(({ column }) => column),
    ['corridor', 'amount', 'currency', 'actual_outcome', 'timestamp', 'rail'],
  )
  assert.deepEqual(faultsOf({ id: '' }), ['corridor', 'id'])
})

test('an amount is a finite number from 0 to 1e15', () => {
  check(
    [
      [0, true],
      [-0, true],
      [0.01, true],
      [1e15, true],
      [1e15 + 1, false],
      [-0.01, false],
      [Number.NaN, false],
      [Number.POSITIVE_INFINITY, false],
      ['1000', false],
      ['', false],
      [null, false],
      [true, false],
      [[1], false],
      [{}, false],
    ],
    accepts('amount'),
  )
})

test('a corridor is a spelling of two countries, of at most 128 characters', () => {
  check(
    [
      ['gb-ng', true],
      ['XX-YY', true],
      ['United Kingdom-Nigeria', true],
      ['GB', false],
      ['GB-NG-GB', false],
      ['', false],
      ['   ', false],
      [`GB-NG${' '.repeat(124)}`, false],
      [null, false],
      [7, false],
      [['GB', 'NG'], false],
    ],
    accepts('corridor'),
  )
  assert.equal(messageOf({}), 'corridor is required')
})

test('a currency is an ISO 4217 code, in any case', () => {
  check(
    [
      ['GBP', true],
      ['NGN', true],
      ['gbp', true],
      ['Ngn', true],
      ['ZZZ', false],
      ['zzz', false],
      [' GBP', false],
      ['', false],
      [null, false],
      [826, false],
    ],
    accepts('currency'),
  )
  const read = readTransaction({ ...good, currency: 'ngn' })
  assert.equal(read.ok && read.value.currency, 'NGN')
})

test('in JSON a null member is a missing one, except for the amount', () => {
  const bare = readTransaction(good)
  for (const column of transactionColumns.filter((name) => name !== 'corridor' && name !== 'amount')) {
    assert.deepEqual(transactionForm.readJson({ ...good, [column]: null }), bare, column)
  }
  assert.equal(jsonMessageOf({ ...good, amount: null }), messageOf({ ...good, amount: null }))
  assert.match(jsonMessageOf({ ...good, amount: null }), /^amount /)
  assert.equal(jsonMessageOf({ corridor: null }), 'corridor is required')
  // A text cell is never null: there the rules stay as they are.
  assert.equal(messageOf({ ...good, id: null }), 'id must be a string')
})

test('in JSON a likely misspelling is a fault of its column, and other unknown members are not', () => {
  check<Readonly<Record<string, unknown>>, string>(
    [
      [good, ''],
      [{ ...good, note: 'x', amount_gbp: 1 }, ''],
      [{ ...good, amounts: 1 }, 'amount must be named amount, not amounts'],
      [{ corridor: 'GB-NG', total: 5 }, 'amount must be named amount, not total'],
      [{ ...good, amount: 5, total: 5 }, ''],
      [{ ...good, Amount: 5 }, 'amount must be named amount, not Amount'],
      [
        { ...good, actualOutcome: 'FAILED' },
        'actual_outcome must be named actual_outcome, not actualOutcome',
      ],
      [
        { ...good, 'Actual-Outcome': null },
        'actual_outcome must be named actual_outcome, not Actual-Outcome',
      ],
      [
        { ...good, amount: 5, AMOUNT: 7, RAIL: 'FPS' },
        'amount must be named amount, not AMOUNT; rail must be named rail, not RAIL',
      ],
      // With what else is wrong with the row.
      [
        { corridor: 'nowhere', Amount: 5 },
        `amount must be named amount, not Amount; ${messageOf({ corridor: 'nowhere' })}`,
      ],
    ],
    jsonMessageOf,
  )
  const read = transactionForm.readJson({ ...good, id: 'pay-1', Amount: 5 })
  assert.ok(!read.ok)
  assert.equal(read.id, 'pay-1')
  // A long name is shortened, so that it cannot fill the answer.
  const long = jsonMessageOf({ ...good, [`amount${'_'.repeat(1000)}`]: 5 })
  assert.equal(long, `amount must be named amount, not amount${'_'.repeat(58)}`)
})

test('an outcome is one of the five, as they are written', () => {
  for (const outcome of actualOutcomes) assert.ok(accepts('actual_outcome')(outcome), outcome)
  for (const value of ['completed', 'LOST', '', ' FAILED', null, 1, {}, 'toString', '__proto__']) {
    assert.equal(
      messageOf({ ...good, actual_outcome: value }),
      'actual_outcome must be one of COMPLETED, FAILED, DELAYED, REJECTED, PENDING',
    )
  }
})

test('text has a length and no control characters', () => {
  check(
    [
      [{ id: 'x'.repeat(255) }, ''],
      [{ id: 'x'.repeat(256) }, 'id must have at most 255 characters'],
      [{ id: '' }, 'id must not be empty'],
      [{ id: 7 }, 'id must be a string'],
      [{ id: null }, 'id must be a string'],
      [{ id: 'a\u0000b' }, 'id must not contain control characters'],
      [{ id: 'a\nb' }, 'id must not contain control characters'],
      [{ id: 'a\tb' }, 'id must not contain control characters'],
      [{ id: 'a\u0085b' }, 'id must not contain control characters'],
      [{ id: '\ud800' }, 'id must be well-formed Unicode'],
      [{ id: 'né ☕ 😀' }, ''],
      [{ rail: 'x'.repeat(64) }, ''],
      [{ rail: 'x'.repeat(65) }, 'rail must have at most 64 characters'],
      [{ rail: '\u001b[31m' }, 'rail must not contain control characters'],
    ],
    (given: RawTransaction) => messageOf({ ...good, ...given }),
  )
})

test('a timestamp is an ISO 8601 date or date-time that exists', () => {
  check(
    [
      ['2026-03-01', true],
      ['2024-02-29', true],
      ['2000-02-29', true],
      ['2026-12-31T00:00', true],
      ['2026-03-01T09:30:00', true],
      ['2026-03-01 09:30:00', true],
      ['2026-03-01T09:30:00Z', true],
      ['2026-03-01T09:30:00.1Z', true],
      ['2026-03-01T09:30:00.123456789Z', true],
      ['2026-06-30T23:59:60Z', true],
      ['2026-03-01T09:30:00+01:00', true],
      ['2026-03-01T09:30:00-0530', true],
      ['2026-03-01 09:30:00+00', true],
      ['2026-02-29', false],
      ['2026-02-30', false],
      ['1900-02-29', false],
      ['2026-04-31', false],
      ['2026-00-10', false],
      ['2026-13-10', false],
      ['2026-03-00', false],
      ['01/02/2026', false],
      ['2026-3-1', false],
      ['2026-03-01T24:00:01Z', false],
      ['2026-03-01T09:60:00Z', false],
      ['2026-03-01T09:30:00+25:00', false],
      ['2026-03-01T', false],
      ['2026-03-01T09:30:00Z ', true],
      ['1772323200', false],
      [1772323200, false],
      ['today', false],
      ['', false],
      [null, false],
    ],
    accepts('timestamp'),
  )
})

const monthOf = (timestamp: string): string | null => {
  const read = readTransaction({ ...good, timestamp })
  return read.ok ? read.value.month : null
}

test('every day that exists has its month, and every time of day is taken', () => {
  const anyDay = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(anyDay, (date) => {
      const text = date.toISOString()
      assert.equal(monthOf(text), text.slice(0, 7))
      assert.equal(monthOf(text.slice(0, 10)), text.slice(0, 7))
    }),
  )
})

test('text cells: an empty one was not given, and an amount is a plain number', () => {
  const amountOf = (text: string): unknown => transactionForm.rawOfCells({ amount: text }).amount
  check<string, unknown>(
    [
      ['1000', 1000],
      [' 1000.50 ', 1000.5],
      ['.5', 0.5],
      ['5.', 5],
      ['+5', 5],
      ['-5', -5],
      ['1e3', 1000],
      ['1E+3', 1000],
      ['0012', 12],
      ['', undefined],
      ['   ', undefined],
      ['1,000', '1,000'],
      ['1 000', '1 000'],
      ['£5', '£5'],
      ['0x10', '0x10'],
      ['1_000', '1_000'],
      ['Infinity', 'Infinity'],
      ['NaN', 'NaN'],
      ['1e400', Number.POSITIVE_INFINITY],
      ['-', '-'],
      ['.', '.'],
      ['١٢', '١٢'],
    ],
    amountOf,
  )
  assert.deepEqual(transactionForm.rawOfCells({ id: ' a ', corridor: '', rail: '\u00a0' }), { id: 'a' })
})

test('what is no number in a cell is refused as one', () => {
  for (const amount of ['1,000', '1e400', '-1', 'abc']) {
    assert.deepEqual(faultsOf(transactionForm.rawOfCells({ corridor: 'GB-NG', amount })), ['amount'], amount)
  }
})

test('whatever a member is, a row is read or refused, and never throws', () => {
  const anyRaw = fc.record(Object.fromEntries(transactionColumns.map((column) => [column, fc.anything()])), {
    requiredKeys: [],
  })
  fc.assert(
    fc.property(anyRaw, (raw) => {
      const read = readTransaction(raw)
      if (!read.ok) assert.ok(read.faults.length > 0)
    }),
    { numRuns: 500 },
  )
})
