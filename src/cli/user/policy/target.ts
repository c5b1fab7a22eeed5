/** The policies that a command works on: those of the key's owner on a server, or those of the installation. */

import type {
  Mode,
  Policy,
  PolicyBacktest,
  PolicyCandidateReport,
  PolicyReport,
  PolicyRollback,
} from '../../../../client/src/index.ts'

export interface BacktestRange {
  readonly from: string
  readonly to: string
  readonly mode: Mode | null
}

/** A finished backtest. On the installation nothing of it is stored, so it has no id. */
export type FinishedBacktest = Pick<PolicyBacktest, 'policy_id' | 'from' | 'to' | 'mode'> & {
  readonly report: PolicyReport
}

export interface BacktestProgress {
  /** Ends the backtest, wherever it runs. */
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** Without a report the title says why. */
export interface LatestReport {
  readonly title: string
  readonly report: PolicyReport | null
}

export interface PolicyTarget {
  /** Newest first. */
  list(status: Policy['status'] | null): Promise<readonly Policy[]>
  find(policyId: string): Promise<Policy>
  create(document: unknown): Promise<Policy>
  candidate(policyId: string): Promise<Policy>
  report(policyId: string): Promise<PolicyCandidateReport>
  /** The report to look at before a promotion. */
  latestReport(policyId: string): Promise<LatestReport>
  promote(policyId: string, reason: string): Promise<Policy>
  rollback(reason: string): Promise<PolicyRollback>
  backtest(policyId: string, range: BacktestRange, progress: BacktestProgress): Promise<FinishedBacktest>
  /** Formats a suggested command for the same policies. */
  hint(...words: readonly string[]): string
  /** Members of the JSON output of a change, beyond those of the API. */
  readonly recorded: Readonly<Record<string, unknown>>
  /** Lines below the text output of a change. */
  readonly notice: readonly string[]
}
