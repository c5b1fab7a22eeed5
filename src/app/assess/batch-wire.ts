/** Maps assessments and their sums to the API's member names (section 2.7 of the contract). */

import { improvementNote, type Assessment } from '../../core/assess/assessment.ts'
import type { ReasonCode } from '../../core/decision/reasons.ts'
import { curveOf } from '../../core/calibration/figures.ts'
import { summaryOf, type Summary, type Tally, type UncertaintyBand } from '../../core/assess/report.ts'
import type { Verdict } from '../../core/decision/score.ts'
import type { ActualOutcome } from '../../core/live/outcome.ts'
import { defused, type Cell } from './csv/write.ts'

export interface WireAssessment {
  readonly index: number
  readonly transaction_id: string
  readonly corridor: string
  readonly corridor_supported: boolean
  readonly amount: number | null
  readonly currency: string
  readonly actual_outcome: ActualOutcome | null
  readonly svc_decision: Verdict
  readonly svc_score: number
  readonly svc_confidence: number
  readonly svc_volatility: number
  readonly policy_capped: boolean
  readonly alignment: boolean | null
  readonly improvement_opportunity: boolean
  readonly improvement_note: string | null
  readonly flags: readonly ReasonCode[]
}

/** CSV columns, in the order of the contract. */
export const assessmentColumns = [
  'index',
  'transaction_id',
  'corridor',
  'corridor_supported',
  'amount',
  'currency',
  'actual_outcome',
  'svc_decision',
  'svc_score',
  'svc_confidence',
  'svc_volatility',
  'policy_capped',
  'alignment',
  'improvement_opportunity',
  'improvement_note',
  'flags',
] as const satisfies readonly (keyof WireAssessment)[]

export function wireOf(row: Assessment): WireAssessment {
  return {
    index: row.index,
    transaction_id: row.transactionId,
    corridor: row.corridor,
    corridor_supported: row.supported,
    amount: row.amount,
    currency: row.currency,
    actual_outcome: row.actualOutcome,
    svc_decision: row.verdict,
    svc_score: row.scoreHundredths / 100,
    svc_confidence: row.confidenceHundredths / 100,
    svc_volatility: row.volatility,
    policy_capped: row.policyCapped,
    alignment: row.alignment,
    improvement_opportunity: row.improvement,
    improvement_note: improvementNote(row),
    flags: row.flags,
  }
}

/** The cells in the order of `assessmentColumns`. Flags are separated by spaces. */
export function cellsOf(row: WireAssessment): Cell[] {
  return [
    row.index,
    defused(row.transaction_id),
    row.corridor,
    row.corridor_supported,
    row.amount,
    row.currency,
    row.actual_outcome,
    row.svc_decision,
    row.svc_score,
    row.svc_confidence,
    row.svc_volatility,
    row.policy_capped,
    row.alignment,
    row.improvement_opportunity,
    row.improvement_note,
    row.flags.join(' '),
  ]
}

interface WireSummary {
  readonly total_assessed: number
  readonly go: number
  readonly degraded: number
  readonly no_go: number
  readonly go_pct: number
  readonly degraded_pct: number
  readonly no_go_pct: number
  readonly avg_score: number
  readonly avg_confidence: number
  readonly alignment_pct: number | null
  readonly flagged_pre_failure: number
  readonly improvement_opportunities: number
  readonly transactions_with_outcome: number
}

export interface WireSums {
  readonly summary: WireSummary
  readonly execution_uncertainty_score: number
  readonly execution_uncertainty_band: UncertaintyBand
  readonly calibration: ReturnType<typeof curveOf>
}

export function wireSums(tally: Tally): WireSums {
  const sums: Summary = summaryOf(tally)
  const [go, degraded, noGo] = sums.counts
  const [goPermille, degradedPermille, noGoPermille] = sums.permille
  return {
    summary: {
      total_assessed: sums.total,
      go,
      degraded,
      no_go: noGo,
      go_pct: goPermille / 10,
      degraded_pct: degradedPermille / 10,
      no_go_pct: noGoPermille / 10,
      avg_score: sums.averageScoreTenThousandths / 10_000,
      avg_confidence: sums.averageConfidenceTenThousandths / 10_000,
      alignment_pct: sums.alignmentPermille === null ? null : sums.alignmentPermille / 10,
      flagged_pre_failure: sums.flaggedPreFailure,
      improvement_opportunities: sums.improvements,
      transactions_with_outcome: sums.withOutcome,
    },
    execution_uncertainty_score: sums.uncertainty,
    execution_uncertainty_band: sums.uncertaintyBand,
    calibration: curveOf(tally.endedByScore),
  }
}
