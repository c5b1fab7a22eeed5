/** Types of decision summaries and of the rollups behind them. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { ReasonCode } from '../../core/decision/reasons.ts'
import type { Totals } from '../../core/time/rollup.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { Range, Step } from '../../core/time/summary.ts'

/** Values that rollups count beyond the columns of a record. */
export interface RollupInput {
  readonly reasonCodes: readonly ReasonCode[]
  /** From the arrival of the request until its record was prepared; null if not measured. */
  readonly latencyUs: number | null
}

export interface SummaryQuery {
  /** Whole hours of recording time. */
  readonly range: Range
  readonly step: Step
  readonly corridor: Corridor | null
  readonly mode: Mode | null
  readonly corridorsMax: number
}

export interface SummedDecisions {
  readonly total: number
  readonly scoreSum: number
  readonly verdicts: Readonly<Record<Verdict, number>>
}

export interface Summed {
  readonly totals: Totals
  /** By the start of the hour or day; only those with records. */
  readonly steps: ReadonlyMap<number, SummedDecisions>
  /** Most traffic first. */
  readonly corridors: readonly (SummedDecisions & { readonly corridor: Corridor })[]
  readonly corridorsTotal: number
}
