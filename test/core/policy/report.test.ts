/** The report of a policy: sums that do not depend on the order, the parts or the pauses in which records are added. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { actualOutcomes } from '../../../src/core/live/outcome.ts'
import {
  addRecord,
  emptySums,
  moveOutcome,
  reportOf,
  samplesMax,
  type PolicyReport,
  type Redecided,
  type ReportSums,
} from '../../../src/core/policy/report.ts'
import { anyAmount } from '../../helpers/check.ts'
import fc from '../../helpers/fast-check.ts'

const ruleIds = ['payee', 'thin', 'large']
const verdicts: readonly Verdict[] = ['GO', 'DEGRADED', 'NO-GO']

const anyRecord: fc.Arbitrary<Omit<Redecided, 'requestId'>> = fc.record({
  corridor: fc.constantFrom('GB-NG', 'NG-GB', 'US-MX'),
  currency: fc.constantFrom('GBP', 'NGN'),
  amount: fc.oneof(anyAmount, fc.constantFrom(0.1, 0.2, 0.3, 1e-6, 1e15)),
  from: fc.constantFrom(...verdicts),
  to: fc.constantFrom(...verdicts),
  fired: fc.subarray(ruleIds),
  decided: fc.subarray(ruleIds),
  outcome: fc.option(fc.constantFrom(...actualOutcomes)),
})

const idAt = (place: number): string => `SVC-2026-${String(place).padStart(26, '0')}`
const anyRecords = fc
  .array(anyRecord, { maxLength: 60 })
  .map((records) => records.map((record, place): Redecided => ({ ...record, requestId: idAt(place) })))

function sumsOf(records: readonly Redecided[]): ReportSums {
  const sums = emptySums(ruleIds)
  for (const record of records) addRecord(sums, record)
  return sums
}

test('records in any order give the same report', () => {
  const anyOrder = anyRecords.chain((records) =>
    fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
  )
  fc.assert(
    fc.property(anyOrder, ([records, shuffled]) => {
      const [report, other] = [reportOf(sumsOf(records)), reportOf(sumsOf(shuffled))]
      assert.deepEqual(other, report)
      assert.equal(JSON.stringify(other), JSON.stringify(report), 'the same bytes')
    }),
  )
})

test('sums that were stored and continued give the same report', () => {
  fc.assert(
    fc.property(anyRecords, fc.nat(), (records, cut) => {
      const at = records.length === 0 ? 0 : cut % records.length
      const stored = JSON.parse(JSON.stringify(sumsOf(records.slice(0, at)))) as ReportSums
      for (const record of records.slice(at)) addRecord(stored, record)
      assert.deepEqual(reportOf(stored), reportOf(sumsOf(records)))
    }),
  )
})

test('an outcome that is reported later gives the report of one that was known from the start', () => {
  fc.assert(
    fc.property(anyRecords, fc.boolean(), (records, isPendingFirst) => {
      const sums = sumsOf(records.map((record) => ({ ...record, outcome: null })))
      for (const record of records) {
        const { outcome } = record
        if (outcome === null) continue
        const pending = isPendingFirst && outcome !== 'PENDING'
        if (pending) moveOutcome(sums, { ...record, outcome: 'PENDING' }, null)
        moveOutcome(sums, record, pending ? 'PENDING' : null)
      }
      assert.deepEqual(reportOf(sums), reportOf(sumsOf(records)))
    }),
  )
})

/** The figures once more, by plain counting. */
function counted(records: readonly Redecided[]) {
  const flipped = records.filter(({ from, to }) => from !== to)
  const stopped = records.filter(({ from, to }) => from === 'GO' && to !== 'GO')
  const flipsOf = (some: readonly Redecided[]) =>
    Object.fromEntries(
      [...Map.groupBy(some, ({ from, to }) => `${from}>${to}`)]
        .map(([flip, found]) => [flip, found.length] as const)
        .toSorted(([left], [right]) => (left < right ? -1 : 1)),
    )
  const groups = (member: 'corridor' | 'currency') =>
    [...Map.groupBy(records, (record) => record[member])]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, some]) => ({
        [member]: name,
        records: some.length,
        flips: flipsOf(some.filter(({ from, to }) => from !== to)),
      }))
  const outcomes = [...actualOutcomes, null].map((outcome) => [
    outcome ?? 'unreported',
    stopped.filter((record) => record.outcome === outcome).length,
  ])
  return {
    records: records.length,
    unchanged: records.length - flipped.length,
    undecided: 0,
    flips: flipsOf(flipped),
    by_rule: ruleIds.map((id) => ({
      rule_id: id,
      fired: records.filter(({ fired }) => fired.includes(id)).length,
      decided: records.filter(({ decided }) => decided.includes(id)).length,
    })),
    by_corridor: groups('corridor'),
    by_currency: groups('currency'),
    outcomes: { newly_stopped: Object.fromEntries(outcomes) as PolicyReport['outcomes']['newly_stopped'] },
    samples: flipped
      .toReversed()
      .map(({ requestId, from, to, fired }) => ({ request_id: requestId, from, to, rules: [...fired] })),
  }
}

