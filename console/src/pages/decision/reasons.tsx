/** Why the decision was made: its reasons beside the waterfall of its score. */

import type { DecisionFile, Explanation } from '@fairway/client'
import { ScoreRuler } from '../../charts/ruler.tsx'
import { formatScore } from '../../format.ts'
import { codeLabel } from '../../labels.ts'
import { boundsOf } from '../../rules.ts'
import { FiredPolicies, Gate, isDecidedByRule } from './policies.tsx'
import { hasSignals, Waterfall } from './waterfall.tsx'

/** The rule that set the verdict regardless of the score, if one did. */
function decidingRule(explanation: Explanation): string | null {
  const { policy_gate: gate, corridor_supported: supported } = explanation
  if (isDecidedByRule(explanation)) return 'A rule of a policy set the decision, regardless of the score.'
  if (gate.changed_decision) return 'A policy cap set the decision, regardless of the score.'
  return supported ? null : 'No data for this corridor: never GO, regardless of the score.'
}

interface Reason {
  readonly code: string
  readonly message: string
}

/** As sent; a key without the scope for the answer sees those of the signals. */
function reasonsOf({ answer, explanation }: DecisionFile): readonly Reason[] {
  if (answer !== null) return answer.reasons
  return explanation.factors.flatMap(({ reason_code: code, message }) =>
    code === null ? [] : [{ code, message }],
  )
}

function Score({ file: { audit, explanation } }: { readonly file: DecisionFile }) {
  const rule = decidingRule(explanation)
  return (
    <div className="decision-score">
      <dl className="decision-figures">
        <div>
          <dt>Score</dt>
          <dd>{formatScore(explanation.score)}</dd>
        </div>
        {audit !== null && (
          <div>
            <dt>Confidence</dt>
            <dd>{formatScore(audit.confidence)}</dd>
          </div>
        )}
      </dl>
      {hasSignals(explanation) && <ScoreRuler score={explanation.score} bounds={boundsOf(explanation)} />}
      {rule !== null && <p className="small soft">{rule}</p>}
    </div>
  )
}

export function Why({ file }: { readonly file: DecisionFile }) {
  const { explanation } = file
  const reasons = reasonsOf(file)
  return (
    <section id="why" className="card card-primary decision-why" aria-label="Explanation">
      <div>
        <h2>Reasons</h2>
        <p className="decision-prose">{explanation.summary}</p>
        {reasons.length > 0 && (
          <ul className="decision-reasons">
            {reasons.map(({ code, message }) => (
              <li key={code}>
                <strong title={code}>{codeLabel(code)}</strong>
                <span className="soft">{message}</span>
              </li>
            ))}
          </ul>
        )}
        {explanation.policy_gate.applied && <Gate of={explanation.policy_gate} />}
        <FiredPolicies of={explanation} />
      </div>
      <div>
        <h2>Score</h2>
        <Score file={file} />
        {hasSignals(explanation) ? (
          <Waterfall of={explanation} />
        ) : (
          <p className="soft">No data: there are no signals to add up, so the score is 0.</p>
        )}
      </div>
    </section>
  )
}
