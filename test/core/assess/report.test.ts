/** The sums of a batch: exact, and the same in parts as in one go. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { wireOf, wireSums } from '../../../src/app/assess/batch-wire.ts'
import { assess, type Assessment } from '../../../src/core/assess/assessment.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import {
  add,
  emptyTally,
  merge,
  summaryOf,
  uncertaintyBandOf,
  uncertaintyScore,
  worstRowsMax,
  type Tally,
} from '../../../src/core/assess/report.ts'
import { check, corridorOf } from '../../helpers/check.ts'
import { assertFigures } from '../../helpers/calibration.ts'
import { anyTransaction, rowsCurve, sumsOf, transactionWith, uncertaintyOf } from '../../helpers/payments.ts'

function assessed(rows: readonly Parameters<typeof assess>[0][]): Assessment[] {
  return rows.map((row, index) => assess(row, `row-${index + 1}`, index, standardPolicy))
}

function tallyOf(rows: readonly Assessment[]): Tally {
  const tally = emptyTally()
  for (const row of rows) add(tally, row)
  return tally
}

const anyRows = fc.array(anyTransaction, { maxLength: 60 }).map(assessed)

test('the EUS is round(min(100, no_go_pct * 3.5 + degraded_pct)) half up, for every pair of percentages', () => {
  for (let noGo = 0; noGo <= 1000; noGo += 1) {
    for (let degraded = 0; noGo + degraded <= 1001; degraded += 1) {
      const expected = Number(uncertaintyOf(BigInt(noGo), BigInt(degraded)))
      if (uncertaintyScore(noGo, degraded) !== expected) {
        assert.fail(`${noGo} and ${degraded} permille: ${uncertaintyScore(noGo, degraded)}, not ${expected}`)
      }
    }
  }
})

test('the EUS rounds a half up and stops at 100', () => {
  check(
    [
      [[0, 0], 0],
      [[0, 4], 0],
      [[0, 5], 1],
      [[1, 0], 0],
      [[10, 0], 4],
      [[285, 0], 100],
      [[286, 0], 100],
      [[1000, 0], 100],
      [[0, 1000], 100],
      [[200, 300], 100],
      [[100, 100], 45],
    ],
    ([noGo, degraded]: readonly [number, number]) => uncertaintyScore(noGo, degraded),
  )
})

test('the bands part at 20 and 21, 35 and 36, 60 and 61', () => {
  check(
    [
      [0, 'Low'],
      [20, 'Low'],
      [21, 'Moderate'],
      [35, 'Moderate'],
      [36, 'High'],
      [60, 'High'],
      [61, 'Critical'],
      [100, 'Critical'],
    ],
    uncertaintyBandOf,
  )
})

/** So many GO among so many rows; the others are DEGRADED. */
function goAmong(go: number, total: number): Tally {
  const rows = Array.from({ length: total }, (_, place) =>
    transactionWith({ amount: place < go ? 1000 : 85_000 }),
  )
  return tallyOf(assessed(rows))
}

test('percentages have one decimal, half up', () => {
  const percentages = ([go, total]: readonly [number, number]): readonly number[] => {
    const { go_pct, degraded_pct } = wireSums(goAmong(go, total)).summary
    return [go_pct, degraded_pct]
  }
  check(
    [
      [
        [1, 3],
        [33.3, 66.7],
      ],
      [
        [2, 3],
        [66.7, 33.3],
      ],
      [
        [1, 16],
        [6.3, 93.8],
      ],
      [
        [1, 400],
        [0.3, 99.8],
      ],
      [
        [3, 400],
        [0.8, 99.3],
      ],
      [
        [0, 7],
        [0, 100],
      ],
      [
        [7, 7],
        [100, 0],
      ],
    ],
    percentages,
  )
})

test('every sum equals what exact arithmetic makes of the rows themselves', () => {
  fc.assert(
    fc.property(fc.array(anyTransaction, { minLength: 1, maxLength: 60 }), (rows) => {
      const found = assessed(rows)
      const { calibration, ...sums } = wireSums(tallyOf(found))
      assert.deepEqual(sums, sumsOf(found.map(wireOf)))
      assertFigures(calibration, rowsCurve(found.map(wireOf)))
    }),
    { numRuns: 300 },
  )
})

