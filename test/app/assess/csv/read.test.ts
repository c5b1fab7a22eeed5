/** CSV rows read into transactions: a bad one spoils itself and no other. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ignoredColumns,
  linesOf,
  readHeader,
  readRows,
  type Row,
} from '../../../../src/app/assess/csv/read.ts'
import { CsvSplitter } from '../../../../src/app/assess/csv/scan.ts'
import { InputFault } from '../../../../src/app/assess/input-fault.ts'
import {
  transactionForm,
  type Transaction,
  type TransactionColumn,
} from '../../../../src/core/assess/transaction.ts'
import { check } from '../../../helpers/check.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Read {
  readonly rows: readonly Row<Transaction, TransactionColumn>[]
  readonly lines: readonly number[]
}

function read(text: string): Read {
  const splitter = new CsvSplitter()
  const chunks = [splitter.push(encode(text)), splitter.end()].filter((chunk) => chunk !== null)
  const header = readHeader(splitter.header ?? new Uint8Array(), transactionForm)
  return {
    rows: chunks.flatMap((chunk) => readRows(chunk, header, transactionForm)),
    lines: chunks.flatMap(linesOf),
  }
}

/** Each row as `ok`, or as what is wrong with it and where. */
function told(text: string): string[] {
  const { rows, lines } = read(text)
  return rows.map(({ index, read: row }, place) => {
    const faults = row.ok ? [] : row.faults.map(({ column, message }) => `${column ?? 'row'} ${message}`)
    return row.ok ? 'ok' : `${index} line ${lines[place]}: ${faults.join('; ')}`
  })
}

const quoteFault = 'row has a misplaced quote: enclose the cell in quotes and double the quotes inside it'

function headerFault(bytes: Uint8Array): string {
  try {
    readHeader(bytes, transactionForm)
    return ''
  } catch (error) {
    if (error instanceof InputFault) return error.message
    throw error
  }
}

test('columns are known by name, in any order, in any case, quoted or not, with space around', () => {
  const columnsOf = (text: string): readonly (string | null)[] =>
    readHeader(encode(text), transactionForm).columns
  check<string, readonly (string | null)[]>(
    [
      ['corridor', ['corridor']],
      ['CORRIDOR,Id', ['corridor', 'id']],
      [' amount , "Corridor" ,\tID\t', ['amount', 'corridor', 'id']],
      ['"corridor","actual_outcome"\r\n', ['corridor', 'actual_outcome']],
      ['corridor,colour,', ['corridor', null, null]],
      ['rail,timestamp,currency,corridor\n', ['rail', 'timestamp', 'currency', 'corridor']],
    ],
    columnsOf,
  )
})

test('columns that are not read are named, by their place where they have no name', () => {
  const header = readHeader(encode('corridor, Colour ,,"a,b",naïve\n'), transactionForm)
  assert.deepEqual(ignoredColumns(header), ['Colour', '(column 3, without a name)', 'a,b', 'naïve'])
})

test('a header that cannot be read says why', () => {
  check(
    [
      ['id,amount', 'has no column named corridor in its header row'],
      ['corridors', 'has a column that must be named corridor, not corridors'],
      [
        'id;corridor;amount',
        'has no column named corridor in its header row; separate the columns with commas',
      ],
      ['id\tcorridor', 'has no column named corridor in its header row; separate the columns with commas'],
      ['id|corridor', 'has no column named corridor in its header row; separate the columns with commas'],
      ['corridor,id,Corridor', 'has the column corridor more than once'],
      ['corridor,id, ID ', 'has the column id more than once'],
      ['corridor,x,x', ''],
      ['cor"ridor', 'has a header row that is not valid CSV: check its quotes'],
      ['corridor,"a\nb"', 'has control characters in its header row: it does not look like CSV'],
      ['corridor\u0000', 'has control characters in its header row: it does not look like CSV'],
      [`corridor${','.repeat(999)}`, ''],
      [`corridor${','.repeat(1_000)}`, 'has more than 1000 columns'],
    ],
    (text) => headerFault(encode(text)),
  )
  assert.equal(headerFault(Uint8Array.of(0x61, 0xff)), 'is not text in UTF-8')
})

test('ragged rows are told with how many cells they have, and no other row suffers', () => {
  assert.deepEqual(told('corridor,id,amount\nGB-NG,a\nGB-NG,b,1\nGB-NG\nGB-NG,c,1,\nGB-NG,d,2,3,4\n'), [
    '0 line 2: row has 2 cells where the header has 3',
    'ok',
    '2 line 4: row has 1 cell where the header has 3',
    '3 line 5: row has 4 cells where the header has 3',
    '4 line 6: row has 5 cells where the header has 3',
  ])
})

test('a stray quote spoils its own row, and the others are read and reported as ever', () => {
  assert.deepEqual(
    told('corridor,id\nGB-NG,a"b\nGB-NG,c\nnowhere,d\nGB-NG,"e"f\nGB-NG,"g" "h\nGB-NG,"i\nj"\nNG-GB,k\n'),
    [
      `0 line 2: ${quoteFault}`,
      'ok',
      '2 line 4: corridor must name two countries as FROM-TO, like GB-NG or United Kingdom-Nigeria',
      `3 line 5: ${quoteFault}`,
      `4 line 6: ${quoteFault}`,
      '5 line 7: id must not contain control characters',
      'ok',
    ],
  )
})

test('the cells of a row that is not CSV come back as they were written', () => {
  const [row] = read('corridor,id\n GB-NG,a"b \r\n').rows
  assert.deepEqual(row?.cells, [' GB-NG,a"b'])
})

test('lines are right after quoted line breaks, blank rows and CRLF', () => {
  const text =
    '\r\ncorridor,note,amount\r\n\r\nGB-NG,"one\r\ntwo\r\nthree",-1\r\n,,\r\n\nGB-NG,"x\ny",-2\nGB-NG,,3\nGB-NG,,-4'
  assert.deepEqual(told(text), [
    '0 line 4: amount must not be negative',
    '1 line 9: amount must not be negative',
    'ok',
    '3 line 12: amount must not be negative',
  ])
})

test('text that is not UTF-8 is told with its line', () => {
  const bytes = Buffer.concat([
    encode('corridor,id\nGB-NG,a\nGB-NG,"\n'),
    Buffer.of(0xc3, 0x28),
    encode('"\n'),
  ])
  const splitter = new CsvSplitter()
  const chunk = splitter.push(bytes)
  assert.ok(chunk !== null)
  assert.throws(
    () => readRows(chunk, readHeader(splitter.header ?? bytes, transactionForm), transactionForm),
    (error: unknown) =>
      error instanceof InputFault && error.message === 'is not text in UTF-8' && error.line === 4,
  )
})
