/** The reliability curve of a report: its figures are those of the rows, and few rows have no rate. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportPage } from '../../../../src/app/assess/report/page.ts'
import { type Tally } from '../../../../src/core/assess/report.ts'
import { check } from '../../../helpers/check.ts'
import { assessed, mixedRows, reportOf, sectionIn, tableIn, tallyOf, textIn } from './samples.ts'

const id = 'reliability'
const pageOf = (tally: Tally): string => reportPage(reportOf(tally))
const textOf = (tally: Tally): string => textIn(sectionIn(pageOf(tally), id))

/** A tally whose ended rows are these only: the score in hundredths, rows and failures. */
function endedTally(...ended: readonly (readonly [number, number, number])[]): Tally {
  const tally = tallyOf([{ actualOutcome: 'COMPLETED' }])
  for (const sum of tally.endedByScore) [sum.records, sum.failures] = [0, 0]
  for (const [score, records, failures] of ended) tally.endedByScore[score] = { records, failures }
  return tally
}

test('every row with a final outcome is in the bin of its score, and the means are those of the rows', () => {
  const samples = mixedRows(400)
  const ended = samples
    .map((row, index) => assessed(row, index))
    .filter(({ actualOutcome }) => actualOutcome !== null && actualOutcome !== 'PENDING')
    .map(({ scoreHundredths, actualOutcome }) => ({
      predicted: 100 - scoreHundredths,
      failed: actualOutcome === 'FAILED' || actualOutcome === 'REJECTED' ? 1 : 0,
    }))
  const page = pageOf(tallyOf(samples))
  const expected = Array.from({ length: 10 }, (_, bin) => {
    const rows = ended.filter(({ predicted }) => Math.min(9, Math.floor(predicted / 10)) === bin)
    const failures = rows.reduce((sum, { failed }) => sum + failed, 0)
    return [`${bin * 10}–${bin === 9 ? 100 : bin * 10 + 9}%`, String(rows.length), String(failures)]
  })
  const lines = tableIn(page, id)
  assert.deepEqual(lines[0], ['Predicted', 'Rows', 'Failed', 'Observed', '95% interval'])
  assert.deepEqual(
    lines.slice(1).map((line) => line.slice(0, 3)),
    expected,
  )
  const mean = (of: (row: (typeof ended)[number]) => number): number =>
    ended.reduce((sum, row) => sum + of(row), 0) / ended.length
  const text = textIn(sectionIn(page, id))
  const brier = mean(({ predicted, failed }) => (predicted / 100 - failed) ** 2)
  const parts = [
    `Of ${ended.length} rows with a final outcome ${(100 * mean(({ failed }) => failed)).toFixed(1)}% FAILED`,
    `the scores predicted ${mean(({ predicted }) => predicted).toFixed(1)}%.`,
    `The Brier score is ${brier.toFixed(4)} :`,
    `${400 - ended.length} rows without a final outcome are not counted.`,
  ]
  check(
    parts.map((part) => [part, true]),
    (part) => text.includes(part),
  )
})

test('a rate has its interval, and a bin below 20 rows says so in its place', () => {
  const lines = tableIn(pageOf(endedTally([100, 100, 10], [85, 20, 0], [75, 19, 19], [0, 1_234, 1_234])), id)
  assert.deepEqual(
    [1, 2, 3, 4, 10].map((place) => lines[place]),
    [
      // The Wilson interval of 10 in 100, as in the literature.
      ['0–9%', '100', '10', '10.0%', '5.5–17.4%'],
      ['10–19%', '20', '0', '0.0%', '0.0–16.1%'],
      ['20–29%', '19', '19', 'fewer than 20 rows'],
      ['30–39%', '0', '0', 'no rows'],
      ['90–100%', '1,234', '1,234', '100.0%', '99.7–100.0%'],
    ],
  )
})

test('the curve has a point for each rate, its interval around it, and the diagonal', () => {
  const figure = sectionIn(pageOf(endedTally([95, 100, 50], [85, 19, 19])), id)
  const [, at] = /<svg x="([\d.]+)%"/.exec(figure) ?? []
  assert.equal(at, '5')
  assert.equal(figure.match(/<circle/g)?.length, 1)
  const [, upper, lower] = /d="M0 ([\d.]+)V([\d.]+)/.exec(figure) ?? []
  const [, middle] = /cy="([\d.]+)"/.exec(figure) ?? []
  assert.ok(Number(upper) < Number(middle) && Number(middle) < Number(lower))
  assert.equal(Number(middle), (Number(upper) + Number(lower)) / 2)
  assert.match(figure, /<line class="edge" x1="0" x2="100%" y1="228" y2="8"\/>/)
  assert.match(textIn(figure), /too few 19 rows/)
})

test('the section says what cannot be known', () => {
  const text = textOf(tallyOf(mixedRows(100)))
  assert.match(text, /Nobody knows how payments that were stopped would have ended/)
  assert.match(text, /The signals are simulated/)
  const all = textOf(tallyOf([{ actualOutcome: 'COMPLETED' }]))
  assert.match(all, /Every row has a final outcome\./)
  const one = textOf(tallyOf([{ actualOutcome: 'COMPLETED' }, {}]))
  assert.match(one, /1 row without a final outcome is not counted\./)
})

test('without enough outcomes there is a sentence in place of the curve', () => {
  const table: [Tally, RegExp, boolean][] = [
    [tallyOf([{}]), /No row has a final outcome/, false],
    [tallyOf([{ actualOutcome: 'PENDING' }]), /No row has a final outcome/, false],
    [endedTally([95, 19, 1]), /A rate needs at least 20 rows in one bin/, true],
    [endedTally([95, 19, 1]), /Of 19 rows with a final outcome 1 FAILED/, true],
  ]
  for (const [tally, pattern, hasTable] of table) {
    const found = sectionIn(pageOf(tally), id)
    assert.match(textIn(found), pattern)
    assert.doesNotMatch(found, /<figure/)
    assert.equal(found.includes('<table'), hasTable)
  }
})
