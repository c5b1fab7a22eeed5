/** The console reads a CSV as the server does, so that its rows and the server's faults have the same numbers. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../helpers/fast-check.ts'
import { NotCsv, sheetOf, textOf, type Sheet } from '../../console/src/pages/batch/csv.ts'
import { readHeader, readRows } from '../../src/app/assess/csv/read.ts'
import { transactionForm } from '../../src/core/assess/transaction.ts'
import { CsvSplitter } from '../../src/app/assess/csv/scan.ts'
import { InputFault } from '../../src/app/assess/input-fault.ts'

/** What the server makes of it: every row's cells, or null where it refuses the whole. */
function byServer(text: string): string[][] | null {
  try {
    const splitter = new CsvSplitter()
    const chunks = [splitter.push(Buffer.from(text)), splitter.end()].filter((chunk) => chunk !== null)
    if (splitter.header === null) return []
    const header = readHeader(splitter.header, transactionForm)
    return chunks.flatMap((chunk) => readRows(chunk, header, transactionForm)).map(({ cells }) => [...cells])
  } catch (error) {
    if (error instanceof InputFault) return null
    throw error
  }
}

function byConsole(text: string): Sheet | null {
  try {
    return sheetOf(text)
  } catch (error) {
    if (error instanceof NotCsv) return null
    throw error
  }
}

const piece = fc.constantFrom(',', ',', '\n', '\r\n', '"', '"', '""', ' ', '\t', 'a', 'GB-NG', '5', 'é')
const anyCsv = fc.array(piece, { maxLength: 30 }).map((pieces) => `corridor,amount\n${pieces.join('')}`)

test('the console counts rows as the server does, whatever is in them', () => {
  fc.assert(
    fc.property(anyCsv, (text) => {
      const there = byServer(text)
      assert.equal(byConsole(text)?.rows.length ?? null, there?.length ?? null)
    }),
    { numRuns: 2_000 },
  )
})

test('rows that are well formed have the same cells here and there, and survive being written again', () => {
  const cell = fc.oneof(
    fc.constantFrom('a,b', 'say "so"', 'two\nlines', '', ' ', 'GB-NG', "it's", '"'),
    fc.string({ maxLength: 8, unit: 'grapheme' }).map((text) => text.replaceAll(/[\p{Cc}\p{Z}\uFEFF]/gu, '')),
  )
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(rows, (given) => {
      const sheet = { names: ['corridor', 'amount'], rows: given.map((cells) => ({ cells, raw: '' })) }
      const text = textOf(sheet, new Map())
      const read = sheetOf(text)
      const cells = read.rows.map((row) => [...row.cells])
      assert.deepEqual(cells, byServer(text))
      assert.equal(textOf(read, new Map()), textOf(sheetOf(textOf(read, new Map())), new Map()))
    }),
    { numRuns: 1_000 },
  )
})

test('a quote that is never closed is told with its line, and a line that was mended is written as it is', () => {
  assert.throws(() => sheetOf('corridor\nGB-NG\n"GB-NG\n'), /unclosed quote at line 3/)
  const sheet = sheetOf('corridor,amount\r\n\r\nGB-NG\r\n"GB"-NG,1\r\n')
  assert.deepEqual(
    sheet.rows.map(({ raw }) => raw),
    ['GB-NG', '"GB"-NG,1'],
  )
  assert.equal(textOf(sheet, new Map([[0, 'GB-NG,5']])), 'corridor,amount\nGB-NG,5\n"""GB""-NG",1\n')
})
