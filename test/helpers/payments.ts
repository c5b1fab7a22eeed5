/** Payments of the past for the tests of the batch: random rows, and the sums of a report worked out another way. */

import fc from './fast-check.ts'
import type { WireAssessment } from '../../src/app/assess/batch-wire.ts'
import { defaultCurrency } from '../../src/core/reference/currency.ts'
import { actualOutcomes, type ActualOutcome } from '../../src/core/live/outcome.ts'
import type { Transaction } from '../../src/core/assess/transaction.ts'
import { expectedCurve } from './calibration.ts'
import { anyAmount, anySupported, anyUnsupported, corridorOf, currencyOf } from './check.ts'

/** A row as a caller writes it; what is undefined is not given. */
export interface GivenRow {
  readonly id?: string
  readonly corridor: string
  readonly amount?: number
  readonly currency?: string
  readonly actual_outcome?: ActualOutcome
  readonly timestamp?: string
  readonly rail?: string
}

/** Amounts that reach every verdict, and those whose decimals would act in a verify. */
export const anyPaidAmount: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 1000, 1000.01, 1000.08, 1000.09, 50_000, 50_001, 85_000, 500_000, 500_001, 1e15, 5e-7),
  fc.integer({ min: 0, max: 700_000 }),
  fc.double({ min: 0, max: 700_000, noNaN: true }),
)

/** Text without control characters, and without space around it, which a CSV reader takes off. */
const anyText = (most: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ minLength: 1, maxLength: most }),
      fc.string({ minLength: 1, maxLength: most / 2, unit: 'grapheme' }),
      fc.constantFrom('a,b', 'say "so"', '"', '""', ',', ';', '=1+1', "it's", 'é ü ☕', '#', 'NULL', 'true'),
    )
    .map((text) => text.replaceAll(/\p{Cc}/gu, '').trim())
    .filter((text) => text !== '' && text.length <= most)

export const anyTimestamp = fc.constantFrom(
  '2026-03-01',
  '2026-02-28T09:30',
  '2026-03-01T09:30:00Z',
  '2026-12-31 23:59:59.123+01:00',
)

export const anyGivenRow: fc.Arbitrary<GivenRow> = fc.record(
  {
    id: anyText(40),
    corridor: fc.oneof(
      fc.constantFrom('GB-NG', 'NG-GB', 'gb-ng', 'United Kingdom-Nigeria', 'US-MX'),
      anyUnsupported,
    ),
    amount: anyPaidAmount,
    currency: fc.constantFrom('GBP', 'NGN', 'USD'),
    actual_outcome: fc.constantFrom(...actualOutcomes),
    timestamp: anyTimestamp,
    rail: anyText(20),
  },
  { requiredKeys: ['corridor'], noNullPrototype: true },
)

/** Rows whose ids, where given, are each their own. */
export const anyBatch: fc.Arbitrary<GivenRow[]> = fc.uniqueArray(anyGivenRow, {
  minLength: 1,
  maxLength: 12,
  selector: (row) => row.id ?? Symbol('none'),
})

export const anyTransaction: fc.Arbitrary<Transaction> = fc.record(
  {
    id: fc.constant(null),
    corridor: fc.oneof({ weight: 3, arbitrary: anySupported }, anyUnsupported),
    amount: fc.oneof(fc.option(anyPaidAmount), anyAmount),
    currency: fc.constantFrom(defaultCurrency, currencyOf('NGN'), currencyOf('USD')),
    actualOutcome: fc.option(fc.constantFrom(...actualOutcomes)),
    month: fc.option(fc.constantFrom('2026-01', '2026-02', '2025-12')),
  },
  { noNullPrototype: true },
)

/** A row with what is given; the rest as a caller leaves it. */
export function transactionWith(given: Partial<Transaction>): Transaction {
  const none = { id: null, amount: null, actualOutcome: null, month: null }
  return { ...none, corridor: corridorOf('GB-NG'), currency: defaultCurrency, ...given }
}

const went: Readonly<Record<ActualOutcome, 'well' | 'wrong' | 'nowhere'>> = {
  COMPLETED: 'well',
  FAILED: 'wrong',
  REJECTED: 'wrong',
  DELAYED: 'wrong',
  PENDING: 'nowhere',
}

