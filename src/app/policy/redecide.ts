/** Decides a recorded payment again from its evidence, with another policy in place of its owner's or installation's. */

import { verdictOf } from '../../core/decision/decide.ts'
import { engineVersion } from '../../core/decision/engine.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { isStricter, strictest } from '../../core/decision/tightening.ts'
import type { Redecided } from '../../core/policy/report.ts'
import type { Readings } from '../../core/decision/signals.ts'
import { bestPartner } from '../../core/shadow/partners.ts'
import { circumstancesOf, evidenceIn, readingsOf } from '../inspect/decision-file.ts'
import type { PolicyOwner, PolicyRecord, RecordWithOutcome } from '../ports/policies.ts'
import type { SignalReport } from '../ports/signals.ts'
import { readPolicyFacts, type PolicyFacts } from '../verify/answer.ts'
import type { ComputedEvidence } from '../verify/evidence.ts'
import { choiceOf, decideOn } from '../verify/partner-choice.ts'
import type { CompiledPolicy } from './compile.ts'
import type { PoliciesInForce } from './in-force.ts'
import type { PolicyLibrary } from './library.ts'

/** The policy to try. It takes the place of its owner's, or of the installation's. */
export interface Tried {
  readonly policy: CompiledPolicy
  readonly ownerId: PolicyOwner
}

/**
 * Null if another version of the engine decided: nothing can then be said about the record. A promise only if a policy
 * that it was decided under has to be read: a backtest has no time to wait for each record.
 */
export function redecide(
  row: RecordWithOutcome,
  tried: Tried,
  library: PolicyLibrary,
): Redecided | null | Promise<Redecided | null> {
  const { record, outcome } = row
  const { requestId, corridor, currency, amount, verdict: from } = record
  // Nothing was computed for it: it repeats the decision of its source.
  if (record.cooldownSourceId !== null)
    return { requestId, corridor, currency, amount, from, outcome, to: from, fired: [], decided: [] }
  const evidence = evidenceIn(record)
  if (evidence.engine !== engineVersion) return null
  if (evidence.policies === undefined) return decideUnder(row, tried, evidence, noPolicies)
  return library
    .recorded(evidence.policies)
    .then((before) => decideUnder(row, tried, evidence, before ?? noPolicies))
}

const noPolicies: PoliciesInForce = { owner: null, installation: null }

function decideUnder(
  { record, outcome }: RecordWithOutcome,
  { policy, ownerId }: Tried,
  evidence: ComputedEvidence,
  before: PoliciesInForce,
): Redecided {
  const { requestId, corridor, currency, amount, verdict: from } = record
  const policies = ownerId === null ? { ...before, installation: policy } : { ...before, owner: policy }
  const facts = readPolicyFacts(record.answer)
  const readings = readingsOf(facts, evidence)
  const partner = partnerOf(record, facts, readings)
  const moment = {
    policies,
    ...circumstancesOf(record, { ...facts, recommended_partner: partner }, evidence),
  }
  // The caps without policies.
  const { review_above: reviewAbove, block_above: blockAbove } = evidence.policies ?? evidence
  const caps = { standard: { reviewAbove, blockAbove }, stricter: noCaps }
  const payment = { corridor, currency, amount, revision: evidence.revision ?? 1, policy: caps, moment }
  const { decision } = decideOn(reportOf({ ...facts, readings }, evidence, moment.partner), payment)
  const { fired } = decision.evidence
  const own = fired.filter(({ policyId }) => policyId === policy.policyId)
  const others = fired.filter(({ policyId }) => policyId !== policy.policyId)
  const without = strictest(verdictOf(decision.evidence), others)
  const to = decision.verdict
  const decided = isStricter(to, without) ? own.filter(({ rule }) => rule.then === to) : []
  return {
    requestId,
    corridor,
    currency,
    amount,
    from,
    outcome,
    to,
    fired: own.map(({ rule }) => rule.id),
    decided: decided.map(({ rule }) => rule.id),
  }
}

const noCaps: Policy['stricter'] = new Map()

/** A `NO-GO` recommends nobody, but a rule may have asked for the partner. In shadow mode it follows from the readings. */
function partnerOf({ mode, corridor }: PolicyRecord, facts: PolicyFacts, readings: Readings): string | null {
  const { recommended_partner: recommended, corridor_supported: supported } = facts
  return recommended ?? (mode === 'shadow' && supported ? bestPartner(corridor, readings) : null)
}

/** The signals as recorded, in every mode: nothing is simulated or read again. */
function reportOf(
  facts: PolicyFacts & { readonly readings: Readings },
  evidence: ComputedEvidence,
  partner: string | null,
): Exclude<SignalReport, { kind: 'unavailable' }> {
  const { source, partners, feeds = [], telemetry } = evidence
  const { readings } = facts
  const shared = {
    volatility: facts.volatility,
    settlementCurrency: null,
    ...(telemetry === undefined
      ? {}
      : {
          telemetry: {
            weightPercent: telemetry.weight_percent,
            scoreThousandths: telemetry.score_thousandths,
          },
        }),
  }
  if (partners !== undefined)
    return { kind: 'partners', ...shared, ...choiceOf(partners, { readings, feeds }) }
  const supported = facts.corridor_supported
  return { kind: 'read', ...shared, source, supported, readings, recommendedPartner: partner }
}
