/** A CSV cut into pieces reads as the whole does, wherever it is cut. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from '../../../helpers/fast-check.ts'
import { linesOf, readRows, type Header } from '../../../../src/app/assess/csv/read.ts'
import { transactionForm, type TransactionColumn } from '../../../../src/core/assess/transaction.ts'
import { CsvSplitter } from '../../../../src/app/assess/csv/scan.ts'
import { InputFault, rowBytesMax, type Chunk } from '../../../../src/app/assess/input-fault.ts'
import { check } from '../../../helpers/check.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** No column is known, so that rows come back as their cells. */
const header: Header<TransactionColumn> = { names: ['x'], columns: [null], defused: false }

interface Taken {
  readonly header: string | null
  readonly chunks: readonly Chunk[]
  readonly cells: readonly (readonly string[])[]
  readonly lines: readonly number[]
}

function split(pieces: readonly Uint8Array[]): Taken {
  const splitter = new CsvSplitter()
  const found = [...pieces.map((piece) => splitter.push(piece)), splitter.end()]
  const chunks = found.filter((chunk) => chunk !== null)
  const named = splitter.header === null ? null : new TextDecoder().decode(splitter.header)
  assert.equal(
    splitter.rows,
    chunks.reduce((sum, { rows }) => sum + rows, 0),
  )
  return {
    header: named,
    chunks,
    cells: chunks.flatMap((chunk) => readRows(chunk, header, transactionForm).map(({ cells }) => cells)),
    lines: chunks.flatMap(linesOf),
  }
}

/** Pieces whose lengths are these, over and over. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

const anyLengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 })

/** What csv-parse makes of it, less the rows in which no cell is filled; null where it is not CSV. */
function parsed(text: string): string[][] | null {
  try {
    const records = parse(text, {
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      trim: true,
    })
    return records.filter((cells) => cells.some((cell) => cell.trim() !== ''))
  } catch {
    return null
  }
}

