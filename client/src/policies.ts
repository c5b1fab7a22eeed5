/** The methods of policies. The client inherits them. */

import type { Calls } from './calls.ts'
import { pathPart, queryText, type CallOptions } from './request.ts'
import { jsonOf } from './transport.ts'
import type * as wire from './types.ts'

const root = '/api/v1/policies'
const pathOf = (policyId: string): string => `${root}/${pathPart(policyId)}`
const backtestPath = (policyId: string, backtestId: string): string =>
  `${pathOf(policyId)}/backtests/${pathPart(backtestId)}`

export class PolicyMethods {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /** Creates a policy as a draft, which decides nothing until another principal promotes it. */
  async createPolicy(document: wire.PolicyDocument, options: CallOptions = {}): Promise<wire.Policy> {
    return this.#calls.act(root, document, options)
  }

  /** Checks a document and, with `request_id`, tries it on a decision. Nothing is stored. */
  async checkPolicy(
    document: wire.PolicyDocument,
    query: wire.CheckPolicyQuery = {},
    options: CallOptions = {},
  ): Promise<wire.PolicyCheck> {
    return this.#calls.query(`${root}/check${queryText(query)}`, document, options)
  }

  /** The variables, functions and macros of expressions. */
  async policyVariables(options: CallOptions = {}): Promise<wire.PolicyVariables> {
    return this.#calls.get(`${root}/variables`, options)
  }

  /** One page of your policies, newest first, and which of them are active and candidate. Follow `next_cursor`. */
  async policies(query: wire.PoliciesQuery = {}, options: CallOptions = {}): Promise<wire.PolicyList> {
    return this.#calls.get(`${root}${queryText(query)}`, options)
  }

  async policy(policyId: string, options: CallOptions = {}): Promise<wire.Policy> {
    return this.#calls.get(pathOf(policyId), options)
  }

  /** The decisions since the policy became the candidate, each decided again under it. */
  async policyReport(policyId: string, options: CallOptions = {}): Promise<wire.PolicyCandidateReport> {
    return this.#calls.get(`${pathOf(policyId)}/report`, options)
  }

  /** Evaluates the policy on every new decision from now on. The decisions do not change. */
  async makePolicyCandidate(policyId: string, options: CallOptions = {}): Promise<wire.Policy> {
    return this.#calls.act(`${pathOf(policyId)}/candidate`, null, options)
  }

  /** Puts a policy in force. Refused with `FOUR_EYES` to the principal who wrote it. */
  async promotePolicy(
    policyId: string,
    body: wire.PolicyReason,
    options: CallOptions = {},
  ): Promise<wire.Policy> {
    return this.#calls.act(`${pathOf(policyId)}/promote`, body, options)
  }

  /** Takes the active policy out of force. The one before it, or none, is active again. */
  async rollBackPolicy(body: wire.PolicyReason, options: CallOptions = {}): Promise<wire.PolicyRollback> {
    return this.#calls.act(`${root}/rollback`, body, options)
  }

  /** Starts to decide a stretch of history again under a policy. Read its progress with `backtest`. */
  async startBacktest(
    policyId: string,
    body: wire.PolicyBacktestRequest,
    options: CallOptions = {},
  ): Promise<wire.PolicyBacktest> {
    return this.#calls.act(`${pathOf(policyId)}/backtest`, body, options)
  }

  /** The newest backtests of a policy. */
  async backtests(policyId: string, options: CallOptions = {}): Promise<wire.PolicyBacktestList> {
    return this.#calls.get(`${pathOf(policyId)}/backtests`, options)
  }

  /** The progress of a backtest and, when it is done, its report. */
  async backtest(
    policyId: string,
    backtestId: string,
    options: CallOptions = {},
  ): Promise<wire.PolicyBacktest> {
    return this.#calls.get(backtestPath(policyId, backtestId), options)
  }

  async cancelBacktest(
    policyId: string,
    backtestId: string,
    options: CallOptions = {},
  ): Promise<wire.PolicyBacktest> {
    const path = backtestPath(policyId, backtestId)
    return jsonOf(await this.#calls.keyed('DELETE', path, options, { repeatable: 'when_refused' }))
  }
  /** How your scores compare with how payments ended, and the tightening that the outcomes support, if any. */
  async calibration(query: wire.CalibrationQuery = {}, options: CallOptions = {}): Promise<wire.Calibration> {
    return this.#calls.get(`/api/v1/calibration${queryText(query)}`, options)
  }
}