type Judged = Pick<WireAssessment, 'svc_decision' | 'svc_score' | 'svc_confidence' | 'actual_outcome'>

/** The sums of a report, in exact arithmetic, from decisions, scores and outcomes alone. */
export function sumsOf(rows: readonly Judged[]) {
  const counting = (holds: (row: Judged) => boolean): bigint => BigInt(rows.filter(holds).length)
  const total = BigInt(rows.length)
  const [go, degraded, noGo] = (['GO', 'DEGRADED', 'NO-GO'] as const).map((verdict) =>
    counting((row) => row.svc_decision === verdict),
  ) as [bigint, bigint, bigint]
  const fateOf = ({ actual_outcome: outcome }: Judged): string =>
    outcome === null ? 'nowhere' : went[outcome]
  const told = counting((row) => fateOf(row) !== 'nowhere')
  const matched = counting((row) => fateOf(row) === (row.svc_decision === 'GO' ? 'well' : 'wrong'))
  const hundredths = (member: 'svc_score' | 'svc_confidence'): bigint =>
    rows.reduce((sum, row) => sum + BigInt(row[member].toFixed(2).replace('.', '')), 0n)
  const uncertainty = uncertaintyOf(halfUp(noGo * 1000n, total), halfUp(degraded * 1000n, total))
  return {
    summary: {
      total_assessed: rows.length,
      go: Number(go),
      degraded: Number(degraded),
      no_go: Number(noGo),
      go_pct: decimal(halfUp(go * 1000n, total), 1),
      degraded_pct: decimal(halfUp(degraded * 1000n, total), 1),
      no_go_pct: decimal(halfUp(noGo * 1000n, total), 1),
      avg_score: decimal(halfUp(hundredths('svc_score') * 100n, total), 4),
      avg_confidence: decimal(halfUp(hundredths('svc_confidence') * 100n, total), 4),
      alignment_pct: told === 0n ? null : decimal(halfUp(matched * 1000n, told), 1),
      flagged_pre_failure: rows.filter(
        ({ svc_decision: verdict, actual_outcome: outcome }) =>
          (verdict === 'DEGRADED' || verdict === 'NO-GO') && (outcome === 'FAILED' || outcome === 'REJECTED'),
      ).length,
      improvement_opportunities: rows.filter((row) => row.svc_decision !== 'GO' && fateOf(row) === 'wrong')
        .length,
      transactions_with_outcome: Number(told),
    },
    execution_uncertainty_score: Number(uncertainty),
    execution_uncertainty_band: bandOf(uncertainty),
  }
}

/** The curve of the rows that have ended, in exact arithmetic. */
export function rowsCurve(rows: readonly Judged[]) {
  const ended = rows.filter(({ actual_outcome: outcome }) => outcome !== null && outcome !== 'PENDING')
  return expectedCurve(
    ended.map(({ svc_score: score, actual_outcome: outcome }) => ({
      scoreHundredths: Number(score.toFixed(2).replace('.', '')),
      outcome,
    })),
  )
}

/** `round(min(100, no_go_pct * 3.5 + degraded_pct))`, from tenths of a percent, in twentieths of a point. */
export function uncertaintyOf(noGoPermille: bigint, degradedPermille: bigint): bigint {
  const twentieths = 7n * noGoPermille + 2n * degradedPermille
  return halfUp(twentieths > 2000n ? 2000n : twentieths, 20n)
}

function bandOf(uncertainty: bigint): string {
  if (uncertainty <= 20n) return 'Low'
  if (uncertainty <= 35n) return 'Moderate'
  return uncertainty <= 60n ? 'High' : 'Critical'
}

function halfUp(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator
  return (numerator % denominator) * 2n >= denominator ? whole + 1n : whole
}

/** The number that is written with so many decimals. */
function decimal(units: bigint, places: number): number {
  const digits = String(units).padStart(places + 1, '0')
  return Number(`${digits.slice(0, -places)}.${digits.slice(-places)}`)
}
