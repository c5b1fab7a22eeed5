/** The sums that the console takes of a batch's rows. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Assessment } from '@fairway/client'
import { binsOf, byMonth, byReason, inOrder } from '../../console/src/pages/batch/totals.ts'

const row = (index: number, more: Partial<Assessment> = {}): Assessment => ({
  index,
  transaction_id: `row-${index + 1}`,
  corridor: 'GB-NG',
  corridor_supported: true,
  amount: 100,
  currency: 'GBP',
  actual_outcome: null,
  svc_decision: 'GO',
  svc_score: 0.9,
  svc_confidence: 0.9,
  svc_volatility: 0.01,
  policy_capped: false,
  alignment: null,
  improvement_opportunity: false,
  improvement_note: null,
  flags: [],
  ...more,
})

test('every score from 0.00 to 1.00 is in the bin that has it, and the bands begin where bins do', () => {
  const scores = Array.from({ length: 101 }, (_, hundredths) => hundredths / 100)
  const bins = binsOf(scores)
  assert.equal(bins.length, 25)
  assert.deepEqual(
    bins.map(({ count }) => count),
    [...Array.from({ length: 24 }, () => 4), 5],
  )
  for (const bound of [0.48, 0.8]) assert.ok(bins.some(({ from }) => from === bound))
  for (const score of scores) {
    const [bin, ...others] = binsOf([score]).filter(({ count }) => count > 0)
    assert.ok(bin !== undefined && others.length === 0)
    assert.ok(bin.from <= score && (score < bin.to || score === 1), `${score} is in ${bin.from} to ${bin.to}`)
  }
})

test('months are in order, with rows without a date last', () => {
  const timestamps = ['2026-03-01', '', '2025-12-31T23:59:59+01:00', '2026-03-09']
  const months = byMonth(
    timestamps.map((_, index) => row(index)),
    (index) => timestamps[index] ?? '',
  )
  assert.deepEqual(
    months.map(({ key, rows }) => [key, rows.length]),
    [
      ['2025-12', 1],
      ['2026-03', 2],
      ['', 1],
    ],
  )
})

test('reasons are counted by row, and the worst row is first', () => {
  const rows = [
    row(0, { flags: ['HIGH_FX_VOLATILITY'] }),
    row(1, { svc_decision: 'DEGRADED', svc_score: 0.7, flags: ['HIGH_FX_VOLATILITY', 'NETWORK_DEGRADED'] }),
    row(2, { svc_decision: 'DEGRADED', svc_score: 0.6, corridor_supported: false }),
    row(3, { svc_decision: 'NO-GO', svc_score: 0.9 }),
  ]
  assert.deepEqual(byReason(rows), [
    ['HIGH_FX_VOLATILITY', 2],
    ['NETWORK_DEGRADED', 1],
  ])
  assert.deepEqual(
    inOrder(rows, 'worst').map(({ index }) => index),
    [3, 1, 2, 0],
  )
})