test('nothing at all sums to nothing, without a division by zero', () => {
  const { total, permille, averageScoreTenThousandths, alignmentPermille, uncertainty } =
    summaryOf(emptyTally())
  assert.deepEqual(
    { total, permille, averageScoreTenThousandths, alignmentPermille, uncertainty },
    { total: 0, permille: [0, 0, 0], averageScoreTenThousandths: 0, alignmentPermille: null, uncertainty: 0 },
  )
})

test('PENDING and no outcome are not counted, and without any other the alignment is null', () => {
  const summed = (outcomes: readonly ('PENDING' | 'COMPLETED' | null)[]) => {
    const { summary } = wireSums(
      tallyOf(assessed(outcomes.map((actualOutcome) => transactionWith({ actualOutcome })))),
    )
    return [summary.transactions_with_outcome, summary.alignment_pct]
  }
  check(
    [
      [[null], [0, null]],
      [
        ['PENDING', null],
        [0, null],
      ],
      [
        ['PENDING', 'COMPLETED', null],
        [1, 100],
      ],
    ],
    summed,
  )
})

/** The tallies of the parts, put together in order. */
function merged(parts: readonly (readonly Assessment[])[]): Tally {
  const whole = emptyTally()
  for (const part of parts) merge(whole, tallyOf(part))
  return whole
}

/** The rows, cut at these places. */
function cut(rows: readonly Assessment[], places: readonly number[]): Assessment[][] {
  const bounds = [0, ...places.toSorted((left, right) => left - right), rows.length]
  return bounds.slice(1).map((end, place) => rows.slice(bounds[place], end))
}

test('the tallies of the parts, put together in order, are the tally of the whole', () => {
  fc.assert(
    fc.property(anyRows, fc.array(fc.nat(60), { maxLength: 5 }), (rows, places) => {
      const inRange = places.filter((place) => place <= rows.length)
      assert.deepEqual(merged(cut(rows, inRange)), tallyOf(rows))
    }),
    { numRuns: 300 },
  )
})

test('with more corridors and months than are counted apart the whole is the same however it was cut', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const pair = (place: number): string =>
    `${letters[Math.floor(place / 26) % 26] ?? ''}${letters[place % 26] ?? ''}`
  const rows = Array.from({ length: 3_000 }, (_, place) => {
    // Each half has corridors of its own, and meets again those with which the other began.
    const turn = place < 1_500 ? place : (place * 7) % 2_600
    const month = `${String(1000 + turn).padStart(4, '0')}-01`
    return transactionWith({ corridor: corridorOf(`${pair(turn)}-${pair(Math.floor(turn / 676))}`), month })
  })
  const found = assessed(rows)
  const whole = merged([found])
  assert.equal(whole.byCorridor.size, 1_001)
  assert.equal(whole.byMonth.size, 1_001)
  for (const places of [[1_500], [999], [1, 2, 1_001, 2_700]]) {
    const parted = merged(cut(found, places))
    assert.deepEqual([...parted.byCorridor], [...whole.byCorridor])
    assert.deepEqual([...parted.byMonth], [...whole.byMonth])
    assert.deepEqual(parted, whole)
  }
})

test('the worst rows are the lowest of all: NO-GO, then risk before missing data, then by score and place', () => {
  const rank = { 'NO-GO': 0, DEGRADED: 1, GO: 2 }
  fc.assert(
    fc.property(anyRows, (rows) => {
      const expected = rows
        .map((row, place) => ({ row, place }))
        .toSorted(
          (left, right) =>
            rank[left.row.verdict] - rank[right.row.verdict] ||
            Number(right.row.supported) - Number(left.row.supported) ||
            left.row.scoreHundredths - right.row.scoreHundredths ||
            left.place - right.place,
        )
        .slice(0, worstRowsMax)
      assert.deepEqual(
        tallyOf(rows).worst.map((row) => row.index),
        expected.map(({ place }) => place),
      )
    }),
  )
})

test('every row is counted once by score, by outcome, by corridor and by month', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const { scores, byOutcome, byCorridor, byMonth } = tallyOf(rows)
      const sum = (counts: Iterable<readonly number[]>): number =>
        [...counts].flat().reduce((left, right) => left + right, 0)
      assert.deepEqual(
        [sum([scores]), sum(Object.values(byOutcome)), sum(byCorridor.values()), sum(byMonth.values())],
        [rows.length, rows.length, rows.length, rows.length],
      )
    }),
  )
})