const part = fc.constantFrom('a', 'é', '☕', '😀', ' ', '\t', '\r', '\f', ';', '=', "'", '1.5', 'GB-NG', '')
const quotedPart = fc.oneof(part, fc.constantFrom(',', '\n', '\r\n', '""', '\n\n'))
const joinedParts = (parts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(parts, { maxLength: 4 }).map((texts) => texts.join(''))
const space = fc.constantFrom('', ' ', '\t', '  ')

/** A cell as it is written, quoted or not. */
const anyCell = fc.oneof(
  joinedParts(part),
  fc
    .tuple(space, joinedParts(quotedPart), space)
    .map(([before, text, after]) => `${before}"${text}"${after}`),
)
const anyRecord = fc.array(anyCell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(','))
const anyCsv = fc
  .array(fc.tuple(anyRecord, fc.constantFrom('\n', '\r\n')), { maxLength: 8 })
  .chain((records) => {
    const text = records.flat().join('')
    return fc.constantFrom(text, text.replace(/\r?\n$/, ''))
  })

/** Mostly nonsense, and now and then CSV that nobody thought of. */
const anySoup = fc
  .array(fc.oneof(part, fc.constantFrom('"', '""', ',', '\n', '\r\n')), { maxLength: 12 })
  .map((texts) => texts.join(''))

/** csv-parse lets a quote open again after an empty quoted cell; here that is a stray quote like any other. */
const opensAgain = /""[ \t\r\f]+"/

function readsAsWhole(text: string, lengths: readonly number[]): void {
  const filled = parsed(text)
  fc.pre(filled !== null && !opensAgain.test(text))
  // Space that only JavaScript takes for space makes a row that is filled here and blank there.
  const taken = split(cut(encode(text), lengths))
  assert.deepEqual(taken.cells, filled.slice(1))
  assert.deepEqual(parsed(taken.header ?? ''), filled.slice(0, 1))
}

test('whatever csv-parse reads, the pieces read alike, wherever they are cut', () => {
  fc.assert(fc.property(anyCsv, anyLengths, readsAsWhole), { numRuns: 500 })
  fc.assert(fc.property(anySoup, anyLengths, readsAsWhole), { numRuns: 500 })
})

test('so they do byte by byte, with a byte order mark before them', () => {
  fc.assert(
    fc.property(anyCsv, (text) => {
      const filled = parsed(text)
      fc.pre(filled !== null && !opensAgain.test(text))
      assert.deepEqual(split(cut(encode(`\ufeff${text}`), [1])).cells, filled.slice(1))
    }),
    { numRuns: 200 },
  )
})

/** A row with its line breaks, within cells and after it; blank rows are none. */
const anyLinedRow = fc.record({
  text: fc.constantFrom(
    'a,b',
    '"a\nb",c',
    '"\n\n",x',
    '"a\r\nb","c\nd"',
    'é',
    '',
    '  ',
    ',,',
    '""""',
    '\t, ',
  ),
  end: fc.constantFrom('\n', '\r\n'),
})

test('every piece knows the place of its first row, and every row its line', () => {
  fc.assert(
    fc.property(fc.array(anyLinedRow, { maxLength: 12 }), fc.nat(3), anyLengths, (rows, blanks, lengths) => {
      const lead = `${'\n'.repeat(blanks)}h1,h2\n`
      let line = blanks + 2
      const lines: number[] = []
      for (const { text, end } of rows) {
        if (/[^\s,]/.test(text)) lines.push(line)
        line += `${text}${end}`.split('\n').length - 1
      }
      const whole = lead + rows.map(({ text, end }) => text + end).join('')
      const taken = split(cut(encode(whole), lengths))
      assert.deepEqual(taken.lines, lines)
      let before = 0
      for (const { rows: count, firstRow, firstLine } of taken.chunks) {
        assert.equal(firstRow, before)
        assert.ok(firstLine <= (lines[firstRow] ?? 0) && firstLine > (lines[firstRow - 1] ?? blanks + 1))
        before += count
      }
    }),
    { numRuns: 300 },
  )
})

test('rows that hold nothing are no rows, quoted or not', () => {
  check(
    [
      ['h\n\n\n', 0],
      ['h\n,,,\n , \t\n\r\n', 0],
      ['h\n"","",""\n', 0],
      ['h\n" "," "\n', 0],
      ['h\n""""\n', 1],
      ['h\n"",x\n', 1],
      ['h\n0\n', 1],
    ],
    (text) => split([encode(text)]).cells.length,
  )
})

test('a header comes first, after blank rows, and without it there is none', () => {
  check<string, string | null>(
    [
      ['', null],
      ['\n\n , \n', null],
      ['corridor', 'corridor'],
      ['\n\r\n,,\ncorridor,id\nGB-NG,1', 'corridor,id\n'],
      ['\ufeffcorridor\n', 'corridor\n'],
    ],
    (text) => split([encode(text)]).header,
  )
})

/** The fault's message and line. */
function faultOf(pieces: readonly Uint8Array[]): readonly [string, number | null] {
  try {
    split(pieces)
  } catch (error) {
    if (error instanceof InputFault) return [error.message, error.line]
    throw error
  }
  return ['', null]
}

test('a quote that is never closed is told with the line on which it opened', () => {
  check<string, readonly [string, number | null]>(
    [
      ['h\na\n"b\nc\nd\n', ['has a quote that is never closed', 3]],
      ['h\n"a\nb",c\nd,"e\n', ['has a quote that is never closed', 4]],
      ['"h', ['has a quote that is never closed', 1]],
      ['h\n"a""', ['has a quote that is never closed', 2]],
      ['h\n"a"\n', ['', null]],
    ],
    (text) => faultOf(cut(encode(text), [3])),
  )
})

test('a quote in the middle of a cell opens nothing, also after one that was closed', () => {
  const rows = (text: string): number => split([encode(text)]).chunks.reduce((sum, one) => sum + one.rows, 0)
  check(
    [
      ['h\na"b\nc\n', 2],
      ['h\n5" pipe\nc\n', 2],
      ['h\n"a"b"c\nd\n', 2],
      ['h\n"a" "b\nc\nd\n', 3],
      ['h\n"a"\t"\nc\n', 2],
      ['h\na "b\nc"\n', 2],
    ],
    rows,
  )
})

test('a row beyond a mebibyte is a fault, and one below is not', () => {
  const long = (bytes: number): Uint8Array[] => cut(encode(`h\nshort\n"${'x'.repeat(bytes)}"\n`), [65_536])
  assert.deepEqual(faultOf(long(rowBytesMax - 65_536)), ['', null])
  assert.deepEqual(faultOf(long(rowBytesMax + 65_536)), [
    'has a row of more than 1 MiB, or a quote that is never closed',
    3,
  ])
})

test('files that are not CSV in UTF-8 are known by their first bytes, however they arrive', () => {
  for (const lengths of [[1], [2], [100]]) {
    const told = (bytes: readonly number[]): string =>
      faultOf(cut(Uint8Array.from([...bytes, ...encode('corridor\nGB-NG\n')]), lengths))[0]
    check<readonly number[], string>(
      [
        [[0xff, 0xfe], 'is in UTF-16: save it as CSV in UTF-8'],
        [[0xfe, 0xff], 'is in UTF-16: save it as CSV in UTF-8'],
        [[0x50, 0x4b, 0x03, 0x04], 'is a spreadsheet or an archive: save it as CSV'],
        [[0xef, 0xbb, 0xbf], ''],
        [[], ''],
      ],
      told,
    )
  }
})
