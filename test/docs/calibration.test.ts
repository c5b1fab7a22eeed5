/** The guide of calibration has the bounds, the criterion and the figures of the code. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchRowsMax } from '../../src/app/assess/batch-bounds.ts'
import { recordsMin } from '../../src/core/calibration/rate.ts'
import { degradedFloorHundredths, goFloorHundredths } from '../../src/core/decision/score.ts'
import { outcomeRowColumns } from '../../src/core/live/outcome-row.ts'
import { actualOutcomes } from '../../src/core/live/outcome.ts'
import { limits } from '../../src/http/limits.ts'
import { Calibration } from '../../src/http/schemas/calibration.ts'
import { readPage } from '../helpers/docs/pages.ts'

const page = readPage('docs/calibration.md')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const valueOf = (name: string): string => rows.find((cells) => cells[1] === name)?.[2] ?? ''

test('the limits are those of the code', () => {
  assert.equal(valueOf('rows of `POST /api/v1/outcomes`'), String(batchRowsMax))
  assert.equal(valueOf('bytes of its body'), `${limits.batchBodyBytesMax / 1024 ** 2} MiB`)
})

test('the criterion of the suggestion and the least number of payments are those of the code', () => {
  assert.equal(valueOf('`GO`'), `${100 - goFloorHundredths} failures in 100`)
  assert.equal(valueOf('`DEGRADED`'), `${100 - degradedFloorHundredths} failures in 100`)
  assert.ok(page.includes(`**Rates are null below ${recordsMin} payments**`))
})

test('every column of a row, every outcome and every figure is explained', () => {
  const figures = Object.keys(Calibration.properties).filter(
    (name) => !['from', 'to', 'suggestion', 'suggestion_reason'].includes(name),
  )
  const words = [...outcomeRowColumns, ...figures].filter((name) => valueOf(`\`${name}\``) === '')
  assert.deepEqual(words, [])
  assert.deepEqual(
    actualOutcomes.filter((outcome) => !valueOf('`outcome`').includes(`\`${outcome}\``)),
    [],
  )
})
