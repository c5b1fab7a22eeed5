/** What a summary of an owner's decisions asks of the store. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { ReasonCode } from '../../core/decision/reasons.ts'
import type { Totals } from '../../core/time/rollup.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { Range, Step } from '../../core/time/summary.ts'

/** What is counted of a decision beyond the columns of its record: known when it is made, and read nowhere again. */
export interface RollupNote {
  readonly reasonCodes: readonly ReasonCode[]
  /** From the arrival of the request until its record was prepared; null where that was not measured. */
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
  /** By the start of the hour or the day; only those in which something was recorded. */
  readonly steps: ReadonlyMap<number, SummedDecisions>
  /** Most traffic first. */
  readonly corridors: readonly (SummedDecisions & { readonly corridor: Corridor })[]
  readonly corridorsTotal: number
}
