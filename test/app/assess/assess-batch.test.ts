/** The batch: JSON and CSV of the same rows are the same batch, and ids are each row's own. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from '../../helpers/fast-check.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import {
  createAssessBatch,
  readCsvBatch,
  readJsonBatch,
  type BatchReport,
  type ReadBatch,
} from '../../../src/app/assess/assess-batch.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { transactionColumns, type TransactionColumn } from '../../../src/core/assess/transaction.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { anyBatch, sumsOf, type GivenRow } from '../../helpers/payments.ts'

const assessBatch = createAssessBatch({
  clock: new ManualClock(),
  random: systemRandom,
  policy: standardPolicy,
})

function reportOf(read: ReadBatch): BatchReport {
  assert.equal(read.kind, 'rows', JSON.stringify(read))
  return assessBatch({ ...read, reportName: null }).report
}

/** One of the many ways in which a program writes the same table. */
interface Manner {
  readonly order: readonly (TransactionColumn | 'note')[]
  readonly capitals: readonly boolean[]
  readonly lineEnd: '\n' | '\r\n'
  readonly quoted: boolean
  readonly mark: boolean
  readonly lastEnd: boolean
  readonly blankAfter: readonly string[]
}

const anyManner: fc.Arbitrary<Manner> = fc.record({
  order: fc.shuffledSubarray([...transactionColumns, 'note'] as const, { minLength: 8 }),
  capitals: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  quoted: fc.boolean(),
  mark: fc.boolean(),
  lastEnd: fc.boolean(),
  blankAfter: fc.array(fc.constantFrom('', '', '', '\n', '\r\n', ',,,,,,,\n', ' \t\n'), { minLength: 20 }),
})

function csvOf(rows: readonly GivenRow[], manner: Manner): Uint8Array {
  const write = (cells: readonly unknown[]): string =>
    stringify([cells], { record_delimiter: manner.lineEnd, quoted: manner.quoted })
  const header = manner.order.map((column, place) =>
    manner.capitals[place] === true ? column.toUpperCase() : column,
  )
  const lines = rows.map((row, place) => {
    const cells = manner.order.map((column) => (column === 'note' ? 'one,\n"two"\r\n\n' : row[column]))
    return write(cells) + (manner.blankAfter[place] ?? '')
  })
  const text = (manner.mark ? '\ufeff' : '') + write(header) + lines.join('')
  return new TextEncoder().encode(manner.lastEnd ? text : text.replace(/\r?\n$/, ''))
}

test('the same rows as CSV, however it is written, and as JSON are the same batch', () => {
  fc.assert(
    fc.property(anyBatch, anyManner, (rows, manner) => {
      const asCsv = readCsvBatch(csvOf(rows, manner))
      const asJson = readJsonBatch(rows)
      assert.deepEqual(
        { ...asCsv, lines: null },
        { ...asJson, warnings: [`Ignored columns: ${noteName(manner)}.`] },
      )
      assert.deepEqual(reportOf(asCsv).assessments, reportOf(asJson).assessments)
      assert.deepEqual(reportOf(asCsv).summary, reportOf(asJson).summary)
    }),
    { numRuns: 300 },
  )
})

const noteName = ({ order, capitals }: Manner): string =>
  JSON.stringify(capitals[order.indexOf('note')] === true ? 'NOTE' : 'note')

test('the sums of a report are those of its own rows', () => {
  fc.assert(
    fc.property(anyBatch, (rows) => {
      const report = reportOf(readJsonBatch(rows))
      const { summary, execution_uncertainty_score, execution_uncertainty_band } = report
      assert.deepEqual(
        { summary, execution_uncertainty_score, execution_uncertainty_band },
        sumsOf(report.assessments),
      )
      assert.equal(report.transaction_count, rows.length)
    }),
  )
})

const anyClashingId = fc.constantFrom('row-1', 'row-2', 'row-3', 'row-2-2', 'row-3-2', 'row-3-3', 'ROW-1')

test('a row without an id is given one that no other row has, whatever the others are called', () => {
  const anyIds = fc.uniqueArray(fc.oneof(anyClashingId, fc.integer({ min: 1, max: 4 })), { maxLength: 6 })
  fc.assert(
    fc.property(anyIds, (ids) => {
      const rows = ids.map((id) => ({ corridor: 'GB-NG', ...(typeof id === 'string' ? { id } : {}) }))
      fc.pre(rows.length > 0)
      const assigned = reportOf(readJsonBatch(rows)).assessments.map((row) => row.transaction_id)
      assert.equal(new Set(assigned).size, rows.length, assigned.join(' '))
      for (const [place, id] of ids.entries()) if (typeof id === 'string') assert.equal(assigned[place], id)
    }),
  )
})

test('a repeated id is a fault of every row that repeats it, beside what else is wrong with it', () => {
  const read = readJsonBatch([
    { id: 'a', corridor: 'GB-NG' },
    { id: 'a', corridor: 'nowhere' },
    { corridor: 'GB-NG' },
    { id: 'a', corridor: 'GB-NG' },
    { id: 'A', corridor: 'GB-NG' },
    { corridor: 'GB-NG' },
  ])
  assert.equal(read.kind, 'faults')
  const faults = read.kind === 'faults' ? read.faults : []
  assert.deepEqual(
    faults.map(({ index, column }) => [index, column]),
    [
      [1, 'id'],
      [1, 'corridor'],
      [3, 'id'],
    ],
  )
  assert.equal(faults[0]?.message, 'repeats the id of row 1')
})

test('the id of a row that is refused for something else is taken all the same', () => {
  const read = readJsonBatch([
    { id: 'a', corridor: 'nowhere' },
    { id: 'a', corridor: 'GB-NG' },
  ])
  assert.deepEqual(read.kind === 'faults' && read.faults.map(({ index, column }) => [index, column]), [
    [0, 'corridor'],
    [1, 'id'],
  ])
})

test('random bytes are never a batch, and never an accident', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      assert.notEqual(readCsvBatch(bytes).kind, 'rows')
    }),
    { numRuns: 300 },
  )
})

test('random bytes after a good header are refused or read, and never an accident', () => {
  const lead = new TextEncoder().encode('corridor,id,note\nGB-NG,a,b\n')
  const anyByte = fc.oneof(
    fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0x20, 0x00),
    fc.integer({ min: 0, max: 255 }),
  )
  fc.assert(
    fc.property(fc.array(anyByte, { minLength: 1, maxLength: 60 }), (bytes) => {
      const read = readCsvBatch(Buffer.concat([lead, Buffer.from(bytes)]))
      if (read.kind === 'faults')
        assert.ok(read.faults.every(({ line, index }) => line !== null && index > 0))
    }),
    { numRuns: 500 },
  )
})
