/** The calibration page: its filters, how bins read, and the lift of signals. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  axisEndOf,
  axisStepsOf,
  binText,
  curveText,
  everyFew,
  failedText,
  failureNote,
  intervalText,
  rateText,
  readingOf,
  recordsMin as shownMin,
  type Bin,
} from '../../console/src/charts/rates.ts'
import {
  filtersOf,
  isNarrowed,
  paramsOf,
  queryOf,
  widest,
  withRange,
} from '../../console/src/pages/calibration/filters.ts'
import { byLift, differenceOf, liftOf, type SignalRates } from '../../console/src/pages/calibration/lift.ts'
import { stepName, stepText, stretchText } from '../../console/src/pages/calibration/steps.ts'
import { rateOf, recordsMin } from '../../src/core/calibration/rate.ts'
import { reliabilityOf } from '../../src/core/calibration/figures.ts'
import { signalNames, type SignalName } from '../../src/core/decision/signals.ts'

const bin = (from: number, records: number, failures: number): Bin => ({
  from,
  to: from + 0.1,
  ...rateOf({ records, failures }),
})

describe('a bin', () => {
  test('reads as its interval lies beside the range that was predicted', () => {
    for (const [records, failures, expected] of [
      [19, 19, 'few'],
      [0, 0, 'few'],
      [100, 25, 'expected'],
      [100, 31, 'expected'],
      [100, 50, 'more'],
      [100, 5, 'less'],
      [100, 0, 'less'],
    ] as const) {
      assert.equal(readingOf(bin(0.2, records, failures)), expected, `${failures} of ${records}`)
    }
    // The interval touches the range.
    assert.equal(readingOf({ ...bin(0, 100, 50), to: 0.6, low: 0.6 }), 'expected')
  })

  test('of too few records has no rate in any text, and never 0', () => {
    const few = bin(0.2, 19, 0)
    assert.equal(rateText(few), '—')
    assert.equal(intervalText(few), 'too few records')
    assert.equal(binText(few), 'Predicted 20% to 30%: too few records (19).')
    assert.equal(failedText(bin(0.2, 0, 0)), 'no payments')
    assert.equal(shownMin, recordsMin)
    assert.equal(failureNote(0, 19), 'fewer than 20 outcomes: no rate')
    assert.equal(failureNote(2, 20), '10% failed or were rejected')
  })

  test('has its rate and interval in words', () => {
    assert.equal(
      binText(bin(0.2, 100, 25)),
      'Predicted 20% to 30%: 25.0% of 100 failed, interval 17.5% to 34.3%.',
    )
  })
})

test('a curve says in one sentence how its bins read', () => {
  assert.equal(
    curveText(reliabilityOf([{ records: 3, failures: 1 }])),
    'No bin has 20 records yet, so none has a rate.',
  )
  assert.equal(
    curveText([bin(0, 100, 50), bin(0.1, 100, 15), bin(0.2, 100, 25), bin(0.3, 19, 0), bin(0.4, 100, 0)]),
    '4 of 5 bins have 20 records or more: payments failed as often as predicted in 2, more often in 1, less often in 1.',
  )
  assert.equal(
    curveText([bin(0, 100, 50), bin(0.1, 1, 1)]),
    '1 of 2 bins has 20 records or more: payments failed more often in 1.',
  )
})

describe('an axis', () => {
  test('shows every interval, with round steps', () => {
    for (const [high, end, steps] of [
      [0, 0.05, 5],
      [0.05, 0.05, 5],
      [0.051, 0.1, 5],
      [0.2, 0.2, 4],
      [0.29, 0.3, 3],
      [0.31, 0.5, 5],
      [1, 1, 4],
    ] as const) {
      assert.equal(axisEndOf([{ ...rateOf({ records: 0, failures: 0 }), high }]), end)
      assert.equal(axisStepsOf(end), steps)
    }
    assert.equal(axisEndOf([]), 0.05)
  })

  test('has no more labels than fit', () => {
    assert.deepEqual(everyFew(1, 8), [0])
    assert.deepEqual(everyFew(8, 8), [0, 1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(everyFew(9, 8), [0, 2, 4, 6, 8])
    assert.equal(everyFew(62, 8).length, 8)
    assert.deepEqual(everyFew(0, 8), [])
  })
})

const signal = (
  name: SignalName,
  flagged: readonly [records: number, failures: number],
  clear: readonly [records: number, failures: number],
): SignalRates => ({
  signal: name,
  flagged: rateOf({ records: flagged[0], failures: flagged[1] }),
  clear: rateOf({ records: clear[0], failures: clear[1] }),
})

describe('the lift of a signal', () => {
  test('is the rate where it was flagged over the rate where it was clear', () => {
    assert.equal(liftOf(signal('fraud_flags', [100, 40], [100, 10])), 4)
    assert.equal(liftOf(signal('fraud_flags', [100, 0], [100, 10])), 0)
  })

  test('is none with too few records on a side, or without failures where it was clear', () => {
    assert.equal(liftOf(signal('fraud_flags', [19, 19], [100, 10])), null)
    assert.equal(liftOf(signal('fraud_flags', [100, 40], [19, 1])), null)
    assert.equal(liftOf(signal('fraud_flags', [100, 40], [100, 0])), null)
  })

  test('makes a difference only if the intervals are apart', () => {
    for (const [flagged, clear, expected] of [
      [[100, 40], [100, 10], 'more'],
      [[100, 0], [100, 10], 'less'],
      [[30, 5], [100, 10], 'unclear'],
      [[19, 19], [100, 10], 'few'],
      // Without a lift, still a difference.
      [[100, 40], [100, 0], 'more'],
    ] as const) {
      assert.equal(differenceOf(signal('fraud_flags', flagged, clear)), expected)
    }
  })

  test('sorts the signals; those without one are last, in their own order', () => {
    const few = signalNames.map((name) => signal(name, [0, 0], [100, 10]))
    const signals = few.with(2, signal('balance_sufficient', [100, 20], [100, 10]))
    assert.deepEqual(
      byLift(signals.with(6, signal('cop_overridden', [100, 0], [100, 10]))).map((one) => one.signal),
      [
        'balance_sufficient',
        'cop_overridden',
        'fraud_flags',
        'network_healthy',
        'fx_volatility',
        'operation_valid',
        'historical_failure_rate',
      ],
    )
  })
})

const nowMs = Date.parse('2026-11-18T15:30:00Z')

describe('the filters', () => {
  test('are the same after a way through the address', () => {
    for (const text of [
      '',
      'range=30d',
      'range=90d&corridor=GB-NG&mode=live',
      'range=dates&from=2026-01-01&to=2026-02-01',
      'range=dates',
    ]) {
      assert.equal(paramsOf(filtersOf(new URLSearchParams(text))).toString(), text)
      assert.equal(isNarrowed(filtersOf(new URLSearchParams(text))), text !== '')
    }
    assert.equal(paramsOf(widest).toString(), '')
  })

  test('an address with days only is of dates, and unknown values are none', () => {
    assert.equal(filtersOf(new URLSearchParams('from=2026-01-01')).range, 'dates')
    assert.deepEqual(filtersOf(new URLSearchParams('range=7d&mode=sandbox')), widest)
  })

  test('so many days end with today, and begin with a whole UTC day', () => {
    const query = (text: string) => queryOf(filtersOf(new URLSearchParams(text)), nowMs)
    assert.deepEqual(query('range=30d'), { from: '2026-10-20T00:00:00.000Z' })
    assert.deepEqual(query('mode=live&corridor=GB-NG'), {
      from: '2025-11-19T00:00:00.000Z',
      mode: 'live',
      corridor: 'GB-NG',
    })
  })

  test('the last of the dates is included, and a text that is no day is left to the server', () => {
    const query = (text: string) => queryOf(filtersOf(new URLSearchParams(text)), nowMs)
    assert.deepEqual(query('from=2026-01-31&to=2026-01-31'), {
      from: '2026-01-31T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
    })
    assert.deepEqual(query('from=2026-13-01&to=soon'), { from: '2026-13-01', to: 'soon' })
    assert.deepEqual(query('range=dates'), {})
  })

  test('dates begin as the stretch that was shown before, and stay as they are', () => {
    const month = filtersOf(new URLSearchParams('range=30d'))
    const dates = withRange('dates', month, nowMs)
    assert.deepEqual(dates, { range: 'dates', from: '2026-10-20', to: '2026-11-18' })
    assert.deepEqual(withRange('dates', { ...month, ...dates }, nowMs), { range: 'dates' })
    assert.deepEqual(withRange('90d', month, nowMs), { range: '90d' })
  })
})

test('a stretch is named by its first and last day', () => {
  const [day, next, week] = [
    '2026-11-01T00:00:00.000Z',
    '2026-11-02T00:00:00.000Z',
    '2026-11-08T00:00:00.000Z',
  ]
  assert.doesNotMatch(stepText({ from: day, to: next }), / to /)
  assert.match(stepText({ from: day, to: week }), /\b1\b.* to .*\b7\b/)
  assert.match(stretchText({ from: day, to: next }), /: 1 whole UTC day$/)
  assert.match(stretchText({ from: day, to: week }), /: 7 whole UTC days$/)
  assert.equal(stepName({ from: day, to: next }), 'in days')
  assert.equal(stepName({ from: day, to: week }), 'in steps of 7 days')
})
