/** Decides a recorded payment again from its evidence, with another policy in place of its owner's or installation's. */

import { verdictOf } from '../../core/decision/decide.ts'
import { engineVersion } from '../../core/decision/engine.ts'
import { isStricter, strictest } from '../../core/decision/tightening.ts'
import { recordedPolicy, type RecordedDecision } from '../../core/explain/recorded-decision.ts'
import type { Redecided } from '../../core/policy/report.ts'
import { circumstancesOf, evidenceIn, recordedOf } from '../inspect/decision-file.ts'
import { readAnswer } from '../inspect/record-wire.ts'
import type { PolicyOwner, RecordWithOutcome } from '../ports/policies.ts'
import type { SignalReport } from '../ports/signals.ts'
import type { StoredAnswer } from '../verify/answer.ts'
import type { ComputedEvidence } from '../verify/evidence.ts'
import { choiceOf, decideOn } from '../verify/partner-choice.ts'
import type { CompiledPolicy } from './compile.ts'
import type { PolicyLibrary } from './library.ts'

/** The policy to try. It takes the place of its owner's, or of the installation's. */
export interface Tried {
  readonly policy: CompiledPolicy
  readonly ownerId: PolicyOwner
}

/** Null if another version of the engine decided: nothing can then be said about the record. */
export async function redecide(
  { record, outcome }: RecordWithOutcome,
  { policy, ownerId }: Tried,
  library: PolicyLibrary,
): Promise<Redecided | null> {
  const { requestId, corridor, currency, amount, verdict: from } = record
  const shared = { requestId, corridor, currency, amount, from, outcome }
  // Nothing was computed for it: it repeats the decision of its source.
  if (record.cooldownSourceId !== null) return { ...shared, to: from, fired: [], decided: [] }
  const evidence = evidenceIn(record)
  if (evidence.engine !== engineVersion) return null
  const answer = readAnswer(record)
  const before = evidence.policies === undefined ? null : await library.recorded(evidence.policies)
  const recorded = recordedOf(record, answer, evidence, before)
  const inForce = before ?? { owner: null, installation: null }
  const policies = ownerId === null ? { ...inForce, installation: policy } : { ...inForce, owner: policy }
  const moment = { policies, ...circumstancesOf(record, answer, evidence) }
  const payment = {
    corridor,
    currency,
    amount,
    revision: recorded.revision,
    policy: recordedPolicy(recorded),
    moment,
  }
  const { decision } = decideOn(reportOf(recorded, answer, evidence, moment.partner), payment)
  const { band, gate, supported, fired } = decision.evidence
  const own = fired.filter(({ policyId }) => policyId === policy.policyId)
  const others = fired.filter(({ policyId }) => policyId !== policy.policyId)
  const without = strictest(verdictOf(band, gate, supported), others)
  const to = decision.verdict
  const decided = isStricter(to, without) ? own.filter(({ rule }) => rule.then === to) : []
  return { ...shared, to, fired: own.map(({ rule }) => rule.id), decided: decided.map(({ rule }) => rule.id) }
}

/** The signals as recorded, in every mode: nothing is simulated or read again. */
function reportOf(
  { readings, telemetry, decision }: RecordedDecision,
  { volatility }: StoredAnswer,
  { source, partners, feeds = [] }: ComputedEvidence,
  partner: string | null,
): Exclude<SignalReport, { kind: 'unavailable' }> {
  const shared = { volatility, settlementCurrency: null, ...(telemetry === null ? {} : { telemetry }) }
  if (partners !== undefined)
    return { kind: 'partners', ...shared, ...choiceOf(partners, { readings, feeds }) }
  const { supported } = decision.evidence
  return { kind: 'read', ...shared, source, supported, readings, recommendedPartner: partner }
}