test('every figure is what plain counting finds', () => {
  fc.assert(
    fc.property(anyRecords, (records) => {
      const { amounts, ...report } = reportOf(sumsOf(records))
      assert.deepEqual(report, counted(records))
      const stopped = records.filter(({ from, to }) => from === 'GO' && to !== 'GO')
      assert.deepEqual(
        amounts.map(({ currency, payments }) => [currency, payments]),
        [...Map.groupBy(stopped, ({ currency }) => currency)]
          .map(([currency, some]) => [currency, some.length])
          .toSorted(([left = ''], [right = '']) => (left < right ? -1 : 1)),
      )
    }),
  )
})

const stoppedAt = (place: number, more: Partial<Redecided> = {}): Redecided => ({
  requestId: idAt(place),
  corridor: 'GB-NG',
  currency: 'GBP',
  amount: 10,
  from: 'GO',
  to: 'NO-GO',
  fired: ['payee'],
  decided: ['payee'],
  outcome: null,
  ...more,
})

test('amounts are summed to the millionth, and a payment without an amount counts as a payment', () => {
  const amounts = [0.1, 0.2, 0.3, 1e9, 0.000_001, null]
  const { amounts: found } = reportOf(sumsOf(amounts.map((amount, place) => stoppedAt(place, { amount }))))
  assert.deepEqual(found, [{ currency: 'GBP', newly_stopped: 1_000_000_000.600_001, payments: 6 }])
})

test('only what was GO and would not be is newly stopped', () => {
  const flips: readonly (readonly [Verdict, Verdict])[] = verdicts.flatMap((from) =>
    verdicts.map((to) => [from, to] as const),
  )
  const records = flips.map(([from, to], place) => stoppedAt(place, { from, to, outcome: 'FAILED' }))
  const { amounts, outcomes, unchanged, flips: found } = reportOf(sumsOf(records))
  assert.deepEqual(amounts, [{ currency: 'GBP', newly_stopped: 20, payments: 2 }])
  assert.equal(outcomes.newly_stopped.FAILED, 2)
  assert.equal(unchanged, 3)
  assert.equal(Object.keys(found).length, 6)
})

test('the newest hundred of each kind of flip are samples, newest first, whatever their order', () => {
  const count = samplesMax + 20
  const records = Array.from({ length: count }, (_, place) => stoppedAt(place))
  const other = stoppedAt(count, { to: 'DEGRADED', requestId: idAt(0).replace('2026', '2025') })
  for (const order of [records, records.toReversed()]) {
    const { samples } = reportOf(sumsOf([...order, other]))
    const ids = samples.map(({ request_id: id }) => id)
    const newest = Array.from({ length: samplesMax }, (_, place) => idAt(count - 1 - place))
    assert.deepEqual(ids, [...newest, other.requestId])
  }
})

test('a report of no records has every rule and outcome at zero', () => {
  assert.deepEqual(reportOf(emptySums(['payee'])), {
    records: 0,
    unchanged: 0,
    undecided: 0,
    flips: {},
    by_rule: [{ rule_id: 'payee', fired: 0, decided: 0 }],
    by_corridor: [],
    by_currency: [],
    amounts: [],
    outcomes: {
      newly_stopped: { COMPLETED: 0, FAILED: 0, DELAYED: 0, REJECTED: 0, PENDING: 0, unreported: 0 },
    },
    samples: [],
  })
})
