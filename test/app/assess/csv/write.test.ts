/** CSV that a spreadsheet opens and does not run. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from '../../../helpers/fast-check.ts'
import { csvText, defused } from '../../../../src/app/assess/csv/write.ts'
import { check } from '../../../helpers/check.ts'

test('text that starts like a formula is given an apostrophe, other text is left as it is', () => {
  check(
    [
      ['pay-1', 'pay-1'],
      ['', ''],
      ['a=b', 'a=b'],
      ['a - b', 'a - b'],
      ['me@example.org', 'me@example.org'],
      ['=1+1', "'=1+1"],
      ['+44', "'+44"],
      ['-1', "'-1"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['\uff1d1', "'\uff1d1"],
      ['\uff0b1', "'\uff0b1"],
      ['\uff0d1', "'\uff0d1"],
      ['\uff201', "'\uff201"],
      ['  =1', "  '=1"],
      ['\u00a0=1', "\u00a0'=1"],
      ['"=1"', '"\'=1"'],
      ['" =1', '" \'=1'],
      ["'=1", "''=1"],
      ['a;=1', "a;'=1"],
      ['a|@x', "a|'@x"],
      ['a;"=1"', 'a;"\'=1"'],
      ['a;; -1', "a;; '-1"],
      ['a\t=1', "a\t'=1"],
      ['a\n+1', "a\n'+1"],
      ['a\r\n-1', "a\r\n'-1"],
      ['=;=', "'=;'="],
    ],
    defused,
  )
})

const formulaStart = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/

const anyCell = fc
  .array(
    fc.oneof(
      fc.constantFrom('=', '+', '-', '@', '\uff1d', '\uff20', ';', '|', ',', '\t', '\n', '\r', '"', "'", ' '),
      fc.string({ maxLength: 3, unit: 'grapheme' }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

/** The cells that a program sees that takes this for the separator; to such a one our quotes stand in odd places. */
function cellsSeen(text: string, delimiter: string): string[] {
  if (delimiter === ',') return parse(text).flat()
  return text.split(/[\r\n]/).flatMap((line) => line.split(delimiter))
}

test('no cell starts like a formula, whether comma, semicolon, bar or tab parts the cells', () => {
  fc.assert(
    fc.property(fc.array(anyCell, { minLength: 1, maxLength: 3 }), (cells) => {
      const text = csvText([[0, ...cells.map(defused), 'end']])
      for (const delimiter of [',', ';', '|', '\t']) {
        for (const cell of cellsSeen(text, delimiter)) {
          assert.doesNotMatch(cell, formulaStart, `${JSON.stringify(text)} by ${JSON.stringify(delimiter)}`)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('what was written is read back, whatever it is', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyCell, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
      assert.deepEqual(parse(csvText(rows), { record_delimiter: '\n' }), rows)
    }),
  )
})

test('numbers, truth and nothing have one spelling each', () => {
  assert.equal(
    csvText([
      ['a', 1.5, true, null],
      ['b;c', 1e15, false, 0],
    ]),
    'a,1.5,true,\n"b;c",1000000000000000,false,0\n',
  )
})
