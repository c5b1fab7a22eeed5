/** The report of a policy on recorded decisions: sums that do not depend on the order of the records. */

import type { Verdict } from '../decision/score.ts'
import { actualOutcomes, type ActualOutcome } from '../live/outcome.ts'

/** One record, decided again under the policy. */
export interface Redecided {
  readonly requestId: string
  readonly corridor: string
  readonly currency: string
  readonly amount: number | null
  readonly from: Verdict
  readonly to: Verdict
  /** Rules of the policy that fired. */
  readonly fired: readonly string[]
  /** Those of them without which, all together, the verdict would be laxer. */
  readonly decided: readonly string[]
  readonly outcome: ActualOutcome | null
}

type Flip = `${Verdict}>${Verdict}`

interface Sample {
  readonly request_id: string
  readonly from: Verdict
  readonly to: Verdict
  readonly rules: readonly string[]
}

interface RuleCount {
  fired: number
  decided: number
}

interface CorridorCount {
  records: number
  flips: Partial<Record<Flip, number>>
}

interface CurrencyCount extends CorridorCount {
  payments: number
  /** Millionths of a unit, as text: a sum of integers does not depend on its order. */
  newlyStoppedMillionths: string
}

export type OutcomeColumn = ActualOutcome | 'unreported'

/** JSON throughout, so that it can be stored and continued. */
export interface ReportSums {
  records: number
  unchanged: number
  /** Records that cannot be decided again: another version of the engine decided them. They are in no other figure. */
  undecided: number
  flips: Partial<Record<Flip, number>>
  byRule: Record<string, RuleCount>
  byCorridor: Record<string, CorridorCount>
  byCurrency: Record<string, CurrencyCount>
  newlyStopped: Record<OutcomeColumn, number>
  /** The newest of each flip, newest first. */
  samples: Partial<Record<Flip, Sample[]>>
}

/** Of each kind of flip. */
export const samplesMax = 100
/** A report is stored again and again while it grows. */
const sampleRulesMax = 10

export const outcomeColumns: readonly OutcomeColumn[] = [...actualOutcomes, 'unreported']

export function emptySums(ruleIds: readonly string[]): ReportSums {
  return {
    records: 0,
    unchanged: 0,
    undecided: 0,
    flips: {},
    byRule: Object.fromEntries(ruleIds.map((id) => [id, { fired: 0, decided: 0 }])),
    byCorridor: {},
    byCurrency: {},
    newlyStopped: { COMPLETED: 0, FAILED: 0, DELAYED: 0, REJECTED: 0, PENDING: 0, unreported: 0 },
    samples: {},
  }
}

/** Was `GO`, and would not be: it would wait for a person, or not go at all. */
const isNewlyStopped = ({ from, to }: Pick<Redecided, 'from' | 'to'>): boolean => from === 'GO' && to !== 'GO'

export function addRecord(sums: ReportSums, record: Redecided): void {
  const { from, to, corridor, currency } = record
  sums.records += 1
  for (const id of record.fired) ruleCount(sums, id).fired += 1
  for (const id of record.decided) ruleCount(sums, id).decided += 1
  const byCorridor = (sums.byCorridor[corridor] ??= { records: 0, flips: {} })
  const byCurrency = (sums.byCurrency[currency] ??= {
    records: 0,
    flips: {},
    payments: 0,
    newlyStoppedMillionths: '0',
  })
  byCorridor.records += 1
  byCurrency.records += 1
  if (from === to) {
    sums.unchanged += 1
    return
  }
  const flip: Flip = `${from}>${to}`
  for (const { flips } of [sums, byCorridor, byCurrency]) flips[flip] = (flips[flip] ?? 0) + 1
  addSample((sums.samples[flip] ??= []), {
    request_id: record.requestId,
    from,
    to,
    rules: record.fired.slice(0, sampleRulesMax),
  })
  if (!isNewlyStopped(record)) return
  sums.newlyStopped[record.outcome ?? 'unreported'] += 1
  byCurrency.payments += 1
  const millionths = BigInt(byCurrency.newlyStoppedMillionths) + millionthsOf(record.amount ?? 0)
  byCurrency.newlyStoppedMillionths = String(millionths)
}

/** A later outcome of a record that was added before. */
export function moveOutcome(sums: ReportSums, record: Redecided, before: ActualOutcome | null): void {
  if (!isNewlyStopped(record)) return
  sums.newlyStopped[before ?? 'unreported'] -= 1
  sums.newlyStopped[record.outcome ?? 'unreported'] += 1
}

function ruleCount(sums: ReportSums, id: string): RuleCount {
  return (sums.byRule[id] ??= { fired: 0, decided: 0 })
}

const millionthsOf = (amount: number): bigint => BigInt(Math.round(amount * 1e6))

/** Ids are in the order of time. */
function addSample(samples: Sample[], sample: Sample): void {
  const last = samples.at(-1)
  const isFull = samples.length >= samplesMax
  if (isFull && last !== undefined && last.request_id > sample.request_id) return
  const place = samples.findIndex(({ request_id: id }) => id < sample.request_id)
  samples.splice(place < 0 ? samples.length : place, 0, sample)
  if (samples.length > samplesMax) samples.pop()
}

/** The report as published. Lists are sorted, so equal sums give equal reports. */
export function reportOf(sums: ReportSums) {
  return {
    records: sums.records,
    unchanged: sums.unchanged,
    undecided: sums.undecided,
    flips: sorted(sums.flips),
    by_rule: Object.entries(sums.byRule).map(([id, { fired, decided }]) => ({ rule_id: id, fired, decided })),
    by_corridor: entries(sums.byCorridor).map(([corridor, { records, flips }]) => ({
      corridor,
      records,
      flips: sorted(flips),
    })),
    by_currency: entries(sums.byCurrency).map(([currency, { records, flips }]) => ({
      currency,
      records,
      flips: sorted(flips),
    })),
    amounts: entries(sums.byCurrency)
      .filter(([, { payments }]) => payments > 0)
      .map(([currency, { newlyStoppedMillionths, payments }]) => ({
        currency,
        newly_stopped: Number(newlyStoppedMillionths) / 1e6,
        payments,
      })),
    outcomes: { newly_stopped: sums.newlyStopped },
    samples: Object.values(sums.samples)
      .flat()
      .map((sample) => ({ ...sample, rules: [...sample.rules] }))
      .toSorted((left, right) => (left.request_id < right.request_id ? 1 : -1)),
  }
}

export type PolicyReport = ReturnType<typeof reportOf>

const entries = <Value>(record: Readonly<Record<string, Value>>): [string, Value][] =>
  Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1))

const sorted = (flips: Partial<Record<Flip, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(entries(flips as Record<string, number>))
